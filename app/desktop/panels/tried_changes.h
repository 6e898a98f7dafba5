// Changes of a buffer or a loop that the user tries: how the workspace keeps them, and the rows that take them back. For both
// lists of changes.
#pragma once

#include "app/desktop/workspace.h"
#include "core/ir/change.h"

#include <QString>

class QVBoxLayout;

namespace stowage {

/// The state after the change: "conv/out has 8,000 B".
[[nodiscard]] QString changeText(const Change& change, const NumberFormat& numbers);

/// A row for each change of the workspace, with a button that takes it back.
void addTriedChanges(QVBoxLayout& column, Workspace& workspace);

} // namespace stowage
