#include "app/session/laid_plan.h"

#include "app/session/foreign_plan.h"
#include "app/session/native_path.h"
#include "app/session/number_words.h"
#include "app/session/planning.h"
#include "core/ir/checked.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace stowage {

namespace {

constexpr Bytes roundedTo = 512; ///< to what other tools round sizes up, at most
constexpr Bytes usualRounding = 16;
constexpr auto kernelImporter = "hivm-memory-info"; ///< its plans are found by the place of the allocation
constexpr auto runtimeLogImporter = "tflm-log";

/// A buffer of the other tool's plan.
struct Record {
    std::vector<std::string> names;
    Bytes size = 0;
    Interval live;
    Bytes offset = 0;
    std::string pool;
};

/// A part of a buffer of the model that has a name.
struct Named {
    BufferId buffer = none;
    Bytes delta = 0;
    Bytes bytes = 0;
};

/// Where the record of a buffer was found.
struct Match {
    std::size_t record = 0;
    Named target;
};

struct Matching {
    MatchedBy by = MatchedBy::name;
    std::vector<Match> matches;
};

bool sizesAgree(Bytes model, Bytes record)
{
    return record == model || alignUp(record, usualRounding) == alignUp(model, usualRounding) ||
           (record > model && record <= alignUp(model, roundedTo));
}

std::vector<std::string> namesOf(const Problem& problem, const Lowering& lowering, const Program* program, BufferId id)
{
    std::vector<std::string> names{problem.buffers[at(id)].name};
    // A buffer that stands for several values is called after all of them.
    std::string part;
    for (const char c : names.front() + '+') {
        if (c != '+') {
            part += c;
            continue;
        }
        if (!part.empty() && part != names.front()) names.push_back(part);
        part.clear();
    }
    if (program && at(id) < lowering.origins.size()) {
        const BufferOrigin& origin = lowering.origins[at(id)];
        if (origin.function != none)
            for (const TensorId member : origin.members)
                names.push_back(program->functions[at(origin.function)].tensors[at(member)].name);
    }
    return names;
}

/// The first plan of `source` that has offsets, with the buffers that it places.
Expected<std::vector<Record>> recordsOf(const Session& session, const Model& source, const std::string& function)
{
    const Position file{nativePath(source.path), 0, 0, -1};
    PlanRequest request;
    const auto names = Session::functions(source);
    if (std::ranges::find(names, function) != names.end()) request.function = function;
    std::vector<Record> records;
    for (std::size_t p = 0; p < source.filePlans.size() && records.empty(); ++p) {
        const FilePlan& plan = source.filePlans[p];
        if (plan.offsets.empty()) continue;
        if (!source.problems.empty()) {
            const auto& [name, problem] = source.problems[at(plan.problem)];
            if (!request.function.empty() && name != request.function) continue;
            for (const FilePlan::Offset& each : plan.offsets) {
                const Buffer& buffer = problem->buffers[at(each.tensor)];
                const auto pools = problem->candidates(buffer);
                records.push_back({namesOf(*problem, {}, nullptr, each.tensor), buffer.size, buffer.hull(), each.offset,
                                   pools.empty() ? std::string() : problem->pools[at(pools.front())].name});
            }
            continue;
        }
        const auto lowered = session.lowerNow(source, request);
        if (!lowered) return lowered.error();
        const Problem& problem = (*lowered)->problem;
        std::set<BufferId> known;
        for (const FilePlan::Offset& each : plan.offsets) {
            BufferId id = source.program ? BufferId(none) : each.tensor;
            Bytes delta = 0;
            for (const FunctionInstance& instance : (*lowered)->instances)
                if (id == none && instance.function == each.function && at(each.tensor) < instance.bindings.size()) {
                    id = instance.bindings[at(each.tensor)].buffer;
                    delta = instance.bindings[at(each.tensor)].delta;
                }
            if (id == none || !known.insert(id).second) continue;
            const Buffer& buffer = problem.buffers[at(id)];
            const auto pools = problem.candidates(buffer);
            records.push_back({namesOf(problem, **lowered, source.program.get(), id), buffer.size, buffer.hull(),
                               each.offset - delta, pools.empty() ? std::string() : problem.pools[at(pools.front())].name});
        }
    }
    if (records.empty())
        return failure(Code::noPlan, "the file gives no offsets, so it cannot be compared with the plan of the model", file,
                       "give a dump, log or profile that lists each buffer with its offset");
    return records;
}

class Layer {
public:
    Layer(const Session& session, const Model& model, const Model& source, const PlanRequest& request, std::stop_token cancel)
        : session_(session),
          model_(model),
          source_(source),
          request_(request),
          cancel_(std::move(cancel)),
          file_{nativePath(source.path), 0, 0, -1}
    {
        request_.planner.clear();
    }

    Expected<LaidPlan> run()
    {
        auto records = recordsOf(session_, source_, request_.function);
        if (!records) return std::move(records).error();
        records_ = *std::move(records);
        if (cancel_.stop_requested()) return cancelled();
        const auto entry = entryOf(model_, request_.function);
        if (!entry) return entry.error();
        program_ = entry->program;
        if (program_) request_.lowering.emplace_back("inplace", "off"); // in place is what the plan says is
        const auto lowered = session_.lowerNow(model_, request_);
        if (!lowered) return lowered.error();
        lowering_ = *lowered;
        if (cancel_.stop_requested()) return cancelled();

        auto matching = byName();
        if (!matching && source_.importer == QLatin1String(runtimeLogImporter)) matching = byOrder();
        if (!matching) matching = byShape();
        if (!matching) return another();
        for (const Match& match : matching->matches)
            if (const Bytes size = records_[match.record].size; !sizesAgree(match.target.bytes, size))
                return failure(Code::otherSize,
                               fmt::format("'{}' has {} bytes in the model, and {} in the plan",
                                           shownName(problem().buffers[at(match.target.buffer)].name),
                                           grouped(match.target.bytes), grouped(size)),
                               file_, "record the plan again with this model");
        return laid(*matching);
    }

private:
    [[nodiscard]] const Problem& problem() const { return lowering_->problem; }

    [[nodiscard]] Error cancelled() const
    {
        return failure(Code::cancelled, "comparing the plan with the model was cancelled", file_);
    }

    [[nodiscard]] Error another() const
    {
        return failure(Code::otherProblem,
                       fmt::format("it is no plan of {}: its {} are not found there, by their names, their order or their sizes "
                                   "and lifetimes",
                                   shownName(model_.name.toStdString()),
                                   counted(static_cast<std::int64_t>(records_.size()), "buffer")),
                       file_, "give the plan of this model");
    }

    [[nodiscard]] std::optional<Matching> byName() const
    {
        std::unordered_map<std::string, Named> known;
        std::set<std::string> twice;
        const auto add = [&](const std::string& name, const Named& named) {
            if (name.empty()) return;
            const auto [place, fresh] = known.emplace(name, named);
            if (!fresh && place->second.buffer != named.buffer) twice.insert(name);
        };
        for (std::size_t b = 0; b < problem().buffers.size(); ++b) {
            const Buffer& buffer = problem().buffers[b];
            const auto id = static_cast<BufferId>(b);
            if (!program_)
                for (const std::string& name : namesOf(problem(), *lowering_, nullptr, id)) add(name, {id, 0, buffer.size});
            else
                add(buffer.name, {id, 0, buffer.size});
        }
        if (program_)
            for (const FunctionInstance& instance : lowering_->instances)
                for (std::size_t t = 0; t < instance.bindings.size(); ++t) {
                    const TensorBinding& binding = instance.bindings[t];
                    const Tensor& tensor = program_->functions[at(instance.function)].tensors[t];
                    if (binding.buffer != none && tensor.bytes) add(tensor.name, {binding.buffer, binding.delta, *tensor.bytes});
                }
        Matching matching;
        for (std::size_t r = 0; r < records_.size(); ++r)
            for (const std::string& name : records_[r].names) {
                const auto found = known.find(name);
                if (found == known.end() || twice.contains(name)) continue;
                matching.matches.push_back({r, found->second});
                break;
            }
        if (2 * matching.matches.size() < records_.size() || matching.matches.empty()) return std::nullopt;
        return matching;
    }

    /// The model's buffers with bytes, in the order of their tensors.
    [[nodiscard]] std::vector<BufferId> inOrder() const
    {
        std::vector<BufferId> wanted;
        for (std::size_t b = 0; b < problem().buffers.size(); ++b)
            if (problem().buffers[b].size > 0) wanted.push_back(static_cast<BufferId>(b));
        if (program_) std::ranges::stable_sort(wanted, {}, [&](BufferId b) { return lowering_->origins[at(b)].tensor; });
        return wanted;
    }

    /// Tensors first, in the model's order; what comes after them is scratch.
    [[nodiscard]] std::optional<Matching> byOrder() const
    {
        const std::vector<BufferId> wanted = inOrder();
        if (wanted.empty() || records_.size() < wanted.size()) return std::nullopt;
        Matching matching;
        matching.by = MatchedBy::order;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const Bytes size = problem().buffers[at(wanted[i])].size;
            if (!sizesAgree(size, records_[i].size)) return std::nullopt;
            matching.matches.push_back({i, {wanted[i], 0, size}});
        }
        return matching;
    }

    /// Equal sizes with equal lifetimes, where clocks may begin at another step; else equal sizes in the order of first steps.
    [[nodiscard]] std::optional<Matching> byShape() const
    {
        const std::vector<BufferId> wanted = inOrder();
        if (wanted.empty() || wanted.size() != records_.size()) return std::nullopt;
        std::vector<std::size_t> records(records_.size());
        std::iota(records.begin(), records.end(), std::size_t{0});
        std::vector<BufferId> buffers = wanted;
        std::ranges::stable_sort(records, {}, [&](std::size_t r) {
            const Record& each = records_[r];
            return std::tuple(each.live.begin, each.live.end, alignUp(each.size, usualRounding));
        });
        std::ranges::stable_sort(buffers, {}, [&](BufferId b) {
            const Buffer& each = problem().buffers[at(b)];
            return std::tuple(each.hull().begin, each.hull().end, alignUp(each.size, usualRounding));
        });
        Matching matching;
        matching.by = MatchedBy::shape;
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            const Bytes size = problem().buffers[at(buffers[i])].size;
            if (!sizesAgree(size, records_[records[i]].size)) return std::nullopt;
            matching.matches.push_back({records[i], {buffers[i], 0, size}});
        }
        return matching;
    }

    Expected<LaidPlan> laid(const Matching& matching)
    {
        LaidPlan laid;
        laid.by = matching.by;
        laid.matched = matching.matches.size();
        laid.besides = records_.size() - laid.matched;
        auto run = std::make_shared<Run>();
        run->targetName = request_.target.name.toStdString();
        run->program = program_;
        auto lowering = std::make_shared<Lowering>(*lowering_);
        run->plan.planner = source_.filePlans.front().name;
        run->plan.placements.resize(problem().buffers.size());
        for (const Match& match : matching.matches) {
            Placement& place = run->plan.placements[at(match.target.buffer)];
            const Record& record = records_[match.record];
            const Bytes offset = record.offset - match.target.delta;
            if (!place.placed()) {
                place = placed(lowering->problem, match.target.buffer, record);
                place.offset = offset;
            } else if (place.offset != offset)
                laid.diagnostics.push_back(
                    {Severity::warning,
                     Code::notPlaced,
                     fmt::format("'{}' is part of '{}' in the model, and lies apart from it in the plan: at {}, not at {}",
                                 shownName(record.names.front()), shownName(problem().buffers[at(match.target.buffer)].name),
                                 hex(record.offset), hex(place.offset + match.target.delta)),
                     file_,
                     {}});
        }
        laid.aliases = allowAliases(*lowering, run->plan);
        if (laid.aliases > 0) lowering->fingerprint.aliases = static_cast<std::int64_t>(laid.aliases);
        if (laid.besides > 0) addScratch(matching, *lowering, *run, laid.diagnostics);
        run->lowering = std::move(lowering);
        completed(*run, laid.diagnostics);
        if (cancel_.stop_requested()) return cancelled();
        run->plan.diagnostics = laid.diagnostics;
        run->report = evaluate(*run);
        for (const FilePlan& plan : source_.filePlans)
            for (const auto& [pool, size] : plan.sizes)
                for (PoolReport& report : run->report.pools)
                    if (run->problem().pools[at(report.pool)].name == pool || run->problem().pools.size() == 1)
                        report.size = std::max(report.size, size);
        laid.run = std::move(run);
        return laid;
    }

    [[nodiscard]] static Placement placed(const Problem& problem, BufferId buffer, const Record& record)
    {
        const auto candidates = problem.candidates(problem.buffers[at(buffer)]);
        Placement place;
        place.pool = candidates.empty() ? 0 : candidates.front();
        for (const PoolId pool : candidates)
            if (problem.pools[at(pool)].name == record.pool) place.pool = pool;
        place.offset = record.offset;
        return place;
    }

    /// Pairs of buffers that are the same bytes in the model: a view and what it looks at; an output that may be written over an
    /// input which nothing reads afterwards.
    std::size_t allowAliases(Lowering& lowering, const Plan& plan) const
    {
        if (!program_) return 0;
        std::set<std::pair<BufferId, BufferId>> pairs;
        const auto together = [&](const TensorBinding& a, const TensorBinding& b, Bytes apart) {
            if (a.buffer == none || b.buffer == none || a.buffer == b.buffer) return false;
            const Placement& first = plan.placements[at(a.buffer)];
            const Placement& second = plan.placements[at(b.buffer)];
            return first.placed() && second.placed() && first.pool == second.pool &&
                   first.offset + a.delta + apart == second.offset + b.delta && conflict(lowering.problem, a.buffer, b.buffer);
        };
        for (const FunctionInstance& instance : lowering.instances) {
            const Function& function = program_->functions[at(instance.function)];
            std::map<TensorId, std::vector<std::pair<TensorId, Bytes>>> views; // by what they look at in the end
            for (std::size_t t = 0; t < function.tensors.size(); ++t) {
                TensorId root = static_cast<TensorId>(t);
                Bytes from = 0;
                while (function.tensors[at(root)].aliasOf != none) {
                    from += function.tensors[at(root)].aliasOffset;
                    root = function.tensors[at(root)].aliasOf;
                }
                views[root].emplace_back(static_cast<TensorId>(t), from);
            }
            for (const auto& [root, members] : views)
                for (std::size_t i = 0; i < members.size() && !cancel_.stop_requested(); ++i)
                    for (std::size_t j = i + 1; j < members.size(); ++j) {
                        const TensorBinding& a = instance.bindings[at(members[i].first)];
                        const TensorBinding& b = instance.bindings[at(members[j].first)];
                        if (together(a, b, members[j].second - members[i].second)) pairs.insert(std::minmax(a.buffer, b.buffer));
                    }
            for (const Op& op : function.ops)
                for (const InPlace& pair : op.inPlace) {
                    const TensorBinding& in = instance.bindings[at(pair.input)];
                    const TensorBinding& out = instance.bindings[at(pair.output)];
                    if (!together(in, out, 0)) continue;
                    // Both are live at the step of the op, and at no other.
                    const Interval before = lowering.problem.buffers[at(in.buffer)].hull();
                    const Interval after = lowering.problem.buffers[at(out.buffer)].hull();
                    if (before.end <= after.begin + 1) pairs.insert(std::minmax(in.buffer, out.buffer));
                }
        }
        for (const auto& [a, b] : pairs)
            for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
                RareList<BufferId>& list = lowering.problem.buffers[at(from)].mayShare;
                const auto place = std::ranges::lower_bound(list, to);
                if (place == list.end() || *place != to) list.insert(place, to);
            }
        return pairs.size();
    }

    /// What a runtime's log has beyond the tensors is the scratch of its kernels: it is part of the problem then. Of other files
    /// it is left out, as their steps are not the model's.
    void addScratch(const Matching& matching, Lowering& lowering, Run& run, Diagnostics& told) const
    {
        std::vector<bool> found(records_.size(), false);
        for (const Match& match : matching.matches) found[match.record] = true;
        const bool log = source_.importer == QLatin1String(runtimeLogImporter) && matching.by == MatchedBy::order;
        if (!log) {
            std::string names;
            for (std::size_t r = 0; r < records_.size() && names.size() < 80; ++r)
                if (!found[r]) names += (names.empty() ? "" : ", ") + shownName(records_[r].names.front());
            told.push_back({Severity::note,
                            Code::notPlaced,
                            fmt::format("{} of the plan {} no tensors of the model, and left out: {}",
                                        counted(std::ranges::count(found, false), "buffer"),
                                        std::ranges::count(found, false) == 1 ? "is" : "are", names),
                            file_,
                            {}});
            return;
        }
        Run tensors = run;
        tensors.lowering = std::make_shared<const Lowering>(lowering);
        const std::vector<Interval> steps = stepsOfTimes(tensors);
        const auto inside = [&](Step time) { return std::clamp<Step>(time, 0, static_cast<Step>(steps.size()) - 1); };
        std::set<std::string> names;
        for (const Buffer& buffer : lowering.problem.buffers) names.insert(buffer.name);
        for (std::size_t r = 0; r < records_.size(); ++r) {
            if (found[r]) continue;
            const Record& record = records_[r];
            Buffer scratch;
            scratch.name = "scratch " + record.names.front();
            while (!names.insert(scratch.name).second) scratch.name += '\'';
            scratch.size = record.size;
            scratch.alignment = usualRounding;
            scratch.live = {{steps[at(inside(record.live.begin))].begin, steps[at(inside(record.live.end - 1))].end}};
            lowering.problem.buffers.push_back(std::move(scratch));
            run.plan.placements.push_back(
                placed(lowering.problem, static_cast<BufferId>(lowering.problem.buffers.size()) - 1, record));
        }
        // No part of the program: what leads from buffers back to tensors would be wrong for them.
        run.program = nullptr;
        lowering.instances.clear();
        lowering.origins.clear();
        lowering.steps.clear();
        lowering.fingerprint.withScratch = true;
    }

    /// What the plan does not place goes round the rest.
    void completed(Run& run, Diagnostics& told) const
    {
        const Problem& whole = run.problem();
        std::size_t free = 0;
        Problem rest = whole;
        for (std::size_t b = 0; b < whole.buffers.size(); ++b) {
            const Placement& place = run.plan.placements[b];
            free += !place.placed() && whole.buffers[b].size > 0;
            if (!place.placed()) continue;
            rest.buffers[b].pin = place.offset;
            rest.buffers[b].pools = {place.pool};
        }
        const auto filler = session_.planners().find("greedy-by-size");
        if (free == 0 || !filler) return;
        PlanContext context;
        context.cancel = cancel_;
        const auto filled = filler->plan(rest, {}, context);
        if (!filled || filled->placements.size() != run.plan.placements.size()) return;
        for (std::size_t b = 0; b < whole.buffers.size(); ++b)
            if (!run.plan.placements[b].placed()) run.plan.placements[b] = filled->placements[b];
        told.push_back({Severity::note,
                        Code::filePlanCompleted,
                        fmt::format("the file places {} of {} buffers; {} placed the other {} around them",
                                    whole.buffers.size() - free, whole.buffers.size(), filler->info().name, free),
                        {},
                        {}});
    }

    const Session& session_;
    const Model& model_;
    const Model& source_;
    PlanRequest request_;
    std::stop_token cancel_;
    Position file_;
    std::vector<Record> records_;
    std::shared_ptr<const Program> program_;
    std::shared_ptr<const Lowering> lowering_;
};

} // namespace

std::string_view toText(MatchedBy by)
{
    static constexpr std::array<std::string_view, 4> words{"place", "name", "order", "shape"};
    return words[static_cast<std::size_t>(by)];
}

std::string describe(const LaidPlan& laid)
{
    std::string text =
        fmt::format("{} matched by {}", counted(static_cast<std::int64_t>(laid.matched), "tensor"), toText(laid.by));
    if (laid.besides > 0) text += ", " + counted(static_cast<std::int64_t>(laid.besides), "more buffer");
    if (laid.aliases > 0) text += fmt::format(", {} alias{}", laid.aliases, laid.aliases == 1 ? "" : "es");
    return text;
}

Expected<LaidPlan> layBeside(const Session& session, const Model& model, const Model& source, const PlanRequest& request,
                             const std::stop_token& cancel)
{
    if (source.importer == QLatin1String(kernelImporter)) {
        auto run = foreignRun(model, source, request);
        if (!run) return std::move(run).error();
        LaidPlan laid;
        laid.by = MatchedBy::place;
        laid.matched = static_cast<std::size_t>(
            std::ranges::count_if((*run)->plan.placements, [](const Placement& place) { return place.placed(); }));
        laid.run = *std::move(run);
        return laid;
    }
    return Layer(session, model, source, request, cancel).run();
}

std::vector<Interval> stepsOfTimes(const Run& run)
{
    std::vector<Interval> steps;
    const Step horizon = std::max<Step>(run.problem().horizon(), static_cast<Step>(run.lowering->steps.size()));
    for (Step step = 0; step < horizon; ++step) {
        const StepInfo* info = at(step) < run.lowering->steps.size() ? &run.lowering->steps[at(step)] : nullptr;
        const bool leaves = info && info->op != none && run.program &&
                            run.program->functions[at(info->function)].ops[at(info->op)].kind == "leave";
        if (leaves && !steps.empty())
            steps.back().end = step + 1;
        else
            steps.push_back({step, step + 1});
    }
    if (steps.empty()) steps.push_back({0, 1});
    return steps;
}

} // namespace stowage
