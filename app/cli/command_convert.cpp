// convert INPUT: converts to another format, with --planned including the plan.
#include "app/cli/commands.h"
#include "app/cli/exporters.h"
#include "app/cli/output.h"
#include "app/cli/planned.h"
#include "app/session/run_text.h"

#include <fmt/format.h>

namespace stowage::cli {

namespace {

class ConvertCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "convert"; }
    [[nodiscard]] std::string summary() const override
    {
        return "convert an input to program JSON, problem JSON, problem CSV or DOT";
    }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"convert model.tflite -o model.program.json",
                "convert model.tflite --planned --planner greedy-by-size -o planned-model.csv"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        app.option("--to", to_, "format to write (default: from the suffix of the file)")
            .oneOf({"program", "problem", "csv", "dot", "interference", "allocation"});
        app.flag("--planned", planned_, "plan the input, and write the offsets, too");
        planning_.declare(app, PlanningOptions::onePlanner);
        output_.declare(app, {});
    }

    int run(const Environment& environment) override
    {
        if (to_.empty() && output_.file().ends_with(".plan.json"))
            return environment.fail(
                failure(Code::usage, fmt::format("'{}': convert writes no plans", output_.file()), {},
                        "'plan --format json -o FILE' does; '--to problem' writes a problem under this name"));
        const std::string to = to_.empty() ? exporterFor(output_.file()) : to_;
        if (!planned_ && !planning_.givenForPlanner().empty())
            return environment.fail(usage(fmt::format("{} is for a plan, and none is made", planning_.givenForPlanner()),
                                          "add --planned, or leave it out"));
        if (to.empty())
            return environment.fail(
                failure(Code::usage, "the format to write is not given", {},
                        "name a file ending in .json, .program.json, .csv or .dot with -o, or the format with --to"));
        const auto model = input_.read(environment);
        if (!model) return badInput;
        const auto functions = Session::functions(*model);
        // A program file contains all functions; other formats contain one problem.
        if (functions.size() > 1 && (to != "program" || planned_))
            return environment.fail(failure(Code::severalFunctions, fmt::format("the input has {} functions", functions.size()),
                                            {}, "choose one with --function NAME"));
        std::shared_ptr<const Run> run;
        int status = done;
        if (planned_) {
            std::optional<Error> failedRun;
            const auto runs = planFunctions(environment, *model, planning_, &failedRun);
            if (runs.empty()) return failedRun ? answerIsNo : badInput;
            run = runs.front().run;
            status = exitStatusOf(runs);
            if (status != done) environment.note(verdictLine(*run));
        } else {
            const auto request = planning_.request(environment, *model, {});
            if (!request) return environment.fail(request.error());
            const auto lowering = environment.session.lowerNow(*model, *request);
            if (!lowering) return environment.fail(lowering.error());
            environment.say((*lowering)->diagnostics);
            auto made = std::make_shared<Run>();
            made->program = model->program;
            made->lowering = *lowering;
            run = made;
        }
        const auto text = runText(to, *run, planned_);
        if (!text) return environment.fail(text.error());
        environment.say(text->diagnostics);
        const int written = output_.write(environment, text->text);
        return written == done ? status : written;
    }

private:
    InputOptions input_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::string to_;
    bool planned_ = false;
};

} // namespace

std::unique_ptr<Command> convertCommand()
{
    return std::make_unique<ConvertCommand>();
}

} // namespace stowage::cli
