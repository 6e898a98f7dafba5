// The real window: files that are read again while other things go on. Edits of a reading before its answer is there, a model
// that is not in front, plannings of an older program, and questions that come at a time.
#include "app/desktop/file_watch.h"
#include "app/desktop/views/regression_view.h"
#include "app/desktop/views/stack_view.h"
#include "app/desktop/widgets/error_card.h"
#include "app/session/regress/regression.h"
#include "tests/desktop/desk.h"
#include "tests/session/test_planners.h"
#include "tests/support/written_file.h"

#include <QAbstractItemModel>
#include <QFile>
#include <QListView>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace stowage;
using test::Desk;

namespace {

/// Two buffers that are live together: 10 bytes, and `second`.
QByteArray rows(int second)
{
    return "id,lower,upper,size\na,0,2,10\nb,1,3," + QByteArray::number(second) + '\n';
}

/// A target with the name and the one pool `sram`.
QByteArray targetOf(int capacity)
{
    return "{\"format\": \"stowage.target/1\", \"name\": \"mine\", \"pools\": [{\"name\": \"sram\", \"capacity\": " +
           QByteArray::number(capacity) + "}]}";
}

/// A suite of the model row.csv. `more`: further fields of the row, with a comma at the end.
QByteArray suiteOf(const char* planners, const char* more = "")
{
    return QByteArray("{\"format\": \"stowage.suite/1\", \"name\": \"few\", \"rows\": [{\"model\": \"row.csv\", ") + more +
           "\"planners\": [" + planners + "]}]}";
}

bool hasSuiteOf(Desk& desk, std::size_t rows)
{
    const auto regression = desk.workspace().regression();
    return regression && regression->rows.size() == rows;
}

bool isTold(Desk& desk, const char* title)
{
    const ErrorCard& card = desk.window->errorCard();
    return card.isVisible() && card.notice().title == QLatin1String(title);
}

bool opened(Desk& desk, const QString& path)
{
    desk.window->openFiles({path});
    return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run() && desk.workspace().model()->path == path; },
                           60'000);
}

bool settled(Desk& desk)
{
    return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000);
}

bool press(Desk& desk, const char* text)
{
    const auto buttons = desk.window->errorCard().findChildren<QPushButton*>();
    const auto found = std::ranges::find_if(
        buttons, [&](const QPushButton* each) { return each->isVisible() && each->text() == QLatin1String(text); });
    if (found != buttons.end()) (*found)->click();
    return found != buttons.end();
}

} // namespace

class WindowReloadTest : public QObject {
    Q_OBJECT

    test::OwnSettings settings_;
    QTemporaryDir folder_;

    QString file(const char* name, const QByteArray& text) { return test::writtenFile(folder_, QString::fromLatin1(name), text); }

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    /// Its runs are of the old file and go with it: it is planned when it is shown.
    void aModelThatIsNotInFrontIsPlannedWhenItIsShown()
    {
        const QString hidden = file("hidden.csv", rows(20)), front = file("front.csv", rows(40));
        Desk desk;
        QVERIFY(opened(desk, hidden));
        const int before = desk.workspace().modelId();
        QVERIFY(opened(desk, front));
        const int inFront = desk.workspace().modelId();
        file("hidden.csv", rows(26));
        desk.workspace().reload(before);
        const OpenModels& models = desk.workspace().models();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && models.successor(before) != before, 20'000);
        QCOMPARE(desk.workspace().modelId(), inFront);
        QCOMPARE(desk.workspace().run()->report.totalSize(), Bytes(50));
        desk.workspace().setModel(models.successor(before));
        QVERIFY(settled(desk));
        QCOMPARE(desk.workspace().run()->report.totalSize(), Bytes(36));
        // Once: what is planned stays as it is.
        desk.workspace().setModel(inFront);
        desk.workspace().setModel(models.successor(before));
        QVERIFY(!desk.workspace().busy());
    }

    /// The second edit, and a reload, come before the file has been read with the first one.
    void editsOfTheReadingAddUp()
    {
        const QString path = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/doorbell.tflite");
        Desk desk;
        QVERIFY(opened(desk, path));
        const auto read = [&](const OptionValues& wanted) {
            return QTest::qWaitFor(
                [&] {
                    return desk.idle() && desk.workspace().run() && desk.workspace().model()->options.importOptions == wanted;
                },
                60'000);
        };
        ModelEdits& edits = desk.workspace().edits();
        edits.setImportOption("subgraphs", std::string("main"));
        edits.setImportOption("io", std::string("excluded"));
        desk.workspace().reload();
        QCOMPARE(desk.workspace().models().opening().size(), std::size_t(1)); // only the last one is read
        QVERIFY(read({{"io", "excluded"}, {"subgraphs", "main"}}));
        QCOMPARE(desk.session.models().size(), std::size_t(1));
        QCOMPARE(desk.workspace().undoStack().count(), 2);
        desk.trigger("edit.undo");
        QVERIFY(read({{"subgraphs", "main"}}));

        // An edit that the file refuses leaves, and the edit before it, whose reading it had cancelled, is made.
        edits.setImportOption("io", std::string("excluded"));
        edits.setBinding("no such dimension", 3);
        QCOMPARE(desk.workspace().undoStack().count(), 3);
        QVERIFY(read({{"io", "excluded"}, {"subgraphs", "main"}}));
        QVERIFY(desk.workspace().model()->options.bindings.empty());
        QCOMPARE(desk.workspace().undoStack().count(), 2);
        QVERIFY(desk.workspace().models().failures().empty()); // the file was read since
        desk.trigger("edit.undo");
        desk.trigger("edit.undo");
        QVERIFY(read({}));
    }

    /// Program JSON has no free dimensions. The edit leaves no step of undo; a step that cannot be undone stays one.
    void anEditWhoseReadingFailsIsTakenBack()
    {
        const QByteArray text = test::chainInPlace;
        const QString path = file("chain.json", text);
        Desk desk;
        QVERIFY(opened(desk, path));
        desk.workspace().edits().setBinding("batch", 2);
        QCOMPARE(desk.workspace().undoStack().count(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().models().failures().size(), std::size_t(1), 20'000);
        QCOMPARE(desk.workspace().undoStack().count(), 0);
        QVERIFY(desk.workspace().model()->options.bindings.empty());

        const QString sample = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/doorbell.tflite");
        const QString copy = folder_.filePath(QStringLiteral("doorbell.tflite")), away = copy + QStringLiteral(".away");
        QVERIFY(QFile::copy(sample, copy));
        QVERIFY(opened(desk, copy));
        desk.workspace().edits().setImportOption("io", std::string("excluded"));
        const auto excluded = [&] { return !desk.workspace().model()->options.importOptions.empty(); };
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && excluded(), 60'000);
        QVERIFY(QFile::rename(copy, away));
        desk.trigger("edit.undo");
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().models().failures().size(), std::size_t(2), 20'000);
        QVERIFY(excluded());
        QVERIFY(desk.window->actions().action(QStringLiteral("edit.undo"))->isEnabled());
        QVERIFY(QFile::rename(away, copy));
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && !excluded(), 60'000);

        // Two steps that are undone before the first reading fails: both stay.
        const auto read = [&](const OptionValues& wanted) {
            return QTest::qWaitFor(
                [&] {
                    return desk.idle() && desk.workspace().run() && desk.workspace().model()->options.importOptions == wanted;
                },
                60'000);
        };
        desk.workspace().edits().setImportOption("subgraphs", std::string("main"));
        QVERIFY(read({{"subgraphs", "main"}}));
        desk.workspace().edits().setImportOption("io", std::string("excluded"));
        QVERIFY(read({{"io", "excluded"}, {"subgraphs", "main"}}));
        QCOMPARE(desk.workspace().undoStack().index(), 2);
        QVERIFY(QFile::rename(copy, away));
        desk.trigger("edit.undo");
        desk.trigger("edit.undo");
        QCOMPARE(desk.workspace().undoStack().index(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().models().failures().size(), std::size_t(2), 20'000);
        QCOMPARE(desk.workspace().undoStack().index(), 2);
        QVERIFY(read({{"io", "excluded"}, {"subgraphs", "main"}}));
        QVERIFY(QFile::rename(away, copy));
        desk.trigger("edit.undo");
        QVERIFY(read({{"subgraphs", "main"}}));
        desk.trigger("edit.undo");
        QVERIFY(read({}));
    }

    /// A file that could not be read once is no failure any more when it is read.
    void aReadingThatSucceedsEndsTheFailure()
    {
        const QString path = file("mended.csv", rows(20));
        Desk desk;
        QVERIFY(opened(desk, path));
        file("mended.csv", "id,lower\n");
        desk.workspace().reload();
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().models().failures().size(), std::size_t(1), 20'000);
        file("mended.csv", rows(30));
        const int before = desk.workspace().modelId();
        desk.workspace().reload();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().modelId() != before && desk.idle() && desk.workspace().run(), 20'000);
        QCOMPARE(desk.workspace().run()->report.totalSize(), Bytes(40));
        QVERIFY(desk.workspace().models().failures().empty());
    }

    /// A planning goes on after its program was replaced. Its setup is left and comes back: its plan is of the old program still.
    /// Runs that had ended before stay until their planner has planned the new one: the chart of orders shows both.
    void aPlanOfAReplacedProgramIsNoRun_data()
    {
        QTest::addColumn<bool>("ticked");
        QTest::newRow("planned once") << false;
        QTest::newRow("ticked") << true;
    }
    void aPlanOfAReplacedProgramIsNoRun()
    {
        QFETCH(bool, ticked);
        Desk desk;
        QVERIFY(!desk.session.addPlanner(test::improvingPlanner(std::chrono::milliseconds(5), 100'000)));
        QVERIFY(opened(desk, file("replaced.json", test::chainInPlace)));
        const auto old = desk.workspace().model()->program;
        const int rounds = test::improvingRoundsDone();
        desk.workspace().plannings().planOnly("test-improving");
        QTRY_VERIFY_WITH_TIMEOUT(test::improvingRoundsDone() > rounds, 20'000);
        const int ended = std::ranges::max(desk.session.runs(), {}, &RunEntry::id).id;
        desk.workspace().planners().setTicked("test-improving", ticked);
        Program renamed = *old;
        renamed.name += " renamed";
        desk.workspace().edits().setProgram(std::make_shared<const Program>(std::move(renamed)), QStringLiteral("Rename"));
        desk.workspace().edits().setAlignment(64);
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().run(), 20'000);
        if (ticked) desk.workspace().plannings().cancel(); // else it goes on for minutes
        QVERIFY(settled(desk));
        QTest::qWait(300); // the planner asks every 5 ms whether it has to stop
        for (const RunEntry& entry : desk.session.runs()) {
            QVERIFY(ticked || entry.request.planner != "test-improving");
            QVERIFY(entry.id <= ended || entry.run->program != old);
        }
    }

    /// Changed files are one question, however many they are; it comes back when what has covered it is closed.
    void noQuestionIsLost()
    {
        const QString first = file("one.csv", rows(20)), second = file("two.csv", rows(40));
        Desk desk;
        QVERIFY(opened(desk, first));
        const int one = desk.workspace().modelId();
        QVERIFY(opened(desk, second));
        const ErrorCard& card = desk.window->errorCard();
        const auto asks = [&](const char* title) { return card.isVisible() && card.notice().title == QLatin1String(title); };
        for (const int id : desk.session.models()) QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().models().hashOf(id), 20'000);
        file("one.csv", rows(26));
        QTRY_VERIFY_WITH_TIMEOUT(asks("one.csv has changed"), 20'000);
        Notice other{QStringLiteral("Something else"), {}, {}, {}, {}};
        other.what.message = "It has happened.";
        desk.workspace().report(other);
        QVERIFY(asks("Something else"));
        card.findChild<QToolButton*>(QStringLiteral("closeCard"))->click();
        QVERIFY(asks("one.csv has changed"));
        file("two.csv", rows(46));
        QTRY_VERIFY_WITH_TIMEOUT(asks("2 files have changed"), 20'000);
        QVERIFY(press(desk, "Reload all"));
        QVERIFY(!card.isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().models().successor(one) != one, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(settled(desk) && desk.workspace().run()->report.totalSize() == 56, 20'000);
        desk.workspace().setModel(desk.workspace().models().successor(one));
        QVERIFY(settled(desk));
        QCOMPARE(desk.workspace().run()->report.totalSize(), Bytes(36));
    }

    void aFileThatIsAsItWasIsNoQuestionAnyMore()
    {
        const QString first = file("back.csv", rows(20)), second = file("changed.csv", rows(40));
        Desk desk;
        QVERIFY(opened(desk, first));
        QVERIFY(opened(desk, second));
        const ErrorCard& card = desk.window->errorCard();
        const auto asks = [&](const char* title) { return card.isVisible() && card.notice().title == QLatin1String(title); };
        for (const int id : desk.session.models()) QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().models().hashOf(id), 20'000);
        file("back.csv", rows(26));
        QTRY_VERIFY_WITH_TIMEOUT(asks("back.csv has changed"), 20'000);
        file("changed.csv", rows(46));
        QTRY_VERIFY_WITH_TIMEOUT(asks("2 files have changed"), 20'000);
        file("back.csv", rows(20));
        QTRY_VERIFY_WITH_TIMEOUT(asks("changed.csv has changed"), 20'000);
    }

    /// The card goes with its reason: the file is as it was, it is read again, or its model is closed.
    void aQuestionWithoutItsReasonIsTakenAway()
    {
        const QString beside = file("beside.csv", rows(40)), path = file("asked.csv", rows(20));
        Desk desk;
        QVERIFY(opened(desk, beside)); // the views stay when the other model is closed
        QVERIFY(opened(desk, path));
        const ErrorCard& card = desk.window->errorCard();
        const auto changed = [&](int second) {
            const auto hashed = [&] { return desk.workspace().models().hashOf(desk.workspace().modelId()).has_value(); };
            if (!QTest::qWaitFor(hashed, 20'000)) return false;
            file("asked.csv", rows(second));
            return QTest::qWaitFor(
                [&] { return card.isVisible() && card.notice().title == QStringLiteral("asked.csv has changed"); }, 20'000);
        };
        QVERIFY(changed(26));
        file("asked.csv", rows(20));
        QTRY_VERIFY_WITH_TIMEOUT(!card.isVisible(), 20'000);

        QVERIFY(changed(30));
        const int before = desk.workspace().modelId();
        desk.trigger("file.reload");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().modelId() != before && settled(desk), 20'000);
        QVERIFY(!card.isVisible());

        QVERIFY(changed(34));
        desk.workspace().closeModel(desk.workspace().modelId());
        QTRY_VERIFY_WITH_TIMEOUT(!card.isVisible(), 20'000);
        QCOMPARE(desk.workspace().model()->path, beside);
    }

    /// The page has the cause of the first, and the list has all of them until the next planning.
    void plannersThatFailAreNamedWithTheirCauses()
    {
        Desk desk(ThemeMode::dark, {test::throwingPlanner(), test::choosyPlanner()});
        QVERIFY(opened(desk, file("failing.csv", rows(20))));
        desk.workspace().setPin({"a", desk.workspace().pools().front().name, 0}); // which test-choosy cannot take
        QTRY_VERIFY_WITH_TIMEOUT(settled(desk), 20'000);
        desk.workspace().shown().clear();
        const auto plan = [&](const std::vector<const char*>& planners) {
            desk.trigger("plan.tick-none");
            for (const char* planner : planners) desk.workspace().planners().setTicked(planner, true);
            desk.workspace().plan();
            return QTest::qWaitFor([&] { return desk.idle(); }, 20'000);
        };
        const auto listed = [&] {
            QStringList rows;
            const QAbstractItemModel* model = desk.find<QListView>("diagnosticList")->model();
            for (int row = 0; row < model->rowCount(); ++row)
                if (const QString text = model->index(row, 0).data().toString(); text.contains(QStringLiteral("did not plan")))
                    rows << text.section(u' ', 0, 0);
            rows.sort();
            return rows;
        };
        QVERIFY(plan({"test-throwing", "test-choosy"}));
        QVERIFY(!desk.workspace().run());
        const QStringList both{QStringLiteral("test-choosy"), QStringLiteral("test-throwing")};
        QTRY_COMPARE_WITH_TIMEOUT(listed(), both, 20'000);
        const PlanFailure first = desk.workspace().plannings().failuresOf(desk.workspace().modelId()).front();
        const auto* view = desk.show<StackView>("memory-map");
        QVERIFY(view);
        QVERIFY2(view->message().contains(QString::fromStdString(first.planner + " did not plan: " + first.error.message)),
                 qPrintable(view->message()));
        QVERIFY(plan({"greedy-by-size"}) && desk.workspace().run());
        QVERIFY(listed().isEmpty() && view->message().isEmpty());
    }

    void aTargetThatChangesIsReadAgainOnAClick()
    {
        const QString path = file("mine.json", targetOf(1000));
        Desk desk;
        QVERIFY(opened(desk, file("planned.csv", rows(20))));
        const auto read = desk.session.target(path);
        QVERIFY(read);
        desk.workspace().edits().setTarget(*read);
        QTRY_VERIFY_WITH_TIMEOUT(settled(desk) && desk.window->fileWatch().knows(path), 20'000);
        file("mine.json", targetOf(20'000));
        const ErrorCard& card = desk.window->errorCard();
        QTRY_VERIFY_WITH_TIMEOUT(card.isVisible() && card.notice().title == QStringLiteral("mine.json has changed"), 20'000);
        QCOMPARE(desk.workspace().pools().front().capacity, std::optional<Bytes>(1000)); // until the user asks for it
        QVERIFY(press(desk, "Reload"));
        QCOMPARE(desk.workspace().pools().front().capacity, std::optional<Bytes>(20'000));
        // An edited target is no longer that of the file.
        QTRY_VERIFY_WITH_TIMEOUT(settled(desk), 20'000);
        desk.workspace().edits().setCapacity(0, 500);
        file("mine.json", targetOf(3000));
        QTest::qWait(1000);
        QVERIFY(!card.isVisible() || card.notice().title != QStringLiteral("mine.json has changed"));
        QCOMPARE(desk.workspace().pools().front().capacity, std::optional<Bytes>(500));
    }

    void aSuiteThatChangesIsPlannedAgainOnAClick()
    {
        file("row.csv", rows(20));
        const QString path = file("few.json", suiteOf("\"naive\""));
        Desk desk;
        desk.window->openFiles({path});
        QTRY_VERIFY_WITH_TIMEOUT(hasSuiteOf(desk, 1) && desk.window->fileWatch().knows(path), 20'000);
        file("few.json", suiteOf("\"naive\", \"exact\""));
        const ErrorCard& card = desk.window->errorCard();
        QTRY_VERIFY_WITH_TIMEOUT(card.isVisible() && card.notice().title == QStringLiteral("few.json has changed"), 20'000);
        QVERIFY(hasSuiteOf(desk, 1));
        QVERIFY(press(desk, "Reload"));
        QTRY_VERIFY_WITH_TIMEOUT(hasSuiteOf(desk, 2), 20'000);
    }

    /// Each model has its own copy of the target, and the file is followed whichever model is in front.
    void aTargetOfSeveralModelsIsReadAgainForAllOfThem()
    {
        const QString path = file("mine.json", targetOf(1000));
        Desk desk;
        std::vector<int> models;
        for (const char* name : {"one.csv", "two.csv", "edited.csv", "none.csv"}) {
            QVERIFY(opened(desk, file(name, rows(20))));
            models.push_back(desk.workspace().modelId());
            if (models.size() == 4) break; // the one in front has no target
            const auto read = desk.session.target(path);
            QVERIFY(read);
            desk.workspace().edits().setTarget(*read);
            if (models.size() == 1) desk.workspace().setPin({"a", "sram", 0});
            if (models.size() == 3) desk.workspace().edits().setCapacity(0, 500);
            QVERIFY(settled(desk));
        }
        const auto capacities = [&] {
            std::vector<std::optional<Bytes>> all;
            for (int i = 0; i < 3; ++i)
                all.push_back(desk.workspace().edits().setupOf(models[std::size_t(i)]).target.pools.front().capacity);
            return all;
        };
        file("mine.json", targetOf(20'000));
        QTRY_VERIFY_WITH_TIMEOUT(isTold(desk, "mine.json has changed"), 20'000);
        QVERIFY(press(desk, "Reload"));
        QCOMPARE(capacities(), (std::vector<std::optional<Bytes>>{20'000, 20'000, 500}));
        QVERIFY(desk.workspace().target().file.isEmpty());
        // A model that was not in front is planned with the new target when it is shown.
        desk.workspace().setModel(models.front());
        QVERIFY(settled(desk));
        QCOMPARE(desk.workspace().pools().front().capacity, std::optional<Bytes>(20'000));
        // The new target is a step of undo of its own, after the pin.
        desk.trigger("edit.undo");
        QCOMPARE(desk.workspace().pools().front().capacity, std::optional<Bytes>(1000));
        QVERIFY(desk.workspace().edits().pinOf("a"));
        desk.trigger("edit.undo");
        QVERIFY(!desk.workspace().edits().pinOf("a"));
        QVERIFY(settled(desk));
    }

    void aPlanningForTheOldTargetOfAModelThatIsNotInFrontEnds()
    {
        const QString path = file("mine.json", targetOf(1000));
        Desk desk;
        QVERIFY(!desk.session.addPlanner(test::improvingPlanner(std::chrono::milliseconds(5), 100'000)));
        QVERIFY(opened(desk, file("front.csv", rows(40))));
        const int front = desk.workspace().modelId();
        QVERIFY(opened(desk, file("hidden.csv", rows(20))));
        const int hidden = desk.workspace().modelId(), rounds = test::improvingRoundsDone();
        desk.workspace().plannings().planOnly("test-improving");
        QTRY_VERIFY_WITH_TIMEOUT(test::improvingRoundsDone() > rounds, 20'000);
        desk.workspace().setModel(front);
        const auto target = desk.session.target(path);
        QVERIFY(target && desk.workspace().busy());
        desk.workspace().setTarget(hidden, *target);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace().busy(), 20'000); // else it goes on for minutes
        QTest::qWait(300);                                          // the planner asks every 5 ms whether it has to stop
        for (const RunEntry& entry : desk.session.runs()) QVERIFY(entry.request.planner != "test-improving");
    }

    /// The suite names the target by its file, and the file gives it another name.
    void aTargetOfASuitesRowIsAsItsFileSays()
    {
        file("row.csv", rows(20));
        file("mine.json", targetOf(1000));
        Desk desk;
        desk.window->openFiles({file("few.json", suiteOf("\"naive\"", "\"target\": \"mine.json\", "))});
        QTRY_VERIFY_WITH_TIMEOUT(hasSuiteOf(desk, 1), 20'000);
        auto* view = desk.show<RegressionView>("regression");
        QVERIFY(view);
        const auto regression = desk.workspace().regression();
        view->desk().openBothMaps(regression->rows.front());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        QCOMPARE(desk.workspace().target().name, QStringLiteral("mine"));
        file("mine.json", targetOf(1000));
        QTest::qWait(1000);
        QVERIFY(!isTold(desk, "mine.json has changed"));
    }

    void filesThatAreAsTheyWereAreNoLongerAskedAbout()
    {
        const QString target = file("mine.json", targetOf(1000));
        file("row.csv", rows(20));
        const QString suite = file("few.json", suiteOf("\"naive\""));
        Desk desk;
        QVERIFY(opened(desk, file("back.csv", rows(20))));
        const auto read = desk.session.target(target);
        QVERIFY(read);
        desk.workspace().edits().setTarget(*read);
        desk.window->openFiles({suite});
        const FileWatch& watch = desk.window->fileWatch();
        QTRY_VERIFY_WITH_TIMEOUT(settled(desk) && hasSuiteOf(desk, 1) && watch.knows(suite) && watch.knows(target), 20'000);
        file("mine.json", targetOf(20'000));
        QTRY_VERIFY_WITH_TIMEOUT(isTold(desk, "mine.json has changed"), 20'000);
        file("mine.json", targetOf(1000));
        QTRY_VERIFY_WITH_TIMEOUT(!isTold(desk, "mine.json has changed"), 20'000);
        file("few.json", suiteOf("\"naive\", \"exact\""));
        QTRY_VERIFY_WITH_TIMEOUT(isTold(desk, "few.json has changed"), 20'000);
        file("few.json", suiteOf("\"naive\""));
        QTRY_VERIFY_WITH_TIMEOUT(!isTold(desk, "few.json has changed"), 20'000);
        // The same when they are read by other means.
        file("few.json", suiteOf("\"naive\", \"exact\""));
        QTRY_VERIFY_WITH_TIMEOUT(isTold(desk, "few.json has changed"), 20'000);
        desk.find<QPushButton>("regressionAgain")->click();
        QVERIFY(!isTold(desk, "few.json has changed"));
        QTRY_VERIFY_WITH_TIMEOUT(hasSuiteOf(desk, 2), 20'000);
        file("mine.json", targetOf(20'000));
        QTRY_VERIFY_WITH_TIMEOUT(isTold(desk, "mine.json has changed"), 20'000);
        const auto again = desk.session.target(target);
        QVERIFY(again);
        desk.workspace().edits().setTarget(*again);
        QVERIFY(!isTold(desk, "mine.json has changed"));
    }

    /// The suite of a saved session is not read before the user asks: no change of it can differ from what is shown.
    void aSuiteThatIsNotReadIsNotAskedAbout()
    {
        file("row.csv", rows(20));
        const QString suite = file("few.json", suiteOf("\"naive\""));
        Desk desk;
        desk.workspace().restoreSuite(suite);
        QTest::qWait(500);
        file("few.json", suiteOf("\"naive\", \"exact\""));
        QTest::qWait(1000);
        QVERIFY(!isTold(desk, "few.json has changed"));
        QVERIFY(!desk.workspace().suiteIsRead() && !desk.workspace().regression());
    }

    /// A click on the card makes the window active, which compares all files.
    void anAnswerIsNotAskedForAgain()
    {
        const QString path = file("kept.csv", rows(20));
        Desk desk;
        QVERIFY(opened(desk, path));
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().models().hashOf(desk.workspace().modelId()), 20'000);
        file("kept.csv", rows(2600));
        QTRY_VERIFY_WITH_TIMEOUT(isTold(desk, "kept.csv has changed"), 20'000);
        QVERIFY(press(desk, "Keep what is open"));
        QTRY_VERIFY_WITH_TIMEOUT(!isTold(desk, "kept.csv has changed"), 20'000);
        Q_EMIT qApp->applicationStateChanged(Qt::ApplicationActive);
        QTest::qWait(1000);
        QVERIFY(!isTold(desk, "kept.csv has changed"));
        file("kept.csv", rows(30)); // another change is another question
        QTRY_VERIFY_WITH_TIMEOUT(isTold(desk, "kept.csv has changed"), 20'000);
    }

    /// The system tells nothing of what another machine writes: the file is compared when the window becomes active.
    void aChangeThatTheSystemDoesNotTellIsSeenInTheActiveWindow()
    {
        const QString path = file("remote.csv", rows(20));
        Desk desk;
        desk.window->fileWatch().setWatch([](const QString&) { return false; });
        QStringList told;
        connect(&desk.workspace(), &Workspace::noticed, this, [&](const Notice& notice) { told << notice.title; });
        QVERIFY(opened(desk, path));
        QVERIFY(opened(desk, file("second.csv", rows(40))));
        QCOMPARE(told, QStringList{QStringLiteral("Changes of remote.csv are noticed late")}); // once for all files
        for (const int id : desk.session.models()) QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().models().hashOf(id), 20'000);
        file("remote.csv", rows(2600));
        QTest::qWait(1000);
        QCOMPARE(told.size(), qsizetype(1));
        Q_EMIT qApp->applicationStateChanged(Qt::ApplicationActive);
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), qsizetype(2), 20'000);
        QCOMPARE(told.back(), QStringLiteral("remote.csv has changed"));
    }
};

QTEST_MAIN(WindowReloadTest)
#include "tst_window_reload.moc"
