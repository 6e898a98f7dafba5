// The real window: the Export card, the plan in every form, tables as CSV, and where all of it lies.
#include "app/desktop/shell/export_dialog.h"
#include "app/desktop/shell/export_items.h"
#include "app/desktop/views/fit_view.h"
#include "app/desktop/views/fold_view.h"
#include "app/desktop/views/regression_view.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/error_card.h"
#include "app/session/run_forms.h"
#include "core/io/text.h"
#include "core/plan/run.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <map>
#include <set>

using namespace stowage;
using test::Desk;

class WindowExportTest : public QObject {
    Q_OBJECT

    test::OwnSettings settings_;
    QTemporaryDir folder_;

    static std::vector<ExportItem> items(Desk& desk, const char* view = "memory-map")
    {
        return exportItems(desk.workspace(), QLatin1String(view), *desk.window->views().currentView());
    }
    /// Exports an item, and gives the place that the window names; empty when it says that nothing was written.
    QString exported(Desk& desk, const QString& id, const QString& name)
    {
        const QString to = folder_.filePath(name);
        auto* card = desk.find<ErrorCard>("errorCard");
        int told = 0;
        const auto listening = connect(&desk.workspace(), &Workspace::noticed, this, [&] { ++told; });
        desk.window->exportItem(id, to);
        const bool said = QTest::qWaitFor([&] { return told > 0 && card->isVisible(); }, 30'000);
        disconnect(listening);
        if (!said || !card->notice().title.startsWith(name)) return {};
        return card->notice().good && card->details().contains(to) ? to : QString();
    }
    /// Presses a button of the card.
    static bool press(Desk& desk, const char* text)
    {
        const auto buttons = desk.window->errorCard().findChildren<QPushButton*>();
        const auto found =
            std::ranges::find_if(buttons, [&](const QPushButton* each) { return each->text() == QLatin1String(text); });
        if (found != buttons.end()) (*found)->click();
        return found != buttons.end();
    }
    /// Cells of a CSV without quoted ones.
    static std::vector<QStringList> cells(const QString& path)
    {
        std::vector<QStringList> rows;
        for (const QByteArray& line : test::contentsOf(path).split('\n'))
            if (!line.isEmpty()) {
                QStringList& row = rows.emplace_back(QStringList{QString()});
                bool quoted = false;
                for (const QChar letter : QString::fromUtf8(line)) {
                    if (letter == u'"')
                        quoted = !quoted;
                    else if (letter == u',' && !quoted)
                        row << QString();
                    else
                        row.back() += letter;
                }
            }
        return rows;
    }

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void thePlanLeavesInEveryForm()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const Run& run = *desk.workspace().run();
        const auto all = items(desk);
        QStringList ids;
        for (const ExportItem& item : all) {
            ids << item.id;
            if (!item.id.startsWith(QStringLiteral("plan:"))) continue;
            const QString to = exported(desk, item.id, item.name);
            QVERIFY2(!to.isEmpty(), qPrintable(item.id + u' ' + desk.find<ErrorCard>("errorCard")->details()));
            if (item.folder)
                QVERIFY2(!QDir(to).entryList(QDir::Files).isEmpty(), qPrintable(to));
            else
                QVERIFY2(!test::contentsOf(to).isEmpty(), qPrintable(to));
        }
        for (const char* id : {"plan:plan", "plan:program", "plan:problem", "plan:csv", "plan:dot", "plan:allocation",
                               "plan:c-source", "plan:c-header", "plan:chrome-trace", "picture", "report", "table:runs",
                               "table:buffers", "table:ops", "table:pools", "table:diagnostics"})
            QVERIFY2(ids.contains(QLatin1String(id)), id);
        // What only files of their own runtime have is not offered.
        for (const char* id : {"plan:executorch", "plan:iree", "plan:dsa-solution", "plan:own-file"})
            QVERIFY2(!ids.contains(QLatin1String(id)), id);

        // Read back: the offsets are those of the plan that is shown.
        const QString csv = folder_.filePath(QStringLiteral("mobilenet_v1_025.csv"));
        const auto read = io::readProblemCsv(test::contentsOf(csv).toStdString(), csv.toStdString());
        QVERIFY(read);
        std::map<std::string, Bytes> offsets;
        for (const Buffer& buffer : read->value.buffers) offsets[buffer.name] = buffer.pin.value_or(-1);
        std::size_t placed = 0;
        for (std::size_t i = 0; i < run.problem().buffers.size(); ++i) {
            if (!run.plan.placements[i].placed()) continue;
            ++placed;
            QCOMPARE(offsets[run.problem().buffers[i].name], run.plan.placements[i].offset);
        }
        QVERIFY(placed > 20);
    }

    /// Widths and versions with a dot tell models apart; Stowage's own double suffixes do not.
    void filesAreCalledAsTheirModelWithoutSuffixes()
    {
        const std::pair<const char*, const char*> names[] = {
            {"/m/net_0.25_128.tflite", "net_0.25_128"},
            {"net_0.5_160.tflite", "net_0.5_160"},
            {"a.program.json", "a"},
            {"a.v2.onnx", "a.v2"},
            {"a.h5", "a"},
            {"a", "a"},
            {".json", ".json"},
            {"-", "called"},
            {"", "called"},
        };
        for (const auto& [path, wanted] : names) {
            Model model;
            model.path = QString::fromUtf8(path);
            model.name = QStringLiteral("called");
            QCOMPARE(QString::fromStdString(shortName(model)), QString::fromUtf8(wanted));
        }
    }

    /// What the writer of a picture notes stands in the card with the place of the file.
    void aPictureIsWrittenWithItsNotes()
    {
        Desk desk;
        QByteArray csv = "id,lower,upper,size\n";
        for (int i = 0; i < 60'000; ++i) // more rectangles than a vector format gets
            csv += 'b' + QByteArray::number(i) + ',' + QByteArray::number(i) + ',' + QByteArray::number(i + 2 + i % 3) + ",16\n";
        desk.workspace().planners().setTicked("greedy-by-size", true);
        desk.workspace().openText(QStringLiteral("many"), csv);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        View* map = desk.show<View>("memory-map");
        QTRY_VERIFY_WITH_TIMEOUT(map->canvas()->scene(), 30'000);
        QVERIFY(!exported(desk, QStringLiteral("picture"), QStringLiteral("many.svg")).isEmpty());
        auto* card = desk.find<ErrorCard>("errorCard");
        QVERIFY2(card->details().contains(QStringLiteral("they are embedded as an image")), qPrintable(card->details()));
        // The sheet of a comparison, whose maps no view shows, is drawn elsewhere; its notes come back.
        desk.show<View>("compare");
        QVERIFY(!exported(desk, QStringLiteral("picture"), QStringLiteral("compared.svg")).isEmpty());
        QVERIFY2(card->details().contains(QStringLiteral("they are embedded as an image")), qPrintable(card->details()));
    }

    /// A reader may look for the time in the text of an event, and know no escapes (Perfetto's json_trace_tokenizer.cc of 2022).
    void theTimeOfAnEventComesBeforeItsName()
    {
        Desk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        const QString to = exported(desk, QStringLiteral("plan:chrome-trace"), QStringLiteral("order.json"));
        std::size_t events = 0;
        for (const QByteArray& line : test::contentsOf(to).split('\n')) {
            if (!line.contains("\"X\"")) continue;
            ++events;
            QVERIFY2(line.indexOf("\"ts\"") >= 0 && line.indexOf("\"ts\"") < line.indexOf("\"name\""), line);
        }
        QVERIFY(events > 100);
    }

    /// A trace viewer shows a pool as a process, a step as its thread, and a buffer from its offset to its end.
    void theTraceHasAnEventForEachBufferAndStep()
    {
        Desk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        const Run& run = *desk.workspace().run();
        const QString to = exported(desk, QStringLiteral("plan:chrome-trace"), QStringLiteral("trace.json"));
        QVERIFY(!to.isEmpty());
        std::map<std::string, std::size_t> byName;
        std::int64_t wanted = 0;
        for (std::size_t i = 0; i < run.problem().buffers.size(); ++i) {
            byName[run.problem().buffers[i].name] = i;
            if (run.plan.placements[i].placed())
                for (const Interval& range : run.problem().buffers[i].live) wanted += range.length();
        }
        QVERIFY(byName.size() == run.problem().buffers.size() && wanted > 0);
        std::int64_t events = 0;
        QStringList pools;
        std::set<std::pair<int, qint64>> named, seen; // pool and step
        // As Perfetto reads it (json_trace_parser_impl.cc, process_tracker.cc): events in the order of their times, which
        // metadata do not have; a process has a thread of its own number; a name goes to the latest thread with that number.
        std::map<qint64, std::vector<int>> threads; // by number: the pools that have one, in order of appearance
        const auto appears = [&](int pool, qint64 number) {
            auto& all = threads[number];
            if (std::ranges::find(all, pool) == all.end()) all.push_back(pool);
        };
        for (const QJsonValue& value :
             QJsonDocument::fromJson(test::contentsOf(to)).object().value(QStringLiteral("traceEvents")).toArray()) {
            const QJsonObject event = value.toObject();
            const int pool = event.value(QStringLiteral("pid")).toInt();
            if (event.value(QStringLiteral("ph")).toString() == u"M") {
                if (event.value(QStringLiteral("name")).toString() == u"thread_name") {
                    const QString step = event.value(QStringLiteral("args")).toObject().value(QStringLiteral("name")).toString();
                    const qint64 number = event.value(QStringLiteral("tid")).toInteger();
                    QVERIFY2(step.startsWith(QStringLiteral("step %1").arg(number)), qPrintable(step));
                    appears(pool, number);
                    named.emplace(threads[number].back(), number);
                    continue;
                }
                appears(pool, pool);
                pools << event.value(QStringLiteral("args")).toObject().value(QStringLiteral("name")).toString();
                continue;
            }
            QCOMPARE(event.value(QStringLiteral("ph")).toString(), QStringLiteral("X")); // complete: with its duration
            ++events;
            const auto found = byName.find(event.value(QStringLiteral("name")).toString().toStdString());
            QVERIFY(found != byName.end());
            const Buffer& buffer = run.problem().buffers[found->second];
            const auto step = Step(event.value(QStringLiteral("tid")).toInteger());
            QCOMPARE(Bytes(event.value(QStringLiteral("ts")).toInteger()), run.plan.placements[found->second].offset);
            QCOMPARE(Bytes(event.value(QStringLiteral("dur")).toInteger()), buffer.size);
            QCOMPARE(pool, int(run.plan.placements[found->second].pool) + 1);
            if (event.value(QStringLiteral("ts")).toInteger() == 0) appears(pool, qint64(step));
            QVERIFY(
                std::ranges::any_of(buffer.live, [&](const Interval& range) { return range.begin <= step && step < range.end; }));
            seen.emplace(pool, qint64(step));
        }
        QCOMPARE(events, wanted);
        QVERIFY(named == seen); // every thread has its name
        QCOMPARE(std::size_t(pools.size()), run.problem().pools.size());
    }

    void everyTableIsCsv()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const Problem& problem = desk.workspace().run()->problem();
        const auto table = [&](const char* id) {
            return cells(
                exported(desk, QStringLiteral("table:") + QLatin1String(id), QStringLiteral("%1.csv").arg(QLatin1String(id))));
        };
        // Numbers as programs read them: whatever the unit on the screen, bytes; no separators of groups.
        desk.workspace().setNumbers({NumberFormat::Unit::kibibytes, true});
        auto rows = table("buffers");
        QCOMPARE(rows.size(), problem.buffers.size() + 1);
        const auto size = rows[0].indexOf(QStringLiteral("size, B"));
        QVERIFY2(size >= 0, qPrintable(rows[0].join(u'|')));
        const auto offset = rows[0].indexOf(QStringLiteral("offset"));
        QVERIFY(offset >= 0);
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
            QCOMPARE(rows[i + 1][1], QString::fromStdString(problem.buffers[i].name));
            QCOMPARE(rows[i + 1][size].toLongLong(), qint64(problem.buffers[i].size));
            QCOMPARE(rows[i + 1][offset].toLongLong(), qint64(desk.workspace().run()->plan.placements[i].offset));
        }
        QCOMPARE(table("ops").size(), desk.workspace().run()->program->main().ops.size() + 1);
        QCOMPARE(table("pools").size(), desk.workspace().run()->report.pools.size() + 1);
        rows = table("runs");
        QCOMPARE(rows.size(), desk.workspace().runs().size() + 1);
        for (const char* title : {"free at peak, KiB", "time, ms"}) {
            const auto column = rows[0].indexOf(QLatin1String(title));
            QVERIFY2(column >= 0, qPrintable(rows[0].join(u'|')));
            for (std::size_t i = 1; i < rows.size(); ++i) {
                bool number = false;
                (void)rows[i][column].toDouble(&number);
                QVERIFY2(number, qPrintable(rows[i][column]));
            }
        }
        // A filter counts.
        desk.workspace().selection().setFilter(parseSearch(QStringLiteral("size>20K")).filter);
        const auto kept = std::ranges::count_if(problem.buffers, [](const Buffer& b) { return b.size > 20 * 1024; });
        QCOMPARE(table("buffers").size(), std::size_t(kept) + 1);
        desk.workspace().selection().setFilter({});
        // Tables that only one view has.
        desk.show<View>("compare");
        QTRY_VERIFY(std::ranges::any_of(items(desk, "compare"),
                                        [](const ExportItem& item) { return item.id == u"table:comparisonTable"; }));
        QCOMPARE(table("comparisonTable").size(), desk.workspace().runs().size() + 1);
    }

    /// Of a rotating buffer the table has every address, with which a reader of the file knows what it takes.
    void theTableOfBuffersHasEverySlot()
    {
        Desk desk;
        QVERIFY(desk.open("double_buffered_matmul"));
        const Run& run = *desk.workspace().run();
        const auto rows = cells(exported(desk, QStringLiteral("table:buffers"), QStringLiteral("slots.csv")));
        QCOMPARE(rows.size(), run.problem().buffers.size() + 1);
        const auto column = rows[0].indexOf(QStringLiteral("slots"));
        QVERIFY2(column >= 0, qPrintable(rows[0].join(u'|')));
        int rotating = 0;
        for (std::size_t i = 0; i < run.problem().buffers.size(); ++i) {
            QStringList addresses;
            for (const Bytes offset : run.plan.placements[i].offsets) addresses << QString::number(offset);
            rotating += addresses.size() > 1;
            QCOMPARE(rows[i + 1][column], addresses.join(u' '));
        }
        QVERIFY(rotating >= 2); // the tiles of both matrices
    }

    /// The row of an operator is the sum of the rows below it: with it the sum of the column would count its buffers twice.
    void sumsOfATableCountEachBufferOnce()
    {
        Desk desk;
        desk.workspace().planners().setTicked("greedy-by-size", true);
        desk.workspace().openText(QStringLiteral("operators"),
                                  R"({"format": "stowage.problem/1", "name": "one operator",
 "scopes": [{"name": "conv", "live": [[1, 4]]}],
 "buffers": [{"name": "in", "size": 512, "live": [[0, 4]]}, {"name": "pad", "size": 768, "live": [[1, 3]], "scope": "conv"},
             {"name": "acc", "size": 256, "live": [[2, 4]], "scope": "conv"}]})");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        const auto rows = cells(exported(desk, QStringLiteral("table:buffers"), QStringLiteral("operators.csv")));
        QCOMPARE(rows.size(), std::size_t(4)); // titles, and three buffers
        const auto size = rows[0].indexOf(QStringLiteral("size, B"));
        QVERIFY(size >= 0);
        qint64 sum = 0;
        QStringList names;
        for (std::size_t i = 1; i < rows.size(); ++i) {
            sum += rows[i][size].toLongLong();
            names << rows[i][1];
        }
        QCOMPARE(names, (QStringList{QStringLiteral("in"), QStringLiteral("pad"), QStringLiteral("acc")}));
        QCOMPARE(sum, qint64(512 + 768 + 256));
    }

    /// Of what the window shortens or indents, the file has the name.
    void namesInTablesAreWhole()
    {
        Desk desk;
        const QString name = QString(300, u'n') + QStringLiteral("/conv");
        desk.workspace().planners().setTicked("greedy-by-size", true);
        desk.workspace().openText(QStringLiteral("long"), "id,lower,upper,size\n" + name.toUtf8() + ",0,2,16\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        const auto rows = cells(exported(desk, QStringLiteral("table:buffers"), QStringLiteral("long.csv")));
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[1][1], name);
    }

    void theCardHasAllOfIt()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.trigger("file.export-plan");
        auto* dialog = desk.find<ExportDialog>();
        QTRY_VERIFY(dialog && dialog->isVisible());
        QCOMPARE(dialog->chosen(), QStringLiteral("plan:plan"));
        auto* scale = dialog->findChild<QComboBox*>(QStringLiteral("pictureScale"));
        auto* file = dialog->findChild<QLineEdit*>(QStringLiteral("exportFile"));
        auto* button = dialog->findChild<QPushButton*>(QStringLiteral("exportButton"));
        QVERIFY(!scale->isVisible());
        QVERIFY(file->text().endsWith(QStringLiteral("mobilenet_v1_025.plan.json")));
        dialog->choose(QStringLiteral("picture"));
        QVERIFY(scale->isVisible() && scale->isEnabled());
        QVERIFY2(file->text().endsWith(QStringLiteral("/mobilenet_v1_025.memory-map.png")), qPrintable(file->text()));
        QCOMPARE(scale->count(), 4); // 1x to 4x
        file->setText(folder_.filePath(QStringLiteral("map.svg")));
        QVERIFY(!scale->isEnabled() && button->isEnabled());
        file->setText(folder_.filePath(QStringLiteral("map.bmp")));
        QVERIFY(!button->isEnabled());
        // What was typed is kept but for the name: the folder stays.
        dialog->choose(QStringLiteral("plan:chrome-trace"));
        QVERIFY(file->text().startsWith(folder_.path()));
        // By keyboard: down to the next form, and Enter.
        auto* list = dialog->findChild<QListWidget*>(QStringLiteral("exportList"));
        list->setFocus();
        const int row = list->currentRow();
        QTest::keyClick(list, Qt::Key_Up);
        QCOMPARE(list->currentRow(), row - 1);
        dialog->choose(QStringLiteral("plan:csv"));
        file->setText(folder_.filePath(QStringLiteral("by-hand.csv")));
        QTest::keyClick(file, Qt::Key_Return);
        auto* card = desk.find<ErrorCard>("errorCard");
        QTRY_VERIFY_WITH_TIMEOUT(card->isVisible() && card->notice().title == QStringLiteral("by-hand.csv was written"), 20'000);
        QVERIFY(QFile::exists(folder_.filePath(QStringLiteral("by-hand.csv"))));
    }

    /// What exists is replaced only after the card has said so; the file of an open model needs a tick more, and no name that the
    /// card proposes is that of one.
    void nothingIsReplacedUnasked()
    {
        const QByteArray rows = "id,lower,upper,size\na,0,2,10\nb,1,3,20\n", other = "kept";
        const QString model = test::writtenFile(folder_, QStringLiteral("own.csv"), rows);
        Desk desk;
        desk.window->openFiles({model});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        const auto opened = [&] {
            desk.trigger("file.export-plan");
            ExportDialog* last = nullptr;
            for (auto* each : desk.window->findChildren<ExportDialog*>())
                if (each->isVisible()) last = each;
            return last;
        };
        auto* dialog = opened();
        QVERIFY(dialog);
        auto* file = dialog->findChild<QLineEdit*>(QStringLiteral("exportFile"));
        auto* button = dialog->findChild<QPushButton*>(QStringLiteral("exportButton"));
        auto* tick = dialog->findChild<QCheckBox*>(QStringLiteral("exportReplace"));
        file->setText(folder_.filePath(QStringLiteral("any.json")));
        dialog->choose(QStringLiteral("plan:csv"));
        QCOMPARE(file->text(), folder_.filePath(QStringLiteral("own.planned.csv")));
        QCOMPARE(button->text(), QStringLiteral("Export"));
        QVERIFY(!tick->isVisible());

        file->setText(model);
        QCOMPARE(button->text(), QStringLiteral("Replace"));
        QVERIFY(tick->isVisible() && !tick->isChecked() && !button->isEnabled());
        QTest::keyClick(file, Qt::Key_Return);
        QVERIFY(dialog->isVisible());
        QCOMPARE(test::contentsOf(model), rows);
        tick->setChecked(true);
        QVERIFY(button->isEnabled());

        const QString before = test::writtenFile(folder_, QStringLiteral("before.csv"), other);
        file->setText(before);
        QCOMPARE(button->text(), QStringLiteral("Replace"));
        QVERIFY(button->isEnabled() && !tick->isVisible() && !tick->isChecked());
        // A file that has come since its name was entered.
        const QString late = folder_.filePath(QStringLiteral("late.csv"));
        file->setText(late);
        QCOMPARE(button->text(), QStringLiteral("Export"));
        test::writtenFile(folder_, QStringLiteral("late.csv"), other);
        button->click();
        QVERIFY(dialog->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Replace"));
        button->click();
        auto* card = desk.find<ErrorCard>("errorCard");
        QTRY_VERIFY_WITH_TIMEOUT(card->isVisible() && card->notice().title == QStringLiteral("late.csv was written"), 20'000);
        QVERIFY(test::contentsOf(late) != other);
        QCOMPARE(test::contentsOf(before), other);
        QCOMPARE(test::contentsOf(model), rows);
    }

    /// Also the file of a model that is opened after the card, and of one that a session names and that cannot be read.
    void filesOfModelsThatAreNotOpenYetAreKept()
    {
        const QString later = test::writtenFile(folder_, QStringLiteral("later.csv"), "id,lower,upper,size\na,0,2,10\n");
        const QString broken = test::writtenFile(folder_, QStringLiteral("broken.json"), "[");
        const QString stow = test::writtenFile(
            folder_, QStringLiteral("waiting.stow"),
            "{\"format\": \"stowage.session/1\", \"planners\": [\"auto\"], \"files\": [{\"path\": \"broken.json\"}]}");
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().models().failures().size(), std::size_t(1), 20'000);
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.trigger("file.export-plan");
        auto* dialog = desk.find<ExportDialog>();
        QTRY_VERIFY(dialog && dialog->isVisible());
        const auto guards = [&](const QString& file) {
            auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("exportFile"));
            name->clear(); // what is entered is looked at, also if it was there before
            name->setText(file);
            return dialog->findChild<QCheckBox*>(QStringLiteral("exportReplace"))->isVisible();
        };
        QVERIFY(guards(broken) && !guards(later));
        desk.window->openFiles({later});
        QVERIFY(!desk.workspace().models().opening().empty() && guards(later));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.session.models().size() == 2, 20'000);
        QVERIFY(!guards(stow) && guards(later));
    }

    /// A window that is closed while a file is written asks first, and closes when it is written if that is wanted.
    void theWindowAsksBeforeAFileIsLost()
    {
        const QString waited = folder_.filePath(QStringLiteral("waited.stow"));
        {
            Desk desk;
            QVERIFY(desk.open("mobilenet_v1_025"));
            desk.window->saveSession(waited);
            QVERIFY(!desk.window->close()); // that it is written is told by the event loop
            QVERIFY(desk.window->isVisible());
            QVERIFY(desk.window->errorCard().isVisible());
            QCOMPARE(desk.window->errorCard().notice().title, QStringLiteral("Files are still being written"));
            QVERIFY(press(desk, "Close when they are written"));
            QVERIFY(desk.window->isVisible());
            QTRY_VERIFY_WITH_TIMEOUT(!desk.window->isVisible(), 20'000);
            QVERIFY(test::contentsOf(waited).contains("stowage.session/1"));
        }
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.window->saveSession(folder_.filePath(QStringLiteral("now.stow")));
        QVERIFY(!desk.window->close());
        QVERIFY(press(desk, "Close now"));
        QVERIFY(!desk.window->isVisible());
        Desk other;
        QVERIFY(other.open("mobilenet_v1_025"));
        other.window->saveSession(folder_.filePath(QStringLiteral("third.stow")));
        QVERIFY(!other.window->close());
        // The question goes with its reason.
        QTRY_VERIFY_WITH_TIMEOUT(other.window->errorCard().notice().good, 20'000);
        other.window->errorCard().findChild<QToolButton*>(QStringLiteral("closeCard"))->click();
        QVERIFY(!other.window->errorCard().isVisible());
        QVERIFY(other.window->close());
    }

    /// Views write files of their own, which are asked about in the same way.
    void theWindowAsksForEveryViewThatWrites_data()
    {
        QTest::addColumn<QString>("view");
        for (const char* view : {"fold", "fit", "regression"}) QTest::newRow(view) << QString::fromLatin1(view);
    }
    void theWindowAsksForEveryViewThatWrites()
    {
        QFETCH(const QString, view);
        QString file = folder_.filePath(view + QStringLiteral(".out"));
        Desk desk;
        if (view == u"fold") {
            QVERIFY(desk.open("mlp_packed_weights"));
            auto* fold = desk.show<FoldView>("fold");
            QTRY_VERIFY_WITH_TIMEOUT(fold->canvas()->scene(), 60'000);
            fold->writeTo(file);
        } else if (view == u"fit") {
            desk.window->openFiles({QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/doorbell.tflite")});
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
            auto* fit = desk.show<FitView>("fit");
            QTRY_VERIFY_WITH_TIMEOUT(fit->fit(), 60'000);
            fit->desk().write(file);
        } else {
            test::writtenFile(folder_, QStringLiteral("row.csv"), "id,lower,upper,size\na,0,2,10\n");
            desk.window->openFiles({test::writtenFile(folder_, QStringLiteral("asked.json"),
                                                      "{\"format\": \"stowage.suite/1\", \"name\": \"asked\", "
                                                      "\"rows\": [{\"model\": \"row.csv\", \"planners\": [\"naive\"]}]}")});
            auto* suite = desk.show<RegressionView>("regression");
            QTRY_VERIFY_WITH_TIMEOUT(!suite->desk().running() && suite->desk().regression(), 20'000);
            suite->desk().accept({});
            file = folder_.filePath(QStringLiteral("asked.baseline.json"));
        }
        QVERIFY(!desk.window->close());
        QCOMPARE(desk.window->errorCard().notice().title, QStringLiteral("Files are still being written"));
        QVERIFY(press(desk, "Close when they are written"));
        QVERIFY(desk.window->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(!desk.window->isVisible(), 60'000);
        QVERIFY(!test::contentsOf(file).isEmpty());
    }

    void aPictureIsAsLargeAsTheCardSays_data()
    {
        QTest::addColumn<QString>("view");
        for (const char* view : {"memory-map", "usage", "graph", "compare", "tables"})
            QTest::newRow(view) << QString::fromLatin1(view);
    }
    void aPictureIsAsLargeAsTheCardSays()
    {
        QFETCH(const QString, view);
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* shown = desk.show<View>(view.toLatin1().constData());
        QTRY_VERIFY_WITH_TIMEOUT(!shown->canvas() || shown->canvas()->scene(), 20'000);
        desk.trigger("file.export-picture");
        auto* dialog = desk.find<ExportDialog>();
        QTRY_VERIFY(dialog && dialog->isVisible());
        auto* scale = dialog->findChild<QComboBox*>(QStringLiteral("pictureScale"));
        scale->setCurrentIndex(1);
        const QString said = scale->currentText(), file = folder_.filePath(view + QStringLiteral(".png"));
        dialog->findChild<QLineEdit*>(QStringLiteral("exportFile"))->setText(file);
        dialog->findChild<QPushButton*>(QStringLiteral("exportButton"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(desk.find<ErrorCard>("errorCard")->isVisible(), 20'000);
        const QSize size = QImage(file).size();
        QCOMPARE(said, QStringLiteral("2x, %1 × %2 pixels").arg(size.width()).arg(size.height()));
    }

    void aPlanThatDoesNotFitIsNotWrittenForOtherPrograms()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        desk.workspace().edits().setCapacity(0, desk.workspace().run()->report.totalBound() / 2);
        desk.workspace().plan();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run()->report.verdict.overCapacity, 60'000);
        QVERIFY(exported(desk, QStringLiteral("plan:c-header"), QStringLiteral("refused.h")).isEmpty());
        auto* card = desk.find<ErrorCard>("errorCard");
        QVERIFY(card->isVisible() && !card->notice().what.remedy.empty());
        QVERIFY(!QFile::exists(folder_.filePath(QStringLiteral("refused.h"))));
        QVERIFY(!exported(desk, QStringLiteral("plan:plan"), QStringLiteral("too-large.plan.json"))
                     .isEmpty()); // a Stowage plan may be
    }
};

QTEST_MAIN(WindowExportTest)
#include "tst_window_export.moc"
