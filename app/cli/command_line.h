// Parses the command line: chooses the command, prints help and version, reports wrong arguments.
#pragma once

#include "app/cli/command.h"

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace stowage::cli {

/// The options for plug-ins, which every command has.
struct PluginFlags {
    std::vector<std::string> folders; ///< --plugin-dir
    bool safeMode = false;
};

/// Reads the arguments into the options of a command, and returns the command. Prints help and version to standard output, errors
/// to standard error; then it returns the exit status. `--help` leaves out rare options, `--help-all` shows all.
std::variant<Command*, int> parseCommandLine(std::span<const std::unique_ptr<Command>> commands, int argc, char** argv,
                                             PluginFlags& plugins);

} // namespace stowage::cli
