#include "app/desktop/workspace/plannings.h"

#include "app/session/run_order.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace stowage {

Plannings::Plannings(Session& session, const OpenModels& models, ModelEdits& edits, const PlannerChoice& planners,
                     QObject* parent)
    : QObject(parent), session_(session), models_(models), edits_(edits), planners_(planners)
{
}

// --- to plan -----------------------------------------------------------------------------------------------------------

PlanRequest Plannings::request(const std::string& planner) const
{
    return requestOf(models_.current(), planner);
}

PlanRequest Plannings::requestOf(int model, const std::string& planner) const
{
    PlanRequest request;
    request.model = model;
    request.planner = planner;
    request.options = planners_.options(planner);
    edits_.setupOf(model).writeTo(request);
    request.seed = planners_.seed();
    if (const auto found = session_.planners().find(planner); found && found->info().anytime)
        request.timeLimitSeconds = planners_.timeLimitSeconds();
    return request;
}

int Plannings::start(PlanRequest wanted, bool record)
{
    wanted.record = record || wanted.planner == kernelPlanner; // its steps tell what was rolled back
    for (const auto& [job, known] : requests_)
        if (sameRequest(known, wanted) && known.record >= wanted.record) return job; // under way already
    if (jobs_.empty()) {
        batch_.start();
        batchSize_ = 0;
    }
    dropFailures(wanted.model, wanted.planner);
    ++batchSize_;
    // A request does not tell programs apart: a search of an old one stays until its run has come.
    std::erase_if(searches_, [&](const Search& search) {
        return search.given && !search.ofOldProgram && sameRequest(search.request, wanted);
    });
    const int id = session_.plan(wanted);
    searches_.push_back({id, wanted, 0, false, false, false, {}});
    requests_[id] = wanted;
    if (!jobs_.contains(id)) {
        JobStatus status;
        status.id = id;
        status.model = wanted.model;
        status.planner = wanted.planner;
        jobs_[id] = status;
    }
    return id;
}

void Plannings::plan()
{
    planWith(models_.current(), planners_.tickedPlanners());
}

void Plannings::plan(int model)
{
    std::vector<std::string> planners = planners_.tickedPlanners(model);
    if (planners.empty()) planners.push_back(session_.defaultPlanner());
    planWith(model, planners);
}

void Plannings::planWith(int model, const std::vector<std::string>& planners)
{
    if (!model) return;
    dropFailures(model, {});
    for (const std::string& planner : planners) {
        const int job = start(requestOf(model, planner));
        if (planners.size() == 1 && model == models_.current()) Q_EMIT askedAlone(job);
    }
    Q_EMIT changed();
}

void Plannings::planOnly(const std::string& planner, bool follow)
{
    if (models_.current()) planOnly(request(planner), follow);
}

void Plannings::planOnly(PlanRequest wanted, bool follow)
{
    if (!models_.current()) return;
    const int job = start(std::move(wanted));
    if (follow) Q_EMIT askedAlone(job);
    Q_EMIT changed();
}

void Plannings::planRecorded(const std::string& planner)
{
    if (!models_.current()) return;
    start(request(planner), true);
    Q_EMIT changed();
}

void Plannings::cancel()
{
    session_.cancelAll();
}

void Plannings::cancelOf(int model)
{
    std::vector<int> own; // a job that is cancelled leaves `jobs_` at once
    for (const auto& [job, status] : jobs_)
        if (status.model == model) own.push_back(job);
    for (const int job : own) session_.cancel(job);
}

void Plannings::drop(int model)
{
    for (Search& search : searches_)
        if (!search.run && search.request.model == model) search.ofOldProgram = true;
    cancelOf(model);
}

void Plannings::leaveOldSetups(int model)
{
    std::vector<int> old;
    for (Search& search : searches_) {
        if (search.run || search.request.model != model) continue;
        search.unwanted = !edits_.setupOf(model).isOf(search.request);
        if (search.unwanted && !search.given) old.push_back(search.job);
    }
    for (const int job : old) session_.cancel(job);
}

void Plannings::dropLeftRuns()
{
    std::vector<int> dropped;
    for (const auto& [model, old] : edits_.takeLeft())
        for (const RunEntry& entry : session_.runs())
            if (entry.model == model && old.isOf(entry.request)) dropped.push_back(entry.id);
    for (const int run : dropped) session_.removeRun(run);
}

// --- under way ---------------------------------------------------------------------------------------------------------

double Plannings::progress() const
{
    if (jobs_.empty() || batchSize_ == 0) return 1;
    double done = double(batchSize_ - std::min(batchSize_, jobs_.size()));
    for (const auto& [id, status] : jobs_) {
        const auto request = requests_.find(id);
        const double limit = request == requests_.end() ? 0 : request->second.timeLimitSeconds * 1000;
        if (limit > 0) done += std::min(1.0, status.elapsedMs / limit);
    }
    return done / double(batchSize_);
}

QString Plannings::progressText(const NumberFormat& numbers) const
{
    const auto running = std::ranges::find_if(jobs_, [](const auto& job) { return job.second.state == JobState::running; });
    if (running == jobs_.end()) return tr("%1 waiting").arg(countedText(std::int64_t(jobs_.size()), tr("planner")));
    const JobStatus& status = running->second;
    QString text = QStringLiteral("%1, %2").arg(QString::fromStdString(status.planner), durationText(status.elapsedMs));
    if (status.best > 0) text += tr(", best %1").arg(bytesText(status.best, numbers));
    if (status.bound > 0) text += tr(", bound %1").arg(bytesText(status.bound, numbers));
    if (jobs_.size() > 1) text += tr(", %1 more").arg(jobs_.size() - 1);
    return text;
}

bool Plannings::follow(const JobStatus& status)
{
    const auto search = std::ranges::find(searches_, status.id, &Search::job);
    if (status.state == JobState::queued || status.state == JobState::running) {
        jobs_[status.id] = status;
        constexpr std::size_t maxSamples = 50'000;
        if (search != searches_.end() && status.best > 0 && search->samples.size() < maxSamples) {
            const SearchSample sample{status.elapsedMs, status.work, status.best, status.bound};
            if (search->samples.empty() || search->samples.back() != sample) search->samples.push_back(sample);
        }
        return false;
    }
    jobs_.erase(status.id);
    requests_.erase(status.id);
    if (search != searches_.end()) {
        if (status.state == JobState::cancelled)
            search->given = true;
        else if (!search->run)
            searches_.erase(search);
    }
    Q_EMIT ended(status.id);
    if (status.state == JobState::failed && status.error) {
        failures_.push_back({status.model, status.planner, *status.error});
        Q_EMIT failuresChanged();
        Q_EMIT noticed({tr("%1 did not plan").arg(QString::fromStdString(status.planner)), *status.error, {}, {}, {}});
    }
    if (!jobs_.empty()) return false;
    dropLeftRuns();
    batchMs_ = double(batch_.nsecsElapsed()) / 1e6;
    return true;
}

bool Plannings::take(const RunEntry& added, int job)
{
    const auto search = job ? std::ranges::find(searches_, job, &Search::job) : searches_.end();
    if (search == searches_.end()) return true;
    if (search->unwanted || search->ofOldProgram) {
        searches_.erase(search);
        session_.removeRun(added.id);
        return false;
    }
    search->run = added.id;
    const Report& report = added.run->report;
    // The clock of a job runs before and after its planner's: the course ends when the planner ended.
    for (SearchSample& sample : search->samples) sample.ms = std::min(sample.ms, added.run->elapsedMs);
    search->samples.push_back(
        {added.run->elapsedMs,
         std::max(added.run->plan.work, search->samples.empty() ? std::uint64_t{0} : search->samples.back().work),
         report.totalSize(), report.totalBound()});
    return true;
}

void Plannings::forgetRun(int run)
{
    std::erase_if(searches_, [run](const Search& search) { return search.run == run; });
}

std::vector<PlanFailure> Plannings::failuresOf(int model) const
{
    std::vector<PlanFailure> own;
    std::ranges::copy_if(failures_, std::back_inserter(own), [model](const PlanFailure& each) { return each.model == model; });
    return own;
}

void Plannings::dropFailures(int model, const std::string& planner)
{
    const auto old = [&](const PlanFailure& each) { return each.model == model && (planner.empty() || each.planner == planner); };
    if (std::erase_if(failures_, old) > 0) Q_EMIT failuresChanged();
}

// --- how a search goes -------------------------------------------------------------------------------------------------

std::string Plannings::searching(const std::string& preferred) const
{
    const Search* found = nullptr;
    for (const Search& search : searches_) {
        if (search.run || search.given || search.request.model != models_.current() || search.samples.empty()) continue;
        if (!found || (!preferred.empty() && search.request.planner == preferred)) found = &search;
    }
    return found ? found->request.planner : std::string();
}

const std::vector<SearchSample>* Plannings::search(int run, const std::string& planner) const
{
    if (!run && planner.empty()) return nullptr;
    for (const Search& search : searches_) {
        if (search.samples.empty() || search.request.model != models_.current()) continue;
        if (run ? search.run == run : !search.run && !search.given && search.request.planner == planner) return &search.samples;
    }
    return nullptr;
}

} // namespace stowage
