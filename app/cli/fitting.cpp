#include "app/cli/fitting.h"

#include "app/cli/planned.h"
#include "app/cli/rewriting.h"
#include "app/session/native_path.h"
#include "app/session/verdicts.h"
#include "core/ir/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace stowage::cli {

std::variant<Fitted, int> fitInput(const Environment& environment, const InputOptions& input, const PlanningOptions& planning,
                                   const std::string& log)
{
    const auto fail = [&](const Error& error) { return environment.fail(error); };
    // Read as for the pass that writes the plan: all graphs of a .tflite in one arena.
    const auto model = readForPass(environment, input, input.inputs().front(), planMemory);
    if (!model) return int(badInput);
    const std::vector<std::string> functions = Session::functions(*model);
    if (functions.size() > 1)
        return fail(failure(Code::severalFunctions, fmt::format("the input has {} functions", functions.size()),
                            {nativePath(model->path), 0, 0, -1}, "choose one with --function NAME"));
    const auto request = planning.request(environment, *model, functions.front());
    if (!request) return fail(request.error());
    std::optional<Model> recorded;
    if (!log.empty()) {
        if (runtimeOf(*model, request->target) != Runtime::tflm)
            return fail(usage("--log is a log of TensorFlow Lite Micro, and the input is not for it",
                              "give a .tflite file, or a target with \"runtime\": \"tflm\""));
        auto read = environment.session.read(pathFromNative(log), {}, environment.interrupt);
        if (!read) return fail(read.error());
        environment.say(read->diagnostics);
        recorded = *std::move(read);
    }
    auto made = fit(environment.session, *model, *request, recorded ? &*recorded : nullptr, environment.interrupt);
    if (!made) return failPlanning(environment, made.error());
    return Fitted{*std::move(made), *model};
}

std::variant<std::string, int> planBesideScratch(const Environment& environment, const InputOptions& input,
                                                 const PlanningOptions& planning, const std::string& log)
{
    const auto result = fitInput(environment, input, planning, log);
    if (const int* status = std::get_if<int>(&result)) return *status;
    const auto& fitted = std::get<Fitted>(result);
    const auto row = std::ranges::find(fitted.fit.rows, "offline", &FitRow::planner);
    if (row == fitted.fit.rows.end() || !fitted.fit.plan)
        return environment.fail(usage("--log needs an input for TensorFlow Lite Micro", "give a .tflite file"));
    if (!row->fits.value_or(true)) {
        environment.note(fmt::format("{}: a plan in the file needs {} B, and the capacity is {} B",
                                     verdictWord(VerdictKind::doesNotFit), grouped(row->arena),
                                     grouped(fitted.fit.capacity.value_or(0))));
        return answerIsNo;
    }
    const auto rewritten =
        environment.session.rewrite(fitted.model, planMemory, {}, std::span(&fitted.fit.plan, 1), environment.interrupt);
    if (!rewritten) return environment.fail(rewritten.error());
    environment.say(rewritten->diagnostics);
    return rewritten->text;
}

} // namespace stowage::cli
