// What the Export card offers for what is on the desk, and tables as CSV.
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

/// Plan, picture of `view`, tables, report. Empty while nothing is planned. `shown`: the view, whose own tables are offered too.
[[nodiscard]] std::vector<ExportItem> exportItems(Workspace& workspace, const QString& view, const QWidget& shown);

/// Makes the text of a file; asked on another thread, and given up when the token says so.
using FileText = std::function<Expected<std::string>(const std::stop_token& stop)>;

/// A table by the part of its item's id that comes after "table:". Sizes are bytes, addresses decimal, and no number has
/// separators of groups; a filter counts for rows that are about buffers. The text is made in O(rows).
[[nodiscard]] FileText tableCsv(Workspace& workspace, const RunTable& runs, const QWidget& shown, const QString& table);

} // namespace stowage
