// Changes of a buffer or a loop that the user tries: how the workspace keeps them, and the rows that take them back. For both
// lists of changes.
#pragma once

#include "app/desktop/workspace.h"
#include "core/ir/change.h"

#include <QString>

#include <functional>

class QVBoxLayout;

namespace stowage {

/// What is so once the change is made: "conv/out has 8,000 B". `sizeText` writes sizes.
[[nodiscard]] QString changeText(const Change& change, const std::function<QString(Bytes)>& sizeText);

/// A row for each change of the workspace, with a button that takes it back. `sizeText` writes sizes as the list around it does.
void addTriedChanges(QVBoxLayout& column, Workspace& workspace, const std::function<QString(Bytes)>& sizeText);

} // namespace stowage
