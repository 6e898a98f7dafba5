#include "app/canvas/axis/colouring.h"

#include "app/canvas/axis/map_data.h"
#include "app/canvas/axis/op_codes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

std::string_view kindName(BufferKind kind)
{
    switch (kind) {
    case BufferKind::intermediate: return "Intermediate";
    case BufferKind::input: return "Input";
    case BufferKind::output: return "Output";
    case BufferKind::constant: return "Constant";
    case BufferKind::variable: return "Variable";
    }
    return {};
}

/// The kind of the op that makes a buffer; what comes from outside is called by its own kind.
std::string opKindOf(const Run& run, std::size_t id)
{
    const Lowering& lowering = *run.lowering;
    if (run.program && id < lowering.origins.size()) {
        const BufferOrigin& origin = lowering.origins[id];
        if (origin.producer != none && origin.function != none)
            return kindInWords(run.program->functions[std::size_t(origin.function)].ops[std::size_t(origin.producer)].kind);
    }
    const BufferKind kind = lowering.problem.buffers[id].kind;
    return kind == BufferKind::intermediate ? "Buffer" : std::string(kindName(kind));
}

Step lifeOf(const Buffer& buffer)
{
    return std::accumulate(buffer.live.begin(), buffer.live.end(), Step{0},
                           [](Step sum, const Interval& i) { return sum + i.length(); });
}

std::string binaryNumber(std::int64_t value, bool bytes)
{
    if (!bytes || value < 1024) return std::to_string(value);
    static constexpr std::array<const char*, 6> units{" K", " M", " G", " T", " P", " E"};
    std::size_t unit = 0;
    for (value /= 1024; value >= 1024 && unit + 1 < units.size(); value /= 1024) ++unit;
    return std::to_string(value) + units[unit];
}

/// The kinds of all ops in words, each once, in the order of the steps, then of the program.
std::vector<std::string> kindsOfOps(const Run& run)
{
    std::vector<std::string> kinds;
    if (!run.program) return kinds;
    const std::vector<Function>& functions = run.program->functions;
    std::set<std::string_view> seen; // there may be a million steps: the words are made once for each kind
    const auto take = [&](const Op& op) {
        if (!seen.insert(op.kind).second) return;
        std::string kind = kindInWords(op.kind);
        if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(std::move(kind));
    };
    for (const StepInfo& info : run.lowering->steps)
        if (info.op != none && info.function != none) take(functions[std::size_t(info.function)].ops[std::size_t(info.op)]);
    for (const Function& function : functions)
        for (const Op& op : function.ops) take(op);
    return kinds;
}

/// Six classes between powers of two: the highest begins at the largest power up to the largest value; the ratio between
/// neighbours is the least of 2, 4, 8, 16 that leaves at most two fifths of the values in the lowest class.
Colouring byMeasure(ColourBy by, const std::vector<std::int64_t>& values)
{
    Colouring result;
    result.by = by;
    const std::int64_t largest = values.empty() ? 1 : std::max<std::int64_t>(1, *std::max_element(values.begin(), values.end()));
    std::int64_t top = 1;
    while (top <= largest / 2) top *= 2;
    std::array<std::int64_t, orderedClasses> from{};
    for (int ratio = 1; ratio <= 4; ++ratio) {
        from[5] = top;
        for (std::size_t i = 5; i-- > 1;) from[i] = std::max<std::int64_t>(1, from[i + 1] >> ratio);
        const auto lowest = std::count_if(values.begin(), values.end(), [&](std::int64_t v) { return v < from[1]; });
        if (std::size_t(lowest) * 5 <= values.size() * 2) break;
    }
    const bool bytes = by != ColourBy::lifetime;
    for (std::size_t i = 0; i < orderedClasses; ++i) {
        const std::string name = binaryNumber(from[i], bytes);
        result.classes.push_back({i == 0 ? "< " + binaryNumber(from[1], bytes) : i == 5 ? name + "+" : name, 0});
    }
    result.of.reserve(values.size());
    for (const std::int64_t value : values) {
        std::uint8_t at = 0;
        for (std::uint8_t i = 1; i < orderedClasses; ++i)
            if (value >= from[i]) at = i;
        result.of.push_back(at);
        ++result.classes[at].buffers;
    }
    return result;
}

} // namespace

std::string_view toText(ColourBy by)
{
    static constexpr std::array<std::string_view, 9> names{"op kind", "kind",     "pool",  "operator",  "source line",
                                                           "size",    "lifetime", "slack", "difference"};
    return names[std::size_t(by)];
}

std::optional<ColourBy> colourByFrom(std::string_view text)
{
    for (const ColourBy by : allColourings)
        if (toText(by) == text) return by;
    return std::nullopt;
}

std::string_view sourceOf(std::string_view name)
{
    const auto number = name.rfind(" #");
    const bool line = number != std::string_view::npos && name.find(':') < number && number + 2 < name.size() &&
                      name.find_first_not_of("0123456789", number + 2) == std::string_view::npos;
    return line ? name.substr(0, number) : std::string_view();
}

bool hasColouring(const Run& run, ColourBy by)
{
    if (by == ColourBy::opKind) return run.program != nullptr;
    if (by == ColourBy::scope) return !run.problem().scopes.empty();
    if (by == ColourBy::source)
        return std::ranges::any_of(run.problem().buffers, [](const Buffer& buffer) { return !sourceOf(buffer.name).empty(); });
    return true;
}

Categories categories(const Run& run, ColourBy by)
{
    const Problem& problem = run.problem();
    std::map<std::string, std::int32_t> ids;
    std::vector<double> weight;
    Categories found;
    found.of.reserve(problem.buffers.size());
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const Buffer& buffer = problem.buffers[i];
        std::string name;
        if (by == ColourBy::opKind) {
            name = opKindOf(run, i);
        } else if (by == ColourBy::pool) {
            const PoolId pool = i < run.plan.placements.size() ? run.plan.placements[i].pool : none;
            name = pool == none ? "Not placed" : problem.pools[std::size_t(pool)].name;
        } else if (by == ColourBy::scope) {
            name = buffer.scope == none ? std::string(betweenOperators) : problem.scopes[std::size_t(buffer.scope)].name;
        } else if (by == ColourBy::source) {
            const std::string_view source = sourceOf(buffer.name);
            name = source.empty() ? unknownSource : source;
        } else {
            name = kindName(buffer.kind);
        }
        const auto [at, isNew] = ids.try_emplace(name, std::int32_t(found.names.size()));
        if (isNew) {
            found.names.push_back(name);
            weight.push_back(0);
        }
        weight[std::size_t(at->second)] += double(buffer.size) * double(lifeOf(buffer));
        found.of.push_back(at->second);
    }
    std::vector<std::int32_t> order(found.names.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return std::tuple(-weight[std::size_t(a)], found.names[std::size_t(a)]) <
               std::tuple(-weight[std::size_t(b)], found.names[std::size_t(b)]);
    });
    std::vector<std::int32_t> rank(order.size());
    Categories result;
    for (std::size_t i = 0; i < order.size(); ++i) {
        rank[std::size_t(order[i])] = std::int32_t(i);
        result.names.push_back(std::move(found.names[std::size_t(order[i])]));
    }
    result.of.reserve(found.of.size());
    for (const std::int32_t of : found.of) result.of.push_back(rank[std::size_t(of)]);
    return result;
}

Colouring colouring(const Run& run, ColourBy by)
{
    const Problem& problem = run.problem();
    if (ordered(by)) {
        std::vector<std::int64_t> values;
        if (by == ColourBy::slack) {
            values = growthRoom(run);
        } else {
            values.reserve(problem.buffers.size());
            for (const Buffer& buffer : problem.buffers) values.push_back(by == ColourBy::size ? buffer.size : lifeOf(buffer));
        }
        return byMeasure(by, values);
    }
    const Categories found = categories(run, by);
    Colouring result;
    result.by = by;
    std::size_t all = found.names.size();
    if (by == ColourBy::opKind) { // with the kinds that make no buffer, as other pictures name these too
        const std::vector<std::string> kinds = kindsOfOps(run);
        all += std::size_t(std::ranges::count_if(
            kinds, [&](const std::string& kind) { return std::ranges::find(found.names, kind) == found.names.end(); }));
    }
    const std::size_t own = all <= colourClasses ? found.names.size() : std::min(found.names.size(), colourClasses - 1);
    for (std::size_t i = 0; i < own; ++i) result.classes.push_back({found.names[i], 0});
    if (own < found.names.size()) result.classes.push_back({"Other", 0});
    result.of.reserve(found.of.size());
    for (const std::int32_t of : found.of) {
        const auto at = std::min(std::size_t(of), own < found.names.size() ? own : std::size_t(of));
        result.of.push_back(std::uint8_t(at));
        ++result.classes[at].buffers;
    }
    return result;
}

OpKindClasses opKindClasses(const Run& run, const Colouring& byKind)
{
    OpKindClasses result{byKind.classes, {}};
    std::vector<ColourClass>& classes = result.classes;
    for (std::size_t i = 0; i < classes.size(); ++i) result.of.emplace(classes[i].name, std::uint8_t(i));
    std::vector<std::string> others = kindsOfOps(run);
    std::erase_if(others, [&](const std::string& kind) { return result.of.contains(kind); });
    const bool all = classes.size() + others.size() <= colourClasses;
    for (std::string& kind : others) {
        if (classes.size() + 1 < colourClasses || (all && classes.size() < colourClasses))
            classes.push_back({kind, 0});
        else if (classes.size() < colourClasses)
            classes.push_back({"Other", 0});
        result.of.emplace(std::move(kind), std::uint8_t(classes.size() - 1));
    }
    return result;
}

ColourBy defaultColouring(const Run& run)
{
    if (run.program) return ColourBy::opKind;
    return hasColouring(run, ColourBy::source) ? ColourBy::source : ColourBy::size;
}

std::vector<Bytes> growthRoom(const Run& run)
{
    std::vector<Bytes> room(run.problem().buffers.size(), std::numeric_limits<Bytes>::max());
    struct Event {
        Step step;
        bool begins; ///< false sorts first: what ends makes room before the next begins
        std::uint32_t rect;
        auto operator<=>(const Event&) const = default;
    };
    for (const PoolId pool : usedPools(run)) {
        const MapData map = makeMapData(run, pool);
        std::vector<Event> events;
        events.reserve(2 * map.rects.size());
        for (std::uint32_t i = 0; i < map.rects.size(); ++i) {
            events.push_back({map.rects[i].begin, true, i});
            events.push_back({map.rects[i].end, false, i});
        }
        std::sort(events.begin(), events.end());
        // The least gap over time above a rectangle is the least of the gaps between it and whatever comes to lie next above it.
        using Live = std::set<std::pair<Bytes, std::uint32_t>>;
        Live live;
        const auto meet = [&](Live::const_iterator lower, Live::const_iterator upper) {
            if (!(map.flags[lower->second] & rectTop)) return;
            const Bytes gap = (upper == live.end() ? map.top : upper->first) - map.rects[lower->second].high;
            Bytes& least = room[std::size_t(map.buffer[lower->second])];
            least = std::min(least, std::max<Bytes>(0, gap));
        };
        for (const Event& event : events) {
            const std::pair key(map.rects[event.rect].low, event.rect);
            const Live::const_iterator at = event.begins ? live.insert(key).first : live.find(key);
            if (event.begins) meet(at, std::next(at));
            if (at != live.begin()) meet(std::prev(at), event.begins ? at : std::next(at));
            if (!event.begins) live.erase(at);
        }
    }
    for (Bytes& bytes : room)
        if (bytes == std::numeric_limits<Bytes>::max()) bytes = 0;
    return room;
}

} // namespace stowage
