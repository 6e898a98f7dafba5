// Runs side by side: heads, rows and the difference say what is true of the runs, and nothing that does not fit is called best.
#include "app/canvas/axis/difference_colours.h"
#include "app/canvas/kit/palette.h"
#include "app/canvas/pictures/compare/compare_sheet.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

using namespace stowage;

namespace {

/// A run with other offsets: everything `by` bytes higher from buffer `from` on.
std::shared_ptr<const Run> shifted(const Run& run, const char* planner, Bytes by, std::size_t from = 0)
{
    auto copy = std::make_shared<Run>(run);
    copy->plan.planner = planner;
    for (std::size_t i = from; i < copy->plan.placements.size(); ++i) {
        copy->plan.placements[i].offset += by;
        for (Bytes& offset : copy->plan.placements[i].offsets) offset += by;
    }
    copy->report = evaluate(copy->problem(), copy->plan);
    return copy;
}

std::shared_ptr<const Run> named(const Run& run, const char* planner, const char* lowering = nullptr)
{
    auto copy = std::make_shared<Run>(run);
    copy->plan.planner = planner;
    if (lowering) {
        auto other = std::make_shared<Lowering>(*run.lowering);
        other->fingerprint.pins = {{lowering, "ram", 0}};
        copy->lowering = other;
    }
    return copy;
}

struct Drawn {
    TextShaper shaper;
    DrawList list{shaper, 1};

    Drawn(const std::vector<std::shared_ptr<const Run>>& runs, QSizeF size)
    {
        CompareOptions options;
        options.size = size;
        options.theme = &Theme::darkTheme();
        options.pool = comparedPool(runs);
        (void)paintCompareSheet(list, runs, options);
    }
    [[nodiscard]] std::ptrdiff_t count(const QString& text) const { return test::textsOf(list).count(text); }
    [[nodiscard]] bool says(const QString& part) const { return test::timesSaid(list, part) > 0; }
};

} // namespace

class CompareSheetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coloursFollowTheSignAndTheThirdsOfTheMove()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        const auto run = test::sampleRun({.buffers = 80, .pools = 2});
        Plan other = run->plan;
        for (Placement& placement : other.placements) {
            if (random.bounded(5) == 0)
                placement.pool = none;
            else if (random.bounded(5) == 0)
                placement.pool = 1 - placement.pool;
            else
                placement.offset = std::max<Bytes>(0, placement.offset + random.bounded(-6, 7) * 64);
        }
        const PlanDifference changes = difference(run->problem(), run->plan, run->problem(), other);
        const Colouring colours = differenceColouring(changes);
        QCOMPARE(colours.by, ColourBy::difference);
        std::size_t counted = 0;
        for (const ColourClass& c : colours.classes) counted += c.buffers;
        QCOMPARE(counted, run->problem().buffers.size());
        for (std::size_t i = 0; i < colours.of.size(); ++i) {
            const Placement& a = run->plan.placements[i];
            const Placement& b = other.placements[i];
            const auto shown = DifferenceClass(colours.of[i]);
            if (b.pool == none)
                QCOMPARE(shown, DifferenceClass::onlyHere);
            else if (a.pool != b.pool)
                QCOMPARE(shown, DifferenceClass::elsewhere);
            else if (a.offset == b.offset)
                QCOMPARE(shown, DifferenceClass::unmoved);
            else {
                const double share = std::abs(double(a.offset - b.offset)) / double(changes.furthest);
                const int third = share > 2.0 / 3 ? 2 : share > 1.0 / 3 ? 1 : 0;
                const auto expected = a.offset > b.offset ? DifferenceClass(4 + third) : DifferenceClass(2 - third);
                QCOMPARE(shown, expected);
            }
        }
        // The legend counts every buffer once.
        std::size_t inLegend = 0;
        for (const DifferenceCount& entry : differenceCounts(changes)) inLegend += entry.buffers;
        QCOMPARE(inLegend, run->problem().buffers.size() + changes.onlyThere.size());
    }

    /// The legend has the colours of its map: of moves of two distances, those of both.
    void theLegendHasTheShadesThatAreDrawn()
    {
        const auto run = named(*test::sampleRun({.buffers = 10}), "alpha");
        auto other = std::make_shared<Run>(*shifted(*run, "beta", 4096));
        other->plan.placements[0].offset += 3 * Bytes{4096}; // four times as far as the others
        const PlanDifference changes = difference(other->problem(), other->plan, run->problem(), run->plan);
        QCOMPARE(changes.count(Moved::higher), std::size_t(10));
        const std::vector<DifferenceCount> counts = differenceCounts(changes);
        const auto higher = std::ranges::find(counts, std::string("higher"), &DifferenceCount::name);
        QVERIFY(higher != counts.end());
        QVERIFY(higher->shades == (std::vector{DifferenceClass::farHigher, DifferenceClass::slightlyHigher}));
        const Palette palette = paletteOf(Theme::darkTheme(), ColourBy::difference);
        const Drawn drawn({run, other}, {1500, 760}); // its maps are rasters, and no fills
        const auto swatches = [&](DifferenceClass shade) {
            return std::ranges::count_if(drawn.list.commands(), [&](const DrawCommand& command) {
                const auto* fill = std::get_if<draw::Fill>(&command);
                return fill && fill->rect.height() == 10 && fill->colour == palette.fills[std::size_t(shade)];
            });
        };
        QCOMPARE(swatches(DifferenceClass::farHigher), std::ptrdiff_t(1));
        QCOMPARE(swatches(DifferenceClass::slightlyHigher), std::ptrdiff_t(1));
        QCOMPARE(swatches(DifferenceClass::higher), std::ptrdiff_t(0));
    }

    void theDifferenceIsSaidInWords()
    {
        const auto run = test::sampleRun({.buffers = 10});
        const auto other = shifted(*run, "other", 4096);
        const PlanDifference changes = difference(run->problem(), run->plan, other->problem(), other->plan);
        const auto inUnit = [](NumberFormat::Unit unit) {
            return [unit](Bytes bytes) { return bytesText(bytes, {.unit = unit}).toStdString(); };
        };
        const auto inBytes = inUnit(NumberFormat::Unit::bytes), inWords = inUnit(NumberFormat::Unit::words);
        QCOMPARE(describeChange(changes, 3, inBytes), std::string("moved 4,096 B lower"));
        QCOMPARE(describeChange(changes, 3, inWords), std::string("moved 1,024 words lower"));
        QCOMPARE(describeChange(changes, 99, inBytes), std::string());
        const PlanDifference back = difference(other->problem(), other->plan, run->problem(), run->plan);
        QCOMPARE(describeChange(back, 3, inBytes), std::string("moved 4,096 B higher"));
    }

    void twoRunsHaveTheirHeadsMapsAndDifference()
    {
        const auto run = named(*test::sampleRun({.buffers = 50, .capacityFactor = 2}), "alpha");
        const auto other = shifted(*run, "beta", 128, 20);
        const Drawn drawn({run, other}, {1200, 760});
        QCOMPARE(drawn.count(QStringLiteral("alpha")), std::ptrdiff_t(2)); // head and row
        QCOMPARE(drawn.count(QStringLiteral("beta")), std::ptrdiff_t(2));
        QCOMPARE(drawn.count(QStringLiteral("beta against alpha")), std::ptrdiff_t(1));
        QVERIFY(drawn.says(QStringLiteral("higher 30")));
        QVERIFY(drawn.says(QStringLiteral("same 20")));
        QCOMPARE(drawn.count(QStringLiteral("best")), std::ptrdiff_t(2)); // alpha, in head and row
    }

    void whatDoesNotFitIsNeverBest()
    {
        const auto large = named(*test::sampleRun({.buffers = 50, .capacityFactor = 0.7}), "alpha");
        const auto larger = shifted(*large, "beta", 128);
        const Drawn drawn({large, larger}, {1200, 760});
        QCOMPARE(drawn.count(QStringLiteral("best")), std::ptrdiff_t(0));
        QVERIFY(drawn.says(QStringLiteral("Does not fit")) || drawn.says(QStringLiteral("Cannot fit")));
    }

    void otherLoweringsAreRankedApart()
    {
        const auto run = named(*test::sampleRun({.buffers = 50}), "alpha");
        const auto more = named(*run, "beta", "order=linear inplace=allowed");
        const Drawn drawn({run, more}, {1300, 760});
        QVERIFY(drawn.says(QStringLiteral("ranked apart")));
        QCOMPARE(drawn.count(QStringLiteral("best")), std::ptrdiff_t(0)); // each is alone in its group
        QVERIFY(drawn.says(QStringLiteral("inplace=allowed")));
    }

    void groupsThatDifferInTheirPoolsOnlyAreNoOtherLowerings()
    {
        Fingerprint free, limited, dag;
        Pool arena;
        arena.name = "arena";
        free.options.pools = {arena};
        arena.capacity = 100;
        limited.options.pools = {arena};
        dag = limited;
        dag.options.order = dag.options.order == Order::dag ? Order::linear : Order::dag;
        const auto caption = [](const Fingerprint& a, const Fingerprint& b) {
            RunGroup first, second;
            first.lowering = a;
            second.lowering = b;
            return groupsCaption(std::vector<RunGroup>{first, second});
        };
        QCOMPARE(caption(free, limited), QStringLiteral("2 sets of pools, ranked apart"));
        QCOMPARE(caption(limited, dag), QStringLiteral("2 set-ups: different problems, ranked apart"));
    }

    /// Tensors of unknown size add to the size: that a part equals its bound is no success.
    void nothingOfAPartialPlanIsGreen()
    {
        const auto whole = named(*test::sampleRun({.buffers = 12}), "alpha");
        const auto part = [&](const char* planner) {
            auto lowering = std::make_shared<Lowering>(*whole->lowering);
            lowering->problem.unknownSizes = {"h"};
            auto run = std::make_shared<Run>(*whole);
            run->plan.planner = planner;
            run->lowering = std::move(lowering);
            return run;
        };
        const Theme& theme = Theme::darkTheme();
        auto reached = part("alpha");
        for (PoolReport& pool : reached->report.pools) pool.lowerBound = pool.size;
        QCOMPARE(verdictKind(*reached), VerdictKind::partial);
        QCOMPARE(overBoundColour(*reached, theme), theme.text2);
        auto all = std::make_shared<Run>(*reached);
        all->lowering = whole->lowering;
        QCOMPARE(overBoundColour(*all, theme), theme.ok);
        const auto inkOfBest = [](const Drawn& drawn) {
            for (const DrawCommand& command : drawn.list.commands())
                if (const auto* text = std::get_if<draw::Text>(&command); text && text->text == u"best") return text->colour;
            return QColor();
        };
        QCOMPARE(inkOfBest(Drawn({reached, part("beta")}, {1200, 760})), theme.text2);
        QCOMPARE(inkOfBest(Drawn({whole, named(*whole, "beta")}, {1200, 760})), theme.ok);
    }

    void oneRunInvitesToNameMore()
    {
        const Drawn drawn({test::wakeWordRun()}, {900, 600});
        QVERIFY(drawn.says(QStringLiteral("name more planners")));
        QVERIFY(!drawn.says(QStringLiteral("Difference")));
    }

    void manyRunsAreCountedWhereTheyHaveNoRoom()
    {
        const auto run = test::sampleRun({.buffers = 30});
        std::vector<std::shared_ptr<const Run>> runs;
        for (int i = 0; i < 14; ++i) runs.push_back(named(*run, qPrintable(QStringLiteral("planner-%1").arg(i))));
        const Drawn wide({runs}, {1600, 1000});
        QVERIFY(wide.says(QStringLiteral("of 14 shown above")));
        for (int i = 0; i < 14; ++i) QVERIFY2(wide.says(QStringLiteral("planner-%1").arg(i)), qPrintable(QString::number(i)));
        const Drawn small({runs}, {640, 420});
        QVERIFY(small.says(QStringLiteral("more")));
    }

    /// A caption without room for all of it loses whole words, and one that begins with a number is whole or absent.
    void captionsCutNoNumber()
    {
        const auto run = test::sampleRun({.buffers = 30});
        std::vector<std::shared_ptr<const Run>> runs;
        for (int i = 0; i < 14; ++i) runs.push_back(named(*run, qPrintable(QStringLiteral("planner-%1").arg(i))));
        int whole = 0, absent = 0;
        for (double width = 260; width <= 1000; width += 20) {
            const Drawn drawn(runs, {width, 600});
            for (const DrawCommand& command : drawn.list.commands())
                if (const auto* text = std::get_if<draw::Text>(&command); text && text->face == Face::body)
                    QVERIFY2(!text->text.front().isDigit() || !text->text.endsWith(QChar(0x2026)), qPrintable(text->text));
            ++(drawn.says(QStringLiteral("of 14 shown above")) ? whole : absent);
        }
        QVERIFY(whole > 0 && absent > 0);
    }

    /// A map that is full has no place for the chips of its lines. Its ruler is for steps: the head above has the sizes.
    void fullMapsHaveNoChipsInTheirRulers()
    {
        Problem problem;
        problem.pools.push_back({.name = "arena"});
        for (const char* name : {"in", "out"}) {
            Buffer buffer;
            buffer.name = name;
            buffer.size = 64;
            buffer.alignment = 1;
            buffer.live = {{0, 2}};
            problem.buffers.push_back(buffer);
        }
        const auto run = test::runOf(std::move(problem));
        const Drawn drawn({named(*run, "alpha"), named(*run, "beta")}, {1200, 480});
        QVERIFY(!drawn.says(QStringLiteral("pool and bound")));
        QVERIFY(drawn.count(QStringLiteral("128 B")) >= 2); // a figure of each head
    }

    void allMapsHaveOneScale()
    {
        // A map of a small plan beside a large one: the small one's capacity lies at the same height in both.
        const auto run = named(*test::sampleRun({.buffers = 40, .capacityFactor = 1.2}), "alpha");
        const auto higher = shifted(*run, "beta", 3000);
        const Drawn drawn({run, higher}, {1200, 760});
        std::vector<double> heights; // of the lines of the capacity
        for (const DrawCommand& command : drawn.list.commands())
            if (const auto* line = std::get_if<draw::Fill>(&command);
                line && line->colour == Theme::darkTheme().bad && line->rect.height() == 1.5 && line->rect.width() > 200)
                heights.push_back(line->rect.top());
        QCOMPARE(heights.size(), std::size_t(3)); // two maps and the difference
        QCOMPARE(heights[0], heights[1]);
    }

    /// The unit of an address widens the gutter of a map among others, but brings no title into it.
    void unitsOfAddressesBringNoTitle()
    {
        TextShaper shaper;
        for (const Bytes top : {Bytes{16}, Bytes{1} << 20, Bytes{1} << 24, Bytes{1} << 36}) {
            const NumberFormat words{.unit = NumberFormat::Unit::words, .hexAddresses = true};
            const double gutter = narrowGutter(shaper, top, words);
            QVERIFY(gutter >= shaper.width(Face::tick, addressText(top, words) + QStringLiteral(" B")) + 7); // up to the tick
            QVERIFY(gutter <= titledGutter);
        }
    }

    void theBarScaleCutsWhatIsFarOff()
    {
        const auto run = test::sampleRun({.buffers = 40, .capacityFactor = 0});
        const std::vector<std::shared_ptr<const Run>> runs{run, shifted(*run, "far", Bytes{1} << 40)};
        const Bytes scale = barScale(runs);
        QVERIFY(scale >= run->report.totalSize() / 2 && scale <= 2 * run->report.totalSize());
        QCOMPARE(barScale({}), Bytes(1));
    }

    /// The sum of several capacities limits no plan, and would make stumps of the bars where one of them is large.
    void onlyTheCapacityOfASinglePoolIsInABar()
    {
        const auto one = test::sampleRun({.buffers = 40, .capacityFactor = 1.2});
        QVERIFY(one->report.pools.front().capacity.has_value());
        QCOMPARE(capacityOf(one->report), one->report.pools.front().capacity);
        const auto two = test::sampleRun({.buffers = 40, .pools = 2, .capacityFactor = 1.2});
        for (const PoolReport& pool : two->report.pools) QVERIFY(pool.size > 0 && pool.capacity);
        QVERIFY(!capacityOf(two->report).has_value());
        // The title of the bars names the marks that they have.
        auto reached = std::make_shared<Run>(*one); // at its bound: the scale ends at the capacity
        for (PoolReport& pool : reached->report.pools) pool.lowerBound = pool.size;
        const QString with = QStringLiteral("size, bound, capacity"), without = QStringLiteral("size, bound");
        const Drawn marked({reached}, {1600, 760}), unmarked({two}, {1600, 760});
        QCOMPARE(marked.count(with), std::ptrdiff_t(1));
        QCOMPARE(unmarked.count(with), std::ptrdiff_t(0));
        QCOMPARE(unmarked.count(without), std::ptrdiff_t(1));
    }

    /// In sheets of any width the head of the difference names both plans, told apart, or neither.
    void theDifferenceNamesBothPlansOrNone()
    {
        const auto run = named(*test::sampleRun({.buffers = 12}), "best-fit-decreasing-aligned");
        const auto other = named(*run, "best-fit-decreasing-packed");
        const QString against = QStringLiteral(" against ");
        int whole = 0, shortened = 0;
        for (double width = 400; width <= 1500; width += 50) {
            const Drawn drawn({run, other}, {width, 760});
            QCOMPARE(drawn.count(QStringLiteral("Difference")), std::ptrdiff_t(1));
            const QStringList captions = test::textsOf(drawn.list).filter(QStringLiteral("against"));
            if (captions.isEmpty()) continue;
            QCOMPARE(captions.size(), 1);
            const QStringList names = captions.front().split(against);
            QVERIFY2(names.size() == 2 && names[0] != names[1] && !names[0].isEmpty() && !names[1].isEmpty(),
                     qPrintable(captions.front()));
            const bool all = captions.front() == QStringLiteral("best-fit-decreasing-packed against best-fit-decreasing-aligned");
            ++(all ? whole : shortened);
        }
        QVERIFY(whole > 0 && shortened > 0);
    }

    /// Two runs of one planner are told apart by their settings, as in the heads of the maps.
    void theDifferenceNamesSettingsOfOnePlanner()
    {
        const auto run = named(*test::sampleRun({.buffers = 12}), "hill-climb");
        auto other = std::make_shared<Run>(*run);
        other->plan.seed = run->plan.seed + 1;
        const Drawn drawn({run, other}, {1500, 760});
        const QStringList captions = test::textsOf(drawn.list).filter(QStringLiteral(" against "));
        QCOMPARE(captions.size(), 1);
        const QStringList names = captions.front().split(QStringLiteral(" against "));
        QVERIFY2(names.size() == 2 && names[0] != names[1], qPrintable(captions.front()));
    }

    /// A remark loses its last words first; one that begins with a number is whole or absent.
    void aRemarkIsShortenedBetweenWords()
    {
        PaneHead head;
        head.title = QStringLiteral("exact");
        const auto remarksOf = [&](const char* remark, double width) {
            head.remark = QString::fromLatin1(remark);
            TextShaper shaper;
            DrawList list(shaper, 1);
            paintPaneHead(list, Theme::darkTheme(), {0, 0, width, paneHeadHeight}, head);
            return test::textsOf(list).filter(head.remark.left(3));
        };
        int shortened = 0;
        for (double width = 120; width <= 400; width += 4) {
            for (const QString& text : remarksOf("stopped by the 300 limit", width)) {
                const QStringList allowed{QStringLiteral("stopped by the 300 limit"), QStringLiteral("stopped by the\u2026"),
                                          QStringLiteral("stopped by\u2026"), QStringLiteral("stopped\u2026")};
                QVERIFY2(allowed.contains(text), qPrintable(text));
                shortened += text != allowed.front();
            }
            for (const QString& text : remarksOf("1,024 B short", width)) QCOMPARE(text, QStringLiteral("1,024 B short"));
        }
        QVERIFY(shortened > 0);
        QCOMPARE(remarksOf("stopped by the 300 limit", 600).size(), 1);
    }
};

QTEST_MAIN(CompareSheetTest)
#include "tst_compare_sheet.moc"
