#include "app/canvas/report/table_page.h"

#include "app/canvas/report/map_svg.h"
#include "app/canvas/report/markup.h"
#include "app/canvas/report/style_sheet.h"
#include "core/ir/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace stowage {

namespace {

using report::escaped;
using report::escapedMessage;

std::string chipOf(TablePage::Tone tone, const std::string& text)
{
    if (tone == TablePage::Tone::plain) return escaped(text);
    return fmt::format("<span class=\"chip {}\">{}</span>", tone == TablePage::Tone::good ? "ok" : "bad", escaped(text));
}

/// The map of the workspace with the most buffers, or why there is none.
std::string mapOf(const std::shared_ptr<const Run>& run, const std::string& why, const std::string& title)
{
    const std::string head = fmt::format("<div><h2>{}", escaped(title));
    const auto scene = run ? makeScene(run) : nullptr;
    if (!scene || scene->pools.empty()) return fmt::format("{}</h2><p class=\"quiet\">{}</p></div>", head, escapedMessage(why));
    const Colouring colours = colouring(*run, ColourBy::size); // ordered: the same in both maps, whatever else is known of them
    const PoolScene& pool = *std::ranges::max_element(scene->pools, {}, [](const PoolScene& each) {
        return std::pair(each.map.kind == PoolKind::workspace, each.map.bufferCount);
    });
    return fmt::format("{} <span class=\"quiet\">{} {} B</span></h2>{}{}</div>", head, escaped(pool.map.poolName),
                       grouped(pool.map.top), report::legend(pool, colours), report::mapSvg(*scene, pool, colours).svg);
}

std::string sectionOf(const RegressionRow& row)
{
    const std::string failed =
        row.result.verdict == RowVerdict::gone ? "the suite no longer has this row" : "nothing was planned";
    return fmt::format(
        "<section class=\"long\"><h2>{} <span class=\"quiet\">{}</span></h2>\n<div class=\"two\">{}\n{}</div></section>\n",
        escapedMessage(row.result.key), escapedMessage(placedSentence(row.result)),
        mapOf(row.baseline, row.noBaseline, "Baseline"), mapOf(row.current, failed, "Current"));
}

} // namespace

std::string writeTablePage(const TablePage& page)
{
    const TablePage::Column plain = {};
    std::string table = "<tr>";
    for (const TablePage::Column& column : page.columns)
        table += fmt::format("<th{}>{}</th>", column.number ? " class=\"n\"" : "", escaped(column.title));
    table += "</tr>\n";
    for (const TablePage::Line& line : page.lines) {
        table += "<tr>";
        for (std::size_t i = 0; i < line.cells.size(); ++i) {
            const TablePage::Column& column = i < page.columns.size() ? page.columns[i] : plain;
            const std::string& cell = line.cells[i];
            table += fmt::format("<td{}>{}</td>", column.number ? " class=\"n\"" : "",
                                 i == 0         ? chipOf(line.tone, cell)
                                 : column.prose ? escapedMessage(cell)
                                                : escaped(cell));
        }
        table += "</tr>\n";
    }
    return fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                       "content=\"width=device-width\"><title>{0}</title>\n<style>{1}</style></head>\n<body><main>\n"
                       "{2}<header><div class=\"who\"><h1>{0}</h1></div></header>\n<section class=\"verdict{3}\"><div "
                       "class=\"sentence\">{4}</div></section>\n<section class=\"long\"><table>{5}</table></section>\n"
                       "<div id=\"maps\"><style>{6}</style>\n{7}</div>\n</main></body></html>\n",
                       escaped(page.title), report::styleSheet(), report::patterns(),
                       page.tone == TablePage::Tone::bad ? " no" : "", escapedMessage(page.sentence), table,
                       report::colourRules("maps", true), page.below);
}

std::string writeRegressionPage(const Regression& regression, const std::string& sentenceOfAll, bool baselineRequired)
{
    TablePage page;
    page.title = regression.suite.name;
    page.sentence = sentenceOfAll;
    page.columns = {{"verdict"},
                    {"model"},
                    {"planner"},
                    {"target"},
                    {"settings"},
                    {"baseline, B", true},
                    {"current, B", true},
                    {"change, B", true},
                    {"lower bound, B", true},
                    {"cause", false, true}};
    constexpr std::size_t settings = 4; // a column that most suites leave empty
    std::size_t maps = 0;
    for (const RegressionRow& row : regression.rows) {
        const RowResult& result = row.result;
        const bool bad = isFailure(result, baselineRequired);
        if (bad) page.tone = TablePage::Tone::bad;
        const auto& now = result.current;
        const auto& was = result.baseline;
        std::string change;
        if (now && was) change = fmt::format("{}{}", now->size > was->size ? "+" : "", grouped(now->size - was->size));
        page.lines.push_back(
            {{std::string(toText(result.verdict)), result.model.empty() ? result.key : result.model, result.planner,
              result.target, result.settings, was ? grouped(was->size) : std::string(), now ? grouped(now->size) : std::string(),
              change, now ? grouped(now->bound) : std::string(), bad ? failureSentence(result) : placedSentence(result)},
             bad                                    ? TablePage::Tone::bad
             : result.verdict == RowVerdict::better ? TablePage::Tone::good
                                                    : TablePage::Tone::plain});
        const bool shows = result.verdict != RowVerdict::same && result.verdict != RowVerdict::added;
        if (shows && (row.current || row.baseline) && maps++ < maxReportedMaps) page.below += sectionOf(row);
    }
    if (std::ranges::all_of(page.lines, [](const TablePage::Line& line) { return line.cells[settings].empty(); })) {
        page.columns.erase(page.columns.begin() + settings);
        for (TablePage::Line& line : page.lines) line.cells.erase(line.cells.begin() + settings);
    }
    return writeTablePage(page);
}

} // namespace stowage
