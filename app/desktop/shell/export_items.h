// The items of the Export card for the current state, and tables as CSV.
#pragma once

#include "app/desktop/shell/export_dialog.h"
#include "core/ir/expected.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

class QWidget;

namespace stowage {

class RowSource;
class RunTable;
class Workspace;

/// Plan, picture of `view`, tables, report. Before the first run empty, but for the view "regression" of a planned suite: its
/// picture and its rows. `shown`: the widget of the view, whose own tables are offered, too.
[[nodiscard]] std::vector<ExportItem> exportItems(Workspace& workspace, const QString& view, const QWidget& shown);

/// Makes the text of a file; called on another thread, and cancelled by the token.
using FileText = std::function<Expected<std::string>(const std::stop_token& stop)>;

/// The table of an item "table:…", by the part of the id after "table:". Sizes are in bytes, addresses are decimal, numbers have
/// no group separators. The filter applies to rows of buffers; rows that are sums of others are left out. O(rows).
[[nodiscard]] FileText tableCsv(Workspace& workspace, const RunTable& runs, const QWidget& shown, const QString& table);

} // namespace stowage
