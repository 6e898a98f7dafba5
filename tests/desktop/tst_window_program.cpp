// The real window: how a file is read and lowered, and reading it again.
#include "app/desktop/panels/program_form.h"
#include "app/desktop/panels/reorder_card.h"
#include "app/desktop/widgets/error_card.h"
#include "core/io/text.h"
#include "tests/cli/cli_process.h"
#include "tests/desktop/desk.h"
#include "tests/support/shared.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace stowage;
using test::Desk;

namespace {

/// A program whose op permits its output in the place of its input: 100 bytes in place, 200 without.
const char* const inPlaceProgram = R"({"format": "stowage.program/1", "name": "p", "entry": "main", "functions": [{"name": "main",
  "inputs": [], "outputs": [],
  "tensors": [{"name": "a", "bytes": 100}, {"name": "b", "bytes": 100}],
  "ops": [{"name": "make", "kind": "make", "inputs": [], "outputs": ["a"]},
          {"name": "turn", "kind": "turn", "inputs": ["a"], "outputs": ["b"], "inplace": [["a", "b"]]},
          {"name": "use", "kind": "use", "inputs": ["b"], "outputs": []}]}]})";

/// Two branches that meet. P makes 100 bytes and turns them into 100 others, Q makes 60 bytes and shrinks them to 20. With P's
/// result beside its input, P takes 200 bytes and leaves 100, Q takes 80 and leaves 20: P goes first, and the peak is 200. With
/// P's result in the place of its input, P takes and leaves 100: Q goes first, and the peak is 100 + 20 + 1 where they meet. In
/// the listed order the peak is 100 + 60 + 100 or, in place, 100 + 60 + 20. `turn` says how P turns its bytes, as the rest of an
/// op in program JSON; `head` stands in front of the functions.
QByteArray branches(const QByteArray& turn, const QByteArray& head = {})
{
    return R"({"format": "stowage.program/1", "name": "branches", "entry": "main", )" + head +
           R"("functions": [{"name": "main", "inputs": [], "outputs": [],
  "tensors": [{"name": "p", "bytes": 100}, {"name": "turned", "bytes": 100}, {"name": "q", "bytes": 60},
              {"name": "small", "bytes": 20}, {"name": "all", "bytes": 1}],
  "ops": [{"name": "make p", "kind": "make", "inputs": [], "outputs": ["p"]},
          {"name": "make q", "kind": "make", "inputs": [], "outputs": ["q"]},
          {"name": "turn p", "inputs": ["p"], "outputs": ["turned"], )" +
           turn + R"(},
          {"name": "shrink q", "kind": "shrink", "inputs": ["q"], "outputs": ["small"]},
          {"name": "meet", "kind": "meet", "inputs": ["turned", "small"], "outputs": ["all"]},
          {"name": "use", "kind": "use", "inputs": ["all"], "outputs": []}]}]})";
}

/// The names of the ops of a program JSON with one function, in order.
QStringList opsOf(const QByteArray& program)
{
    QStringList names;
    for (const QJsonValue& op : QJsonDocument::fromJson(program)["functions"][0]["ops"].toArray()) names << op["name"].toString();
    return names;
}

QString write(const QTemporaryDir& folder, const QByteArray& text)
{
    QFile file(folder.filePath(QStringLiteral("p.json")));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text);
    return file.fileName();
}

bool openFile(Desk& desk, const QString& path)
{
    desk.window->openFiles({path});
    return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000);
}

/// Whether the shown run is of the model's program as it is now.
bool planned(Desk& desk)
{
    return desk.idle() && desk.workspace().run() && desk.workspace().run()->program == desk.workspace().model()->program;
}

/// Finds a better order of ops, applies it, and waits for its plan.
bool reorder(Desk& desk)
{
    desk.trigger("plan.reorder");
    auto* card = desk.find<ReorderCard>();
    card->start();
    if (!QTest::qWaitFor([&] { return !card->busy() && card->found(); }, 20'000)) return false;
    card->apply();
    return QTest::qWaitFor([&] { return planned(desk); }, 20'000);
}

QStringList orderIn(Desk& desk)
{
    return opsOf(QByteArray::fromStdString(io::writeProgramJson(*desk.workspace().model()->program)));
}

bool sessionSaved(Desk& desk, const QString& stow)
{
    desk.window->saveSession(stow);
    return QTest::qWaitFor(
        [&] { return desk.window->errorCard().isVisible() && desk.window->errorCard().notice().path.endsWith(u".stow"); },
        20'000);
}

/// `branches` as its file lists it, with a peak of 260 bytes, and as it is reordered, with one of 200.
const QByteArray plainTurn = R"("kind": "turn")";
const QStringList fileOrder{"make p", "make q", "turn p", "shrink q", "meet", "use"};
const QStringList betterOrder{"make p", "turn p", "make q", "shrink q", "meet", "use"};

bool choose(Desk& desk, const char* option, const char* choice)
{
    auto* combo = desk.find<QComboBox>(option);
    if (!combo) return false;
    const int index = combo->findText(QString::fromLatin1(choice));
    if (index < 0) return false;
    combo->setCurrentIndex(index);
    Q_EMIT combo->textActivated(combo->currentText());
    return true;
}

} // namespace

class WindowProgramTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void theLoweringIsChosenPlannedAndUndone()
    {
        const QTemporaryDir folder;
        Desk desk;
        QVERIFY(openFile(desk, write(folder, inPlaceProgram)));
        QCOMPARE(desk.workspace().run()->report.totalBound(), 200);
        QVERIFY(choose(desk, "option:inplace", "allowed"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run()->report.totalBound() == 100, 20'000);
        QCOMPARE(desk.find<ProgramForm>()->summary(), QStringLiteral("inplace allowed"));
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run()->report.totalBound() == 200, 20'000);
        QVERIFY(desk.find<ProgramForm>()->summary().isEmpty());
        QCOMPARE(desk.find<QComboBox>("option:inplace")->currentText(), QStringLiteral("default"));
    }

    void aFileThatHasBecomeUnreadableLosesNothing()
    {
        const QTemporaryDir folder;
        Desk desk;
        const QString path = write(folder, inPlaceProgram);
        QVERIFY(openFile(desk, path));
        const int id = desk.workspace().modelId();
        const std::size_t runs = desk.workspace().runs().size();
        write(folder, "{");
        QSignalSpy noticed(&desk.workspace(), &Workspace::noticed);
        desk.workspace().reload();
        QTRY_COMPARE_WITH_TIMEOUT(noticed.size(), 1, 20'000);
        QCOMPARE(desk.workspace().modelId(), id);
        QCOMPARE(desk.workspace().runs().size(), runs);
        QVERIFY(desk.workspace().run());
    }

    void aChangedFileTakesTheOldOnesPlaceWithItsSetup()
    {
        const QTemporaryDir folder;
        Desk desk;
        const QString path = write(folder, inPlaceProgram);
        QVERIFY(openFile(desk, path));
        desk.workspace().edits().setAlignment(64);
        write(folder, QByteArray(inPlaceProgram).replace("\"b\", \"bytes\": 100", "\"b\", \"bytes\": 1000"));
        const int before = desk.workspace().modelId();
        desk.workspace().reload();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().modelId() != before && desk.workspace().run(), 20'000);
        QCOMPARE(desk.session.models().size(), std::size_t(1));
        QCOMPARE(desk.workspace().edits().setup().alignment, 64);
        QCOMPARE(desk.workspace().run()->report.totalBound(), 128 + 1024); // each rounded up to 64
        desk.trigger("edit.undo"); // an edit from before the reload counts for what took the model's place
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run()->report.totalBound() == 1100, 20'000);
    }

    /// The file says how it is meant to be lowered: an order is judged by that, as `reorder` judges it, and the card's boxes show
    /// it.
    void anOrderIsJudgedByTheProgramsOwnLowering()
    {
        const QTemporaryDir folder;
        Desk desk;
        QVERIFY(openFile(desk, write(folder, QByteArray(inPlaceProgram)
                                                 .replace("\"entry\": \"main\"",
                                                          "\"entry\": \"main\", \"lowering\": {\"inplace\": \"allowed\"}"))));
        QCOMPARE(desk.workspace().run()->report.totalBound(), 100);
        desk.trigger("plan.reorder");
        auto* card = desk.find<ReorderCard>();
        auto* inPlace = desk.find<QCheckBox>("reorderInPlace");
        QVERIFY(card && inPlace && inPlace->isChecked());
        card->start();
        QTRY_VERIFY_WITH_TIMEOUT(!card->busy() && card->found(), 20'000);
        QCOMPARE(card->found()->before, 100);
        inPlace->setChecked(false); // the user wants to see it without
        card->start();
        QTRY_VERIFY_WITH_TIMEOUT(!card->busy() && card->found(), 20'000);
        QCOMPARE(card->found()->before, 200);
    }

    /// Window and command line reorder under the lowering that the user or the file chose, find the same order, and plan it under
    /// that lowering. Under the default lowering the order and the peak are others.
    void bothProgramsFindTheSameOrder_data()
    {
        QTest::addColumn<QString>("chosenBy");
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QByteArray>("turn");
        const QByteArray inPlace = R"("kind": "turn", "inplace": [["p", "turned"]])", view = R"("kind": "reshape")";
        for (const char* by : {"file", "edit", "card"}) {
            QTest::addRow("inplace by %s", by) << QString::fromUtf8(by) << "inplace"
                                               << "allowed" << inPlace;
            QTest::addRow("views by %s", by) << QString::fromUtf8(by) << "views"
                                             << "merged" << view;
        }
    }
    void bothProgramsFindTheSameOrder()
    {
        QFETCH(QString, chosenBy);
        QFETCH(QString, option);
        QFETCH(QString, value);
        QFETCH(QByteArray, turn);
        const test::Cli cli;
        const auto peak = [](const test::CliResult& told, const char* which) {
            return told.array()[0].toObject()[QLatin1String(which)].toInt();
        };
        const auto plain = cli({"reorder", cli.file("plain.json", branches(turn)), "--format", "json", "-o", cli.path("p.json")});
        QCOMPARE(peak(plain, "before"), 260);
        QCOMPARE(peak(plain, "after"), 200);
        QCOMPARE(opsOf(cli.contents("p.json")), QStringList({"make p", "turn p", "make q", "shrink q", "meet", "use"}));

        const bool ofFile = chosenBy == "file";
        const QString path =
            cli.file("branches.json",
                     branches(turn, ofFile ? QStringLiteral("\"lowering\": {\"%1\": \"%2\"}, ").arg(option, value).toUtf8()
                                           : QByteArray()));
        const QStringList lowering = ofFile ? QStringList() : QStringList{"--lower", option + '=' + value};
        const auto told = cli(QStringList{"reorder", path, "--format", "json", "-o", cli.path("told.json")} + lowering);
        QVERIFY2(told.status == 0, told.err);

        Desk desk;
        QVERIFY(openFile(desk, path));
        if (chosenBy == "edit") desk.workspace().edits().setLowering(option.toStdString(), value.toStdString());
        desk.trigger("plan.reorder");
        auto* card = desk.find<ReorderCard>();
        QVERIFY(card);
        if (chosenBy == "card") desk.find<QCheckBox>(option == "views" ? "reorderViews" : "reorderInPlace")->setChecked(true);
        card->start();
        QTRY_VERIFY_WITH_TIMEOUT(!card->busy() && card->found(), 20'000);
        QCOMPARE(card->found()->before, Bytes(180));
        QCOMPARE(card->found()->after, Bytes(121));
        QCOMPARE(peak(told, "before"), 180);
        QCOMPARE(peak(told, "after"), 121);
        card->apply();
        const auto shown = [&] { return desk.workspace().model()->program; };
        QCOMPARE(opsOf(QByteArray::fromStdString(io::writeProgramJson(*shown()))),
                 QStringList({"make q", "shrink q", "make p", "turn p", "meet", "use"}));
        QCOMPARE(opsOf(cli.contents("told.json")), opsOf(QByteArray::fromStdString(io::writeProgramJson(*shown()))));

        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && desk.workspace().run()->program == shown(), 20'000);
        const auto planned =
            cli(QStringList{"plan", cli.path("told.json"), "--planner", "greedy-by-size", "--format", "json"} + lowering);
        QVERIFY2(planned.status == 0, planned.err);
        QJsonObject inWindow;
        for (const auto& [key, text] : desk.workspace().run()->lowering->fingerprint.fields())
            inWindow[QString::fromUtf8(key.data(), qsizetype(key.size()))] = QString::fromStdString(text);
        QCOMPARE(planned.object()["lowering"].toObject(), inWindow);
        QCOMPARE(inWindow[option].toString(), value);
        QCOMPARE(desk.workspace().run()->report.totalBound(), Bytes(121));
    }

    /// The file is the same when it is read again: an applied order stays, and undo still takes it back.
    void anOrderStaysWhenTheFileIsReadAgain()
    {
        const QTemporaryDir folder;
        Desk desk;
        QVERIFY(openFile(desk, write(folder, branches(plainTurn))));
        QCOMPARE(desk.workspace().run()->report.totalBound(), Bytes(260));
        QVERIFY(reorder(desk));
        const int before = desk.workspace().modelId();
        desk.workspace().reload();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().modelId() != before && planned(desk), 20'000);
        QCOMPARE(orderIn(desk), betterOrder);
        QCOMPARE(desk.workspace().run()->report.totalBound(), Bytes(200));
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(planned(desk) && desk.workspace().run()->report.totalBound() == 260, 20'000);
        QCOMPARE(orderIn(desk), fileOrder);
    }

    /// The file has changed: its ops are in its own order, and no step of undo brings back what it held before.
    void aChangedFileLosesItsOrderAndItsUndo()
    {
        const QTemporaryDir folder;
        Desk desk;
        QVERIFY(openFile(desk, write(folder, branches(plainTurn))));
        QVERIFY(reorder(desk));
        QStringList told;
        QObject::connect(&desk.workspace(), &Workspace::noticed, desk.window.get(),
                         [&](const Notice& notice) { told << notice.title; });
        write(folder, branches(plainTurn).replace("\"q\", \"bytes\": 60", "\"q\", \"bytes\": 70"));
        const int before = desk.workspace().modelId();
        desk.workspace().reload();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().modelId() != before && planned(desk), 20'000);
        QCOMPARE(orderIn(desk), fileOrder);
        QCOMPARE(desk.workspace().run()->report.totalBound(), Bytes(100 + 70 + 100)); // p, q and p turned
        QVERIFY2(told.contains(QStringLiteral("p.json is without the edits of its ops")), qPrintable(told.join(u'\n')));
        QVERIFY(!desk.window->actions().action("edit.undo")->isEnabled());
        desk.workspace().undoStack().undo();
        QCOMPARE(desk.workspace().run()->report.totalBound(), Bytes(270));
    }

    /// An order that was undone before is no edit that gets lost: only the steps of undo are gone.
    void aChangedFileWhoseOrderWasUndoneLosesItsUndoAlone()
    {
        const QTemporaryDir folder;
        Desk desk;
        QVERIFY(openFile(desk, write(folder, branches(plainTurn))));
        QVERIFY(reorder(desk));
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(planned(desk) && orderIn(desk) == fileOrder, 20'000);
        QStringList told;
        QObject::connect(&desk.workspace(), &Workspace::noticed, desk.window.get(),
                         [&](const Notice& notice) { told << notice.title; });
        write(folder, branches(plainTurn).replace("\"q\", \"bytes\": 60", "\"q\", \"bytes\": 70"));
        const int before = desk.workspace().modelId();
        desk.workspace().reload();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().modelId() != before && planned(desk), 20'000);
        QVERIFY2(told.contains(QStringLiteral("p.json is without its steps of undo")), qPrintable(told.join(u'\n')));
        QVERIFY(!told.contains(QStringLiteral("p.json is without the edits of its ops")));
        QCOMPARE(desk.workspace().undoStack().count(), 0);
        QCOMPARE(orderIn(desk), fileOrder);
    }

    /// A session holds the order of ops, so that its plans are judged on it.
    void aSessionHoldsTheOrderOfOps()
    {
        const QTemporaryDir folder;
        const QString stow = folder.filePath(QStringLiteral("order.stow"));
        {
            Desk desk;
            QVERIFY(openFile(desk, write(folder, branches(plainTurn))));
            QVERIFY(reorder(desk));
            QVERIFY(sessionSaved(desk, stow));
        }
        Desk desk;
        int started = 0;
        QObject::connect(&desk.session, &Session::jobChanged, &desk.session, [&] { ++started; });
        QVERIFY(desk.window->openSession(stow));
        QTRY_VERIFY_WITH_TIMEOUT(planned(desk), 20'000);
        QCOMPARE(started, 0);
        QCOMPARE(orderIn(desk), betterOrder);
        QCOMPARE(desk.workspace().run()->report.totalBound(), Bytes(200));
        QVERIFY(desk.workspace().run()->report.verdict.valid());
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(planned(desk) && desk.workspace().run()->report.totalBound() == 260, 20'000);
        QCOMPARE(orderIn(desk), fileOrder);
    }

    /// Ops that were added (a spill, an op that runs twice) are in no session, and neither are the plans with them.
    void aSessionSaysThatAddedOpsAreLeftOut()
    {
        const QTemporaryDir folder;
        const QString stow = folder.filePath(QStringLiteral("added.stow"));
        {
            Desk desk;
            QVERIFY(openFile(desk, write(folder, branches(plainTurn))));
            Program longer = *desk.workspace().model()->program;
            Function& entry = longer.functions.front();
            Op again = entry.ops.back();
            again.name = "use again";
            entry.ops.push_back(again);
            entry.regions.front().ops.push_back(OpId(entry.ops.size() - 1));
            desk.workspace().edits().setProgram(std::make_shared<const Program>(longer), QStringLiteral("Use twice"));
            QTRY_VERIFY_WITH_TIMEOUT(planned(desk), 20'000);
            QCOMPARE(orderIn(desk), fileOrder + QStringList{"use again"});
            QVERIFY(sessionSaved(desk, stow));
            QCOMPARE(desk.window->errorCard().notice().more.size(), std::size_t(1));
            QCOMPARE(desk.window->errorCard().notice().more.front().message,
                     std::string("the model has added ops, and a session does not hold those"));
        }
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().model(), 20'000);
        QCOMPARE(orderIn(desk), fileOrder);
        QVERIFY(desk.workspace().runs().empty());
        QTRY_VERIFY(desk.window->errorCard().isVisible());
        QCOMPARE(desk.window->errorCard().notice().title, QStringLiteral("p.json is without its added ops"));
    }

    /// Two models with edits each: undo takes back those of the model that is worked on, and those of a closed one are gone.
    void undoBelongsToTheModel()
    {
        const QTemporaryDir folder, other;
        Desk desk;
        QVERIFY(openFile(desk, write(folder, inPlaceProgram)));
        const int first = desk.workspace().modelId();
        desk.workspace().edits().setAlignment(64);
        QVERIFY(openFile(desk, write(other, inPlaceProgram)));
        const int second = desk.workspace().modelId();
        QVERIFY(first != second);
        QAction* undo = desk.window->actions().action("edit.undo");
        QVERIFY(!undo->isEnabled()); // nothing was done to this one
        desk.workspace().undoStack().undo();
        desk.workspace().edits().setAlignment(32);
        QVERIFY(undo->isEnabled());
        undo->trigger();
        QCOMPARE(desk.workspace().edits().setup().alignment, elementAlignment);
        QVERIFY(!undo->isEnabled());
        desk.workspace().setModel(first);
        QCOMPARE(desk.workspace().edits().setup().alignment, 64);
        QVERIFY(undo->isEnabled());
        desk.workspace().setModel(second);
        desk.workspace().closeModel(first);
        QVERIFY(!undo->isEnabled());
        undo->trigger();
        desk.workspace().undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
        QCOMPARE(desk.session.models(), std::vector<int>{second});
        QCOMPARE(desk.workspace().modelId(), second);
        // Opened again it is a new model, without the edits of the one that was closed.
        QVERIFY(openFile(desk, folder.filePath("p.json")));
        QCOMPARE(desk.workspace().edits().setup().alignment, elementAlignment);
        QVERIFY(!undo->isEnabled());
    }

    /// The file of a model is being read again when the model is closed.
    void aClosedModelDoesNotComeBack()
    {
        const QTemporaryDir folder;
        Desk desk;
        QVERIFY(openFile(desk, write(folder, inPlaceProgram)));
        desk.workspace().reload();
        QVERIFY(!desk.workspace().models().opening().empty());
        desk.workspace().closeModel(desk.workspace().modelId());
        QTest::qWait(300);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().models().opening().empty(), 20'000);
        QVERIFY(desk.session.models().empty());
        QCOMPARE(desk.workspace().modelId(), 0);
    }

    /// Reading twice before the first answer is there leaves one model, with the setup.
    void twoReadingsOfOneModelKeepItsSetup()
    {
        const QTemporaryDir folder;
        Desk desk;
        QVERIFY(openFile(desk, write(folder, inPlaceProgram)));
        desk.workspace().edits().setAlignment(64);
        const int before = desk.workspace().modelId();
        desk.workspace().reload();
        desk.workspace().reload();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().modelId() != before && desk.workspace().run(), 20'000);
        QCOMPARE(desk.session.models().size(), std::size_t(1));
        QCOMPARE(desk.workspace().edits().setup().alignment, 64);
        desk.trigger("edit.undo");
        QCOMPARE(desk.workspace().edits().setup().alignment, elementAlignment);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
    }

    /// The file leaves `batch_size` open (README of the reference models): a field of its own, which plans again when filled in.
    void aFreeDimensionIsAFieldThatPlansAgain()
    {
        STOWAGE_NEEDS_SHARED();
        Desk desk;
        QVERIFY(openFile(desk, test::sharedFile("models/onnx/pytorch_super_resolution.onnx")));
        QCOMPARE(desk.workspace().model()->freeDimensions.size(), std::size_t(1));
        QCOMPARE(desk.workspace().model()->freeDimensions.front().name, std::string("batch_size"));
        auto* edit = desk.find<QLineEdit>("option:size:batch_size");
        QVERIFY(edit && edit->isVisible()); // the section is open
        QVERIFY(!unknownSizes(*desk.workspace().run()).empty());
        if (const QString to = qEnvironmentVariable("STOWAGE_SHOTS"); !to.isEmpty()) {
            QTest::qWait(150);
            desk.window->grab().save(to + QStringLiteral("/free-dimension.png"));
        }
        edit->setFocus();
        QTest::keyClicks(edit, QStringLiteral("0"));
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(desk.workspace().model()->options.bindings.empty()); // no size
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("2"));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && !desk.workspace().model()->options.bindings.empty(),
                                 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && unknownSizes(*desk.workspace().run()).empty(), 60'000);
        const Bytes two = desk.workspace().run()->report.totalBound();
        QCOMPARE(desk.find<QLineEdit>("option:size:batch_size")->text(), QStringLiteral("2"));
        auto* again = desk.find<QLineEdit>("option:size:batch_size");
        again->setFocus();
        again->selectAll();
        QTest::keyClicks(again, QStringLiteral("1"));
        QTest::keyClick(again, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(
            desk.idle() && desk.workspace().run() && desk.workspace().model()->options.bindings.front().second == 1, 60'000);
        const auto bound = [&] {
            return desk.idle() && desk.workspace().run() ? desk.workspace().run()->report.totalBound() : Bytes(-1);
        };
        QTRY_COMPARE_WITH_TIMEOUT(bound(), two / 2, 60'000); // all of its tensors have a batch
        desk.trigger("edit.undo");
        QTRY_COMPARE_WITH_TIMEOUT(bound(), two, 60'000);
    }

    void aProblemHasNothingToChoose()
    {
        Desk desk;
        desk.workspace().openText(QStringLiteral("p.csv"), "id,lower,upper,size\na,0,2,10\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        QVERIFY(!desk.find<QComboBox>("option:inplace"));
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(WindowProgramTest)
#include "tst_window_program.moc"
