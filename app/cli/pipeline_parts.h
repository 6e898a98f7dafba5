// The subcommands of `pipeline`: split, config, simulate, run.
#pragma once

#include "app/cli/command.h"

#include <memory>
#include <vector>

namespace stowage::cli {

std::unique_ptr<Command> pipelineSplitCommand();
std::unique_ptr<Command> pipelineConfigCommand();
std::unique_ptr<Command> pipelineSimulateCommand();
std::unique_ptr<Command> pipelineRunCommand();

/// Declares a subcommand; `chosen` is set when the user names it.
void declareInside(Arguments& app, Command& command, Command*& chosen);

} // namespace stowage::cli
