#include "app/cli/commands.h"

namespace stowage::cli {

std::vector<std::unique_ptr<Command>> allCommands()
{
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(planCommand());
    commands.push_back(compareCommand());
    commands.push_back(checkCommand());
    commands.push_back(checkProofCommand());
    commands.push_back(fitCommand());
    commands.push_back(explainCommand());
    commands.push_back(reorderCommand());
    commands.push_back(reduceCommand());
    commands.push_back(verifyCommand());
    commands.push_back(infoCommand());
    commands.push_back(convertCommand());
    commands.push_back(exportCommand());
    commands.push_back(foldCommand());
    commands.push_back(rewriteCommand());
    commands.push_back(renderCommand());
    commands.push_back(regressCommand());
    commands.push_back(sweepCommand());
    commands.push_back(mergeCommand());
    commands.push_back(pipelineCommand());
    commands.push_back(listCommand());
    commands.push_back(pluginCheckCommand());
    return commands;
}

} // namespace stowage::cli
