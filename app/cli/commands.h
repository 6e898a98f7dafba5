// The commands, each in its own file.
#pragma once

#include "app/cli/command.h"

namespace stowage::cli {

std::unique_ptr<Command> planCommand();
std::unique_ptr<Command> pipelineCommand();
std::unique_ptr<Command> compareCommand();
std::unique_ptr<Command> checkCommand();
std::unique_ptr<Command> checkProofCommand();
std::unique_ptr<Command> explainCommand();
std::unique_ptr<Command> fitCommand();
std::unique_ptr<Command> verifyCommand();
std::unique_ptr<Command> infoCommand();
std::unique_ptr<Command> convertCommand();
std::unique_ptr<Command> exportCommand();
std::unique_ptr<Command> renderCommand();
std::unique_ptr<Command> foldCommand();
std::unique_ptr<Command> rewriteCommand();
std::unique_ptr<Command> listCommand();
std::unique_ptr<Command> pluginCheckCommand();
std::unique_ptr<Command> reduceCommand();
std::unique_ptr<Command> reorderCommand();
std::unique_ptr<Command> regressCommand();
std::unique_ptr<Command> sweepCommand();
std::unique_ptr<Command> mergeCommand();

} // namespace stowage::cli
