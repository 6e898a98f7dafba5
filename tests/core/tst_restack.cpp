// Pieces put into a stack and taken out again: against stacking from scratch and against brute force.
#include "core/planners/rectangles/restack.h"
#include "tests/core/pieces.h"

#include <QtTest/QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace stowage;
using exact::Piece;
using exact::Restack;
using test::mostLive;

namespace {

bool meet(const Piece& a, const Piece& b)
{
    return a.begin < b.end && b.begin < a.end;
}

/// In this order, each on those before it.
std::vector<Bytes> stacked(const std::vector<Piece>& pieces, const std::vector<std::size_t>& order)
{
    std::vector<Bytes> offsets(pieces.size(), -1);
    for (const std::size_t p : order) {
        Bytes end = 0;
        for (std::size_t q = 0; q < pieces.size(); ++q)
            if (offsets[q] >= 0 && meet(pieces[p], pieces[q])) end = std::max(end, offsets[q] + pieces[q].size);
        offsets[p] = (end + pieces[p].alignment - 1) / pieces[p].alignment * pieces[p].alignment;
    }
    return offsets;
}

Bytes topOf(const std::vector<Piece>& pieces, const std::vector<Bytes>& offsets)
{
    Bytes top = 0;
    for (std::size_t p = 0; p < pieces.size(); ++p)
        if (offsets[p] >= 0) top = std::max(top, offsets[p] + pieces[p].size);
    return top;
}

std::vector<std::size_t> byOffset(const std::vector<Bytes>& offsets)
{
    std::vector<std::size_t> order;
    for (std::size_t p = 0; p < offsets.size(); ++p)
        if (offsets[p] >= 0) order.push_back(p);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; });
    return order;
}

bool isLayout(const std::vector<Piece>& pieces, const std::vector<Bytes>& offsets)
{
    for (std::size_t a = 0; a < pieces.size(); ++a) {
        if (offsets[a] < 0 || offsets[a] % pieces[a].alignment != 0) return false;
        for (std::size_t b = 0; b < a; ++b)
            if (meet(pieces[a], pieces[b]) && offsets[a] < offsets[b] + pieces[b].size &&
                offsets[b] < offsets[a] + pieces[a].size)
                return false;
    }
    return true;
}

struct Random {
    explicit Random(unsigned seed) : engine(seed) {}
    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(n)); }
    std::vector<Piece> pieces(std::int64_t count, Step steps, Bytes largest, bool aligned)
    {
        std::vector<Piece> result;
        for (; count > 0; --count) {
            const Step begin = below(steps - 1);
            result.push_back({begin, begin + 1 + below(steps - begin), 1 + below(largest), aligned ? Bytes{1} << below(4) : 1});
        }
        return result;
    }
    std::mt19937_64 engine;
};

/// The height of the lowest layout, over all orders.
Bytes lowest(const std::vector<Piece>& pieces)
{
    std::vector<std::size_t> order(pieces.size());
    std::iota(order.begin(), order.end(), 0U);
    Bytes best = INT64_MAX;
    do best = std::min(best, topOf(pieces, stacked(pieces, order)));
    while (std::next_permutation(order.begin(), order.end()));
    return best;
}

} // namespace

class TestRestack : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Of all places in the order, the one that leaves the lowest stack: each is tried from scratch.
    void putsAPieceWhereItLengthensLeast()
    {
        for (unsigned seed = 0; seed < 3000; ++seed) {
            Random random(seed);
            const std::vector<Piece> pieces = random.pieces(2 + random.below(9), 8, 9, false);
            std::vector<std::size_t> order(pieces.size() - 1);
            std::iota(order.begin(), order.end(), 0U);
            std::shuffle(order.begin(), order.end(), random.engine);
            const std::vector<Bytes> start = stacked(pieces, order);
            Restack stack(pieces, seed);
            stack.start(start);
            QVERIFY(stack.offsets() == start);
            QVERIFY(stack.addRest(INT64_MAX, {}));
            Bytes best = INT64_MAX;
            // What lies at the same offset does not meet, so the order by offset is as good as the one that it was stacked in.
            const std::vector<std::size_t> sorted = byOffset(start);
            for (std::size_t place = 0; place <= sorted.size(); ++place) {
                std::vector<std::size_t> with = sorted;
                with.insert(with.begin() + static_cast<std::ptrdiff_t>(place), pieces.size() - 1);
                best = std::min(best, topOf(pieces, stacked(pieces, with)));
            }
            QVERIFY2(isLayout(pieces, stack.offsets()), qPrintable(QString::number(seed)));
            QCOMPARE(stack.height(), topOf(pieces, stack.offsets()));
            QVERIFY2(stack.height() == best, qPrintable(QString::number(seed)));
        }
    }

    // Whatever was taken out, put back and undone: each piece rests on those below it, as if all had just been stacked.
    void keepsItsAccounts()
    {
        for (unsigned seed = 0; seed < 300; ++seed) {
            Random random(seed);
            const std::vector<Piece> pieces = random.pieces(30 + random.below(200), 60, 1000, seed % 2 == 1);
            Restack stack(pieces, seed), again(pieces, seed);
            for (Restack* one : {&stack, &again}) {
                one->start(std::vector<Bytes>(pieces.size(), -1));
                QVERIFY(one->addRest(mostLive(pieces), {10'000, {}}));
            }
            Bytes height = stack.height();
            for (int part = 0; part < 4; ++part) {
                for (Restack* one : {&stack, &again}) one->improve(mostLive(pieces), {40'000, {}});
                QVERIFY(stack.offsets() == again.offsets() && stack.work() == again.work());
                QVERIFY2(isLayout(pieces, stack.offsets()), qPrintable(QString::number(seed)));
                QVERIFY(stacked(pieces, byOffset(stack.offsets())) == stack.offsets());
                QCOMPARE(stack.height(), topOf(pieces, stack.offsets()));
                QVERIFY(stack.height() <= height);
                height = stack.height();
            }
        }
    }

    // Small ones, against all orders.
    void comesToTheOptimum()
    {
        int found = 0, better = 0, possible = 0;
        constexpr int cases = 150;
        for (unsigned seed = 0; seed < cases; ++seed) {
            Random random(seed);
            const std::vector<Piece> pieces = random.pieces(7, 6, 9, seed % 3 == 0);
            std::vector<std::size_t> order(pieces.size());
            std::iota(order.begin(), order.end(), 0U);
            const std::vector<Bytes> start = stacked(pieces, order);
            Restack stack(pieces, seed);
            stack.start(start);
            const Bytes before = stack.height(), optimum = lowest(pieces);
            stack.improve(optimum, {20'000, {}});
            QVERIFY(stack.height() >= optimum);
            found += stack.height() == optimum;
            possible += optimum < before;
            better += stack.height() < before;
        }
        qInfo("optimum in %d of %d, better in %d of %d", found, cases, better, possible);
        QVERIFY(found >= cases * 9 / 10 && better >= possible * 9 / 10);
    }

    void stopsWhenTold()
    {
        Random random(1);
        const std::vector<Piece> pieces = random.pieces(300, 60, 1000, false);
        Restack stack(pieces, 1);
        stack.start(std::vector<Bytes>(pieces.size(), -1));
        QVERIFY(!stack.addRest(0, {1'000'000'000, [] { return true; }}));
        QVERIFY(stack.addRest(0, {0, {}}));
        const std::uint64_t work = stack.work();
        stack.improve(0, {1'000'000'000, [] { return true; }});
        QCOMPARE(stack.work(), work);
        QVERIFY(isLayout(pieces, stack.offsets()));
    }
};

QTEST_APPLESS_MAIN(TestRestack)
#include "tst_restack.moc"
