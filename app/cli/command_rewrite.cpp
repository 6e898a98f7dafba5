// rewrite INPUT --pass PASS: writes the input file with the changes of a pass, and everything else unchanged.
#include "app/cli/commands.h"
#include "app/cli/fitting.h"
#include "app/cli/fold_flags.h"
#include "app/cli/output.h"
#include "app/cli/rewriting.h"
#include "core/io/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::cli {

namespace {

constexpr auto constantFold = "constant-fold";

class RewriteCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "rewrite"; }
    [[nodiscard]] std::string summary() const override { return "write the plan into the input file, and change nothing else"; }
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
                   "plan-memory: allocations become offsets into the pools (--option also sets options of the pass); "
                   "constant-fold: ops on constant tensors run once, as with 'fold'")
            .required()
            .typeName("PASS");
        app.option("--log", log_, "log of TensorFlow Lite Micro with this model, to leave space for its scratch")
            .typeName("FILE");
        folding_.declare(app);
        planning_.declare(app, PlanningOptions::onePlanner);
        output_.declare(app, {});
    }

    int run(const Environment& environment) override
    {
        if (pass_ == constantFold && !planning_.given().empty())
            return environment.fail(
                usage(fmt::format("{} is an option of the pass plan-memory, and {} makes no plan", planning_.given(), pass_),
                      "leave it out"));
        if (!log_.empty()) return besideScratch(environment);
        const auto model = readForPass(environment, input_, input_.inputs().front(), pass_);
        if (!model) return badInput;
        if (pass_ == constantFold) return fold(environment, *model);
        if (!folding_.given().empty())
            return environment.fail(failure(
                Code::usage, fmt::format("{} is an option of the pass constant-fold", folding_.given()), {}, "leave it out"));
        const auto written = planIntoFile(environment, *model, pass_, planning_);
        if (const int* status = std::get_if<int>(&written)) return *status;
        return output_.write(environment, std::get<std::string>(written));
    }

private:
    /// Writes the plan of `fit --log`.
    int besideScratch(const Environment& environment) const
    {
        if (pass_ != planMemory || !folding_.given().empty())
            return environment.fail(usage("--log is for the pass plan-memory", "leave it out"));
        const auto written = planBesideScratch(environment, input_, planning_, log_);
        if (const int* status = std::get_if<int>(&written)) return *status;
        return output_.write(environment, std::get<std::string>(written));
    }

    int fold(const Environment& environment, const Model& model) const
    {
        const auto request = folding_.request();
        if (!request) return environment.fail(request.error());
        if (model.importer == QLatin1String("program")) {
            const auto folding = foldModel(model, *request);
            if (!folding) return environment.fail(folding.error());
            return output_.write(environment, io::writeProgramJson(folding->folded->program));
        }
        if (const auto error = passObstacle(environment, model, pass_)) return environment.fail(*error);
        const auto rewritten =
            environment.session.rewrite(model, pass_, foldPassOptions(model, request->options), {}, environment.interrupt);
        if (!rewritten) return environment.fail(rewritten.error());
        environment.say(rewritten->diagnostics);
        return output_.write(environment, rewritten->text);
    }

    InputOptions input_;
    FoldFlags folding_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::string pass_;
    std::string log_;
};

} // namespace

std::unique_ptr<Command> rewriteCommand()
{
    return std::make_unique<RewriteCommand>();
}

} // namespace stowage::cli
