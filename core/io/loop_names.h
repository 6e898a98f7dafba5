// Makes unique names of loops for files.
#pragma once

#include "core/ir/problem.h"

#include <string>
#include <vector>

namespace stowage::io {

/// A unique name for each loop of the problem: its name, changed if it is empty or used by an earlier loop.
std::vector<std::string> loopNames(const Problem& problem);

} // namespace stowage::io
