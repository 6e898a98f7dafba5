// Changes of a buffer or a loop that somebody tries: how the workspace keeps them, and the rows that take them back. For both
// lists of changes.
#pragma once

#include "app/desktop/workspace.h"
#include "core/explain/counterfactual.h"

#include <QString>

#include <functional>

class QVBoxLayout;

namespace stowage {

/// By names, so that it outlives planning anew. Requires ids that exist.
[[nodiscard]] ChangeRequest requestOf(const Problem& problem, const SingleChange& change);

/// A row for each change of the workspace, with a button that takes it back. `sizeText` writes sizes as the list around it does.
void addTriedChanges(QVBoxLayout& column, Workspace& workspace, const std::function<QString(Bytes)>& sizeText);

} // namespace stowage
