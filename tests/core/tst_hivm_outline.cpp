// The state of a memory while it is filled: after any row of placements and undos it says what lies where, as counting by hand
// does.
#include "core/planners/hivm/outline.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>

using namespace stowage;
using hivm::Bound;
using hivm::Held;
using hivm::Life;
using hivm::Outline;

namespace {

constexpr Bytes extent = 64;

struct Put {
    std::int32_t entry = none;
    Bytes offset = 0;
    Bytes size = 0;
    std::vector<Interval> live;
    Outline::Change change;
};

bool same(const std::vector<Bound>& a, const std::vector<Bound>& b)
{
    const auto sameLife = [](const Life& x, const Life& y) { return x.steps == y.steps && x.owner == y.owner; };
    const auto sameHeld = [](const Held& x, const Held& y) {
        return x.entry == y.entry && x.offset == y.offset && x.size == y.size;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Bound& x, const Bound& y) {
        return x.offset == y.offset && x.extent == y.extent && x.last == y.last &&
               std::equal(x.lives.begin(), x.lives.end(), y.lives.begin(), y.lives.end(), sameLife) &&
               std::equal(x.held.begin(), x.held.end(), y.held.begin(), y.held.end(), sameHeld);
    });
}

/// What is wrong with the bounds when `puts` have been made; empty: nothing.
QString wrongWith(const Outline& outline, const std::vector<Put>& puts)
{
    Bytes at = 0;
    for (const Bound& bound : outline.bounds()) {
        if (bound.offset != at || bound.extent <= 0) return QString("a gap at %1").arg(at);
        at = bound.end();
        std::vector<std::pair<std::int32_t, Bytes>> expected, held;
        for (const Put& put : puts)
            if (put.offset < bound.end() && bound.offset < put.offset + put.size) expected.emplace_back(put.entry, put.offset);
        for (const Held& each : bound.held) held.emplace_back(each.entry, each.offset);
        std::sort(expected.begin(), expected.end());
        if (held != expected)
            return QString("at %1 there are %2, and it holds %3").arg(bound.offset).arg(expected.size()).arg(held.size());
        for (std::size_t i = 0; i + 1 < bound.lives.size(); ++i)
            if (bound.lives[i].steps.end >= bound.lives[i + 1].steps.begin) return "lives that touch";
        for (const Put& put : puts) {
            if (!(put.offset < bound.end() && bound.offset < put.offset + put.size)) continue;
            for (const Interval& range : put.live)
                if (std::none_of(bound.lives.begin(), bound.lives.end(), [&](const Life& life) {
                        return life.steps.begin <= range.begin && range.end <= life.steps.end;
                    }))
                    return QString("at %1 a life is missing").arg(bound.offset);
        }
        // And none that nobody has: bounds that were covered together keep each other's.
        for (const Life& life : bound.lives)
            for (Step step = life.steps.begin; step < life.steps.end; ++step)
                if (std::none_of(puts.begin(), puts.end(), [&](const Put& put) {
                        return std::any_of(put.live.begin(), put.live.end(),
                                           [&](const Interval& range) { return range.contains(step); });
                    }))
                    return "a life that nobody has";
    }
    return at == extent ? QString() : QString("it ends at %1").arg(at);
}

} // namespace

class TestHivmOutline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void boundsSayWhatLiesInThem()
    {
        int undone = 0, covered = 0;
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            test::Random random(seed + stowage::test::seedShift());
            Outline outline(extent, seed % 2 == 1);
            std::vector<Put> puts;
            std::vector<std::vector<Bound>> before;
            for (int turn = 0; turn < 40; ++turn) {
                if (!puts.empty() && random.chance(25)) {
                    outline.undo(std::move(puts.back().change));
                    puts.pop_back();
                    QVERIFY2(same(outline.bounds(), before.back()), qPrintable(QString("seed %1, turn %2").arg(seed).arg(turn)));
                    before.pop_back();
                    ++undone;
                    continue;
                }
                Put put;
                put.entry = turn;
                put.size = random(1, 24);
                // A place begins in a bound, wherever in it.
                const auto& bounds = outline.bounds();
                const auto first = static_cast<std::size_t>(random(0, static_cast<std::int64_t>(bounds.size()) - 1));
                put.offset = bounds[first].offset + random(0, std::min<Bytes>(3, bounds[first].extent - 1));
                if (put.offset + put.size > extent) continue;
                std::size_t last = first;
                while (bounds[last].end() < put.offset + put.size) ++last;
                covered += last - first > 4 ? 1 : 0;
                const Step begin = random(0, 20);
                put.live = {{begin, begin + random(1, 4)}};
                if (random.chance(30)) put.live.push_back({put.live[0].end + 2, put.live[0].end + 4});
                before.push_back(outline.bounds());
                put.change = outline.put(first, last, put.offset, put.size, put.live, turn, turn, true);
                puts.push_back(std::move(put));
                const QString wrong = wrongWith(outline, puts);
                QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1, turn %2: %3").arg(seed).arg(turn).arg(wrong)));
            }
        }
        QVERIFY(undone > 500 && covered > 20); // or the seeds would show nothing
    }

    /// Covered bounds become one with all their lives, or stay apart, each with the new one added.
    void coveredBoundsAreJoinedOrKeptApart()
    {
        for (const bool split : {false, true}) {
            Outline outline(10, split);
            (void)outline.put(0, 0, 0, 4, {{0, 1}}, 0, 0, true);
            (void)outline.put(1, 1, 4, 4, {{5, 6}}, 1, 1, true);
            (void)outline.put(0, 1, 0, 6, {{2, 3}}, 2, 2, true);
            const auto& bounds = outline.bounds();
            QCOMPARE(bounds.size(), split ? 4U : 3U);
            QCOMPARE(bounds[0].extent, split ? 4 : 6);
            QCOMPARE(bounds[0].lives.size(), split ? 2U : 3U);
            QCOMPARE(bounds[0].lives[0].owner, 0); // ascending by their begin
            QCOMPARE(bounds[0].held.size(), split ? 2U : 3U);
            QCOMPARE(bounds[split ? 2 : 1].offset, 6);
            QCOMPARE(bounds[split ? 2 : 1].held.size(), 1U); // the rest of the second: the third does not reach it
        }
    }
};

QTEST_GUILESS_MAIN(TestHivmOutline)
#include "tst_hivm_outline.moc"
