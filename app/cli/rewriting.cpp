#include "app/cli/rewriting.h"

#include "app/cli/planned.h"
#include "app/session/native_path.h"
#include "core/io/text.h"
#include "core/plan/planned_program.h"
#include "plugins/host/plugin_host.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::cli {

namespace {

const PassInfo* findPass(const Environment& environment, const std::string& importer, const std::string& pass)
{
    const RewriterInfo* rewriter = environment.session.plugins().rewriter(importer);
    if (!rewriter) return nullptr;
    const auto found = std::ranges::find_if(rewriter->passes, [&](const PassInfo& each) { return each.name == pass; });
    return found == rewriter->passes.end() ? nullptr : &*found;
}

} // namespace

std::optional<Model> readForPass(const Environment& environment, const InputOptions& input, const std::string& path,
                                 const std::string& pass)
{
    return input.read(environment, path, [&](const Model& model) {
        const PassInfo* const info = findPass(environment, model.importer.toStdString(), pass);
        return info ? info->import : OptionValues{};
    });
}

std::optional<Error> passObstacle(const Environment& environment, const Model& model, const std::string& pass)
{
    const std::string importer = model.importer.toStdString();
    if (findPass(environment, importer, pass)) return std::nullopt;
    const Position where{nativePath(model.path), 0, 0, -1};
    std::string names;
    if (const RewriterInfo* rewriter = environment.session.plugins().rewriter(importer)) {
        for (const PassInfo& each : rewriter->passes) names += (names.empty() ? "" : ", ") + each.name;
        return failure(Code::unknownPass, fmt::format("files of the importer '{}' have no pass '{}'", importer, pass), where,
                       fmt::format("its passes are: {}", names));
    }
    for (const PluginRow& row : environment.session.plugins().rows())
        if (row.state == PluginState::usable)
            for (const RewriterInfo& info : row.rewriters) names += info.importer + ", ";
    return failure(Code::noRewriter, fmt::format("files of the importer '{}' cannot be rewritten", importer), where,
                   fmt::format("those of {}program can; 'convert --planned' writes any input as a program with its plan", names));
}

std::variant<std::string, int> planIntoFile(const Environment& environment, const Model& model, const std::string& pass,
                                            PlanningOptions& planning)
{
    const std::string importer = model.importer.toStdString();
    const bool native = importer == "program";
    OptionValues options;
    if (const PassInfo* const info = findPass(environment, importer, pass)) {
        auto taken = planning.takeOptions(info->options);
        if (!taken) return environment.fail(taken.error());
        options = *std::move(taken);
        planning.setDefaultPlanner(info->planner);
        if (info->alignment > 0) planning.setDefaultAlignment(info->alignment);
    }
    if (native && pass != planMemory)
        return environment.fail(failure(Code::unknownPass, fmt::format("program files have no pass \"{}\"", pass), {},
                                        "their passes are plan-memory and constant-fold"));
    if (!native) // checked before a long planning
        if (const auto error = passObstacle(environment, model, pass)) return environment.fail(*error);

    std::optional<Error> failedRun;
    const auto planned = planFunctions(environment, model, planning, &failedRun);
    if (planned.empty()) return failedRun ? answerIsNo : badInput;
    std::vector<std::shared_ptr<const Run>> runs;
    for (const FunctionRun& each : planned) {
        if (!isYes(verdictKind(*each.run))) {
            environment.note(each.function.empty() ? verdictLine(*each.run)
                                                   : fmt::format("{}: {}", each.function, verdictLine(*each.run)));
            return exitStatusOf(*each.run);
        }
        runs.push_back(each.run);
    }
    if (native) {
        if (runs.size() > 1)
            return environment.fail(failure(Code::severalFunctions, fmt::format("the input has {} functions", runs.size()), {},
                                            "choose one with --function NAME"));
        if (const auto error = notSaidByOffsets(*runs.front(), true)) return environment.fail(*error);
        if (const auto told = slotsNotSaid(*runs.front(), true)) environment.say({*told});
        return io::writeProgramJson(plannedProgram(*runs.front()));
    }
    auto rewritten = environment.session.rewrite(model, pass, options, runs, environment.interrupt);
    if (!rewritten) return environment.fail(rewritten.error());
    environment.say(rewritten->diagnostics);
    return std::move(rewritten->text);
}

} // namespace stowage::cli
