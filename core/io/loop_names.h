// Names of loops in files.
#pragma once

#include "core/ir/problem.h"

#include <string>
#include <vector>

namespace stowage::io {

/// A distinct name for each loop of the problem: its own, made distinct where it is empty or there already.
std::vector<std::string> loopNames(const Problem& problem);

} // namespace stowage::io
