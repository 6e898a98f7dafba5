// rewrite INPUT --pass PASS: the file given back, with what a pass has done to it in place and all else as it was.
#include "app/cli/commands.h"
#include "app/cli/fold_flags.h"
#include "app/cli/output.h"
#include "app/cli/planned.h"
#include "core/io/text.h"
#include "core/plan/planned_program.h"
#include "plugins/host/plugin_host.h"

#include <fmt/format.h>

namespace stowage::cli {

namespace {

constexpr auto planMemory = "plan-memory";
constexpr auto constantFold = "constant-fold";

class RewriteCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "rewrite"; }
    [[nodiscard]] std::string summary() const override
    {
        return "the file given back, with its plan in it and all else as it was";
    }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"rewrite model.tir --pass plan-memory -o planned.tir",
                "rewrite model.program.json --pass plan-memory --planner greedy-by-size -o planned.program.json",
                "rewrite model.mlir --pass constant-fold --mode split -o folded.mlir"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        app.option("--pass", pass_,
                   "plan-memory: allocations become offsets into the memories, and options of the pass are given with --option, "
                   "too; constant-fold: ops on constant tensors run once, as 'fold' does it")
            .required()
            .typeName("PASS");
        folding_.declare(app);
        planning_.declare(app, PlanningOptions::onePlanner);
        output_.declare(app, {});
    }

    int run(const Environment& environment) override
    {
        const auto model = input_.read(environment);
        if (!model) return badInput;
        const std::string importer = model->importer.toStdString();
        if (pass_ == constantFold) return fold(environment, *model);
        if (!folding_.given().empty())
            return environment.fail(failure(
                Code::usage, fmt::format("{} is an option of the pass constant-fold", folding_.given()), {}, "leave it out"));
        OptionValues options;
        if (const RewriterInfo* rewriter = environment.session.plugins().rewriter(importer))
            for (const PassInfo& pass : rewriter->passes)
                if (pass.name == pass_) {
                    auto taken = planning_.takeOptions(pass.options);
                    if (!taken) return environment.fail(taken.error());
                    options = *std::move(taken);
                    planning_.setDefaultPlanner(pass.planner);
                }
        const bool native = importer == "program";
        if (native && pass_ != planMemory)
            return environment.fail(failure(Code::unknownPass, fmt::format("program files have no pass \"{}\"", pass_), {},
                                            "their passes are plan-memory and constant-fold"));
        if (!native) // before a long planning, not after it
            if (const auto error = obstacle(environment, *model)) return environment.fail(*error);

        const auto planned = planFunctions(environment, *model, planning_);
        if (planned.empty()) return badInput;
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
                return environment.fail(failure(Code::severalFunctions, fmt::format("the input has {} functions", runs.size()),
                                                {}, "choose one with --function NAME"));
            if (const auto error = notSaidByOffsets(*runs.front(), true)) return environment.fail(*error);
            return output_.write(environment, io::writeProgramJson(plannedProgram(*runs.front())));
        }
        const auto rewritten = environment.session.rewrite(*model, pass_, options, runs, environment.interrupt);
        if (!rewritten) return environment.fail(rewritten.error());
        environment.say(rewritten->diagnostics);
        return output_.write(environment, rewritten->text);
    }

private:
    int fold(const Environment& environment, const Model& model) const
    {
        const auto request = folding_.request();
        if (!request) return environment.fail(request.error());
        if (model.importer == QLatin1String("program")) {
            const auto folding = foldModel(model, *request);
            if (!folding) return environment.fail(folding.error());
            return output_.write(environment, io::writeProgramJson(folding->folded->program));
        }
        if (const auto error = obstacle(environment, model)) return environment.fail(*error);
        const auto rewritten =
            environment.session.rewrite(model, pass_, foldPassOptions(model, request->options), {}, environment.interrupt);
        if (!rewritten) return environment.fail(rewritten.error());
        environment.say(rewritten->diagnostics);
        return output_.write(environment, rewritten->text);
    }

    /// Why this input cannot be given back by this pass.
    [[nodiscard]] std::optional<Error> obstacle(const Environment& environment, const Model& model) const
    {
        const std::string importer = model.importer.toStdString();
        const Position where{model.path.toStdString(), 0, 0, -1};
        const RewriterInfo* rewriter = environment.session.plugins().rewriter(importer);
        std::string names;
        if (!rewriter) {
            for (const PluginRow& row : environment.session.plugins().rows())
                if (row.state == PluginState::usable)
                    for (const RewriterInfo& info : row.rewriters) names += info.importer + ", ";
            return failure(
                Code::noRewriter, fmt::format("files of the importer '{}' cannot be given back", importer), where,
                fmt::format("those of {}program can; convert --planned writes any input as a program with its plan", names));
        }
        for (const PassInfo& pass : rewriter->passes) {
            if (pass.name == pass_) return std::nullopt;
            names += (names.empty() ? "" : ", ") + pass.name;
        }
        return failure(Code::unknownPass, fmt::format("files of the importer '{}' have no pass '{}'", importer, pass_), where,
                       fmt::format("its passes are: {}", names));
    }

    InputOptions input_;
    FoldFlags folding_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::string pass_;
};

} // namespace

std::unique_ptr<Command> rewriteCommand()
{
    return std::make_unique<RewriteCommand>();
}

} // namespace stowage::cli
