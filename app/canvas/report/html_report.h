// One self-contained HTML page about planned models: no script, no network, readable on paper. The same facts give the same
// bytes.
#pragma once

#include "app/session/report_facts.h"

#include <span>
#include <string>

namespace stowage {

struct HtmlReportOptions {
    std::string date; ///< "2026-11-22 20:14 UTC"; empty: neither date nor measured times are in the page
};

/// The page. Requires at least one entry in `facts`, each with a run. O(buffers) for each model.
[[nodiscard]] std::string writeHtmlReport(std::span<const ReportFacts> facts, const HtmlReportOptions& options = {});

} // namespace stowage
