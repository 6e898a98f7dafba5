// Tables of rows: order, filter, models' manners, a million rows.
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/look.h"
#include "app/desktop/panels/diagnostics_panel.h"
#include "app/desktop/panels/fact_rows.h"
#include "app/desktop/tables/comparison_table.h"
#include "app/desktop/tables/planner_matrix.h"
#include "app/desktop/tables/row_delegate.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/tables/sources.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/table.h"
#include "app/session/verdicts.h"
#include "tests/desktop/columns.h"
#include "tests/desktop/painted_texts.h"
#include "tests/support/real_run.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed_shift.h"

#include <QAbstractItemModelTester>
#include <QFontMetrics>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStringListModel>
#include <QTest>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <random>
#include <utility>
#include <vector>

using namespace stowage;

namespace {

std::shared_ptr<const Run> manyBuffers(std::size_t count)
{
    auto lowering = std::make_shared<Lowering>();
    auto run = std::make_shared<Run>();
    std::mt19937_64 random(5 + stowage::test::seedShift());
    lowering->problem.pools.emplace_back();
    lowering->problem.pools[0].name = "arena";
    lowering->problem.buffers.resize(count);
    run->plan.placements.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        Buffer& buffer = lowering->problem.buffers[i];
        buffer.name = "buffer_" + std::to_string(random() % count);
        buffer.size = Bytes(1 + random() % 100000);
        const auto begin = Step(random() % 1000);
        buffer.live = {{begin, begin + 1 + Step(random() % 9)}};
        run->plan.placements[i].pool = 0;
        run->plan.placements[i].offset = Bytes(random() % 1000000);
    }
    run->lowering = lowering;
    return run;
}

} // namespace

class TablesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The titles say whose bound a percentage is of, where planners with other choices of pools have other bounds.
    void boundsOfOtherChoicesOfPoolsAreToldApart()
    {
        const auto run = test::realRun("microcontroller_two_memories");
        QVERIFY(run && choosesPools(*run));
        auto other = std::make_shared<Run>(*run);
        for (PoolReport& pool : other->report.pools)
            if (pool.size > 0) pool.lowerBound = pool.size / 2;
        QVERIFY(run->report.totalBound() != other->report.totalBound());
        ComparisonTable table;
        const auto title = [&](int column) { return table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); };
        table.setRuns({{1, run, {}, {}, false}, {2, run, {}, {}, false}}, {});
        QCOMPARE(title(ComparisonTable::Bound), QStringLiteral("bound, B"));
        const QString columns = table.toTsv().section(u'\n', 0, 0);
        table.setRuns({{1, run, {}, {}, false}, {2, other, {}, {}, false}}, {});
        QCOMPARE(title(ComparisonTable::Bound), QStringLiteral("own bound, B"));
        QCOMPARE(title(ComparisonTable::OverBound), QStringLiteral("over own bound"));
        QCOMPARE(table.toTsv().section(u'\n', 0, 0), columns); // programs find the columns as ever
    }

    /// Bars of several used pools have no mark at a capacity.
    void theTitleOfTheBarsNamesTheirMarks()
    {
        auto one = std::make_shared<Run>(*test::sampleRun({.buffers = 40, .capacityFactor = 1.2}));
        for (PoolReport& pool : one->report.pools) pool.lowerBound = pool.size; // the scale ends at the capacity
        const auto two = test::sampleRun({.buffers = 40, .pools = 2, .capacityFactor = 1.2});
        ComparisonTable table;
        const auto title = [&] { return table.headerData(ComparisonTable::Bar, Qt::Horizontal, Qt::DisplayRole).toString(); };
        table.setRuns({{1, one, {}, {}, false}}, {});
        QCOMPARE(title(), QStringLiteral("size, bound, capacity"));
        table.setRuns({{1, two, {}, {}, false}}, {});
        QCOMPARE(title(), QStringLiteral("size, bound"));
    }

    /// A narrow table has no column for the remark: each cell of its row tells it, and screen readers hear it with the planner.
    void aRemarkIsToldWithoutItsColumn()
    {
        const QString remark = QStringLiteral("1,024 B short");
        ComparisonTable table;
        table.setRuns({{1, test::sampleRun({.buffers = 12}), remark, {}, false}}, {});
        for (const int column : {ComparisonTable::Planner, ComparisonTable::Checker, ComparisonTable::Size})
            QCOMPARE(table.index(0, column).data(Qt::ToolTipRole).toString(), remark);
        QCOMPARE(table.index(0, ComparisonTable::Planner).data(Qt::AccessibleDescriptionRole).toString(), remark);
        QVERIFY(table.index(0, ComparisonTable::Eye).data(Qt::ToolTipRole).toString() != remark);
    }

    /// Tensors of unknown size add to the size: that a part equals its bound is no success.
    void aPartialPlanIsNotGreenInTheMatrix()
    {
        Look look(*qApp, ThemeMode::light);
        auto whole = std::make_shared<Run>(*test::sampleRun({.buffers = 12}));
        for (PoolReport& pool : whole->report.pools) pool.lowerBound = pool.size;
        auto lowering = std::make_shared<Lowering>(*whole->lowering);
        lowering->problem.unknownSizes = {"h"};
        auto part = std::make_shared<Run>(*whole);
        part->lowering = std::move(lowering);
        PlannerMatrix::Line line;
        line.name = QStringLiteral("model");
        line.cells["part"] = {1, part};
        line.cells["whole"] = {2, whole};
        PlannerMatrix matrix;
        matrix.setLines({line}, {"part", "whole"});
        Table table(look);
        table.setModel(&matrix);
        table.setItemDelegate(new PlannerMatrixDelegate(matrix, look, &table));
        table.resize(500, 120);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        std::vector<QRgb> inks;
        for (const test::PaintedText& text : test::paintedTexts(table))
            if (text.text == QStringLiteral("0")) inks.push_back(text.colour.rgb());
        QCOMPARE(inks, (std::vector<QRgb>{look.theme().text2.rgb(), look.theme().ok.rgb()}));
    }

    void theTipsOfTheMatrixAreInTheUnitOfTheWindow()
    {
        auto run = std::make_shared<Run>(*test::sampleRun({.buffers = 12}));
        run->report.pools.resize(1);
        run->report.pools.front().size = 98'304;
        run->report.pools.front().lowerBound = 65'536;
        PlannerMatrix::Line line;
        line.cells["planner"] = {1, run};
        PlannerMatrix matrix;
        const auto tip = [&](NumberFormat::Unit unit) {
            matrix.setLines({line}, {"planner"}, {.unit = unit});
            return matrix.index(0, 1).data(Qt::ToolTipRole).toString();
        };
        const QString bytes = tip(NumberFormat::Unit::bytes), words = tip(NumberFormat::Unit::words);
        QVERIFY2(bytes.startsWith(QStringLiteral("98,304 B, bound 65,536 B")), qPrintable(bytes));
        QVERIFY2(words.startsWith(QStringLiteral("24,576 words, bound 16,384 words")), qPrintable(words)); // of 4 bytes
    }

    void modelsBehave()
    {
        const auto run = test::realRun("microcontroller_two_memories");
        QVERIFY(run);
        for (const auto& source : {bufferRows(run), opRows(run), poolRows(run), diagnosticRows({}, run)}) {
            QVERIFY(source != nullptr);
            RowTable table;
            const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
            table.setSource(source);
            QCOMPARE(table.rowCount(), int(source->rows()));
            for (int column = 0; column < table.columnCount(); ++column) {
                QVERIFY(!table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
                table.sort(column, Qt::DescendingOrder);
                table.sort(column, Qt::AscendingOrder);
            }
            table.setSource(nullptr);
            QCOMPARE(table.rowCount(), 0);
        }
        DiagnosticList list;
        const QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
        list.setDiagnostics({{Severity::warning, Code::overflow, "b", {}, {}}, {Severity::note, Code::pinned, "d", {}, {}}});
        QCOMPARE(list.rowCount(), 2);
    }

    /// Wherever a table is scrolled to, its edges cut no number: a column that they cut has marks instead of digits.
    void numbersAreWholeAtTheEdges()
    {
        Look look(*qApp, ThemeMode::light);
        RowTable rows;
        rows.setSource(bufferRows(manyBuffers(40)));
        const NameFit names;
        Table table(look);
        table.setModel(&rows);
        table.setItemDelegate(new RowDelegate(look, names, &table));
        table.fitNumbers();
        table.resize(300, 300);
        table.show();
        QScrollBar& bar = *table.horizontalScrollBar();
        QTRY_VERIFY(bar.maximum() > 100);
        std::size_t marks = 0, numbers = 0;
        for (int x = 0; x <= bar.maximum(); x += 11) {
            bar.setValue(x);
            const std::vector<test::PaintedText> texts = test::paintedTexts(table);
            for (const QString& fault : test::faultsOf(texts))
                QVERIFY2(!fault.startsWith(QStringLiteral("cut")), qPrintable(fault));
            for (const test::PaintedText& text : texts) {
                marks += text.text == QStringLiteral("\u2026");
                numbers += text.text.front().isDigit() && text.shown.width() >= text.ink.width() - 1;
            }
        }
        QVERIFY(marks > 0 && numbers > 0);
    }

    /// Long names break in panels; without the breaks they are the names.
    void namesBreakAfterSeparatorsAndBetweenWords()
    {
        const QString name = QStringLiteral("model/block_1(2)/BatchNormalization=x");
        const QChar gap(0x200b);
        QString shown = breakable(name);
        QVERIFY(shown.contains(QStringLiteral("model/") + gap + QStringLiteral("block_") + gap));
        QVERIFY(shown.contains(QStringLiteral("Batch") + gap + QStringLiteral("Normalization=") + gap));
        QCOMPARE(shown.remove(gap), name);
        const QString size = QStringLiteral("41 KiB (auto)");
        QCOMPARE(breakable(size), size);
    }

    void namesKeepWhatTellsThemApart()
    {
        Problem problem;
        for (int i = 0; i < 8; ++i) {
            Buffer buffer;
            buffer.name = "model/backbone/stage/instance_" + std::to_string(i) + "/BatchNorm/Relu6";
            problem.buffers.push_back(buffer);
        }
        const NameFit names(problem);
        const QFontMetrics letters{QFont()};
        QStringList shown;
        const QString widest = QStringLiteral("\u2026/instance_0");
        for (const Buffer& buffer : problem.buffers)
            shown << names.fit(QString::fromStdString(buffer.name), letters, letters.horizontalAdvance(widest) + 4);
        QCOMPARE(shown[3], QStringLiteral("\u2026/instance_3"));
        QCOMPARE(shown.removeDuplicates(), 0); // eight rows, eight texts
        const QString whole = QString::fromStdString(problem.buffers[0].name);
        QCOMPARE(names.fit(whole, letters, letters.horizontalAdvance(whole)), whole);
        QVERIFY(letters.horizontalAdvance(names.fit(whole, letters, 40)) <= 40);
    }

    /// In the inspector a long name has a line of its own, and keeps there what tells it apart.
    void aNameBelowAFactKeepsWhatTellsItApart()
    {
        const auto name = [](int i) {
            return QStringLiteral("/model/backbone/encoder/stage/instance_%1/BatchNorm/Relu6_op").arg(i);
        };
        QStringList all;
        for (int i = 0; i < 8; ++i) all << name(i);
        QWidget panel;
        auto* column = new QVBoxLayout(&panel);
        addFactName(*column, name(3), std::make_shared<const NameFit>(all));
        panel.resize(296, 40);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const std::vector<test::PaintedText> texts = test::paintedTexts(panel);
        QCOMPARE(texts.size(), std::size_t(1));
        QVERIFY2(texts.front().text != name(3) && texts.front().text.contains(QStringLiteral("instance_3")),
                 qPrintable(texts.front().text));
    }

    /// Versions of a model differ by a number, of which no part is left out.
    void namesOfModelsKeepTheirVersion()
    {
        const QStringList models{QStringLiteral("mobilenet_v1_0.25_128_quant.tflite"),
                                 QStringLiteral("mobilenet_v1_0.5_160_quant.tflite"),
                                 QStringLiteral("mobilenet_v1_0.75_192_quant.tflite")};
        const NameFit names = filesOf(QStringListModel(models));
        const QFontMetrics letters{QFont()};
        const int room = letters.horizontalAdvance(QStringLiteral("mobilenet_v1_0.25...tflite"));
        for (const QString& model : models) {
            const QString shown = names.fit(model, letters, room), version = model.section(u'_', 2, 2);
            QVERIFY2(shown.contains(version), qPrintable(shown));
            QVERIFY2(letters.horizontalAdvance(shown) <= room, qPrintable(shown));
        }
        // Alone, too, more than its end is left of a name.
        const QString alone = QStringLiteral("flash_attention_vector.mlir");
        const QString shown = filesOf(QStringListModel({alone})).fit(alone, letters, letters.horizontalAdvance(alone) * 2 / 3);
        QVERIFY2(shown.size() >= alone.size() / 2 && shown.startsWith(QStringLiteral("flash")), qPrintable(shown));
    }

    void namesOfPlannersKeepWhatTellsThemApart()
    {
        const QStringList planners{QStringLiteral("best-fit-decreasing"), QStringLiteral("greedy-by-breadth"),
                                   QStringLiteral("greedy-by-conflicts"), QStringLiteral("greedy-by-size"),
                                   QStringLiteral("tflm-greedy")};
        const NameFit names(planners);
        const QFontMetrics letters{QFont()};
        for (const int room : {64, 76, 90, 104}) {
            QStringList shown;
            for (const QString& planner : planners) {
                shown << names.fit(planner, letters, room);
                QVERIFY2(letters.horizontalAdvance(shown.back()) <= room, qPrintable(shown.back()));
                QVERIFY2(shown.back().count(u'\u2026') <= 1, qPrintable(shown.back()));
            }
            QVERIFY2(shown.removeDuplicates() == 0, qPrintable(shown.join(u' ')));
        }
    }

    void aCaptionIsShownInWholeParts()
    {
        const QFontMetrics letters{QFont()};
        const auto at = [&](const QString& text, const QString& room) {
            return captionWhole(text, letters, letters.horizontalAdvance(room));
        };
        const QString runs = QStringLiteral("17 runs, pool arena");
        QCOMPARE(at(runs, runs), runs);
        QCOMPARE(at(runs, QStringLiteral("17 runs, pool ar")), QStringLiteral("17 runs"));
        QCOMPARE(at(runs, QStringLiteral("17 ru")), QStringLiteral("17"));
        QCOMPARE(at(runs, QStringLiteral("1")), QString());
        QCOMPARE(at(QStringLiteral("no problems found"), QStringLiteral("no problems")), QString());
        QVERIFY(
            at(QStringLiteral("best-fit-decreasing"), QStringLiteral("best-fit-dec")).endsWith(u'g')); // a name keeps both ends
    }

    /// At any width: neither a size, nor an address, nor a number between other words.
    void aNumberIsNeverCutInside()
    {
        const QStringList texts{QStringLiteral("sram 262,144 B (now 300,032 B), conv12 pinned at 0x001A4C"),
                                QStringLiteral("a and b overlap at [0x00A400, 0x00B000) for 1,099,511,627,776 B"),
                                QStringLiteral("of 1,099,511,627,776 B"), QStringLiteral("1,048,576")};
        const QFontMetrics letters{QFont()};
        TextShaper shaper;
        const DrawList list(shaper, 1);
        for (const QString& text : texts)
            for (int room = 12; room <= letters.horizontalAdvance(text); ++room)
                for (const QString& shown : {elidedWhole(text, letters, room), sentenceStart(text, letters, room, ", "),
                                             list.elided(Face::label, text, room)})
                    QVERIFY2(!test::cutsNumber(shown), qPrintable(shown));
        // Of several parts the first ones stay whole.
        const QString parts = QStringLiteral("sram 262,144 B (now 300,032 B), \u2026");
        QCOMPARE(sentenceStart(texts.front(), letters, letters.horizontalAdvance(parts), ", "), parts);
        // The number of a name is a part of it.
        QCOMPARE(withoutCutNumber(QStringLiteral("conv12")), QStringLiteral("conv12"));
        QCOMPARE(withoutCutNumber(QStringLiteral("6 runs in 1")), QStringLiteral("6 runs in "));
    }

    /// The head of a group in a narrow table keeps the count of its runs, and cuts no number of its title.
    void headsOfGroupsAreCutBetweenTheirParts()
    {
        Look look(*qApp, ThemeMode::light);
        const auto now = test::sampleRun({.buffers = 12});
        auto lowering = std::make_shared<Lowering>(*now->lowering);
        lowering->fingerprint.options.inPlace = InPlaceMode::allowed;
        auto before = std::make_shared<Run>(*now);
        before->lowering = std::move(lowering);
        const QString setup = QStringLiteral("sram 262,144 B (now 300,032 B), conv pinned at 0x001A4C, inplace=allowed");
        ComparisonTable model;
        model.setRuns({{1, now, {}, {}, false}, {2, before, {}, setup, false}}, {}, 1);
        QCOMPARE(model.rowCount(), 3); // the shown run below its head, and a folded head
        Table table(look);
        table.setModel(&model);
        table.setItemDelegate(new ComparisonDelegate(model, look, &table));
        for (const int row : {0, 2}) table.setSpan(row, 0, 1, ComparisonTable::columns);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        for (int width = 140; width < 700; width += 9) {
            table.resize(width, 140);
            bool counted = false;
            for (const test::PaintedText& text : test::paintedTexts(table)) {
                QVERIFY2(!test::cutsNumber(text.text), qPrintable(text.text));
                counted |= text.text == u"1 run" && text.shown.width() >= text.ink.width() - 1;
            }
            QVERIFY2(counted, qPrintable(QString::number(width)));
        }
    }

    void aSentenceBeginsWithACapitalAndANameStaysAsItIs()
    {
        QCOMPARE(asSentence("no importer knows this kind of file"), QStringLiteral("No importer knows this kind of file"));
        QCOMPARE(asSentence("bad.json: no importer"), QStringLiteral("bad.json: no importer"));
        QCOMPARE(asSentence("conv1/out has no size"), QStringLiteral("conv1/out has no size"));
        QCOMPARE(asSentence("'a' overlaps"), QStringLiteral("'a' overlaps"));
        QCOMPARE(asSentence(""), QString());
    }

    void everyColumnSortsByWhatItSays()
    {
        const auto run = manyBuffers(500);
        const auto source = bufferRows(run);
        const auto size = [&](std::uint32_t row) { return run->problem().buffers[row].size; };
        const auto ascending = orderRows(*source, test::columnOf(*source, "size"), Qt::AscendingOrder, nullptr);
        QVERIFY(std::ranges::is_sorted(ascending, {}, size));
        const auto byName = orderRows(*source, test::columnOf(*source, "buffer"), Qt::DescendingOrder, nullptr);
        QVERIFY(std::ranges::is_sorted(byName, std::greater<>(),
                                       [&](std::uint32_t row) { return run->problem().buffers[row].name; }));
        // A permutation: no row lost, none twice.
        auto rows = byName;
        std::ranges::sort(rows);
        for (std::size_t i = 0; i < rows.size(); ++i) QCOMPARE(rows[i], std::uint32_t(i));
    }

    void equalKeysKeepTheirOrderInBothDirections()
    {
        const auto run = manyBuffers(400);
        const auto source = bufferRows(run);
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            const auto rows = orderRows(*source, test::columnOf(*source, "steps"), order, nullptr); // nine values only
            for (std::size_t i = 1; i < rows.size(); ++i)
                if (run->problem().buffers[rows[i]].live[0].length() == run->problem().buffers[rows[i - 1]].live[0].length())
                    QVERIFY(rows[i - 1] < rows[i]);
        }
    }

    void aFilterLeavesTheRowsThatPass()
    {
        const auto run = test::realRun("transformer_block");
        QVERIFY(run);
        const std::size_t count = run->problem().buffers.size();
        std::vector<bool> shown(count);
        for (std::size_t i = 0; i < shown.size(); i += 3) shown[i] = true;
        const auto rows = orderRows(*bufferRows(run), -1, Qt::AscendingOrder, &shown);
        QCOMPARE(rows.size(), (count + 2) / 3);
        for (const std::uint32_t row : rows) QVERIFY(row % 3 == 0);
        // An op stays when it touches a buffer that passes.
        const auto ops = opRows(run);
        std::vector<bool> nothing(count);
        QVERIFY(orderRows(*ops, -1, Qt::AscendingOrder, &nothing).empty());
        QCOMPARE(orderRows(*ops, -1, Qt::AscendingOrder, nullptr).size(), ops->rows());
    }

    void selectedRowsGoAlongWhenTheOrderChanges()
    {
        const auto run = manyBuffers(300);
        RowTable table;
        table.setSource(bufferRows(run));
        const QPersistentModelIndex row(table.index(17, 0));
        const QVariant buffer = row.data(RowTable::BufferRole);
        table.sort(test::columnOf(*table.source(), "size"), Qt::DescendingOrder);
        QVERIFY(row.isValid());
        QCOMPARE(row.data(RowTable::BufferRole), buffer);
    }

    void aMillionRowsSortInTheBackgroundWithoutCopiesOfTheirContents()
    {
        constexpr std::size_t count = 1'000'000;
        const auto run = manyBuffers(count);
        RowTable table;
        table.setSource(bufferRows(run));
        QCOMPARE(table.rowCount(), int(count));
        QSignalSpy ordered(&table, &RowTable::ordered);
        table.sort(test::columnOf(*table.source(), "size"), Qt::AscendingOrder);
        QVERIFY(table.busy()); // it came back at once
        QVERIFY(ordered.wait(20'000));
        QVERIFY(!table.busy());
        for (int row = 1; row < table.rowCount(); row += 997) {
            const auto size = [&](int at) {
                return run->problem().buffers[std::size_t(table.index(at, 0).data(RowTable::BufferRole).toInt())].size;
            };
            QVERIFY(size(row - 1) <= size(row));
        }
    }

    void anOrderThatIsOutOfDateIsNotShown()
    {
        const auto run = manyBuffers(200'000);
        RowTable table;
        table.setSource(bufferRows(run));
        QSignalSpy ordered(&table, &RowTable::ordered);
        table.sort(test::columnOf(*table.source(), "buffer"), Qt::AscendingOrder);
        table.sort(test::columnOf(*table.source(), "size"), Qt::DescendingOrder); // before the first one is there
        QVERIFY(ordered.wait(20'000));
        QTest::qWait(300);
        QCOMPARE(ordered.count(), 1);
        QVERIFY(run->problem().buffers[std::size_t(table.index(0, 0).data(RowTable::BufferRole).toInt())].size >=
                run->problem().buffers[std::size_t(table.index(1, 0).data(RowTable::BufferRole).toInt())].size);
    }

    void theWorstDiagnosticComesFirst()
    {
        Diagnostics imported;
        imported.push_back({Severity::note, Code::partial, "note", {}, {}});
        imported.push_back({Severity::error, Code::overflow, "error", {}, {}});
        imported.push_back({Severity::warning, Code::partial, "warning", {}, {}});
        const Diagnostics all = allDiagnostics(imported, nullptr);
        QCOMPARE(all[0].severity, Severity::error);
        QCOMPARE(all[1].severity, Severity::warning);
        QCOMPARE(all[2].severity, Severity::note);
    }
};

QTEST_MAIN(TablesTest)
#include "tst_tables.moc"
