#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QtGlobal>

#include <algorithm>

namespace stowage::test {

namespace {

Pool pool(std::string name)
{
    Pool p;
    p.name = std::move(name);
    return p;
}

std::string numbered(const char* what, std::int64_t number)
{
    std::string name = what;
    name += std::to_string(number);
    return name;
}

void connect(Problem& problem, BufferId a, BufferId b)
{
    problem.buffers[static_cast<std::size_t>(a)].conflicts.push_back(b);
    problem.buffers[static_cast<std::size_t>(b)].conflicts.push_back(a);
}

void addRanges(Buffer& buffer, const Features& features, Random& random)
{
    Step begin = random(0, 12);
    Step end = begin + random(1, 8);
    buffer.live.push_back({begin, end});
    if (!features.gaps && !features.windows) return;
    while (random.chance(50) && buffer.live.size() < 4) {
        const Step next = end + random(1, 4);
        if (features.windows && buffer.size > 1 && random.chance(60)) {
            const Bytes low = random(0, buffer.size - 1);
            buffer.windows.push_back({{end, random.chance(50) ? next : end + 1}, low, random(low + 1, buffer.size)});
        }
        end = next + random(1, 4);
        buffer.live.push_back({next, end});
    }
}

/// A loop over steps 4 to 16, and one inside it; some buffers inside rotate.
void addLoops(Problem& problem, const Features& features, Random& random)
{
    problem.loops.push_back({"outer", none, {4, 16}, std::nullopt});
    problem.loops.push_back({"inner", 0, {7, 13}, std::nullopt});
    for (Buffer& buffer : problem.buffers) {
        if (buffer.live.size() != 1 || buffer.pin || random.chance(40)) continue;
        buffer.loop = static_cast<LoopId>(random(0, 1));
        const Interval loop = problem.loops[static_cast<std::size_t>(buffer.loop)].live;
        const Step begin = random(loop.begin, loop.end - 1);
        buffer.live = {{begin, random(begin + 1, loop.end)}};
        if (features.slots && random.chance(60)) buffer.slots = static_cast<std::int32_t>(random(2, 3));
        if (features.carried && random.chance(60)) {
            // Made near the end of one iteration, and read in a later one.
            const Step until = random(loop.begin + 1, loop.end);
            buffer.live.front().end = loop.end;
            buffer.carried.push_back({static_cast<std::int32_t>(random(1, 2)), {loop.begin, until}});
        }
    }
}

void addPools(Problem& problem, Random& random)
{
    problem.pools.clear();
    const int count = static_cast<int>(random(2, 4));
    for (int p = 0; p < count; ++p) {
        problem.pools.push_back(pool(numbered("pool", p)));
        if (random.chance(60)) problem.pools.back().capacity = random(5, 60);
    }
    if (random.chance(30)) problem.pools.back().kind = PoolKind::constant; // nobody's unless named
    for (Buffer& buffer : problem.buffers) {
        if (random.chance(40)) continue;
        for (PoolId p = 0; p < count; ++p)
            if (random.chance(50)) buffer.pools.push_back(p);
        if (buffer.pools.size() > 1 && random.chance(50)) std::swap(buffer.pools.front(), buffer.pools.back());
    }
}

/// Two operators, the first with two calls; buffers that live inside one belong to it, most of the time.
void addScopes(Problem& problem, Random& random)
{
    const Step horizon = std::max<Step>(6, problem.horizon());
    const Step third = horizon / 3;
    problem.scopes = {{"op0", {{0, third}, {2 * third, horizon}}}, {"op1", {{third, 2 * third}}}};
    for (Buffer& buffer : problem.buffers)
        for (ScopeId s = 0; s < 2; ++s) {
            const auto inside = [&](const Interval& live) {
                const auto& calls = problem.scopes[static_cast<std::size_t>(s)].live;
                return std::any_of(calls.begin(), calls.end(),
                                   [&](const Interval& call) { return call.begin <= live.begin && live.end <= call.end; });
            };
            if (std::all_of(buffer.live.begin(), buffer.live.end(), inside) && random.chance(80)) buffer.scope = s;
        }
}

/// Pins that cannot collide: one above the other.
void addPins(Problem& problem, Random& random)
{
    Bytes at = 0;
    for (Buffer& buffer : problem.buffers) {
        if (!random.chance(30)) continue;
        at += random(0, 9);
        while (at % buffer.alignment != 0) ++at;
        buffer.pin = at;
        at += buffer.size * 4; // its further slots lie elsewhere, but not on the next pin either
    }
}

} // namespace

Problem synthetic(std::size_t n, int averageLive, std::uint64_t seed, Lifetimes lifetimes)
{
    Random random(seed);
    Problem problem;
    problem.name = "synthetic";
    problem.pools.push_back(pool("arena"));
    problem.buffers.resize(n);
    const auto steps = static_cast<Step>(n);
    for (Step i = 0; i < steps; ++i) {
        Buffer& buffer = problem.buffers[static_cast<std::size_t>(i)];
        buffer.name = numbered("b", i);
        buffer.size = random(64, 127) << random(0, 13);
        Step length = random(1, 2 * averageLive - 1);
        if (lifetimes ==
            Lifetimes::skewed) { // half of the live ones at any time are of the one in 256 that live 128 times as long
            length = random.chance(1) && random.chance(40) ? random(1, 256 * averageLive - 1)
                                                           : random(1, std::max(1, averageLive - 1));
        }
        Interval live{i, i + length};
        if (lifetimes == Lifetimes::nested) live.end = i % 2 == 0 ? i + 2 : 2 * steps - i;
        if (lifetimes == Lifetimes::endless) live = {0, steps};
        buffer.live.push_back(live);
    }
    return problem;
}

std::vector<Features> allFeatures()
{
    return {
        {.name = "plain"},
        {.name = "alignment", .alignment = true},
        {.name = "gaps", .gaps = true},
        {.name = "windows", .windows = true},
        {.name = "pins", .pins = true},
        {.name = "pools", .pools = true},
        {.name = "conflicts", .conflicts = true},
        {.name = "dag", .dag = true},
        {.name = "slots", .slots = true},
        {.name = "carried", .carried = true},
        {.name = "unique", .unique = true},
        {.name = "share", .share = true},
        {.name = "zero", .zero = true},
        {.name = "capacity", .capacity = true},
        {.name = "scopes", .scopes = true},
        {.name = "gaps-conflicts-alignment", .alignment = true, .gaps = true, .conflicts = true},
        {.name = "pools-slots-unique", .pools = true, .slots = true, .unique = true},
        {.name = "dag-pools-unique-share", .pools = true, .dag = true, .unique = true, .share = true},
        {.name = "scopes-pools-alignment-conflicts", .alignment = true, .pools = true, .conflicts = true, .scopes = true},
        {.name = "windows-share-pools", .windows = true, .pools = true, .share = true},
        {.name = "slots-carried-pins-alignment", .alignment = true, .pins = true, .slots = true, .carried = true},
        {.name = "everything",
         .alignment = true,
         .gaps = true,
         .windows = true,
         .pins = true,
         .pools = true,
         .conflicts = true,
         .slots = true,
         .carried = true,
         .unique = true,
         .share = true,
         .zero = true,
         .scopes = true},
    };
}

Problem randomProblem(const Features& features, std::uint64_t seed, int largest)
{
    Random random(seed + stowage::test::seedShift());
    Problem problem;
    problem.name = features.name;
    problem.axis = features.dag ? Axis::dag : Axis::ops;
    problem.pools.push_back(pool("arena"));
    const auto n = static_cast<BufferId>(random(1, largest));
    for (BufferId b = 0; b < n; ++b) {
        Buffer buffer;
        buffer.name = numbered("b", b);
        buffer.size = features.zero && random.chance(20) ? 0 : random(1, 24);
        if (features.alignment) buffer.alignment = Bytes{1} << random(0, 4);
        if (features.alignment && random.chance(20)) buffer.alignment = random(1, 12);
        if (!features.dag) addRanges(buffer, features, random);
        buffer.unique = features.unique && random.chance(15);
        problem.buffers.push_back(std::move(buffer));
    }
    if (features.slots || features.carried) addLoops(problem, features, random);
    if (features.pools) addPools(problem, random);
    if (features.alignment && random.chance(50)) problem.pools.front().alignment = random(1, 8);
    if (features.capacity) problem.pools.front().capacity = random(10, 80);
    for (BufferId a = 0; a < n; ++a)
        for (BufferId b = a + 1; b < n; ++b) {
            if (features.dag ? random.chance(40) : features.conflicts && random.chance(10))
                connect(problem, a, b);
            else if (features.share && random.chance(10))
                problem.buffers[static_cast<std::size_t>(a)].mayShare.push_back(b);
        }
    if (features.scopes) addScopes(problem, random);
    if (features.pins) {
        for (Pool& p : problem.pools) p.alignment = 1;
        addPins(problem, random);
    }
    for (const Diagnostic& d : checkAndRepair(problem))
        if (d.severity == Severity::error)
            qFatal("the generator made a bad problem (%s, seed %llu): %s", features.name.c_str(),
                   static_cast<unsigned long long>(seed), toText(d).c_str());
    return problem;
}

} // namespace stowage::test
