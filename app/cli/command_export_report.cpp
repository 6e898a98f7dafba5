#include "app/cli/command_export_report.h"

#include "app/canvas/report/html_report.h"
#include "app/cli/plan_file.h"
#include "app/session/report_facts.h"

#include <QDateTime>

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace stowage::cli {

void ReportOptions::declare(Arguments& app)
{
    app.option("--baseline", baseline_, "report: show the differences to this earlier plan (plan JSON) or revision of the model")
        .typeName("FILE");
    app.flag("--no-date", noDate_, "report: leave out date and measured times, so that the same input gives the same bytes");
    app.option("--changes", changes_, "report: maximum number of suggested changes; 0: none").typeName("N").showDefault().rare();
}

int ReportOptions::run(const Environment& environment, const InputOptions& input, const PlanningOptions& planning,
                       const std::string& file) const
{
    const auto planners = planning.planners(environment.session);
    if (!planners) return environment.fail(planners.error());
    if (!baseline_.empty() && input.inputs().size() > 1)
        return environment.fail(usage("--baseline applies to one input", "write one report for each input"));
    std::optional<EarlierInput> earlier;
    if (!baseline_.empty()) {
        auto read = readEarlier(environment, input, baseline_);
        if (!read) return environment.fail(read.error());
        earlier = *std::move(read);
    }
    std::vector<ReportFacts> facts;
    int status = done;
    for (const std::string& path : input.inputs()) {
        const auto model = input.read(environment, path);
        if (!model) return badInput;
        const std::vector<std::string> functions = Session::functions(*model);
        std::size_t added = 0; // functions that the earlier file lacks; if it lacks all, it is not of this model
        for (const std::string& function : functions) {
            auto request = planning.request(environment, *model, function);
            if (!request) return environment.fail(request.error());
            ReportWish wish;
            wish.request = *request;
            wish.changes = changes_;
            for (const std::string& name : *planners) {
                const auto planner = environment.session.planners().find(PlanningOptions::nameIn(name));
                wish.planners.emplace_back(name, planning.optionsOf(planner->info(), name));
            }
            if (earlier) {
                auto baseline = earlierRevision(environment, planning, *model, *request, *earlier);
                if (baseline) {
                    wish.baseline = *std::move(baseline);
                } else {
                    if (baseline.error().code != Code::noSuchFunction || ++added == functions.size())
                        return environment.fail(baseline.error());
                    environment.note(fmt::format("{} is new: the earlier file has no function of this name", function));
                }
            }
            auto found = gatherReport(environment.session, *model, wish, environment.interrupt);
            if (!found) return environment.fail(found.error());
            if (environment.interrupt.stop_requested()) return interrupted;
            environment.say(found->run->lowering->diagnostics);
            environment.note(fmt::format("{}: {}", path, verdictLine(*found->run)));
            if (const int now = exitStatusOf(*found->run); now == answerIsNo || status == done) status = now;
            facts.push_back(*std::move(found));
        }
    }
    HtmlReportOptions options;
    if (!noDate_) options.date = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-dd hh:mm 'UTC'")).toStdString();
    const int written = writeFile(environment, file, writeHtmlReport(facts, options));
    return written == done ? status : written;
}

} // namespace stowage::cli
