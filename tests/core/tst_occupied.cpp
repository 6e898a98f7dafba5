// forEachOccupied and the questions round it, against the meaning of the fields step by step; and fingerprints.
#include "core/ir/occupied.h"
#include "core/lower/lower.h"
#include "tests/support/buffer_of.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <map>
#include <set>
#include <tuple>

using namespace stowage;

namespace {

constexpr Step horizon = 24;

bool contains(const std::vector<Interval>& ranges, Step step)
{
    return std::any_of(ranges.begin(), ranges.end(), [&](const Interval& range) { return range.contains(step); });
}

/// Live ranges with gaps, windows in gaps, carried values and early ranges, some of them overlapping.
Buffer randomBuffer(test::Random& random)
{
    Buffer buffer =
        test::bufferOf({.name = "b", .size = random(2, 9), .slots = static_cast<std::int32_t>(random(1, 3)), .loop = 0});
    for (Step step = random(0, 3); step < horizon - 4;) {
        const Step end = step + random(1, 4);
        buffer.live.push_back({step, end});
        const Step next = end + random(1, 4);
        if (next < horizon - 4 && random.chance(50)) {
            const Bytes low = random(0, buffer.size - 1);
            buffer.windows.push_back({{end, next}, low, random(low + 1, buffer.size)});
        }
        step = next;
    }
    for (std::int64_t i = random(0, 2); i > 0; --i) {
        const Step begin = random(0, horizon - 4);
        buffer.carried.push_back({static_cast<std::int32_t>(random(1, 3)), {begin, begin + random(1, 4)}});
    }
    for (std::int64_t i = random(0, 2); i > 0; --i) {
        const Interval& live = buffer.live[static_cast<std::size_t>(random(0, std::ssize(buffer.live) - 1))];
        const Step begin = random(live.begin, live.end - 1);
        buffer.early.push_back({{begin, random(begin + 1, live.end)}, {0, static_cast<std::int32_t>(random(0, 1))}});
    }
    return buffer;
}

} // namespace

class TestOccupied : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// At each step and in each iteration: all bytes where the buffer is live (in early ranges in their iterations only), those
    /// of a window in a gap, and all bytes of carried values with their age.
    void entriesAreWhatTheFieldsMean()
    {
        test::Random random(1 + test::seedShift());
        for (int round = 0; round < 2000; ++round) {
            const Buffer buffer = randomBuffer(random);
            for (Step step = 0; step < horizon; ++step)
                for (std::int32_t iteration = 0; iteration < 2; ++iteration) {
                    using Entry = std::tuple<Bytes, Bytes, std::int32_t>; // low, high, age
                    std::set<Entry> expected, found;
                    bool early = false, now = false;
                    for (const Early& each : buffer.early)
                        if (each.live.contains(step)) early = true, now = now || each.when.iteration == iteration;
                    if (contains(buffer.live, step) && (!early || now)) expected.insert({0, buffer.size, 0});
                    for (const Window& window : buffer.windows)
                        if (window.live.contains(step)) expected.insert({window.low, window.high, 0});
                    for (const Carried& carried : buffer.carried)
                        if (carried.live.contains(step)) expected.insert({0, buffer.size, carried.distance});
                    forEachOccupied<Iterations::each>(buffer, [&](const Occupied& it) {
                        if (it.steps.contains(step) && (it.when.loop == none || it.when.iteration == iteration))
                            found.insert({it.low, it.high, it.distance});
                    });
                    QVERIFY2(found == expected, qPrintable(QString("round %1, step %2").arg(round).arg(step)));
                }
        }
    }

    /// Without regard to iterations an early range is live as any other; the joined steps are those of all entries.
    void stepsOfAnyIterationAreJoined()
    {
        test::Random random(2 + test::seedShift());
        for (int round = 0; round < 2000; ++round) {
            const Buffer buffer = randomBuffer(random);
            const std::vector<Interval> joined = occupiedSteps(buffer);
            const std::vector<Interval> held = carriedBesideLive(buffer);
            for (std::size_t i = 1; i < joined.size(); ++i) QVERIFY(joined[i - 1].end < joined[i].begin);
            for (Step step = 0; step < horizon; ++step) {
                bool any = contains(buffer.live, step), carried = false;
                for (const Window& window : buffer.windows) any = any || window.live.contains(step);
                for (const Carried& each : buffer.carried) carried = carried || each.live.contains(step);
                QCOMPARE(contains(joined, step), any || carried);
                QCOMPARE(contains(held, step), carried && !contains(buffer.live, step));
                QCOMPARE(anyOccupied(buffer, [&](const Occupied& it) { return it.steps.contains(step); }), any || carried);
            }
        }
    }

    /// By running the iterations: the smallest number of slots for which no two values are in one slot at one step.
    void slotsAreAsManyAsRunningShows()
    {
        test::Random random(3 + test::seedShift());
        for (int round = 0; round < 2000; ++round) {
            const Buffer buffer = randomBuffer(random);
            const auto collide = [&](std::int32_t slots) {
                constexpr std::int32_t now = 30; // a late iteration
                for (Step step = 0; step < horizon; ++step) {
                    std::set<std::int32_t> values; // the iterations that made them
                    if (contains(buffer.live, step)) values.insert(now);
                    for (const Window& window : buffer.windows)
                        if (window.live.contains(step)) values.insert(now);
                    for (const Carried& carried : buffer.carried)
                        if (carried.live.contains(step)) values.insert(now - carried.distance);
                    std::set<std::int32_t> used;
                    for (const std::int32_t value : values)
                        if (!used.insert(value % slots).second) return true;
                }
                return false;
            };
            std::int32_t expected = buffer.slots;
            while (collide(expected)) ++expected;
            QCOMPARE(slotsNeeded(buffer), expected);
            QCOMPARE(iterationsMeet(buffer, 1), collide(1));
        }
    }

    void changesKeepWindowsInGapsAndInTheBuffer()
    {
        Buffer buffer = test::bufferOf(
            {.name = "b", .size = 8, .live = {{0, 2}, {4, 6}, {9, 10}}, .windows = {{{2, 4}, 2, 6}, {{6, 9}, 5, 8}}});
        resize(buffer, 5);
        QCOMPARE(buffer.windows, (std::vector<Window>{{{2, 4}, 2, 5}}));
        setLive(buffer, {{0, 3}, {4, 6}});
        QVERIFY(!buffer.hasWindows());
        QVERIFY(!dropWindows(buffer));
    }

    /// Runs with other pins, or with other changes, are of other problems; edits taken away they are of one.
    void pinsAndChangesMakeAnotherProblem()
    {
        const LowerOptions options;
        Fingerprint plain(options, {});
        Fingerprint pinned = plain, elsewhere = plain, changed = plain;
        pinned.pins = {{"a", "arena", 64}};
        elsewhere.pins = {{"a", "arena", 128}};
        changed.changes = {withNames({.buffers = {test::bufferOf({.name = "a", .size = 8})}}, Change::ofSize(0, 5))};
        const std::vector<Fingerprint> all{plain, pinned, elsewhere, changed};
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < all.size(); ++j) {
                QCOMPARE(all[i] == all[j], i == j);
                QCOMPARE(all[i].text() == all[j].text(), i == j);
                QVERIFY(all[i].withoutEdits() == plain && all[j].withoutEdits().text() == plain.text());
            }
        QCOMPARE(QString::fromStdString(changed.text()), QString::fromStdString(plain.text() + " changes=size(a)=5"));
        QCOMPARE(QString::fromStdString(pinned.text()), QString::fromStdString(plain.text() + " pins=a@arena=64"));
        // Another pool is another problem, too, though its text does not say so: the target's name stands beside it.
        const Fingerprint limited(options, {{.name = "arena", .capacity = 100}}), unlimited(options, {{.name = "arena"}});
        QVERIFY(limited != unlimited);
        QVERIFY(limited.withoutPools() == unlimited.withoutPools());
        QCOMPARE(limited.text(), unlimited.text());
        // Options that the lowering does not look at make no difference.
        LowerOptions kernel;
        kernel.order = Order::hivm;
        LowerOptions other = kernel;
        other.loops = LoopMode::precise;
        QVERIFY(Fingerprint(kernel, {}) == Fingerprint(other, {}));
    }
};

QTEST_APPLESS_MAIN(TestOccupied)
#include "tst_occupied.moc"
