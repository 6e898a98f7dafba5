// Reads plans from files and matches them to a problem by name.
#include "core/io/code_text.h"
#include "core/io/csv_reader.h"
#include "core/io/json_reader.h"
#include "core/io/loop_names.h"
#include "core/io/plan_names.h"
#include "core/io/problem_columns.h"
#include "core/io/text.h"
#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace stowage::io {

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

/// A count of names of one kind, with the first few of them.
struct Names {
    std::size_t count = 0;
    std::string examples;

    void add(std::string_view name)
    {
        if (count < 5)
            examples += fmt::format("{}'{}'", count == 0 ? "" : ", ", name);
        else if (count == 5)
            examples += ", …";
        ++count;
    }
};

/// Matches the placements of a file with the buffers of the problem.
class Matcher {
public:
    Matcher(const Problem& problem, const std::string& file, Bytes rounding)
        : problem_(problem), file_(file), rounding_(std::max<Bytes>(1, rounding))
    {
        buffers_.reserve(problem.buffers.size());
        for (std::size_t b = 0; b < problem.buffers.size(); ++b)
            buffers_.emplace(problem.buffers[b].name, static_cast<BufferId>(b));
        result_.value.placements.resize(problem.buffers.size());
        named_.resize(problem.buffers.size());
    }

    /// The buffer with that name; none if the problem has none. Sets `again` if the file has already named it.
    BufferId find(std::string_view name, bool& again)
    {
        const auto found = buffers_.find(name);
        if (found == buffers_.end()) {
            unknown_.add(name);
            differs({.kind = MismatchKind::unknownBuffer, .name = std::string(name)});
            return none;
        }
        again = named_[static_cast<std::size_t>(found->second)];
        named_[static_cast<std::size_t>(found->second)] = true;
        return found->second;
    }
    void compareSize(BufferId id, Bytes size)
    {
        const Buffer& buffer = problem_.buffers[static_cast<std::size_t>(id)];
        // The plan may have been made before `--alignment` rounded the problem's sizes.
        if (buffer.size == size || (size >= 0 && size <= maxBytes - rounding_ && buffer.size == alignUp(size, rounding_))) return;
        differs({.kind = MismatchKind::otherSize, .name = buffer.name, .buffer = id, .stated = size, .actual = buffer.size});
    }
    /// Something is placed in a pool that the problem does not have.
    void placeElsewhere(const std::string& pool)
    {
        if (otherPools_.insert(pool).second) differs({.kind = MismatchKind::otherPoolSize, .name = pool});
    }
    /// Notes the size that the file states for a pool.
    void statePool(std::string_view name, Bytes size) { pools_.emplace_back(name, size); }
    void state(StatedTensor tensor) { result_.tensors.push_back(std::move(tensor)); }
    Plan& plan() { return result_.value; }
    Placement& placement(BufferId id) { return result_.value.placements[static_cast<std::size_t>(id)]; }
    void warn(Code code, std::string message, Position where)
    {
        result_.diagnostics.push_back({Severity::warning, code, std::move(message), std::move(where), {}});
    }

    Expected<ReadPlan> finish()
    {
        Names missing;
        for (std::size_t b = 0; b < named_.size(); ++b)
            if (!named_[b] && problem_.buffers[b].size > 0) missing.add(problem_.buffers[b].name);
        const auto tell = [&](const Names& names, Code code, std::string_view what) {
            if (names.count > 0)
                warn(code,
                     fmt::format("{} {} {}: {}", names.count, names.count == 1 ? "buffer" : "buffers", what, names.examples),
                     {.file = file_});
        };
        tell(unknown_, Code::unknownBuffer, "of the plan not in the problem");
        tell(missing, Code::missingBuffer, "of the problem not in the plan");
        comparePools();
        return std::move(result_);
    }

private:
    static constexpr std::size_t maxMismatches = 100; ///< number of mismatches kept

    void differs(Mismatch found)
    {
        std::vector<Mismatch>& all = result_.mismatches;
        if (all.size() < maxMismatches) all.push_back(std::move(found));
    }

    /// Compares the stated sizes of pools with those of their placements.
    void comparePools()
    {
        for (const auto& [name, stated] : pools_) {
            const auto found = std::ranges::find(problem_.pools, name, &Pool::name);
            Mismatch mismatch{.kind = MismatchKind::otherPoolSize, .name = name, .stated = stated};
            if (found != problem_.pools.end()) {
                mismatch.pool = static_cast<PoolId>(found - problem_.pools.begin());
                mismatch.actual = result_.value.poolSize(problem_, mismatch.pool);
                // With rounded sizes the last buffer may end later than in the file.
                if (stated == mismatch.actual || (stated < mismatch.actual && mismatch.actual - stated < rounding_)) continue;
            } else if (stated == 0 || otherPools_.contains(name)) {
                continue; // an empty pool of the target for which the file was planned, or one that is told already
            }
            differs(std::move(mismatch));
        }
    }

    const Problem& problem_;
    const std::string& file_;
    Bytes rounding_;
    std::unordered_map<std::string_view, BufferId> buffers_;
    std::vector<bool> named_;
    std::vector<std::pair<std::string, Bytes>> pools_; ///< stated sizes
    std::unordered_set<std::string> otherPools_;       ///< that the problem does not have
    Names unknown_;
    ReadPlan result_;
};

/// Reads one plan of a JSON document.
class PlanReader {
public:
    PlanReader(JsonReader& in, const Problem& problem, const std::string& file, Bytes rounding)
        : in_(in), problem_(problem), matcher_(problem, file, rounding)
    {
        for (std::size_t p = 0; p < problem.pools.size(); ++p) pools_.emplace(problem.pools[p].name, static_cast<PoolId>(p));
        loopNames_ = loopNames(problem);
        for (std::size_t l = 0; l < loopNames_.size(); ++l) loops_.emplace(loopNames_[l], static_cast<LoopId>(l));
    }

    /// Reads one field of a plan.
    void field(std::string_view key)
    {
        Plan& plan = matcher_.plan();
        if (key == "problem")
            in_.string();
        else if (key == "planner")
            in_.read(plan.planner);
        else if (key == "options")
            in_.object([&](std::string_view name) { plan.options.emplace_back(name, in_.string()); });
        else if (key == "lowering")
            in_.object([&](std::string_view) { in_.string(); });
        else if (key == "seed")
            plan.seed = in_.unsignedInteger();
        else if (key == "status")
            in_.read(status_.emplace(), statusWords);
        else if (key == "stopped_by")
            in_.read(plan.stoppedBy, stoppedByNames);
        else if (key == "proof")
            readProof();
        else if (key == "pools")
            readPools();
        else if (key == "placements") {
            placed_ = true;
            in_.array([&] { readPlacement(); });
        } else if (key == "elapsed_ms")
            in_.number();
        else if (key == "tensors")
            in_.array([&] { readTensor(); });
        else if (key == "pipes" || key == "views" || key == "partial" ||
                 key == "unknown_sizes") // computed again from the plan and the problem
            in_.skip();
        else if (key == "work")
            plan.work = in_.unsignedInteger();
        else if (key == "diagnostics")
            in_.array([&] { readDiagnostic(); });
    }

    [[nodiscard]] bool placed() const { return placed_; }
    Expected<ReadPlan> finish()
    {
        // A statement of a file is not a proof.
        if (status_ == Status::optimal || status_ == Status::infeasible)
            matcher_.plan().claims.emplace_back(
                ForeignClaim{none, 0, fmt::format("{}{}{}", wordOf(*status_), provedBy_.empty() ? "" : " by ", provedBy_)});
        return matcher_.finish();
    }

private:
    void readProof()
    {
        in_.object([&](std::string_view key) {
            if (key == "kind")
                in_.choice(proofNames);
            else if (key == "by")
                in_.read(provedBy_);
            else if (key == "scope")
                in_.string();
        });
    }
    void readPools()
    {
        in_.array([&] {
            std::string_view name;
            std::optional<Bytes> size;
            in_.object({"name"}, [&](std::string_view key) {
                if (key == "name")
                    name = in_.string();
                else if (key == "size")
                    size = in_.integer();
                else if (key == "lower_bound")
                    in_.integer();
                else if (key == "capacity") {
                    std::optional<Bytes> capacity;
                    in_.read(capacity);
                } else if (key == "traffic_ns")
                    in_.number();
                else if (key == "displaced") // computed again from the plan
                    in_.array([&] {
                        in_.object({"buffer", "pool"}, [&](std::string_view field) {
                            if (field == "buffer" || field == "pool")
                                in_.string();
                            else if (field == "more_bytes")
                                in_.integer();
                            else if (field == "saved_ns")
                                in_.number();
                        });
                    });
            });
            if (in_.ok() && size) matcher_.statePool(name, *size);
        });
    }
    void readTensor()
    {
        StatedTensor tensor;
        in_.object({"name", "buffer", "pool", "offset"}, [&](std::string_view key) {
            if (key == "name")
                in_.read(tensor.name);
            else if (key == "function")
                in_.string();
            else if (key == "call")
                in_.read(tensor.call, 0);
            else if (key == "buffer")
                in_.read(tensor.buffer);
            else if (key == "pool")
                in_.read(tensor.pool);
            else if (key == "offset")
                in_.read(tensor.offset);
            else if (key == "size")
                in_.integer(lowest, highest);
        });
        if (in_.ok()) matcher_.state(std::move(tensor));
    }
    Position readWhere()
    {
        Position where;
        in_.object([&](std::string_view key) {
            if (key == "file")
                in_.read(where.file);
            else if (key == "line")
                in_.read(where.line, 0);
            else if (key == "column")
                in_.read(where.column, 0);
            else if (key == "byte")
                in_.read(where.byte);
        });
        return where;
    }
    void readDiagnostic()
    {
        Diagnostic told;
        std::string code;
        in_.object({"severity", "message"}, [&](std::string_view key) {
            if (key == "severity")
                in_.read(told.severity, severityNames);
            else if (key == "code")
                in_.read(code);
            else if (key == "message")
                in_.read(told.message);
            else if (key == "where")
                told.where = readWhere();
            else if (key == "remedy")
                in_.read(told.remedy);
        });
        setCode(told, code);
        // The checker will find these violations again.
        if (told.code != Code::invalidPlan) matcher_.plan().diagnostics.push_back(std::move(told));
    }

    struct Selection {
        Rotation rotation;
        bool hasPeriod = false;
    };
    Selection readSelection()
    {
        Selection selection;
        in_.object({"rotate"}, [&](std::string_view key) {
            if (key == "rotate") {
                const std::string_view name = in_.string();
                const auto found = loops_.find(name);
                if (found != loops_.end())
                    selection.rotation.loop = found->second;
                else if (in_.ok() && !name.empty())
                    matcher_.warn(Code::unknownLoop, fmt::format("the problem has no loop '{}'", name), in_.position());
            } else if (key == "first")
                selection.rotation.hasFirst = in_.integer(0, 1) == 1;
            else if (key == "period") {
                in_.read(selection.rotation.period, 1);
                selection.hasPeriod = true;
            }
        });
        return selection;
    }

    void readPlacement()
    {
        const std::size_t start = in_.offset();
        std::string_view name, pool;
        std::size_t poolAt = start;
        std::optional<Bytes> offset, size;
        std::vector<Bytes> offsets;
        std::vector<Selection> selections;
        in_.object({"buffer"}, [&](std::string_view key) {
            if (key == "buffer")
                name = in_.string();
            else if (key == "pool") {
                poolAt = in_.offset();
                pool = in_.string();
            } else if (key == "offset")
                offset = in_.integer(lowest, highest);
            else if (key == "size")
                size = in_.integer(lowest, highest);
            else if (key == "offsets")
                in_.array([&] { offsets.push_back(in_.integer(lowest, highest)); });
            else if (key == "select") {
                if (in_.type() == JsonType::array)
                    in_.array([&] { selections.push_back(readSelection()); });
                else
                    selections.push_back(readSelection());
            } else if (key == "function" || key == "level")
                in_.string();
            else if (key == "where")
                readWhere();
        });
        if (!in_.ok()) return;
        if (!offset && offsets.empty())
            return in_.failAt(start, Code::missingField,
                              fmt::format("{}: one of the fields 'offset' and 'offsets' has to be there", in_.path()));
        bool again = false;
        const BufferId id = matcher_.find(name, again);
        if (id == none) return;
        if (again) return in_.failAt(start, Code::duplicatePlacement, fmt::format("buffer '{}' is placed twice", name));
        if (size) matcher_.compareSize(id, *size);

        Placement& placement = matcher_.placement(id);
        if (pool.empty() && problem_.pools.size() == 1) {
            placement.pool = 0;
        } else if (const auto found = pools_.find(pool); found != pools_.end()) {
            placement.pool = found->second;
        } else if (pool.empty()) {
            return in_.failAt(poolAt, Code::unknownPool, fmt::format("it is not said which pool buffer '{}' is in", name));
        } else {
            return matcher_.placeElsewhere(std::string(pool)); // the buffer is not placed
        }
        placement.offset = offset ? *offset : offsets.front();
        if (offsets.empty()) {
            if (!selections.empty())
                in_.failAt(start, Code::missingField, fmt::format("{}: 'select' needs 'offsets'", in_.path()));
            return;
        }
        // Without a selection, the offsets rotate with the buffer's own loop. A single rotation has one position for each offset.
        if (selections.empty()) selections.push_back({.rotation = {.loop = problem_.buffers[static_cast<std::size_t>(id)].loop}});
        if (selections.size() == 1 && !selections[0].hasPeriod) {
            const auto period = static_cast<std::int64_t>(offsets.size()) - (selections[0].rotation.hasFirst ? 1 : 0);
            if (period < 1 || period > std::numeric_limits<std::int32_t>::max())
                return in_.failAt(start, Code::outOfRange,
                                  fmt::format("{}: {} offsets do not make a rotation", in_.path(), offsets.size()));
            selections[0].rotation.period = static_cast<std::int32_t>(period);
        }
        for (const Selection& selection : selections) placement.rotations.push_back(selection.rotation);
        placement.offsets = offsets;
    }

    JsonReader& in_;
    const Problem& problem_;
    Matcher matcher_;
    std::unordered_map<std::string_view, PoolId> pools_;
    std::vector<std::string> loopNames_;
    std::unordered_map<std::string_view, LoopId> loops_;
    std::optional<Status> status_;
    std::string provedBy_;
    bool placed_ = false;
};

Expected<ReadPlan> readJson(std::string_view text, const std::string& file, const Problem& problem, std::string_view wanted,
                            Bytes rounding)
{
    JsonReader in(text, file);
    PlanReader single(in, problem, file, rounding);
    std::vector<std::pair<std::string, Expected<ReadPlan>>> functions;
    bool several = false;
    in.object({"format"}, [&](std::string_view key) {
        if (key == "format") return in.format(planFormat);
        if (key != "functions") return single.field(key);
        several = true;
        in.array([&] {
            PlanReader plan(in, problem, file, rounding);
            std::string name;
            in.object({"name", "placements"}, [&](std::string_view inner) {
                if (inner == "name")
                    in.read(name);
                else
                    plan.field(inner);
            });
            if (in.ok()) functions.emplace_back(std::move(name), plan.finish());
        });
    });
    if (!in.finish()) return in.error();
    if (!several) {
        if (!single.placed())
            return failure(Code::missingField, "the field 'placements' is missing", {.file = file, .line = 1, .column = 1});
        return single.finish();
    }
    if (functions.size() == 1 && wanted.empty()) return std::move(functions.front().second);
    const std::string_view name = wanted.empty() ? std::string_view(problem.name) : wanted;
    std::vector<std::string_view> names;
    for (auto& [of, plan] : functions) {
        if (of == name) return std::move(plan);
        names.push_back(of);
    }
    return failure(Code::noSuchFunction, fmt::format("the plan has no function '{}'", name), {.file = file},
                   names.empty() ? "it has none at all" : fmt::format("it has {}", fmt::join(names, ", ")));
}

Expected<ReadPlan> readCsv(std::string_view text, const std::string& file, const Problem& problem, Bytes rounding)
{
    CsvReader table(text, file);
    if (!table.ok()) return table.error();
    const auto columns = ProblemColumns::ofPlan(table);
    if (!columns) return columns.error();
    if (problem.pools.size() != 1)
        return failure(Code::notTabular, fmt::format("a table has one pool, the problem has {}", problem.pools.size()),
                       table.position(), "give the plan as JSON");
    Matcher matcher(problem, file, rounding);
    while (table.next()) {
        const std::string_view name = table.field(columns->id);
        const std::int64_t offset = table.integer(*columns->offset, lowest, highest);
        std::optional<std::int64_t> size;
        if (columns->size) size = table.integer(*columns->size, lowest, highest);
        if (!table.ok()) break;
        bool again = false;
        const BufferId id = matcher.find(name, again);
        if (again)
            table.fail(Code::duplicatePlacement, fmt::format("buffer '{}' is placed twice", name), table.position(columns->id));
        if (id == none) continue;
        if (size) matcher.compareSize(id, *size);
        if (offset != -1) matcher.placement(id) = {.pool = 0, .offset = offset};
    }
    if (!table.ok()) return table.error();
    return matcher.finish();
}

} // namespace

Expected<ReadPlan> readPlan(std::string_view text, const std::string& file, const Problem& problem, std::string_view function,
                            Bytes rounding)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const bool json = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
    return json ? readJson(text, file, problem, function, rounding) : readCsv(text, file, problem, rounding);
}

} // namespace stowage::io
