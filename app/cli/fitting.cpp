#include "app/cli/fitting.h"

#include "app/cli/rewriting.h"
#include "app/session/native_path.h"

#include <fmt/format.h>

namespace stowage::cli {

std::optional<Fitted> fitInput(const Environment& environment, const InputOptions& input, const PlanningOptions& planning,
                               const std::string& log)
{
    const auto fail = [&](const Error& error) {
        environment.fail(error);
        return std::nullopt;
    };
    // As the pass that writes the plan reads it: all graphs of a .tflite in one arena.
    const auto model = readForPass(environment, input, input.inputs().front(), planMemory);
    if (!model) return std::nullopt;
    const std::vector<std::string> functions = Session::functions(*model);
    if (functions.size() > 1)
        return fail(failure(Code::severalFunctions, fmt::format("the input has {} functions", functions.size()),
                            {model->path.toStdString(), 0, 0, -1}, "choose one with --function NAME"));
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
    if (!made) return fail(made.error());
    return Fitted{*std::move(made), *model};
}

} // namespace stowage::cli
