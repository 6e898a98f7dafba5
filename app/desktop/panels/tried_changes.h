// The changes of buffers and loops that the user tries: their text, and the rows that remove them. For both lists of changes.
#pragma once

#include "app/desktop/workspace.h"
#include "core/ir/change.h"

#include <QString>

class QVBoxLayout;

namespace stowage {

/// The state after the change: "conv/out has 8,000 B".
[[nodiscard]] QString changeText(const Change& change, const NumberFormat& numbers);

/// Adds a row for each change of the workspace, with a button that removes the change.
void addTriedChanges(QVBoxLayout& column, Workspace& workspace);

} // namespace stowage
