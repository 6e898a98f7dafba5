// The exact search against plain enumeration: every answer, with every pruning rule on and off.
#include "core/plan/proof/check_proof.h"
#include "core/planners/exact/skyline_search.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed_shift.h"

#include <QtTest/QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace stowage;
using exact::Instance;
using exact::Outcome;
using exact::Rules;
using exact::SkylineSearch;

namespace {

struct Kind {
    const char* name;
    bool gaps, alignment, pins, conflicts, slots;
};

Problem randomProblem(std::mt19937& random, const Kind& kind)
{
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Problem problem;
    problem.pools.push_back({});
    problem.pools[0].name = "p";
    problem.loops.push_back({"l", none, {0, 8}, 4});
    const int count = 2 + below(5);
    for (int i = 0; i < count; ++i) {
        Buffer buffer;
        buffer.name = std::to_string(i);
        buffer.size = 1 + below(5);
        const Step begin = below(6);
        buffer.live = {{begin, begin + 1 + below(3)}};
        if (kind.gaps && below(2)) {
            const Step second = buffer.live[0].end + 1 + below(2);
            buffer.live.push_back({second, second + 1 + below(2)});
        }
        if (kind.alignment) buffer.alignment = Bytes{1} << below(3);
        if (kind.pins && below(3) == 0) buffer.pin = below(6) * buffer.alignment;
        if (kind.slots && below(3) == 0) {
            buffer.slots = 2;
            buffer.loop = 0;
        }
        problem.buffers.push_back(buffer);
    }
    if (kind.conflicts)
        for (int pairs = below(4); pairs > 0; --pairs) {
            const int a = below(count), b = below(count);
            if (a == b) continue;
            for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
                auto& list = problem.buffers[static_cast<std::size_t>(from)].conflicts;
                if (!std::count(list.begin(), list.end(), to)) list.insert(std::upper_bound(list.begin(), list.end(), to), to);
            }
        }
    return problem;
}

/// One slot of a buffer, as the enumeration places it.
struct Slot {
    Bytes size, alignment, pin;
    std::vector<Interval> live;
    int buffer;
};

/// Tries every offset of every slot in turn: true when some layout stays inside `capacity`.
bool enumerate(const Problem& problem, const std::vector<Slot>& slots, std::vector<Bytes>& offsets, Bytes capacity)
{
    const std::size_t k = offsets.size();
    if (k == slots.size()) return true;
    const Slot& slot = slots[k];
    for (Bytes offset = 0; offset + slot.size <= capacity; ++offset) {
        if (offset % slot.alignment != 0 || (slot.pin >= 0 && offset != slot.pin)) continue;
        bool free = true;
        for (std::size_t j = 0; j < k && free; ++j) {
            const Slot& other = slots[j];
            bool meet = other.buffer == slot.buffer;
            for (const Interval& a : slot.live)
                for (const Interval& b : other.live) meet |= a.overlaps(b);
            const auto& list = problem.buffers[static_cast<std::size_t>(slot.buffer)].conflicts;
            meet |= std::count(list.begin(), list.end(), other.buffer) > 0;
            free = !meet || offset + slot.size <= offsets[j] || offsets[j] + other.size <= offset;
        }
        if (!free) continue;
        offsets.push_back(offset);
        if (enumerate(problem, slots, offsets, capacity)) return true;
        offsets.pop_back();
    }
    return false;
}

bool fits(const Problem& problem, Bytes capacity)
{
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const Buffer& buffer = problem.buffers[i];
        for (int slot = 0; slot < buffer.slots; ++slot)
            slots.push_back(
                {buffer.size, buffer.alignment, buffer.pin && slot == 0 ? *buffer.pin : -1, buffer.live, static_cast<int>(i)});
    }
    std::vector<Bytes> offsets;
    return enumerate(problem, slots, offsets, capacity);
}

Outcome search(const Instance& instance, Bytes capacity, const Rules& rules, std::uint64_t seed)
{
    const auto urgentFirst = static_cast<std::int32_t>(seed % 4),
               lookAhead = static_cast<std::int32_t>(seed / 4 % 3 * 2); // orders, not cuts: any must do
    std::vector<double> preference(static_cast<std::size_t>(instance.count()));
    std::mt19937_64 random(seed + stowage::test::seedShift());
    for (double& value : preference) value = static_cast<double>(random() % 1000);
    SkylineSearch search(instance, rules);
    const Outcome outcome =
        search.run(static_cast<std::int32_t>(capacity / instance.unit), {preference, urgentFirst, lookAhead}, 1'000'000);
    if (outcome != Outcome::found) return outcome;
    for (std::int32_t i = 0; i < instance.count(); ++i) {
        const auto at = [](std::int32_t index) { return static_cast<std::size_t>(index); };
        const std::int32_t offset = search.offsets()[at(i)];
        if (offset < 0 || offset % instance.alignments[at(i)] != 0 ||
            (offset + instance.sizes[at(i)]) * instance.unit > capacity ||
            (instance.pins[at(i)] >= 0 && offset != instance.pins[at(i)]))
            return Outcome::stopped;
        for (const std::int32_t j : instance.neighbours(i))
            if (offset < search.offsets()[at(j)] + instance.sizes[at(j)] &&
                search.offsets()[at(j)] < offset + instance.sizes[at(i)])
                return Outcome::stopped;
    }
    return Outcome::found;
}

} // namespace

class TestExactSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersAsEnumerationDoes_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("off");
        const char* rules[] = {"all", "sectionBound", "onlyFiller", "unblocked", "twins", "split", "remember"};
        const char* kinds[] = {"plain", "gaps", "aligned", "pins", "conflicts", "everything"};
        for (int kind = 0; kind < 6; ++kind)
            for (int off = 0; off < 7; ++off)
                QTest::addRow("%s, %s%s", kinds[kind], off ? "without " : "", rules[off]) << kind << off;
    }

    void answersAsEnumerationDoes()
    {
        static constexpr Kind kinds[] = {
            {"plain", false, false, false, false, false},   {"gaps", true, false, false, false, false},
            {"aligned", false, true, false, false, false},  {"pins", false, false, true, false, false},
            {"conflicts", true, false, false, true, false}, {"everything", true, true, true, true, true}};
        QFETCH(int, kind);
        QFETCH(int, off);
        Rules rules;
        bool* switches[] = {nullptr,      &rules.sectionBound, &rules.onlyFiller, &rules.unblocked,
                            &rules.twins, &rules.split,        &rules.remember};
        if (switches[off]) *switches[off] = false;
        int foundOnes = 0, impossibleOnes = 0;
        for (unsigned seed = 0; seed < 400; ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            const Problem problem = randomProblem(random, kinds[kind]);
            std::vector<BufferId> all(problem.buffers.size());
            std::iota(all.begin(), all.end(), 0);
            const auto instance = Instance::make(problem, 0, all);
            QVERIFY(instance);
            for (Bytes capacity = 1 + static_cast<Bytes>(seed % 4); capacity <= 16; capacity += 3) {
                const bool expected = fits(problem, capacity);
                const Outcome outcome = search(*instance, capacity, rules, seed);
                if (outcome != (expected ? Outcome::found : Outcome::impossible))
                    QFAIL(qPrintable(QStringLiteral("seed %1, capacity %2: enumeration says %3, the search answers %4")
                                         .arg(seed)
                                         .arg(capacity)
                                         .arg(expected)
                                         .arg(static_cast<int>(outcome))));
                ++(expected ? foundOnes : impossibleOnes);
            }
        }
        QVERIFY(foundOnes > 200 && impossibleOnes > 200);
    }

    // What is tried and taken back before a branch is not in the log, so an independent checker accepts it.
    void logsOfSearchesThatLookAheadAreAccepted()
    {
        int accepted = 0, branched = 0;
        for (unsigned seed = 0; seed < 400; ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            const Problem problem = randomProblem(random, {"", true, seed % 2 == 1, false, seed % 3 == 0, false});
            std::vector<BufferId> all(problem.buffers.size());
            std::iota(all.begin(), all.end(), 0);
            const auto instance = Instance::make(problem, 0, all);
            QVERIFY(instance);
            Rules rules;
            rules.remember = false;
            SkylineSearch search(*instance, rules);
            const std::vector<double> preference(all.size(), 0.0);
            for (Bytes capacity = 15; capacity > 0; --capacity) {
                std::string log = "stowage-proof 1\npool p\ncapacity " + std::to_string(capacity) + "\ncopies " +
                                  std::to_string(instance->count()) + "\n";
                search.logTo(&log);
                if (search.run(static_cast<std::int32_t>(capacity / instance->unit), {preference, 0, 4}, 100'000) !=
                    Outcome::impossible)
                    continue;
                const auto proved = checkProof(problem, log);
                QVERIFY2(proved, proved ? "" : (std::to_string(seed) + ": " + proved.error().message).c_str());
                ++accepted;
                branched += log.find('?') != std::string::npos;
            }
        }
        QVERIFY2(accepted > 1000 && branched > 50,
                 qPrintable(QStringLiteral("%1 accepted, %2 with branches").arg(accepted).arg(branched)));
    }

    // A branch inside a branch, as deep as there are buffers: neither a call nor a copy of the list of buffers for each of them.
    void twentyThousandNestedBranchesNeedNoStack()
    {
        const int count = test::instrumented ? 6'000 : 20'000;
        Problem problem;
        problem.pools.push_back({});
        for (int i = 0; i < count; ++i) {
            Buffer buffer;
            buffer.size = 1;
            buffer.live = {{i, i + 1}};
            problem.buffers.push_back(buffer);
        }
        std::vector<BufferId> all(problem.buffers.size());
        std::iota(all.begin(), all.end(), 0);
        const auto instance = Instance::make(problem, 0, all);
        QVERIFY(instance);
        // Without the rules that see that the buffers never meet, each is branched on below the branch of the one before.
        Rules rules;
        rules.sectionBound = rules.onlyFiller = rules.unblocked = rules.split = rules.remember = false;
        SkylineSearch search(*instance, rules);
        const std::vector<double> preference(all.size(), 0.0);
        QCOMPARE(search.run(1, {preference, 0, 0}, 1'000'000), Outcome::found);
        QCOMPARE(search.nodes(), static_cast<std::uint64_t>(count));
    }

    void sweepsGiveTheSameNumbersOnEveryProcessor()
    {
        for (unsigned seed = 0; seed < 50; ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            Problem problem;
            problem.pools.push_back({});
            for (int i = 0; i < 60; ++i) {
                Buffer buffer;
                buffer.size = 1 + static_cast<Bytes>(random() % 9);
                const Step begin = static_cast<Step>(random() % 50);
                buffer.live = {{begin, begin + 1 + static_cast<Step>(random() % 40)}};
                problem.buffers.push_back(buffer);
            }
            std::vector<BufferId> all(problem.buffers.size());
            std::iota(all.begin(), all.end(), 0);
            const auto made = Instance::make(problem, 0, all);
            QVERIFY(made);
            const Instance& instance = *made;
            const auto sections = static_cast<std::size_t>(instance.sections), n = all.size();
            std::vector<std::int32_t> lowest(n), unplaced(sections);
            for (auto& value : lowest) value = static_cast<std::int32_t>(random() % 100);
            for (auto& value : unplaced) value = static_cast<std::int32_t>(random() % 200);
            using Numbers = std::vector<std::vector<std::int32_t>>;
            const auto numbers = [&](const exact::SectionSweeps& sweeps) {
                Numbers out(8);
                for (std::size_t k = 0; k < 8; ++k) out[k].assign(k < 2 ? n : sections, 7);
                const exact::SweepArrays arrays{instance.allRanges().data(),
                                                instance.rangeStarts().data(),
                                                instance.sizes.data(),
                                                lowest.data(),
                                                out[0].data(),
                                                out[1].data(),
                                                out[2].data(),
                                                out[3].data(),
                                                out[4].data(),
                                                out[5].data(),
                                                out[6].data(),
                                                out[7].data(),
                                                unplaced.data()};
                sweeps.lowestTwo(arrays, all, 0, instance.sections);
                sweeps.around(arrays, all);
                sweeps.measure(arrays, all, 0, instance.sections, 220);
                return out;
            };
            const Numbers fast = numbers(exact::sectionSweeps());
            QCOMPARE(fast, numbers(exact::portableSweeps()));
            // And what they mean, section by section.
            for (std::int32_t s = 0; s < instance.sections; ++s) {
                std::vector<std::int32_t> begins, tops;
                for (std::int32_t i = 0; i < instance.count(); ++i)
                    for (const exact::SectionRange& range : instance.ranges(i))
                        if (range.begin <= s && s < range.end) {
                            begins.push_back(lowest[static_cast<std::size_t>(i)]);
                            tops.push_back(begins.back() + instance.sizes[static_cast<std::size_t>(i)]);
                        }
                std::sort(begins.begin(), begins.end());
                std::sort(tops.begin(), tops.end());
                const auto at = static_cast<std::size_t>(s);
                QCOMPARE(fast[2][at], tops[0]);
                QCOMPARE(fast[4][at], begins[0]);
                if (tops.size() > 1) QCOMPARE(fast[3][at], tops[1]);
                const auto fillers =
                    std::count_if(begins.begin(), begins.end(), [&](std::int32_t b) { return b <= 220 - unplaced[at]; });
                QCOMPARE(fast[7][at], static_cast<std::int32_t>(fillers));
            }
        }
    }

    void reachesThePublishedOptimumOfTheSmallExample()
    {
        // MiniMalloc's example input.12: five buffers that fit into 12 bytes and not into 11.
        Problem problem;
        problem.pools.push_back({});
        const std::tuple<Step, Step, Bytes> rows[] = {{0, 3, 4}, {3, 9, 4}, {0, 9, 4}, {9, 21, 4}, {0, 21, 4}};
        for (const auto& [begin, end, size] : rows) {
            Buffer buffer;
            buffer.live = {{begin, end}};
            buffer.size = size;
            problem.buffers.push_back(buffer);
        }
        const std::vector<BufferId> all{0, 1, 2, 3, 4};
        const auto instance = Instance::make(problem, 0, all);
        QVERIFY(instance);
        QCOMPARE(search(*instance, 12, {}, 1), Outcome::found);
        QCOMPARE(search(*instance, 11, {}, 1), Outcome::impossible);
    }
};

QTEST_APPLESS_MAIN(TestExactSearch)
#include "tst_exact_search.moc"
