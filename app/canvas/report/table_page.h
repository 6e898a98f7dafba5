// Pages for archives of CI servers: a table of many results, and the comparison of a suite with its baseline with both maps.
// Self-contained like the report on a model (html_report.h): no script, no network; the same results give the same bytes.
#pragma once

#include "app/session/regress/regression.h"

#include <cstddef>
#include <string>
#include <vector>

namespace stowage {

/// A table as a page. Names in the texts are escaped here.
struct TablePage {
    struct Column {
        std::string title;
        bool number = false; ///< right-aligned, in the typeface of numbers
        bool prose = false;  ///< sentences, not shortened like names
    };
    enum class Tone : std::uint8_t { plain, good, bad };
    struct Line {
        std::vector<std::string> cells; ///< one for each column
        Tone tone = Tone::plain;        ///< of its first cell
    };
    std::string title;    ///< "nightly"
    std::string sentence; ///< "Regression in nightly: 2 worse, 37 same."
    Tone tone = Tone::plain;
    std::vector<Column> columns;
    std::vector<Line> lines;
    std::string below; ///< further sections, as HTML
};
/// O(cells).
[[nodiscard]] std::string writeTablePage(const TablePage& page);

/// Maximum count of rows with maps in the page of a regression, the worst first.
inline constexpr std::size_t maxReportedMaps = 20;
/// The page of a regression: all rows, and both maps of rows that regressed, improved or changed. The column `settings`
/// (`settingsOf`) is left out if it would be empty. `baselineRequired`: rows that the baseline lacks are failures, too. O(buffers
/// of the rows with maps).
[[nodiscard]] std::string writeRegressionPage(const Regression& regression, const std::string& sentence,
                                              bool baselineRequired = false);

} // namespace stowage
