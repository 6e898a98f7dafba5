// The problems of the conformance kit.
#include "core/ir/checked.h"
#include "core/ir/random.h"
#include "plugins/host/conformance.h"

#include <cstdint>
#include <utility>

namespace stowage {

namespace {

using Call = ConformanceCase::Call;

Buffer buffer(std::string name, Bytes size, Step begin, Step end)
{
    Buffer made;
    made.name = std::move(name);
    made.size = size;
    made.live = {{begin, end}};
    return made;
}

Problem problem(std::vector<Buffer> buffers, std::vector<Pool> pools = {{.name = "arena"}})
{
    Problem made;
    made.name = "conformance";
    made.pools = std::move(pools);
    made.buffers = std::move(buffers);
    return made;
}

std::vector<Buffer> randomBuffers(int count, Step steps)
{
    Dice dice(20220815);
    const auto below = [&](std::size_t limit) { return static_cast<std::int64_t>(dice.below(limit)); };
    std::vector<Buffer> buffers;
    for (int i = 0; i < count; ++i) {
        const Step begin = below(static_cast<std::size_t>(steps));
        buffers.push_back(buffer("t" + std::to_string(i), 16 + below(4096), begin, begin + 1 + below(12)));
    }
    return buffers;
}

class Kit {
public:
    std::vector<ConformanceCase> all()
    {
        shapes();
        names();
        alignments();
        sizes();
        places();
        times();
        calls();
        return std::move(cases_);
    }

private:
    ConformanceCase& add(std::string name, Problem made)
    {
        (void)checkAndRepair(made);
        return cases_.emplace_back(ConformanceCase{std::move(name), std::move(made), Call::plain, false});
    }

    void shapes()
    {
        add("no buffer", problem({}));
        add("one buffer", problem({buffer("a", 64, 0, 1)}));
        add("two that are live together", problem({buffer("a", 64, 0, 2), buffer("b", 32, 1, 3)}));
        add("touching live ranges", problem({buffer("a", 64, 0, 2), buffer("b", 64, 2, 4)}));
        add("one over all the others",
            problem({buffer("a", 8, 0, 9), buffer("b", 8, 0, 3), buffer("c", 8, 3, 6), buffer("d", 8, 6, 9)}));
        add("late steps",
            problem({buffer("a", 64, 1'000'000'000'000, 1'000'000'000'002), buffer("b", 64, 0, 1'000'000'000'001)}));
    }
    void names()
    {
        add("names with commas, quotes and blanks", problem({buffer("a,b", 8, 0, 2), buffer("say \"hi\"", 8, 0, 2),
                                                             buffer("two words", 8, 0, 2), buffer("1e3", 8, 0, 2)}));
        add("names beyond ASCII", problem({buffer("größe", 8, 0, 2), buffer("张量", 8, 0, 2)}));
        add("a name of 1,000 letters", problem({buffer(std::string(1000, 'n'), 8, 0, 2), buffer("b", 8, 1, 2)}));
    }
    void alignments()
    {
        Problem made = problem({buffer("a", 10, 0, 2), buffer("b", 10, 0, 2), buffer("c", 10, 0, 2)});
        made.buffers[1].alignment = 64;
        add("an alignment", made);
        made.buffers[1].alignment = 48;
        made.pools[0].alignment = 32;
        add("alignments of buffer and pool: their least common multiple", std::move(made));
    }
    void sizes()
    {
        Problem made = problem({buffer("a", 8, 0, 2), buffer("nothing", 0, 0, 2), buffer("b", 8, 0, 2)});
        add("a buffer of size zero", std::move(made));
        add("a size of 2^62", problem({buffer("huge", maxBytes, 0, 1)}));
        add("sizes of 2^61 side by side", problem({buffer("a", maxBytes / 2, 0, 2), buffer("b", maxBytes / 2, 0, 2)}));
        add("a capacity that just suffices", problem({buffer("a", 60, 0, 2), buffer("b", 40, 0, 2), buffer("c", 100, 2, 3)},
                                                     {{.name = "arena", .capacity = 100}}));
        add("a capacity that cannot suffice",
            problem({buffer("a", 60, 0, 2), buffer("b", 60, 1, 3)}, {{.name = "arena", .capacity = 100}}))
            .mayFail = true;
        add("1,000 buffers", problem(randomBuffers(1000, 400)));
        add("5,000 buffers", problem(randomBuffers(5000, 4000)));
    }
    void places()
    {
        Problem pinned = problem({buffer("a", 16, 0, 4), buffer("b", 16, 0, 4), buffer("c", 16, 2, 6)});
        pinned.buffers[1].pin = 0;
        add("a pinned buffer", pinned);
        pinned.buffers[0].pin = 100;
        add("pins with a hole between them", std::move(pinned));
        Problem pools =
            problem({buffer("a", 64, 0, 2), buffer("b", 64, 0, 2)}, {{.name = "near", .capacity = 64}, {.name = "far"}});
        pools.buffers[0].pools = {0, 1};
        pools.buffers[1].pools = {1};
        add("two pools, one of them small", std::move(pools));
        Problem slots = problem({buffer("ring", 32, 0, 4), buffer("b", 16, 1, 3)});
        slots.loops = {{.name = "L", .parent = none, .live = {0, 4}, .tripCount = 8}};
        slots.buffers[0].slots = 2;
        slots.buffers[0].loop = 0;
        add("a buffer of two slots", std::move(slots));
    }
    void times()
    {
        Problem gaps = problem({buffer("a", 64, 0, 9), buffer("b", 64, 3, 5)});
        gaps.buffers[0].live = {{0, 3}, {5, 9}};
        add("a hole in a live range", gaps);
        gaps.buffers[0].windows = {{{3, 5}, 0, 16}};
        add("a hole in which a part stays occupied", std::move(gaps));
        Problem conflicts = problem({buffer("a", 64, 0, 1), buffer("b", 64, 2, 3), buffer("c", 64, 4, 5)});
        conflicts.buffers[0].conflicts = {2};
        add("a conflict of two that never meet", conflicts);
        conflicts.axis = Axis::dag;
        for (Buffer& each : conflicts.buffers) each.live.clear();
        add("conflicts without a time axis", std::move(conflicts));
    }
    void calls()
    {
        const Problem large = problem(randomBuffers(2000, 600));
        add("cancelled at once", large).call = Call::cancelAtOnce;
        add("a deadline of 0.3 s", large).call = Call::shortDeadline;
        add("the same seed twice", problem(randomBuffers(60, 40))).call = Call::twice;
        add("two plannings at the same time", problem(randomBuffers(60, 40))).call = Call::atTheSameTime;
    }

    std::vector<ConformanceCase> cases_;
};

} // namespace

std::vector<ConformanceCase> conformanceCases()
{
    return Kit().all();
}

} // namespace stowage
