// Reads `stowage.problem/1`.
#include "core/io/clocks.h"
#include "core/io/json_reader.h"
#include "core/io/pool_json.h"
#include "core/io/problem_names.h"
#include "core/io/text.h"
#include "core/ir/checked.h"
#include "core/ir/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

namespace stowage::io {

namespace {

/// A name that refers to an object that may come later in the text.
struct Reference {
    std::string_view name;
    std::size_t offset = 0; ///< position in the text, for messages
};

class ProblemReader {
public:
    ProblemReader(std::string_view text, const std::string& file) : in_(text, file) {}

    Expected<Read<Problem>> run()
    {
        readDocument();
        if (!in_.finish()) return in_.error();
        if (!poolsGiven_) problem().pools.push_back({.name = "arena"});
        resolve();
        placeClocks();
        if (!in_.ok()) return in_.error();
        for (Diagnostic& told :
             checkAndRepair(problem(), [&](BufferId b) { return in_.positionAt(starts_[static_cast<std::size_t>(b)]); })) {
            // Errors of loops and pools have no position of their own, so they get the position of the list.
            if (!told.where.known()) told.where = in_.positionAt(told.message.starts_with("loop") ? loopsStart_ : poolsStart_);
            if (told.severity == Severity::error) return told;
            result_.diagnostics.push_back(std::move(told));
        }
        return std::move(result_);
    }

private:
    Problem& problem() { return result_.value; }

    void readDocument()
    {
        in_.object({"format", "buffers"}, [&](std::string_view key) {
            if (key == "format")
                in_.format(problem::formatName);
            else if (key == "name")
                in_.read(problem().name);
            else if (key == "step_axis")
                in_.read(problem().axis, problem::axisNames);
            else if (key == "pools") {
                poolsStart_ = in_.offset();
                problem().pools = readPools(in_);
                poolsGiven_ = true;
            } else if (key == "loops") {
                loopsStart_ = in_.offset();
                in_.array([&] { readLoop(); });
            } else if (key == "scopes")
                in_.array([&] { readScope(problem().scopes.emplace_back()); });
            else if (key == "penalties")
                in_.array([&] { readPenalty(); });
            else if (key == "unknown_sizes")
                in_.array([&] { in_.read(problem().unknownSizes.emplace_back()); });
            else if (key == "buffers")
                in_.array([&] {
                    starts_.push_back(in_.offset());
                    readBuffer(problem().buffers.emplace_back());
                });
        });
    }

    /// "[begin, end]".
    std::pair<std::int64_t, std::int64_t> readPair(std::string_view what)
    {
        std::array<std::int64_t, 2> ends{};
        std::size_t count = 0;
        const std::size_t at = in_.offset();
        in_.array([&] {
            const std::int64_t value = in_.integer(0, maxBytes);
            if (count < 2) ends[count] = value;
            ++count;
        });
        if (in_.ok() && count != 2)
            in_.failAt(
                at, Code::wrongType,
                fmt::format("{}{}expected [{}], found {} numbers", in_.path(), in_.path().empty() ? "" : ": ", what, count));
        return {ends[0], ends[1]};
    }
    Interval readSteps()
    {
        const auto [begin, end] = readPair("first step, one past the last step");
        return {begin, end};
    }

    void readLoop()
    {
        Loop loop;
        Reference parent;
        in_.object({"name", "live"}, [&](std::string_view key) {
            if (key == "name")
                in_.read(loop.name);
            else if (key == "parent")
                parent = readReference();
            else if (key == "live")
                loop.live = readSteps();
            else if (key == "trip_count")
                in_.read(loop.tripCount, 0, maxBytes);
        });
        loops_.push_back(loop.name);
        parents_.push_back(parent);
        problem().loops.push_back(std::move(loop));
    }

    void readScope(Scope& scope)
    {
        in_.object({"name", "live"}, [&](std::string_view key) {
            if (key == "name")
                in_.read(scope.name);
            else if (key == "live")
                in_.array([&] { scope.live.push_back(readSteps()); });
        });
    }

    void readPenalty()
    {
        PenaltyUse use;
        in_.object({"first", "second", "cost"}, [&](std::string_view key) {
            if (key == "first")
                use.first = readReference();
            else if (key == "second")
                use.second = readReference();
            else if (key == "cost")
                in_.read(use.cost, 0, maxBytes);
        });
        penalties_.push_back(use);
    }

    void readTraffic(Traffic& traffic)
    {
        in_.object({}, [&](std::string_view key) {
            if (key == "read_bytes")
                in_.read(traffic.read, 0, maxBytes);
            else if (key == "written_bytes")
                in_.read(traffic.written, 0, maxBytes);
            else if (key == "reads")
                in_.read(traffic.reads, 0, maxBytes);
            else if (key == "writes")
                in_.read(traffic.writes, 0, maxBytes);
        });
    }

    Reference readReference()
    {
        const std::size_t offset = in_.offset();
        return {in_.string(), offset};
    }

    void readMembers(RareList<BufferMember>& members)
    {
        in_.array([&] {
            BufferMember member;
            in_.object({"bytes"}, [&](std::string_view key) {
                if (key == "bytes")
                    in_.read(member.bytes, 0, maxBytes);
                else if (key == "begin")
                    in_.read(member.begin, 0);
                else if (key == "dma")
                    in_.read(member.dma);
                else if (key == "scalar")
                    in_.read(member.scalar);
                else if (key == "unique")
                    in_.read(member.unique);
            });
            members.push_back(member);
        });
    }

    void readBuffer(Buffer& buffer)
    {
        const auto id = static_cast<BufferId>(problem().buffers.size()) - 1;
        bool timed = false;
        bool related = false;
        bool clocked = false;
        in_.object({"name", "size"}, [&](std::string_view key) {
            if (key == "name")
                in_.read(buffer.name);
            else if (key == "size")
                in_.read(buffer.size, 0, maxBytes);
            else if (key == "alignment")
                in_.read(buffer.alignment, 1, maxBytes);
            else if (key == "live") {
                timed = true;
                in_.array([&] { buffer.live.push_back(readSteps()); });
            } else if (key == "clock") {
                clocked = true;
                readClock(clocks_.emplace_back());
            } else if (key == "windows")
                in_.array([&] { readWindow(buffer.windows.emplace_back()); });
            else if (key == "carried")
                in_.array([&] { readCarried(id, buffer.carried.emplace_back()); });
            else if (key == "early")
                in_.array([&] { readEarly(id, buffer.early.emplace_back()); });
            else if (key == "conflicts") {
                related = true;
                in_.array([&] { conflicts_.push_back({id, readReference()}); });
            } else if (key == "may_share")
                in_.array([&] { shares_.push_back({id, readReference()}); });
            else if (key == "pools")
                in_.array([&] { candidates_.push_back({id, readReference()}); });
            else if (key == "offset")
                in_.read(buffer.pin, 0, maxBytes);
            else if (key == "kind")
                in_.read(buffer.kind, problem::kindNames);
            else if (key == "slots")
                in_.read(buffer.slots, 1, maxSlots);
            else if (key == "loop")
                loopsOf_.push_back({id, readReference()});
            else if (key == "scope")
                scopesOf_.push_back({id, readReference()});
            else if (key == "traffic")
                readTraffic(buffer.traffic);
            else if (key == "dma")
                in_.read(buffer.dma);
            else if (key == "scalar")
                in_.read(buffer.scalar);
            else if (key == "unique")
                in_.read(buffer.unique);
            else if (key == "members")
                readMembers(buffer.members);
            else if (key == "coupled")
                in_.read(buffer.coupled, 0);
        });
        if (in_.ok() && timed && clocked)
            in_.failAt(starts_.back(), Code::contradiction,
                       fmt::format("buffers[{}]: 'clock' takes the place of 'live'; both are given", id), "Leave one out.");
        if (in_.ok() && !timed && !related && !clocked)
            in_.failAt(starts_.back(), Code::missingField,
                       fmt::format("buffers[{}]: one of the fields 'live', 'clock' and 'conflicts' has to be there", id));
    }

    void readClock(Clock& clock)
    {
        in_.object({"first", "last"}, [&](std::string_view key) {
            if (key != "first" && key != "last") return;
            auto& entries = key == "first" ? clock.first : clock.last;
            in_.array([&] { entries.push_back(in_.integer(0, maxBytes)); });
        });
    }

    /// Steps of several threads have no common order, so either all buffers have clocks, or none.
    void placeClocks()
    {
        if (!in_.ok() || clocks_.empty()) return;
        if (clocks_.size() != problem().buffers.size())
            return in_.failAt(0, Code::missingField,
                              fmt::format("{} of {} buffers have a 'clock'", clocks_.size(), problem().buffers.size()),
                              "Give one to every buffer, or to none.");
        if (const auto error = applyClocks(problem(), clocks_))
            in_.failAt(starts_[at(error->where.byte)], error->code, error->message, error->remedy);
    }

    void readWindow(Window& window)
    {
        in_.object({"live", "bytes"}, [&](std::string_view key) {
            if (key == "live")
                window.live = readSteps();
            else if (key == "bytes")
                std::tie(window.low, window.high) = readPair("first byte, one past the last byte");
        });
    }

    void readCarried(BufferId id, Carried& carried)
    {
        const std::size_t index = problem().buffers[static_cast<std::size_t>(id)].carried.size() - 1;
        in_.object({"live"}, [&](std::string_view key) {
            if (key == "live")
                carried.live = readSteps();
            else if (key == "distance")
                in_.read(carried.distance, 1);
            else if (key == "loop")
                turnsOf_.push_back({{id, readReference()}, index, IterationOf::carriedRound});
            else if (key == "turn")
                readIteration(carried.when, id, index, IterationOf::carried);
        });
    }

    void readEarly(BufferId id, Early& early)
    {
        const std::size_t index = problem().buffers[static_cast<std::size_t>(id)].early.size() - 1;
        in_.object({"live", "turn"}, [&](std::string_view key) {
            if (key == "live")
                early.live = readSteps();
            else if (key == "turn")
                readIteration(early.when, id, index, IterationOf::early);
        });
    }

    enum class IterationOf : std::uint8_t { carriedRound, carried, early };

    void readIteration(LoopIteration& when, BufferId id, std::size_t index, IterationOf of)
    {
        in_.object({"loop"}, [&](std::string_view key) {
            if (key == "loop")
                turnsOf_.push_back({{id, readReference()}, index, of});
            else if (key == "iteration")
                in_.read(when.iteration, 0);
        });
    }

    struct Use {
        BufferId buffer = none;
        Reference what;
    };

    /// Resolves names to ids: calls fn(buffer, id) for each use. Error: an unknown name.
    template <typename Index, typename Function>
    void resolve(const std::vector<Use>& uses, const Index& index, Code unknown, std::string_view kind, Function fn)
    {
        for (const Use& use : uses) {
            const auto found = index.find(use.what.name);
            if (found == index.end())
                return in_.failAt(use.what.offset, unknown,
                                  fmt::format("buffer '{}' names a {} '{}', which is not in the file", bufferOf(use).name, kind,
                                              use.what.name));
            fn(bufferOf(use), found->second);
        }
    }
    Buffer& bufferOf(const Use& use) { return problem().buffers[static_cast<std::size_t>(use.buffer)]; }

    void resolve()
    {
        if (!conflicts_.empty() || !shares_.empty() || !penalties_.empty()) {
            std::unordered_map<std::string_view, BufferId> buffers;
            buffers.reserve(problem().buffers.size());
            for (std::size_t b = 0; b < problem().buffers.size(); ++b)
                buffers.emplace(problem().buffers[b].name, static_cast<BufferId>(b));
            resolve(conflicts_, buffers, Code::unknownBuffer, "buffer",
                    [](Buffer& buffer, BufferId id) { buffer.conflicts.push_back(id); });
            resolve(shares_, buffers, Code::unknownBuffer, "buffer",
                    [](Buffer& buffer, BufferId id) { buffer.mayShare.push_back(id); });
            for (const PenaltyUse& use : penalties_) {
                ReusePenalty& penalty = problem().penalties.emplace_back();
                penalty.cost = use.cost;
                for (const auto& [reference, id] :
                     {std::pair(&use.first, &penalty.first), std::pair(&use.second, &penalty.second)}) {
                    const auto found = buffers.find(reference->name);
                    if (found == buffers.end())
                        return in_.failAt(
                            reference->offset, Code::unknownBuffer,
                            fmt::format("a penalty names a buffer '{}', which is not in the file", reference->name));
                    *id = found->second;
                }
            }
        }
        std::unordered_map<std::string_view, PoolId> pools;
        for (std::size_t p = 0; p < problem().pools.size(); ++p) pools.emplace(problem().pools[p].name, static_cast<PoolId>(p));
        resolve(candidates_, pools, Code::unknownPool, "pool", [](Buffer& buffer, PoolId id) { buffer.pools.push_back(id); });
        resolveLoops();
        std::unordered_map<std::string_view, ScopeId> scopes;
        for (std::size_t s = 0; s < problem().scopes.size(); ++s)
            if (!scopes.emplace(problem().scopes[s].name, static_cast<ScopeId>(s)).second)
                return in_.failAt(0, Code::duplicateName,
                                  fmt::format("there are two operators named '{}'", problem().scopes[s].name));
        resolve(scopesOf_, scopes, Code::unknownScope, "scope", [](Buffer& buffer, ScopeId id) { buffer.scope = id; });
    }

    /// Loops that only buffers name get the hull of these buffers.
    void resolveLoops()
    {
        std::unordered_map<std::string_view, LoopId> loops;
        for (std::size_t l = 0; l < loops_.size(); ++l)
            if (!loops.emplace(loops_[l], static_cast<LoopId>(l)).second)
                return in_.failAt(0, Code::duplicateName, fmt::format("there are two loops named '{}'", loops_[l]));
        for (std::size_t l = 0; l < parents_.size(); ++l) {
            if (parents_[l].name.empty()) continue;
            const auto found = loops.find(parents_[l].name);
            if (found == loops.end())
                return in_.failAt(parents_[l].offset, Code::unknownLoop, fmt::format("there is no loop '{}'", parents_[l].name));
            problem().loops[l].parent = found->second;
        }
        const std::size_t declared = problem().loops.size();
        for (const IterationUse& use : turnsOf_) {
            const auto found = loops.find(use.loop.what.name);
            if (found == loops.end())
                return in_.failAt(use.loop.what.offset, Code::unknownLoop,
                                  fmt::format("there is no loop '{}'", use.loop.what.name), "list it under 'loops'");
            Buffer& buffer = bufferOf(use.loop);
            (use.of == IterationOf::early     ? buffer.early[use.index].when.loop
             : use.of == IterationOf::carried ? buffer.carried[use.index].when.loop
                                              : buffer.carried[use.index].loop) = found->second;
        }
        for (const Use& use : loopsOf_) {
            const auto [found, added] = loops.emplace(use.what.name, static_cast<LoopId>(problem().loops.size()));
            if (added) problem().loops.push_back({.name = std::string(use.what.name), .live = {}});
            Buffer& buffer = bufferOf(use);
            buffer.loop = found->second;
            if (static_cast<std::size_t>(found->second) < declared) continue;
            Interval& live = problem().loops[static_cast<std::size_t>(found->second)].live;
            for (const Interval& range : buffer.live)
                live = live.empty() ? range : Interval{std::min(live.begin, range.begin), std::max(live.end, range.end)};
            for (const Carried& carried : buffer.carried)
                live = live.empty() ? carried.live
                                    : Interval{std::min(live.begin, carried.live.begin), std::max(live.end, carried.live.end)};
        }
        for (std::size_t l = declared; l < problem().loops.size(); ++l)
            if (problem().loops[l].live.empty()) problem().loops[l].live = {0, 1}; // its buffers have no steps: a dag
    }

    JsonReader in_;
    Read<Problem> result_;
    bool poolsGiven_ = false;
    std::size_t poolsStart_ = 0, loopsStart_ = 0; ///< offsets in the text; 0 if the list is missing
    std::vector<std::size_t> starts_;             ///< of buffers
    std::vector<std::string> loops_;
    std::vector<Reference> parents_; ///< of loops
    struct IterationUse {
        Use loop;
        std::size_t index; ///< into the buffer's carried or early ranges
        IterationOf of;
    };
    std::vector<IterationUse> turnsOf_;
    struct PenaltyUse {
        Reference first, second;
        Bytes cost = 0;
    };
    std::vector<PenaltyUse> penalties_;
    std::vector<Clock> clocks_; ///< by buffer, after all are read
    std::vector<Use> conflicts_, shares_, candidates_, loopsOf_, scopesOf_;
};

} // namespace

Expected<Read<Problem>> readProblemJson(std::string_view text, const std::string& file)
{
    return ProblemReader(text, file).run();
}

} // namespace stowage::io
