// Reads problems in the open JSON format for dynamic storage allocation, and writes their solutions.
#include "core/io/dsa_problem.h"

#include "core/io/canonical_json.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

namespace stowage::io {

namespace {

constexpr std::size_t maxReserved = 256;       ///< reserved ranges of all pools; hardware has few
constexpr std::size_t maxMembers = 10'000'000; ///< colocated buffers that are compared, counted for each pair of groups

struct DsaBuffer {
    std::int64_t id = 0;
    Buffer buffer;
    std::vector<std::int64_t> pools;
};
struct DsaPool {
    std::int64_t id = 0;
    Pool pool;
    std::vector<Interval> reserved; ///< bytes, not steps
};
struct DsaPair {
    std::int64_t first = 0;
    std::int64_t second = 0;
    Bytes cost = 0;
    Position where;
};
struct DsaPin {
    std::int64_t buffer = 0;
    std::int64_t pool = 0;
    Bytes offset = 0;
    bool exclusive = false;
    Position where;
};

struct Document {
    std::string profile;
    std::string instance;
    std::vector<DsaPool> pools;
    std::vector<DsaBuffer> buffers;
    std::vector<std::vector<std::int64_t>> colocations;
    std::vector<DsaPair> separations;
    std::vector<DsaPair> exclusions;
    std::vector<DsaPair> penalties;
    std::vector<DsaPin> pins;
};

class DsaReader {
public:
    DsaReader(std::string_view text, const std::string& file) : in_(text, file) {}

    Expected<Document> run()
    {
        in_.object({"schema_version", "problem"}, [&](std::string_view key) {
            if (key == "schema_version")
                version();
            else if (key == "profile")
                in_.read(read_.profile);
            else if (key == "instance")
                in_.read(read_.instance);
            else if (key == "problem")
                problem();
            else
                in_.skip();
        });
        if (!in_.finish()) return in_.error();
        return std::move(read_);
    }

private:
    void version()
    {
        if (const std::int64_t version = in_.integer(); in_.ok() && version != 1)
            in_.fail(Code::unknownFormat, fmt::format("schema version {}; 1 is read", version));
    }

    std::int64_t id() { return in_.integer(0, std::numeric_limits<std::int32_t>::max()); }

    void problem()
    {
        in_.object({"pools", "buffers"}, [&](std::string_view key) {
            if (key == "pools")
                in_.array([&] { pool(read_.pools.emplace_back()); });
            else if (key == "buffers")
                in_.array([&] { buffer(read_.buffers.emplace_back()); });
            else if (key == "constraints")
                constraints();
            else if (key == "cost_model")
                in_.object([&](std::string_view model) {
                    if (model == "reuse_penalties")
                        in_.array([&] { pair(read_.penalties.emplace_back()); });
                    else
                        in_.skip();
                });
            else
                in_.skip();
        });
    }

    void pool(DsaPool& to)
    {
        in_.object({"id"}, [&](std::string_view key) {
            if (key == "id")
                to.id = id();
            else if (key == "name")
                in_.read(to.pool.name);
            else if (key == "capacity")
                in_.read(to.pool.capacity, 0, maxBytes);
            else if (key == "reserved_ranges")
                in_.array([&] { to.reserved.push_back(range("begin", "end")); });
            else
                in_.skip();
        });
        if (to.pool.name.empty()) to.pool.name = fmt::format("pool{}", to.id);
    }

    Interval range(std::string_view lower, std::string_view upper)
    {
        Interval read;
        in_.object({lower, upper}, [&](std::string_view key) {
            if (key == lower)
                in_.read(read.begin, 0, maxBytes);
            else if (key == upper)
                in_.read(read.end, 0, maxBytes);
            else
                in_.skip();
        });
        if (in_.ok() && read.empty()) in_.fail(Code::badRange, fmt::format("[{}, {}) is empty", read.begin, read.end));
        return read;
    }

    void buffer(DsaBuffer& to)
    {
        in_.object({"id", "size"}, [&](std::string_view key) {
            if (key == "id")
                to.id = id();
            else if (key == "name")
                in_.read(to.buffer.name);
            else if (key == "size")
                in_.read(to.buffer.size, 0, maxBytes);
            else if (key == "alignment")
                in_.read(to.buffer.alignment, 1, maxBytes);
            else if (key == "live_intervals")
                in_.array([&] { to.buffer.live.push_back(range("lower", "upper")); });
            else if (key == "allowed_pools")
                in_.array([&] { to.pools.push_back(id()); });
            else
                in_.skip();
        });
        if (to.buffer.name.empty()) to.buffer.name = fmt::format("buffer{}", to.id);
    }

    void pair(DsaPair& to)
    {
        to.where = in_.position();
        in_.object({"first", "second"}, [&](std::string_view key) {
            if (key == "first")
                to.first = id();
            else if (key == "second")
                to.second = id();
            else if (key == "cost")
                in_.read(to.cost, 0, maxBytes);
            else
                in_.skip();
        });
    }

    void constraints()
    {
        in_.object([&](std::string_view key) {
            if (key == "colocations")
                in_.array([&] { colocation(); });
            else if (key == "separations")
                in_.array([&] { pair(read_.separations.emplace_back()); });
            else if (key == "temporal_exclusions")
                in_.array([&] { pair(read_.exclusions.emplace_back()); });
            else if (key == "pinned_allocations")
                in_.array([&] { pin(read_.pins.emplace_back()); });
            else
                in_.skip();
        });
    }

    /// A list of ids, a pair, or an object with a list of them.
    void colocation()
    {
        std::vector<std::int64_t>& to = read_.colocations.emplace_back();
        if (in_.type() == JsonType::array) return in_.array([&] { to.push_back(id()); });
        in_.object([&](std::string_view key) {
            if (in_.type() == JsonType::array && (key == "buffers" || key == "members"))
                in_.array([&] { to.push_back(id()); });
            else if (key == "first" || key == "second")
                to.push_back(id());
            else
                in_.skip();
        });
    }

    void pin(DsaPin& to)
    {
        to.where = in_.position();
        in_.object({"buffer", "pool", "offset"}, [&](std::string_view key) {
            if (key == "buffer")
                to.buffer = id();
            else if (key == "pool")
                to.pool = id();
            else if (key == "offset")
                in_.read(to.offset, 0, maxBytes);
            else if (key == "exclusive_for_all_time")
                in_.read(to.exclusive);
            else
                in_.skip();
        });
    }

    JsonReader in_;
    Document read_;
};

class DsaBuilder {
public:
    DsaBuilder(Document document, const std::string& file) : from_(std::move(document)), file_(file) {}

    Expected<DsaRead> run()
    {
        problem_.name = from_.instance;
        for (std::size_t i = 0; i < from_.pools.size(); ++i) {
            if (!pools_.emplace(from_.pools[i].id, static_cast<PoolId>(i)).second) return twice("pools", from_.pools[i].id);
            problem_.pools.push_back(from_.pools[i].pool);
        }
        for (std::size_t i = 0; i < from_.buffers.size(); ++i)
            if (!indexes_.emplace(from_.buffers[i].id, i).second) return twice("buffers", from_.buffers[i].id);
        roots_.resize(from_.buffers.size());
        std::iota(roots_.begin(), roots_.end(), std::size_t{0});
        if (auto error = colocate()) return *std::move(error);
        if (auto error = addBuffers()) return *std::move(error);
        if (auto error = addPairs()) return *std::move(error);
        if (auto error = addPins()) return *std::move(error);
        if (auto error = addReserved()) return *std::move(error);
        DsaRead read{std::move(problem_), from_.profile, from_.instance, {}, {}};
        for (std::size_t i = 0; i < from_.buffers.size(); ++i) read.buffers.emplace_back(from_.buffers[i].id, ids_[i]);
        for (const DsaPool& pool : from_.pools) read.pools.push_back(pool.id);
        return read;
    }

private:
    using Failure = std::optional<Error>;

    Error twice(std::string_view what, std::int64_t id) const
    {
        return failure(Code::duplicateName, fmt::format("two {} have the id {}", what, id), {file_}, "Ids are unique.");
    }
    Error unknown(std::string_view what, std::int64_t id, const Position& where) const
    {
        return failure(what == "pool" ? Code::unknownPool : Code::unknownBuffer,
                       fmt::format("there is no {} with the id {}", what, id), where.known() ? where : Position{file_},
                       "Ids are those of the lists \"pools\" and \"buffers\".");
    }

    std::size_t rootOf(std::size_t index)
    {
        while (roots_[index] != index) index = roots_[index] = roots_[roots_[index]];
        return index;
    }

    Failure colocate()
    {
        for (const auto& group : from_.colocations)
            for (const std::int64_t id : group) {
                const auto found = indexes_.find(id);
                if (found == indexes_.end()) return unknown("buffer", id, {});
                const std::size_t first = rootOf(indexes_.at(group.front())), second = rootOf(found->second);
                roots_[std::max(first, second)] = std::min(first, second);
            }
        return std::nullopt;
    }

    /// Makes one buffer of colocated buffers: with the union of their live ranges, the largest size, the lcm of the alignments,
    /// and the pools that all of them allow.
    Failure addBuffers()
    {
        ids_.assign(from_.buffers.size(), none);
        for (std::size_t i = 0; i < from_.buffers.size(); ++i)
            if (const std::size_t root = rootOf(i); root != i) {
                if (groups_[root].empty()) groups_[root].push_back({root, from_.buffers[root].buffer.live});
                groups_[root].push_back({i, from_.buffers[i].buffer.live});
            }
        for (std::size_t i = 0; i < from_.buffers.size(); ++i) {
            DsaBuffer& from = from_.buffers[i];
            std::vector<PoolId> pools;
            for (const std::int64_t id : from.pools) {
                const auto found = pools_.find(id);
                if (found == pools_.end()) return unknown("pool", id, {});
                pools.push_back(found->second);
            }
            const std::size_t root = rootOf(i);
            if (root == i) {
                ids_[i] = static_cast<BufferId>(problem_.buffers.size());
                problem_.buffers.push_back(std::move(from.buffer));
                problem_.buffers.back().pools = pools;
                continue;
            }
            ids_[i] = ids_[root];
            Buffer& one = problem_.buffers[at(ids_[root])];
            one.name += fmt::format("+{}", from.buffer.name);
            one.size = std::max(one.size, from.buffer.size);
            const auto alignment = checkedLcm(one.alignment, from.buffer.alignment);
            if (!alignment)
                return failure(Code::outOfRange,
                               fmt::format("the alignments of colocated buffers '{}' have no common multiple", one.name),
                               {file_});
            one.alignment = *alignment;
            one.live.insert(one.live.end(), from.buffer.live.begin(), from.buffer.live.end());
            if (one.pools.empty())
                one.pools = pools;
            else if (!pools.empty())
                eraseIf(one.pools, [&](PoolId pool) { return std::find(pools.begin(), pools.end(), pool) == pools.end(); });
            if (one.pools.empty() && !from.pools.empty())
                return failure(Code::noCandidatePool, fmt::format("the colocated buffers '{}' have no pool in common", one.name),
                               {file_});
        }
        for (Buffer& buffer : problem_.buffers) joinRanges(buffer.live);
        return std::nullopt;
    }

    static void joinRanges(ShortList<Interval>& ranges)
    {
        std::sort(ranges.begin(), ranges.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
        std::vector<Interval> joined;
        for (const Interval& range : ranges) {
            if (joined.empty() || joined.back().end < range.begin)
                joined.push_back(range);
            else
                joined.back().end = std::max(joined.back().end, range.end);
        }
        ranges = joined;
    }

    Expected<std::pair<BufferId, BufferId>> idsOf(const DsaPair& pair) const
    {
        const auto first = indexes_.find(pair.first), second = indexes_.find(pair.second);
        if (first == indexes_.end()) return unknown("buffer", pair.first, pair.where);
        if (second == indexes_.end()) return unknown("buffer", pair.second, pair.where);
        return std::pair(ids_[first->second], ids_[second->second]);
    }

    using IndexPair = std::pair<std::size_t, std::size_t>;
    /// A buffer of the file, and its live ranges.
    struct Member {
        std::size_t index = 0;
        ShortList<Interval> live;
    };

    std::vector<Member> groupOf(std::size_t root) const
    {
        const auto group = groups_.find(root);
        return group == groups_.end() ? std::vector<Member>{{root, problem_.buffers[at(ids_[root])].live}} : group->second;
    }

    /// True if every two members of the groups that are live at a common step are excluded: one of the pairs alone does not free
    /// the others of the groups. O(n log n) in the ranges, and the pairs that are excluded.
    bool mayMeet(std::size_t first, std::size_t second, const std::set<IndexPair>& excluded) const
    {
        struct Live {
            Interval range;
            std::size_t group;
            std::size_t index;
        };
        std::vector<Live> all;
        std::size_t number = 0;
        for (const std::size_t root : {first, second}) {
            for (const Member& member : groupOf(root))
                for (const Interval& range : member.live) all.push_back({range, number, member.index});
            ++number;
        }
        std::sort(all.begin(), all.end(), [](const Live& a, const Live& b) { return a.range.begin < b.range.begin; });
        std::array<std::multimap<Step, std::size_t>, 2> open; // by group: ends, and whose they are
        for (const Live& each : all) {
            for (auto& group : open) group.erase(group.begin(), group.upper_bound(each.range.begin));
            for (const auto& [end, other] : open[1 - each.group])
                if (!excluded.contains(std::minmax(each.index, other))) return false;
            open[each.group].emplace(each.range.end, each.index);
        }
        return true;
    }

    Failure addPairs()
    {
        const auto both = [&](const std::pair<BufferId, BufferId>& ids, auto list) {
            if (ids.first == ids.second) return; // colocated
            (problem_.buffers[at(ids.first)].*list).push_back(ids.second);
            (problem_.buffers[at(ids.second)].*list).push_back(ids.first);
        };
        for (const DsaPair& pair : from_.separations) {
            auto ids = idsOf(pair);
            if (!ids) return std::move(ids).error();
            if (ids->first == ids->second)
                return failure(Code::contradiction,
                               fmt::format("the buffers {} and {} are to lie together and apart", pair.first, pair.second),
                               pair.where, "Take out the separation or the colocation.");
            both(*ids, &Buffer::conflicts);
        }
        std::set<IndexPair> excluded, groups; // pairs of the file; the first ones of their groups
        for (const DsaPair& pair : from_.exclusions) {
            auto ids = idsOf(pair);
            if (!ids) return std::move(ids).error();
            const std::size_t first = indexes_.at(pair.first), second = indexes_.at(pair.second);
            excluded.insert(std::minmax(first, second));
            groups.insert(std::minmax(rootOf(first), rootOf(second)));
        }
        std::size_t looked = 0;
        for (const auto& [first, second] : groups) {
            if (first == second) continue;
            for (const std::size_t root : {first, second})
                if (const auto group = groups_.find(root); group != groups_.end()) looked += group->second.size();
            if (looked > maxMembers)
                return failure(Code::tooLarge, "the exclusions of colocated buffers are too many to compare", {file_},
                               "Leave out the exclusions of large groups of colocated buffers.");
            if (mayMeet(first, second, excluded)) both({ids_[first], ids_[second]}, &Buffer::mayShare);
        }
        for (const DsaPair& pair : from_.penalties) {
            auto ids = idsOf(pair);
            if (!ids) return std::move(ids).error();
            if (ids->first != ids->second) problem_.penalties.push_back({ids->first, ids->second, pair.cost});
        }
        for (Buffer& buffer : problem_.buffers)
            for (auto* list : {&buffer.conflicts, &buffer.mayShare}) {
                std::sort(list->begin(), list->end());
                list->erase(std::unique(list->begin(), list->end()), list->end());
            }
        return std::nullopt;
    }

    Failure addPins()
    {
        for (const DsaPin& pin : from_.pins) {
            const auto buffer = indexes_.find(pin.buffer);
            if (buffer == indexes_.end()) return unknown("buffer", pin.buffer, pin.where);
            const auto pool = pools_.find(pin.pool);
            if (pool == pools_.end()) return unknown("pool", pin.pool, pin.where);
            Buffer& pinned = problem_.buffers[at(ids_[buffer->second])];
            if (pinned.pin && *pinned.pin != pin.offset)
                return failure(Code::contradiction, fmt::format("buffer '{}' is pinned to two offsets", pinned.name), pin.where);
            pinned.pin = pin.offset;
            pinned.pools = {pool->second};
            pinned.unique |= pin.exclusive;
        }
        return std::nullopt;
    }

    /// Makes buffers of reserved ranges: live at every step, and in explicit conflict with buffers without live ranges.
    Failure addReserved()
    {
        std::size_t count = 0;
        for (const DsaPool& pool : from_.pools) count += pool.reserved.size();
        if (count > maxReserved)
            return failure(Code::tooLarge, fmt::format("{} reserved ranges; at most {} are read", count, maxReserved), {file_},
                           "Join ranges that touch.");
        const Step horizon = std::max<Step>(1, problem_.horizon());
        const std::size_t own = problem_.buffers.size();
        std::set<std::string> names;
        for (const Buffer& buffer : problem_.buffers) names.insert(buffer.name);
        for (std::size_t p = 0; p < from_.pools.size(); ++p)
            for (const Interval& range : from_.pools[p].reserved) {
                Buffer& reserved = problem_.buffers.emplace_back();
                reserved.name = fmt::format("reserved {}..{} of {}", range.begin, range.end, problem_.pools[p].name);
                while (!names.insert(reserved.name).second) reserved.name += '\'';
                reserved.size = range.length();
                reserved.live = {{0, horizon}};
                reserved.pin = range.begin;
                reserved.pools = {static_cast<PoolId>(p)};
            }
        for (std::size_t r = own; r < problem_.buffers.size(); ++r)
            for (std::size_t b = 0; b < own; ++b)
                if (problem_.buffers[b].live.empty()) {
                    problem_.buffers[r].conflicts.push_back(static_cast<BufferId>(b));
                    problem_.buffers[b].conflicts.push_back(static_cast<BufferId>(r));
                }
        return std::nullopt;
    }

    Document from_;
    const std::string& file_;
    Problem problem_;
    std::unordered_map<std::int64_t, PoolId> pools_;
    std::unordered_map<std::int64_t, std::size_t> indexes_;       ///< index of each id in the document's buffers
    std::vector<std::size_t> roots_;                              ///< by index: the first of the colocated buffers
    std::vector<BufferId> ids_;                                   ///< by index
    std::unordered_map<std::size_t, std::vector<Member>> groups_; ///< by root: the colocated buffers; none for a buffer alone
};

/// By buffer of the problem: the id in the document of the pool in which the plan places it. Pools are found by their names, as
/// those of a target have an order of their own.
Expected<std::vector<std::int64_t>> idsOfPools(const DsaRead& read, const Problem& planned, const Plan& plan,
                                               const std::string& file)
{
    std::unordered_map<std::string_view, std::int64_t> byName;
    for (std::size_t p = 0; p < read.pools.size(); ++p) byName.emplace(read.problem.pools[p].name, read.pools[p]);
    std::vector<std::int64_t> ids;
    for (std::size_t b = 0; b < plan.placements.size(); ++b) {
        const PoolId pool = plan.placements[b].pool;
        const std::string& buffer = read.problem.buffers[b].name;
        if (pool < 0 || at(pool) >= planned.pools.size())
            return failure(Code::invalidPlan, fmt::format("the plan does not place '{}'", buffer), {file},
                           "Choose a planner that places every buffer.");
        const auto found = byName.find(planned.pools[at(pool)].name);
        if (found == byName.end())
            return failure(Code::unknownPool,
                           fmt::format("the plan places '{}' in '{}', and the document has no pool of this name", buffer,
                                       planned.pools[at(pool)].name),
                           {file}, "Plan it for the pools of the document, or for a target whose pools have their names.");
        ids.push_back(found->second);
    }
    return ids;
}

} // namespace

Expected<DsaRead> readDsaProblem(std::string_view text, const std::string& file)
{
    auto document = DsaReader(text, file).run();
    if (!document) return std::move(document).error();
    return DsaBuilder(*std::move(document), file).run();
}

Expected<std::string> writeDsaSolution(std::string_view document, const std::string& file, const Problem& planned,
                                       const Plan& plan)
{
    const auto read = readDsaProblem(document, file);
    if (!read) return read.error();
    const auto canonical = canonicalJson(document, file, "metadata");
    if (!canonical) return canonical.error();
    if (plan.placements.size() != read->problem.buffers.size())
        return failure(
            Code::otherProblem,
            fmt::format("the plan is for {} buffers, the problem has {}", plan.placements.size(), read->problem.buffers.size()),
            {file}, "Plan the problem again.");
    const auto pools = idsOfPools(*read, planned, plan, file);
    if (!pools) return pools.error();
    JsonWriter out;
    out.object([&] {
        out.field("schema_version", 1);
        out.field("profile", read->profile);
        out.field("instance", read->instance);
        out.field("problem_fingerprint", fmt::format("{:016x}", fnv1a(*canonical)));
        out.object("metadata", [&] { out.field("generator", "stowage"); });
        out.array("placements", [&] {
            for (const auto& each : read->buffers) {
                const Placement& placement = plan.placements[at(each.second)];
                out.object(JsonWriter::compact, [&] {
                    out.field("buffer", each.first);
                    out.field("pool", (*pools)[at(each.second)]);
                    out.field("offset", placement.offset);
                });
            }
        });
    });
    return std::move(out).text();
}

} // namespace stowage::io
