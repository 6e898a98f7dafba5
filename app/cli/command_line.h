// What the user typed: chooses the command, prints help and version, and says what is wrong with the rest.
#pragma once

#include "app/cli/command.h"

#include <memory>
#include <span>
#include <string>
#include <variant>

namespace stowage::cli {

/// Reads the arguments into the options of a command. Help and version are printed to standard output, errors to standard error;
/// then the answer is the exit status instead. `--help` leaves out options that are marked as rare, `--help-all` shows them too.
std::variant<Command*, int> parseCommandLine(std::span<const std::unique_ptr<Command>> commands, int argc, char** argv);

} // namespace stowage::cli
