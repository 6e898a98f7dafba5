#include "plugins/external/dsa.h"

#include "core/io/json_writer.h"
#include "plugins/external/answer.h"
#include "plugins/external/placements_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <fmt/format.h>

#include <algorithm>

namespace stowage::external {

namespace {

using io::JsonWriter;

Error notUnderstood(const std::string& message)
{
    return runFailed(RunFailure::notUnderstood, "its solution cannot be understood: " + message);
}

class Writer {
public:
    Writer(const Problem& problem, PipeReuse reuse) : problem_(problem), reuse_(reuse)
    {
        const auto touched = [](const Buffer& buffer) { return buffer.dma || buffer.scalar; };
        if (!problem.penalties.empty() || std::any_of(problem.buffers.begin(), problem.buffers.end(), touched))
            result_.pairs = pipePairs(problem);
        first_.resize(problem.buffers.size());
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            first_[b] = result_.buffers.size();
            result_.buffers.insert(result_.buffers.end(), at(std::max(1, problem.buffers[b].slots)), static_cast<BufferId>(b));
        }
    }

    DsaProblem run()
    {
        JsonWriter out;
        out.object([&] {
            out.field("schema_version", 1);
            out.field("profile", profile());
            out.field("instance", problem_.name.empty() ? "problem" : problem_.name);
            out.object("metadata", [&] { out.field("generator", "stowage"); });
            out.object("problem", [&] {
                pools(out);
                buffers(out);
                constraints(out);
                if (priced()) penalties(out);
                out.object("objective", JsonWriter::compact, [&] {
                    out.field("aggregation", "lexicographic");
                    out.array("terms", [&] {
                        for (const char* term : terms()) out.value(term);
                    });
                });
            });
        });
        result_.text = std::move(out).text();
        return std::move(result_);
    }

private:
    [[nodiscard]] bool priced() const { return reuse_ == PipeReuse::price && !result_.pairs.empty(); }
    [[nodiscard]] bool bounded() const
    {
        return std::any_of(problem_.pools.begin(), problem_.pools.end(),
                           [](const Pool& pool) { return pool.capacity.has_value(); });
    }
    [[nodiscard]] std::string_view profile() const
    {
        if (priced()) return "pypto_research_v1";
        return problem_.pools.size() == 1 ? "standard_dsa" : "pypto_hard_v1";
    }
    [[nodiscard]] std::vector<const char*> terms() const
    {
        std::vector<const char*> terms{"total_peak"};
        if (priced()) terms.insert(bounded() ? terms.begin() : terms.end(), "reuse_cost");
        if (bounded()) terms.insert(terms.begin(), "capacity_overflow");
        return terms;
    }

    void pools(JsonWriter& out) const
    {
        out.array("pools", [&] {
            for (std::size_t p = 0; p < problem_.pools.size(); ++p)
                out.object(JsonWriter::compact, [&] {
                    out.field("id", p);
                    out.field("name", problem_.pools[p].name);
                    out.key("capacity");
                    if (problem_.pools[p].capacity)
                        out.value(*problem_.pools[p].capacity);
                    else
                        out.null();
                    out.array("reserved_ranges", [] {});
                });
        });
    }

    void buffers(JsonWriter& out) const
    {
        out.array("buffers", [&] {
            for (std::size_t id = 0; id < result_.buffers.size(); ++id) {
                const auto b = at(result_.buffers[id]);
                const Buffer& buffer = problem_.buffers[b];
                const auto pools = problem_.candidates(buffer);
                out.object(JsonWriter::compact, [&] {
                    out.field("id", id);
                    out.field("name", buffer.slots > 1 ? fmt::format("{}#{}", buffer.name, id - first_[b]) : buffer.name);
                    out.field("size", buffer.size);
                    out.field("alignment", problem_.effectiveAlignment(buffer, pools.front()));
                    out.array("live_intervals", [&] {
                        // Without a time axis only the separations count: one step for each buffer.
                        if (problem_.axis == Axis::dag || buffer.live.empty())
                            interval(out, {static_cast<Step>(id), static_cast<Step>(id) + 1});
                        else
                            for (const Interval& live : buffer.live) interval(out, live);
                    });
                    out.array("allowed_pools", [&] {
                        for (const PoolId pool : pools) out.value(pool);
                    });
                });
            }
        });
    }
    static void interval(JsonWriter& out, const Interval& live)
    {
        out.object([&] {
            out.field("lower", live.begin);
            out.field("upper", live.end);
        });
    }

    /// Calls `pair(x, y)` for all slots of two buffers.
    template <typename Pair>
    void eachSlot(BufferId a, BufferId b, Pair&& pair) const
    {
        for (int i = 0; i < std::max(1, problem_.buffers[at(a)].slots); ++i)
            for (int j = 0; j < std::max(1, problem_.buffers[at(b)].slots); ++j)
                pair(first_[at(a)] + at(i), first_[at(b)] + at(j));
    }
    void separate(JsonWriter& out, BufferId a, BufferId b, const char* reason) const
    {
        eachSlot(a, b, [&](std::size_t x, std::size_t y) {
            out.object(JsonWriter::compact, [&] {
                out.field("first", x);
                out.field("second", y);
                out.array("reasons", [&] { out.value(reason); });
            });
        });
    }

    void constraints(JsonWriter& out) const
    {
        const auto count = static_cast<BufferId>(problem_.buffers.size());
        out.object("constraints", [&] {
            out.array("colocations", [] {});
            out.array("separations", [&] {
                for (BufferId a = 0; a < count; ++a) {
                    const Buffer& buffer = problem_.buffers[at(a)];
                    if (buffer.unique) {
                        for (BufferId b = 0; b < count; ++b)
                            if (b != a && (!problem_.buffers[at(b)].unique || a < b)) separate(out, a, b, "semantic_no_alias");
                        continue;
                    }
                    for (const BufferId b : buffer.conflicts)
                        if (a < b && !problem_.buffers[at(b)].unique) separate(out, a, b, "generic");
                    if (problem_.axis == Axis::dag && buffer.slots > 1)
                        for (int i = 1; i < buffer.slots; ++i)
                            for (int j = 0; j < i; ++j)
                                out.object(JsonWriter::compact, [&] {
                                    out.field("first", first_[at(a)] + at(j));
                                    out.field("second", first_[at(a)] + at(i));
                                });
                }
                if (reuse_ == PipeReuse::forbid)
                    for (const PipePair& pair : result_.pairs) separate(out, pair.a, pair.b, "target_hazard");
            });
            out.array("temporal_exclusions", [&] {
                for (BufferId a = 0; a < count; ++a)
                    for (const BufferId b : problem_.buffers[at(a)].mayShare)
                        if (a < b)
                            eachSlot(a, b, [&](std::size_t x, std::size_t y) {
                                out.object(JsonWriter::compact, [&] {
                                    out.field("first", x);
                                    out.field("second", y);
                                });
                            });
            });
            out.array("pinned_allocations", [&] {
                for (std::size_t b = 0; b < problem_.buffers.size(); ++b)
                    if (const Buffer& buffer = problem_.buffers[b]; buffer.pin && buffer.slots <= 1)
                        out.object(JsonWriter::compact, [&] {
                            out.field("buffer", first_[b]);
                            out.field("pool", problem_.candidates(buffer).front());
                            out.field("offset", *buffer.pin);
                            out.field("exclusive_for_all_time", false);
                        });
            });
        });
    }

    void penalties(JsonWriter& out) const
    {
        out.object("cost_model", [&] {
            out.array("reuse_penalties", [&] {
                for (const PipePair& pair : result_.pairs)
                    eachSlot(pair.a, pair.b, [&](std::size_t x, std::size_t y) {
                        out.object(JsonWriter::compact, [&] {
                            out.field("first", x);
                            out.field("second", y);
                            out.field("cost", pair.price);
                            out.field("reason", "cross_pipe");
                        });
                    });
            });
        });
    }

    const Problem& problem_;
    PipeReuse reuse_;
    DsaProblem result_;
    std::vector<std::size_t> first_; ///< by buffer: the id of its first slot in the document
};

} // namespace

DsaProblem writeDsaProblem(const Problem& problem, PipeReuse reuse)
{
    return Writer(problem, reuse).run();
}

Expected<Plan> readDsaSolution(std::string_view text, const Problem& problem, const DsaProblem& asked)
{
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return runFailed(RunFailure::exitedEarly, "it ended without a solution");
    QJsonParseError wrong;
    const QJsonDocument document =
        QJsonDocument::fromJson(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())), &wrong);
    if (!document.isObject() || !document.object().value(QLatin1String("placements")).isArray())
        return notUnderstood(document.isObject() ? "it has no list \"placements\""
                                                 : fmt::format("it is no JSON object (byte {})", wrong.offset));
    std::vector<std::vector<AnsweredOffset>> offsets(problem.buffers.size());
    std::vector<PoolId> pools(problem.buffers.size(), none);
    std::vector<bool> seen(asked.buffers.size());
    const QJsonArray placements = document.object().value(QLatin1String("placements")).toArray();
    for (const auto& entry : placements) {
        const QJsonObject fields = entry.toObject();
        const std::int64_t id = fields.value(QLatin1String("buffer")).toInteger(-1);
        const std::int64_t pool = fields.value(QLatin1String("pool")).toInteger(-1);
        if (id < 0 || id >= static_cast<std::int64_t>(asked.buffers.size()))
            return runFailed(RunFailure::unknownBuffer,
                             fmt::format("it places a buffer {}, which the problem does not have", id));
        const auto b = at(asked.buffers[at(id)]);
        const std::string& name = problem.buffers[b].name;
        if (seen[at(id)]) return notUnderstood(fmt::format("it places buffer {} ('{}') twice", id, name));
        seen[at(id)] = true;
        if (pool < 0 || pool >= static_cast<std::int64_t>(problem.pools.size()))
            return notUnderstood(fmt::format("it places '{}' in a pool {}, which the problem does not have", name, pool));
        if (pools[b] != none && pools[b] != pool)
            return notUnderstood(fmt::format("it places the slots of '{}' in different pools", name));
        pools[b] = static_cast<PoolId>(pool);
        offsets[b].push_back(offsetOf(fields.value(QLatin1String("offset"))));
    }
    Answer answer(problem);
    for (std::size_t b = 0; b < offsets.size(); ++b) {
        if (offsets[b].empty()) continue;
        if (offsets[b].size() < at(std::max(1, problem.buffers[b].slots)))
            answer.fail(runFailed(RunFailure::missingBuffer,
                                  fmt::format("it does not place all slots of '{}'", problem.buffers[b].name)));
        answer.place(problem.buffers[b].name, problem.pools[at(pools[b])].name, offsets[b]);
    }
    return answer.plan(false);
}

} // namespace stowage::external
