// Layouts without waste: the tree of orders against enumeration, layouts against brute force and rectangles that were cut.
#include "core/ir/random.h"
#include "core/plan/report.h"
#include "core/planners/auto.h"
#include "core/planners/greedy/greedy_by_size.h"
#include "core/planners/rectangles/aligned_parts.h"
#include "core/planners/rectangles/coarse_fill.h"
#include "core/planners/rectangles/equal_sums.h"
#include "core/planners/rectangles/fill_pools.h"
#include "core/planners/rectangles/fill_wells.h"
#include "core/planners/rectangles/order_tree.h"
#include "core/planners/rectangles/perfect_fill.h"
#include "core/planners/rectangles/rectangle.h"
#include "tests/core/pieces.h"
#include "tests/support/cut_rectangle.h"
#include "tests/support/instrumented.h"
#include "tests/support/problems.h"

#include <QtTest/QTest>

#include <numeric>
#include <set>

using namespace stowage;
using exact::OrderTree;
using exact::Piece;
using test::Cutter;
using test::mostLive;

namespace {

using Order = std::vector<std::int32_t>;

bool together(const Order& order, const std::set<std::int32_t>& set)
{
    const auto in = [&](std::int32_t element) { return set.contains(element); };
    const auto first = std::find_if(order.begin(), order.end(), in);
    return static_cast<std::size_t>(std::find_if_not(first, order.end(), in) - first) == set.size();
}

std::vector<Piece> piecesOf(const Problem& problem)
{
    std::vector<Piece> pieces;
    for (const Buffer& buffer : problem.buffers)
        for (int slot = 0; slot < buffer.slots; ++slot)
            pieces.push_back({buffer.live[0].begin, buffer.live[0].end, buffer.size, buffer.alignment});
    return pieces;
}

/// By its own lights, pair by pair.
bool isLayout(const std::vector<Piece>& pieces, const std::vector<Bytes>& offsets, Bytes height)
{
    if (offsets.size() != pieces.size()) return false;
    for (std::size_t a = 0; a < pieces.size(); ++a) {
        if (offsets[a] < 0 || offsets[a] + pieces[a].size > height || offsets[a] % pieces[a].alignment != 0) return false;
        for (std::size_t b = 0; b < a; ++b)
            if (pieces[a].begin < pieces[b].end && pieces[b].begin < pieces[a].end && offsets[a] < offsets[b] + pieces[b].size &&
                offsets[b] < offsets[a] + pieces[a].size)
                return false;
    }
    return true;
}

bool fits(const std::vector<Piece>& pieces, std::vector<Bytes>& offsets, Bytes height)
{
    const std::size_t k = offsets.size();
    if (k == pieces.size()) return true;
    for (Bytes offset = 0; offset + pieces[k].size <= height; offset += pieces[k].alignment) {
        bool free = true;
        for (std::size_t j = 0; j < k && free; ++j)
            free = pieces[k].begin >= pieces[j].end || pieces[j].begin >= pieces[k].end ||
                   offset >= offsets[j] + pieces[j].size || offsets[j] >= offset + pieces[k].size;
        if (!free) continue;
        offsets.push_back(offset);
        if (fits(pieces, offsets, height)) return true;
        offsets.pop_back();
    }
    return false;
}

} // namespace

class TestPerfectFill : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Sets gathered one after the other, each time replaced by new elements or kept: which orders are left is known by trying
    // all.
    void treePermitsTheOrdersThatEnumerationDoes()
    {
        int possible = 0, impossible = 0;
        for (unsigned seed = 0; seed < 1500; ++seed) {
            std::mt19937 random(seed);
            const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
            const std::size_t n = 3 + below(4);
            Order elements(n);
            std::iota(elements.begin(), elements.end(), 0);
            std::vector<Order> orders;
            do orders.push_back(elements);
            while (std::next_permutation(elements.begin(), elements.end()));
            OrderTree tree;
            std::vector<OrderTree::Node> leaves;
            for (std::size_t i = 0; i < n; ++i) leaves.push_back(tree.leaf(static_cast<std::int32_t>(i)));
            OrderTree::Node root = tree.anyOrder(leaves);
            for (int round = 0; round < 4; ++round) {
                std::set<std::int32_t> set;
                for (std::size_t i = 0; i < n; ++i)
                    if (below(2)) set.insert(static_cast<std::int32_t>(i));
                if (set.empty()) continue;
                const Order members(set.begin(), set.end());
                std::vector<Order> left;
                for (const Order& order : orders)
                    if (together(order, set)) left.push_back(order);
                const std::size_t before = tree.size();
                const auto gathered = tree.gather(root, members, tree.leaf(static_cast<std::int32_t>(n)));
                if (gathered.has_value() != !left.empty())
                    QFAIL(qPrintable(QStringLiteral("seed %1, round %2").arg(seed).arg(round)));
                ++(gathered ? possible : impossible);
                if (!gathered) {
                    tree.forget(before);
                    continue;
                }
                orders = std::move(left);
                root = gathered->together;
                // With the places of a permitted order as keys, the tree gives that order; with others', another.
                const std::set<Order> permitted(orders.begin(), orders.end());
                Order all(n), out;
                std::iota(all.begin(), all.end(), 0);
                do {
                    std::vector<std::int64_t> key(n + 1, 0);
                    for (std::size_t k = 0; k < n; ++k) key[static_cast<std::size_t>(all[k])] = static_cast<std::int64_t>(k);
                    tree.order(root, key, out);
                    if ((out == all) != permitted.contains(all) || !permitted.contains(out))
                        QFAIL(qPrintable(QStringLiteral("seed %1, round %2: an order").arg(seed).arg(round)));
                } while (std::next_permutation(all.begin(), all.end()));
                // The block in the set's place: the orders without the set, with one element for it.
                std::set<Order> contracted, drawn;
                for (const Order& order : orders) {
                    Order short_;
                    for (const std::int32_t element : order) {
                        const std::int32_t as = set.contains(element) ? static_cast<std::int32_t>(n) : element;
                        if (short_.empty() || short_.back() != as) short_.push_back(as);
                    }
                    contracted.insert(short_);
                }
                Dice dice(seed);
                for (int draw = 0; draw < 200; ++draw) {
                    std::vector<std::int64_t> key(n + 1, 0);
                    for (auto& value : key) value = static_cast<std::int64_t>(dice.below(100));
                    tree.order(gathered->replaced, key, out, &dice);
                    drawn.insert(out);
                }
                for (const Order& order : drawn) QVERIFY(contracted.contains(order));
                if (contracted.size() <= 4) QCOMPARE(drawn.size(), contracted.size());
            }
        }
        QVERIFY(possible > 1000 && impossible > 300);
    }

    void equalSumsAreThoseThatEnumerationFinds()
    {
        for (unsigned seed = 0; seed < 500; ++seed) {
            std::mt19937 random(seed);
            std::vector<Bytes> ends, begins;
            Bytes rest = 0;
            for (std::size_t k = 1 + random() % 4; k > 0; --k) rest += ends.emplace_back(1 + static_cast<Bytes>(random() % 7));
            while (rest > 0) rest -= begins.emplace_back(std::min<Bytes>(rest, 3 + static_cast<Bytes>(random() % 7)));
            const auto sum = [](const std::vector<Bytes>& list, unsigned mask) {
                Bytes total = 0;
                for (std::size_t k = 0; k < list.size(); ++k) total += ((mask >> k) & 1) != 0 ? list[k] : 0;
                return total;
            };
            std::vector<std::pair<unsigned, unsigned>> all;
            for (unsigned e = 1; e < (1U << ends.size()); ++e)
                for (unsigned b = 1; b < (1U << begins.size()); ++b)
                    if (sum(ends, e) == sum(begins, b)) all.emplace_back(e, b);
            std::set<std::pair<unsigned, unsigned>> expected, found;
            for (const auto& one : all)
                if (std::none_of(all.begin(), all.end(), [&](const auto& o) {
                        return o != one && (o.first & ~one.first) == 0 && (o.second & ~one.second) == 0;
                    }))
                    expected.insert(one);
            const auto result = exact::findEqualSums(ends, begins, 100'000);
            QVERIFY(result.complete);
            for (const auto& sums : result.sums) {
                unsigned e = 0, b = 0;
                for (const auto m : sums.ends) e |= 1U << m;
                for (const auto m : sums.begins) b |= 1U << m;
                found.emplace(e, b);
            }
            QCOMPARE(found, expected);
        }
    }

    // Whatever it gives is a layout; what brute force shows to be impossible it does not give.
    void givesOnlyLayouts()
    {
        int found = 0, missed = 0, impossible = 0;
        for (unsigned seed = 0; seed < 6000; ++seed) {
            std::mt19937 random(seed);
            const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
            std::vector<Piece> pieces;
            for (std::int64_t count = 2 + below(6); count > 0; --count) {
                const Step begin = below(4);
                pieces.push_back({begin, begin + 1 + below(3), 1 + below(4), seed % 3 == 0 ? Bytes{1} << below(3) : 1});
            }
            const Bytes height = mostLive(pieces);
            std::uint64_t work = 0;
            const auto offsets = exact::fillPerfectly(pieces, {1'000'000, {}}, work);
            std::vector<Bytes> enumerated;
            const bool possible = fits(pieces, enumerated, height);
            QVERIFY2(!offsets || (possible && isLayout(pieces, *offsets, height)),
                     qPrintable(QStringLiteral("seed %1").arg(seed)));
            ++(!possible ? impossible : offsets ? found : missed);
        }
        qInfo("%d found, %d missed, %d impossible", found, missed, impossible);
        QVERIFY(found > 300 && impossible > 300);
    }

    void fillsRectanglesThatWereCut_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("least"); // of ten seeds
        QTest::newRow("guillotine, 100") << int(Cutter::Kind::guillotine) << 100 << 10;
        QTest::newRow("guillotine, 300") << int(Cutter::Kind::guillotine) << 300 << 8;
        QTest::newRow("pinwheel, 200") << int(Cutter::Kind::pinwheel) << 200 << 10;
        QTest::newRow("pinwheel, 400") << int(Cutter::Kind::pinwheel) << 400 << 6;
        QTest::newRow("aligned, 50") << int(Cutter::Kind::aligned) << 50 << 10;
        QTest::newRow("aligned, 100") << int(Cutter::Kind::aligned) << 100 << 7;
        QTest::newRow("double-buffered, 200") << int(Cutter::Kind::doubleBuffered) << 200 << 8;
    }
    void fillsRectanglesThatWereCut()
    {
        QFETCH(int, kind);
        QFETCH(int, count);
        QFETCH(int, least);
        int found = 0;
        for (std::uint64_t seed = 100; seed < 110; ++seed) {
            const Problem problem =
                Cutter(count, 1'048'576, seed).problem(static_cast<std::size_t>(count), static_cast<Cutter::Kind>(kind));
            const std::vector<Piece> pieces = piecesOf(problem);
            std::uint64_t work = 0;
            const auto offsets = exact::fillPerfectly(pieces, {50'000'000, {}}, work);
            QVERIFY(!offsets || isLayout(pieces, *offsets, 1'048'576));
            found += offsets.has_value();
            std::uint64_t again = 0;
            QVERIFY(exact::fillPerfectly(pieces, {50'000'000, {}}, again) == offsets && work == again);
        }
        QVERIFY2(found >= least, qPrintable(QString::number(found)));
    }

    // Without a line known it decides what brute force decides, in any order; and what has no node left is told apart.
    void wellsDecideAsBruteForceDoes()
    {
        int found = 0, none = 0, stopped = 0;
        const exact::LineGraph::Doubts doubts;
        for (unsigned seed = 0; seed < test::randomCases(4000); ++seed) {
            std::mt19937 random(seed);
            std::vector<Piece> pieces = piecesOf(Cutter(6, 12, seed).problem(4 + seed % 4, Cutter::Kind::pinwheel));
            for (Piece& piece : pieces) piece.alignment = Bytes{1} << (random() % 3); // mostly none fits any more
            Bytes height = 0;
            QVERIFY(exact::fillUp(pieces, height));
            std::vector<Bytes> enumerated;
            const bool possible = fits(pieces, enumerated, height);
            const exact::LineGraph graph(pieces, doubts);
            const exact::AlignedParts aligned(pieces, graph.parts());
            Dice dice(seed);
            exact::FillWells hurried(graph, aligned, height), wells(graph, aligned, height);
            stopped += hurried.run(2, dice) == exact::FillWells::Result::limit;
            for (int run = 0; run < 3; ++run) { // a run that was stopped leaves nothing behind
                const auto result = run < 2 ? hurried.run(3, dice) : hurried.run(1'000'000, dice);
                if (result == exact::FillWells::Result::limit) continue;
                QCOMPARE(result == exact::FillWells::Result::found, possible);
                break;
            }
            const auto result = wells.run(1'000'000, dice);
            QVERIFY(result != exact::FillWells::Result::limit);
            QVERIFY2((result == exact::FillWells::Result::found) == possible, qPrintable(QStringLiteral("seed %1").arg(seed)));
            ++(possible ? found : none);
            if (possible) QVERIFY(isLayout(pieces, wells.offsets(), height));
        }
        qInfo("%d found, %d impossible, %d stopped", found, none, stopped);
        QVERIFY(found > 100 && none > 100 && stopped > 100);
    }

    // More pieces between two lines than all orders can be tried of, aligned as they lay in some stack.
    void stacksManyAlignedPieces()
    {
        int found = 0;
        constexpr int seeds = 40;
        for (unsigned seed = 0; seed < seeds; ++seed) {
            std::mt19937 random(seed);
            std::vector<Piece> pieces;
            for (Step step = 0; step < 2; ++step) {
                Bytes low = 0;
                for (unsigned k = 0; k < 13 + seed % 12; ++k) {
                    const Bytes size = 1 + static_cast<Bytes>(random() % 5000);
                    pieces.push_back(
                        {step, step + 1, size, random() % 2 == 0 ? std::min<Bytes>(1024, low == 0 ? 1024 : low & -low) : 1});
                    low += size;
                }
            }
            const Bytes height = mostLive(pieces);
            std::shuffle(pieces.begin(), pieces.end(), random);
            std::uint64_t work = 0;
            const auto offsets = exact::fillPerfectly(pieces, {50'000'000, {}}, work);
            QVERIFY(!offsets || isLayout(pieces, *offsets, height));
            found += offsets.has_value();
        }
        qInfo("%d of %d", found, seeds);
        QVERIFY2(found >= seeds - 4, qPrintable(QString::number(found)));
    }

    // A hole or two make no difference.
    void fillsWhatHasHoles()
    {
        int found = 0;
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            Problem problem = Cutter(100, 1'048'576, seed).problem(100, Cutter::Kind::guillotine);
            problem.buffers.erase(problem.buffers.begin(), problem.buffers.begin() + 2);
            const std::vector<Piece> pieces = piecesOf(problem);
            std::uint64_t work = 0;
            const auto offsets = exact::fillPerfectly(pieces, {50'000'000, {}}, work);
            QVERIFY(!offsets || isLayout(pieces, *offsets, mostLive(pieces)));
            found += offsets.has_value();
        }
        QVERIFY2(found >= 6, qPrintable(QString::number(found)));
    }

    // Five pieces, no two of which share both lines, are one part in the end: what is around them cannot tell them from one.
    void pinwheelsMelt()
    {
        const exact::LineGraph::Doubts none;
        int wheels = 0;
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
            const Step t1 = 1 + below(3), t2 = t1 + 1 + below(3), end = t2 + 1 + below(3);
            const Bytes y1 = 1 + below(4), y2 = y1 + 1 + below(4), high = y2 + 1 + below(4);
            const auto alignment = [&] { return Bytes{1} << below(3); };
            std::vector<Piece> pieces{{0, t2, y1, alignment()},
                                      {t2, end, y2, alignment()},
                                      {t1, end, high - y2, alignment()},
                                      {0, t1, high - y1, alignment()},
                                      {t1, t2, y2 - y1, alignment()}};
            std::shuffle(pieces.begin(), pieces.end(), random);
            exact::LineGraph graph(pieces, none);
            graph.melt(3, {});
            const auto& parts = graph.parts();
            const auto left = std::count_if(parts.begin(), parts.end(), [](const auto& part) { return !part.melted; });
            QVERIFY2(left == 1, qPrintable(QStringLiteral("seed %1: %2 parts").arg(seed).arg(left)));
            QCOMPARE(parts.back().size, high);
            wheels += parts.back().kind == exact::LineGraph::Part::Kind::wheel;
            // Where it can begin: where brute force finds a place for each piece in the `high` bytes from there on.
            const exact::AlignedParts aligned(pieces, parts);
            const auto whole = static_cast<std::int32_t>(parts.size()) - 1;
            for (Bytes offset = 0; offset < 4; ++offset) {
                std::vector<Piece> shifted = pieces;
                shifted.insert(shifted.begin(), {0, end, std::max<Bytes>(offset, 1), 1});
                std::vector<Bytes> start, offsets(pieces.size(), -1);
                if (offset == 0) shifted.erase(shifted.begin());
                const bool possible = offset == 0 ? fits(shifted, start, high) : fits(shifted, start = {0}, offset + high);
                if (parts.back().kind == exact::LineGraph::Part::Kind::wheel) QCOMPARE(aligned.canBegin(whole, offset), possible);
                if (!aligned.canBegin(whole, offset)) continue;
                aligned.place(whole, offset, offsets);
                QVERIFY(isLayout(pieces, offsets, offset + high));
            }
        }
        QVERIFY(wheels > 100); // the rest have equal sums by accident
    }

    // Within 3 % of the most bytes live, valid, and the same again.
    void fillsCoarselyWhatIsTooLarge_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("guillotine") << int(Cutter::Kind::guillotine);
        QTest::newRow("pinwheel") << int(Cutter::Kind::pinwheel);
        QTest::newRow("aligned") << int(Cutter::Kind::aligned);
        QTest::newRow("double-buffered") << int(Cutter::Kind::doubleBuffered);
    }
    void fillsCoarselyWhatIsTooLarge()
    {
        QFETCH(int, kind);
        const Problem problem = Cutter(2000, 1'048'576, 12).problem(2000, static_cast<Cutter::Kind>(kind));
        const std::vector<Piece> pieces = piecesOf(problem);
        std::uint64_t work = 0, again = 0;
        const auto offsets = exact::fillCoarsely(pieces, 2'000'000, {25'000'000, {}}, work);
        QVERIFY(offsets && isLayout(pieces, *offsets, 1'048'576 + 1'048'576 * 3 / 100));
        QVERIFY(exact::fillCoarsely(pieces, 2'000'000, {25'000'000, {}}, again) == offsets && work == again);
        QVERIFY(!exact::fillCoarsely(pieces, 1'048'576, {25'000'000, {}}, work)); // none is lower than what is live
    }
    // Those of the benchmark that are hardest, in a quarter of its time.
    void fillsFiveThousandPieces_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<int>("percent"); // above the most bytes live
        QTest::newRow("guillotine") << int(Cutter::Kind::guillotine) << quint64{4} << 4;
        QTest::newRow("pinwheel") << int(Cutter::Kind::pinwheel) << quint64{1} << 3;
    }
    void fillsFiveThousandPieces()
    {
        QFETCH(int, kind);
        QFETCH(quint64, seed);
        QFETCH(int, percent);
        const std::vector<Piece> pieces = piecesOf(Cutter(5000, 1'048'576, seed).problem(5000, static_cast<Cutter::Kind>(kind)));
        std::uint64_t work = 0;
        const auto offsets = exact::fillCoarsely(pieces, 2'000'000, {220'000'000, {}}, work);
        QVERIFY(offsets && isLayout(pieces, *offsets, 1'048'576 + 1'048'576 * percent / 100));
    }
    void fillsCoarselyGivesOnlyLayouts()
    {
        int found = 0;
        for (unsigned seed = 0; seed < 500; ++seed) {
            std::mt19937 random(seed);
            std::vector<Piece> pieces;
            for (unsigned k = 2 + random() % 12; k > 0; --k) {
                const Step begin = static_cast<Step>(random() % 5);
                pieces.push_back({begin, begin + 1 + static_cast<Step>(random() % 4),
                                  1 + static_cast<Bytes>(random() % (seed % 2 == 0 ? 9 : 3000)),
                                  seed % 7 == 0 ? Bytes{1} << 50 : Bytes{1} << (random() % 5)});
            }
            const Bytes below = mostLive(pieces) + 1 + static_cast<Bytes>(random() % 20);
            std::uint64_t work = 0;
            const auto offsets = exact::fillCoarsely(pieces, below, {50'000, {}}, work);
            QVERIFY(!offsets || isLayout(pieces, *offsets, below - 1));
            found += offsets.has_value();
        }
        QVERIFY2(found > 100, qPrintable(QString::number(found)));
    }

    void fillsNearlyWhatIsTooLarge()
    {
        for (const auto kind :
             {Cutter::Kind::guillotine, Cutter::Kind::pinwheel, Cutter::Kind::aligned, Cutter::Kind::doubleBuffered}) {
            const Problem problem = Cutter(1500, 1'048'576, 5).problem(1500, kind);
            const std::vector<Piece> pieces = piecesOf(problem);
            const auto greedy = greedyBySize()->plan(problem, {}, {});
            QVERIFY(greedy);
            const Bytes below = greedy->poolSize(problem, 0);
            std::uint64_t work = 0;
            const auto offsets = exact::fillNearly(pieces, below, {20'000'000, {}}, work);
            // With alignment, where parts have to wait for a place, greedy may stay ahead.
            QVERIFY(offsets || kind == Cutter::Kind::aligned);
            QVERIFY(!offsets || isLayout(pieces, *offsets, below - 1));
        }
        // Small ones: none below the most bytes live.
        for (unsigned seed = 0; seed < 500; ++seed) {
            std::mt19937 random(seed);
            std::vector<Piece> pieces;
            for (int k = 0; k < 8; ++k) {
                const Step begin = static_cast<Step>(random() % 3);
                pieces.push_back({begin, begin + 1 + static_cast<Step>(random() % 3), 1 + static_cast<Bytes>(random() % 4),
                                  Bytes{1} << (random() % 3)});
            }
            const Bytes below = mostLive(pieces) + 1 + static_cast<Bytes>(random() % 6);
            std::uint64_t work = 0;
            const auto offsets = exact::fillNearly(pieces, below, {20'000, {}}, work);
            QVERIFY(!offsets || isLayout(pieces, *offsets, below - 1));
        }
    }

    void neverMakesAPlanWorse()
    {
        int smaller = 0;
        for (const test::Features& features : test::allFeatures())
            for (std::uint64_t seed = 0; seed < 40; ++seed) {
                const Problem problem = test::randomProblem(features, seed, 10);
                auto plan = greedyBySize()->plan(problem, {}, {});
                if (!plan || !check(problem, *plan).valid()) continue;
                const Plan before = *plan;
                std::uint64_t work = 0;
                const bool improved = exact::fillPools(problem, *plan, {}, 1'000'000,
                                                       seed % 2 == 0 ? exact::Waste::none : exact::Waste::some, work);
                QVERIFY(check(problem, *plan).valid());
                for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool)
                    QVERIFY(plan->poolSize(problem, pool) <= before.poolSize(problem, pool));
                QCOMPARE(improved, !(plan->placements == before.placements));
                smaller += improved;
            }
        QCOMPARE(smaller, 0); // no random problem of these is full enough
        for (const auto kind : {Cutter::Kind::guillotine, Cutter::Kind::doubleBuffered}) {
            const Problem problem = Cutter(120, 1'048'576, 3).problem(120, kind);
            auto plan = greedyBySize()->plan(problem, {}, {});
            QVERIFY(plan && plan->poolSize(problem, 0) > 1'048'576);
            std::uint64_t work = 0;
            QVERIFY(exact::fillPools(problem, *plan, {}, 20'000'000, exact::Waste::none, work));
            QVERIFY(check(problem, *plan).valid());
            QCOMPARE(plan->poolSize(problem, 0), Bytes{1'048'576});
        }
    }

    void autoProvesRectanglesThatWereCut()
    {
        for (const auto kind : {Cutter::Kind::guillotine, Cutter::Kind::pinwheel, Cutter::Kind::doubleBuffered}) {
            const Problem problem = Cutter(200, 1'048'576, 7).problem(200, kind);
            for (const unsigned threads : {1U, 2U}) {
                PlanContext context;
                context.threads = threads;
                const auto plan = autoPlanner()->plan(problem, {}, context);
                QVERIFY(plan);
                const Report report = evaluate(problem, *plan);
                QVERIFY(report.verdict.valid());
                QCOMPARE(report.status, Status::optimal);
                QCOMPARE(report.totalSize(), Bytes{1'048'576});
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestPerfectFill)
#include "tst_perfect_fill.moc"
