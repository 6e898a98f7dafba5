#include "app/session/report_facts.h"

#include "app/session/again_command.h"
#include "app/session/build_id.h"
#include "app/session/comparison_limit.h"
#include "app/session/levers.h"
#include "app/session/native_path.h"
#include "app/session/regress/suite_run.h"
#include "core/explain/counterfactual.h"
#include "core/explain/ranking.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace stowage {

namespace {

constexpr std::size_t tooManyBuffers = 100'000; ///< for the search for changes

void describeFile(const Model& model, ReportFacts& facts)
{
    facts.model = QFileInfo(model.path).fileName().toStdString();
    if (facts.model.empty() || facts.model == "-") facts.model = model.name.toStdString();
    facts.importer = model.importer.toStdString();
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!model.bytes.isEmpty()) {
        hash.addData(model.bytes);
        facts.fileBytes = model.bytes.size();
    } else if (QFile file(model.path); isUtf8Path(model.path) && file.open(QIODevice::ReadOnly) && hash.addData(&file)) {
        facts.fileBytes = file.size();
    } else {
        return;
    }
    facts.sha256 = hash.result().toHex().toStdString();
}

/// Ends with the `count` changes that save most; of equal ones the first.
void keepBest(std::vector<ReportChange>& changes, std::size_t count)
{
    std::ranges::stable_sort(changes, std::ranges::greater(), &ReportChange::saved);
    if (changes.size() > count) changes.resize(count);
}

void findChanges(const Session& session, const Model& model, const ReportWish& wish, ReportFacts& facts,
                 const std::stop_token& cancel)
{
    const Run& run = *facts.run;
    if (wish.changes == 0) return;
    if (run.problem().buffers.size() > tooManyBuffers) {
        facts.noChanges = fmt::format("not looked for: the problem has more than {} buffers", tooManyBuffers);
        return;
    }
    if (!run.report.verdict.valid()) {
        facts.noChanges = "not looked for: the plan is not valid";
        return;
    }
    const Levers levers = findLevers(session, model, facts.request, run, cancel);
    for (const LeverKind kind : levers.tried) facts.tried.emplace_back(nameOf(kind));
    for (const Lever& lever : levers.found)
        facts.changes.push_back({describeForCommandLine(lever), lever.size, levers.unchanged - lever.size, lever.smallest, true});
    // The memory that lacks most, else the largest one.
    const auto worst = std::max_element(run.report.pools.begin(), run.report.pools.end(), [](const auto& a, const auto& b) {
        return a.excess != b.excess ? a.excess < b.excess : a.size < b.size;
    });
    if (worst == run.report.pools.end() || worst->size == 0) return;
    facts.changesOf = worst->pool;
    CounterfactualLimits limits;
    limits.cancel = cancel;
    limits.run = &run;
    const RankedChanges ranked = bestSingleChanges(run.problem(), run.plan, worst->pool, limits);
    for (const Counterfactual& one : ranked.changes) {
        const BufferId changed = one.change.buffer;
        if (one.size >= ranked.unchanged) continue;
        // The weights of a trained model are what they are.
        if (changed != none && run.problem().buffers[at(changed)].kind == BufferKind::constant) continue;
        facts.changes.push_back(
            {describe(run.problem(), one.change), one.size, ranked.unchanged - one.size, one.smallest, false});
    }
}

} // namespace

Expected<ReportFacts> gatherReport(const Session& session, const Model& model, const ReportWish& wish,
                                   const std::stop_token& cancel)
{
    const auto tell = [&](const std::string& what) {
        if (wish.progress) wish.progress(what);
    };
    ReportFacts facts;
    describeFile(model, facts);
    facts.request = wish.request;
    if (Session::functions(model).size() > 1) facts.function = Session::functionOf(model, wish.request);
    facts.run = wish.run;
    if (!facts.run) {
        tell("planner " + facts.request.planner);
        auto run = session.planNow(model, facts.request, cancel);
        if (!run) return std::move(run).error();
        facts.run = *std::move(run);
    }
    facts.planners = wish.planned;
    const auto known = [&](const std::string& name) {
        return std::ranges::any_of(facts.planners, [&](const ReportPlanner& one) { return one.name == name; });
    };
    if (!known(facts.request.planner)) facts.planners.push_back({facts.request.planner, facts.run, {}});
    for (const auto& [name, options] : wish.planners) {
        if (cancel.stop_requested()) break;
        if (known(name)) continue;
        PlanRequest request = facts.request;
        request.planner = name.substr(0, name.find(':'));
        request.options = options;
        tell("planner " + name);
        auto run = session.planNow(model, limitedForComparison(session, model, std::move(request)), cancel);
        facts.planners.push_back({name, run ? *run : nullptr, run ? std::string() : run.error().message});
    }
    std::stable_sort(facts.planners.begin(), facts.planners.end(), [](const ReportPlanner& a, const ReportPlanner& b) {
        if (!a.run || !b.run) return a.run && !b.run;
        return ranksBefore(*a.run, *b.run);
    });
    tell("changes");
    findChanges(session, model, wish, facts, cancel);
    keepBest(facts.changes, wish.changes);
    facts.revision = revisionOf(*facts.run, facts.model);
    if (wish.baseline) {
        facts.baseline = wish.baseline;
        facts.difference = difference(*wish.baseline, facts.revision);
    }
    facts.fingerprint = planFingerprint(*facts.run);
    facts.version = programVersion();
    facts.build = buildId();
    facts.command = againCommand(session, model, facts.request, *facts.run, facts.model,
                                 facts.function.empty() ? model.options.function.toStdString() : facts.function);
    return facts;
}

} // namespace stowage
