// Parses the command line: chooses the command, prints help and version, reports wrong arguments.
#pragma once

#include "app/cli/command.h"

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace stowage::cli {

/// The options about plug-ins, which every command takes.
struct PluginFlags {
    std::vector<std::string> folders; ///< --plugin-dir
    bool safeMode = false;
};

/// Reads the arguments into the options of a command. Help and version are printed to standard output, errors to standard error;
/// then the answer is the exit status instead. `--help` leaves out options that are marked as rare, `--help-all` shows them too.
std::variant<Command*, int> parseCommandLine(std::span<const std::unique_ptr<Command>> commands, int argc, char** argv,
                                             PluginFlags& plugins);

} // namespace stowage::cli
