// pipeline: splits a model into stages on devices, checks and converts configurations, simulates and runs them.
#include "app/cli/commands.h"
#include "app/cli/pipeline_parts.h"
#include "app/session/number_words.h"

#include <fmt/format.h>

namespace stowage::cli {

namespace {

class PipelineCommand final : public Command {
public:
    PipelineCommand()
    {
        inner_.push_back(pipelineSplitCommand());
        inner_.push_back(pipelineConfigCommand());
        inner_.push_back(pipelineSimulateCommand());
        inner_.push_back(pipelineRunCommand());
    }
    [[nodiscard]] std::string name() const override { return "pipeline"; }
    [[nodiscard]] std::string summary() const override
    {
        return "split a model into stages on devices; check, simulate and run them";
    }

    void declare(Arguments& app) override
    {
        for (const auto& command : inner_) declareInside(app, *command, chosen_);
    }

    int run(const Environment& environment) override { return chosen_->run(environment); }

private:
    std::vector<std::unique_ptr<Command>> inner_;
    Command* chosen_ = nullptr;
};

} // namespace

void declareInside(Arguments& app, Command& command, Command*& chosen)
{
    Arguments inner = app.command(command.name(), command.summary(), [&chosen, &command] { chosen = &command; });
    command.declare(inner);
}

std::unique_ptr<Command> pipelineCommand()
{
    return std::make_unique<PipelineCommand>();
}

} // namespace stowage::cli
