#include "app/canvas/report/html_report.h"

#include "app/canvas/report/map_svg.h"
#include "app/canvas/report/markup.h"
#include "app/canvas/report/style_sheet.h"
#include "app/session/number_words.h"
#include "app/session/verdicts.h"
#include "core/explain/ranking.h"
#include "core/io/text.h"
#include "core/ir/shown_text.h"
#include "core/plan/load.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace stowage {

namespace {

using report::escaped;
using report::Rows;

constexpr std::size_t shownPeak = 12;    ///< buffers of the peak before the rest is summed up
constexpr std::size_t rowsOfPage = 36;   ///< a card of more rows may break across printed pages
constexpr std::size_t shownChanged = 20; ///< tensors that an earlier plan had otherwise

std::string number(std::int64_t value)
{
    return grouped(value);
}

std::string signedNumber(std::int64_t value)
{
    return fmt::format("{}{}", value > 0 ? "+" : "", grouped(value));
}

/// A name in a table: beginning and end of a long one, all of it on hover.
std::string shortName(std::string_view name)
{
    constexpr std::size_t most = 48;
    const std::string shown = escaped(shownName(name, most)), whole = escaped(name);
    return shown == whole ? shown : fmt::format("<span title=\"{}\">{}</span>", whole, shown);
}

/// Begins with a capital letter.
std::string sentence(std::string_view text)
{
    std::string made(text);
    if (!made.empty() && made.front() >= 'a' && made.front() <= 'z') made.front() = static_cast<char>(made.front() - 'a' + 'A');
    return made;
}

std::string_view verdictIcon(VerdictKind kind)
{
    return isOpen(kind) ? "warning" : isYes(kind) ? "check" : "cross";
}

std::string chip(const Run& run)
{
    const VerdictKind kind = verdictKind(run);
    return fmt::format("<span class=\"chip {}\">{} {}</span>",
                       isOpen(kind)  ? "warn"
                       : isYes(kind) ? "ok"
                                     : "bad",
                       report::icon(verdictIcon(kind)), verdictWord(kind));
}

std::string card(std::string_view title, std::string_view note, std::string_view right, std::string_view body,
                 std::string_view kind = {})
{
    return fmt::format("<section{}><h2>{} <span class=\"quiet\">{}</span><span class=\"right\">{}</span></h2>\n{}</section>\n",
                       kind.empty() ? std::string() : fmt::format(" class=\"{}\"", kind), title, note, right, body);
}

/// One model of the report.
class Chapter {
public:
    /// `file`: begins the names of downloaded files.
    Chapter(const ReportFacts& facts, std::string id, std::string file, bool dated)
        : facts_(facts),
          run_(*facts.run),
          id_(std::move(id)),
          file_(std::move(file)),
          dated_(dated),
          scene_(makeScene(facts.run)),
          colours_(colouring(run_, defaultColouring(run_)))
    {
    }

    [[nodiscard]] std::string html() const
    {
        std::string made =
            fmt::format("<div id=\"{}\">\n<style>{}</style>\n", id_, report::colourRules(id_, ordered(colours_.by)));
        made += verdict();
        const bool yes = isYes(verdictKind(run_));
        if (!yes) made += changes();
        made += peak() + maps() + planners();
        if (yes) made += changes();
        return made + sinceLastRun() + provenance() + "</div>\n";
    }

private:
    [[nodiscard]] const PoolReport& reportOf(PoolId pool) const { return run_.report.pools[at(pool)]; }

    [[nodiscard]] std::string title() const
    {
        return facts_.function.empty() ? facts_.model : facts_.model + " · " + facts_.function;
    }

    [[nodiscard]] std::string verdict() const
    {
        const VerdictKind kind = verdictKind(run_);
        const std::string line = verdictLine(run_);
        const auto colon = line.find(':');
        const std::string word = line.substr(0, colon);
        // The reason begins with the word that stands above it.
        const std::string whole = verdictReason(run_);
        std::string_view reason = whole;
        if (reason.starts_with(verdictWord(kind)) && reason.substr(verdictWord(kind).size()).starts_with(": "))
            reason = reason.substr(verdictWord(kind).size() + 2);
        const std::string rest = colon == std::string::npos ? std::string() : line.substr(colon);
        std::string made = fmt::format(
            "<section class=\"verdict{}\"><div class=\"head\"><div class=\"mark\">{}</div><div><div class=\"sentence\"><span "
            "class=\"word\">{}</span><span class=\"mono\">{}</span></div><div class=\"quiet\">{}</div></div></div>\n",
            isOpen(kind)  ? " part"
            : isYes(kind) ? ""
                          : " no",
            report::icon(verdictIcon(kind)), escaped(word), escaped(rest), escaped(sentence(reason)));
        for (const PoolReport& pool : run_.report.pools) {
            if (pool.size == 0) continue;
            report::Bar bar{pool.size, pool.lowerBound, pool.capacity, {}, 1};
            if (facts_.baseline && used() == 1) bar.before = facts_.baseline->size;
            const Bytes most = std::max({pool.size, pool.capacity.value_or(0), bar.before.value_or(0)});
            bar.scale = most + most / 25;
            if (used() > 1) made += fmt::format("<div class=\"quiet\">{}</div>", escaped(nameOf(pool.pool)));
            made += report::headBar(bar);
        }
        made += "<div class=\"facts\">";
        const auto fact = [&](std::string_view name, const std::string& value, std::string_view kindOf = {}) {
            made += fmt::format("<div><span>{}</span><b class=\"{}\">{}</b></div>", name, kindOf, value);
        };
        fact("planner", escaped(run_.plan.planner));
        fact("checked",
             run_.report.verdict.valid() ? std::string(verdictWord(VerdictKind::valid)) + ", " +
                                               counted(static_cast<std::int64_t>(run_.report.verdict.pairsChecked), "pair")
                                         : std::string(verdictWord(VerdictKind::invalid)),
             run_.report.verdict.valid() ? "ok" : "bad");
        fact("above the bound", number(run_.report.totalSize() - run_.report.totalBound()) + " B", "mono");
        if (facts_.baseline)
            fact("since the last run", signedNumber(run_.report.totalSize() - facts_.baseline->size) + " B",
                 run_.report.totalSize() > facts_.baseline->size ? "mono warn" : "mono");
        const auto good =
            std::ranges::count_if(facts_.planners, [](const ReportPlanner& one) { return one.run && isGood(*one.run); });
        const auto all = std::ranges::count_if(facts_.planners, [](const ReportPlanner& one) { return one.run != nullptr; });
        if (all > 1)
            fact(usesCapacity(run_.report) ? "planners that fit" : "valid plans", fmt::format("{} of {}", good, all), "mono");
        return made + "</div></section>\n";
    }

    [[nodiscard]] std::size_t used() const
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(run_.report.pools, [](const PoolReport& pool) { return pool.size > 0; }));
    }
    [[nodiscard]] std::string nameOf(PoolId pool) const { return run_.problem().pools[at(pool)].name; }

    /// A link to a table that is saved as "model-what.csv".
    [[nodiscard]] std::string csvLink(const std::string& what, const Rows& rows, std::string_view text = "CSV") const
    {
        return report::dataLink(file_ + '-' + what + ".csv", "text/csv", report::toCsv(rows), text);
    }

    [[nodiscard]] std::string peak() const
    {
        std::vector<std::string> files;
        for (const PoolScene& pool : scene_->pools) files.push_back(report::fileNamePart(pool.map.poolName));
        files = report::distinct(std::move(files));
        std::string made;
        for (std::size_t i = 0; i < files.size(); ++i) made += peakOf(scene_->pools[i], files[i]);
        return made;
    }

    /// What proves the bound of one memory, and the bytes live at each step.
    [[nodiscard]] std::string peakOf(const PoolScene& pool, const std::string& file) const
    {
        const PoolReport& figures = reportOf(pool.map.pool);
        const Problem& problem = run_.problem();
        std::vector<std::pair<Bytes, BufferId>> members;
        for (const BufferId id : figures.certificate.buffers)
            members.emplace_back(heldAt(problem, id, figures.certificate.step), id);
        std::sort(members.begin(), members.end(),
                  [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
        // Constants are live all the time: their sum says all.
        if (members.empty() || problem.pools[at(pool.map.pool)].kind == PoolKind::constant) return {};
        const Bytes bound = figures.lowerBound;
        Rows csv{{"buffer", "bytes", "share"}};
        std::string rows;
        Bytes rest = 0, sum = 0;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const auto [bytes, id] = members[i];
            sum += bytes;
            const double share = bound > 0 ? double(bytes) / double(bound) : 0;
            csv.push_back({problem.buffers[at(id)].name, std::to_string(bytes), fmt::format("{:.4f}", share)});
            if (i >= shownPeak && members.size() > shownPeak + 1) {
                rest += bytes;
                continue;
            }
            const Bytes most = members.front().first;
            rows +=
                fmt::format("<tr><td>{}<div class=\"small\">{}</div></td><td><div class=\"meter\"><i class=\"c{}\" "
                            "style=\"width:{}%\"></i></div></td>"
                            "<td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                            shortName(problem.buffers[at(id)].name), lifeOf(id, figures.certificate.step), colours_.of[at(id)],
                            report::pixels(most > 0 ? 100.0 * double(bytes) / double(most) : 0), number(bytes), percent(share));
        }
        if (rest > 0)
            rows += fmt::format("<tr><td>{} more</td><td></td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                                members.size() - shownPeak, number(rest), percent(double(rest) / double(bound)));
        if (bound > sum)
            rows +=
                fmt::format("<tr><td>padding for alignment</td><td></td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                            number(bound - sum), percent(double(bound - sum) / double(bound)));
        rows += fmt::format("<tr class=\"sum\"><td>{}</td><td></td><td class=\"n\">{}</td><td class=\"n\">100 %</td></tr>\n",
                            figures.size == bound ? "peak = bound = size" : "lower bound", number(bound));
        if (figures.size > bound)
            rows +=
                fmt::format("<tr><td>size of {}</td><td></td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                            escaped(nameOf(pool.map.pool)), number(figures.size), percent(double(figures.size) / double(bound)));
        const std::string note =
            figures.certificate.step >= 0
                ? fmt::format("{}step {}, {} live, bytes", used() > 1 ? escaped(nameOf(pool.map.pool)) + ", " : std::string(),
                              number(figures.certificate.step), counted(static_cast<std::int64_t>(members.size()), "buffer"))
                : fmt::format("{} that conflict with one another, bytes",
                              counted(static_cast<std::int64_t>(members.size()), "buffer"));
        std::string body = "<div class=\"two\"><div><table>" + rows + "</table></div><div>";
        if (pool.live.size() > 1 && pool.peakStep >= 0)
            body += report::liveSvg(pool, scene_->steps) + "<div class=\"small\">Bytes live at each step.</div>";
        body += "</div></div>";
        return card("What the peak is made of", note, csvLink(file + "-peak", csv), body);
    }

    [[nodiscard]] std::string lifeOf(BufferId id, Step step) const
    {
        const Interval hull = run_.problem().buffers[at(id)].hull();
        if (hull.empty() || step < 0) return {};
        const std::string last = hull.end - 1 == step ? "used last here" : fmt::format("waits for step {}", number(hull.end - 1));
        return fmt::format(
            "{}, {}", hull.begin == step ? std::string("made here") : fmt::format("made at step {}", number(hull.begin)), last);
    }

    [[nodiscard]] std::string maps() const
    {
        std::string made;
        for (const PoolScene& pool : scene_->pools) {
            const report::MapSvg map = report::mapSvg(*scene_, pool, colours_);
            const std::size_t all = pool.map.rects.size();
            const std::string titled = map.titled == all
                                           ? "a buffer"
                                           : fmt::format("one of the {} largest of {} rectangles",
                                                         number(std::int64_t(map.titled)), number(std::int64_t(all)));
            const std::string note = fmt::format("{}, plan by {}; hover {} for its name, offset, size and steps",
                                                 escaped(pool.map.poolName), escaped(run_.plan.planner), titled);
            made += card("Memory map", note, report::legend(pool, colours_), map.svg);
        }
        return made;
    }

    [[nodiscard]] std::string remark(const Run& run) const
    {
        std::string text;
        for (const std::string& remark : verdictRemarks(run, [](Bytes bytes) { return number(bytes) + " B"; }))
            text += (text.empty() ? "" : ", ") + escaped(remark);
        return text;
    }

    [[nodiscard]] std::string planners() const
    {
        if (facts_.planners.size() < 2) return {};
        Rows csv{{"planner", "verdict", "size", "lower_bound", "lowering", "work"}};
        Bytes most = 1;
        std::optional<Bytes> capacity;
        for (const PoolReport& pool : run_.report.pools)
            if (pool.size > 0 && pool.capacity && used() == 1) capacity = pool.capacity;
        for (const ReportPlanner& one : facts_.planners)
            if (one.run && isGood(*one.run)) most = std::max(most, one.run->report.totalSize());
        if (capacity) most = std::max(most, std::min(*capacity, most * 2));
        // A plan twice as large as the best would press the others into the left edge.
        most = std::max(run_.report.totalSize(), std::min(most, run_.report.totalSize() * 8 / 5));
        std::vector<std::shared_ptr<const Run>> runs;
        std::vector<const ReportPlanner*> rowsOf;
        std::string refused;
        for (const ReportPlanner& one : facts_.planners) {
            if (one.run) {
                runs.push_back(one.run);
                rowsOf.push_back(&one);
            } else {
                refused += fmt::format("<div class=\"small\">{} is left out: {}</div>", escaped(one.name), escaped(one.refusal));
            }
        }
        std::string rows;
        auto groups = groupRuns(runs);
        // That of the report first.
        std::stable_partition(groups.begin(), groups.end(), [&](const RunGroup& group) { return group.sameProblem(run_); });
        for (const RunGroup& group : groups) {
            if (!group.sameProblem(run_))
                rows += fmt::format(
                    "<tr class=\"group\"><td colspan=\"{}\">another problem, not to be ranked with those above: {}</td></tr>\n",
                    dated_ ? 7 : 6, escaped(group.lowering.text()));
            for (const std::size_t i : group.runs) {
                const Run& run = *runs[i];
                const Bytes size = run.report.totalSize(), bound = run.report.totalBound();
                csv.push_back({rowsOf[i]->name, std::string(verdictWord(run)), std::to_string(size), std::to_string(bound),
                               run.lowering->fingerprint.text(), std::to_string(run.plan.work)});
                const report::Bar bar{size, bound, capacity, {}, most + most / 20};
                rows += fmt::format(
                    "<tr{}><td>{}</td><td class=\"w\">{}</td><td class=\"n\">{}</td><td class=\"n "
                    "{}\">{}</td><td>{}</td>{}<td>{}</td></tr>\n",
                    runs[i] == facts_.run ? " class=\"shown\"" : "", escaped(rowsOf[i]->name), chip(run), number(size),
                    size > bound ? "warn" : "ok",
                    size > bound ? fmt::format("+{}", percent(totalGap(run.report))) : std::string("0"), report::tableBar(bar),
                    dated_ ? fmt::format("<td class=\"n\">{}</td>", duration(run.elapsedMs)) : std::string(), remark(run));
            }
        }
        const std::string head =
            fmt::format("<tr><th>planner</th><th>verdict</th><th class=\"n\">size, B</th><th class=\"n\">over bound</th>"
                        "<th>size, <span class=\"ok\">bound</span>{}</th>{}<th>remark</th></tr>\n",
                        capacity ? ", <span class=\"bad\">capacity</span>" : "", dated_ ? "<th class=\"n\">time</th>" : "");
        return card("Planners compared",
                    fmt::format("{}, each checked independently", counted(static_cast<std::int64_t>(runs.size()), "planner")),
                    csvLink("planners", csv), "<table>" + head + rows + "</table>" + refused,
                    runs.size() > rowsOfPage ? "long" : "");
    }

    [[nodiscard]] std::string changes() const
    {
        if (facts_.changes.empty()) {
            if (facts_.noChanges.empty() && facts_.changesOf == none) return {};
            return card("Suggested changes", "", "",
                        fmt::format("<div class=\"quiet\">{}</div>",
                                    facts_.noChanges.empty()
                                        ? fmt::format("None of the changes that were tried gives a smaller plan: {}{}changes of "
                                                      "single buffers.",
                                                      fmt::join(facts_.tried, ", "), facts_.tried.empty() ? "" : ", and ")
                                        : escaped(facts_.noChanges)));
        }
        Rows csv{{"change", "saves", "size", "proved"}};
        Bytes most = 1;
        for (const ReportChange& one : facts_.changes) most = std::max(most, one.size + one.saved);
        std::string rows;
        int rank = 0;
        for (const ReportChange& one : facts_.changes) {
            csv.push_back({one.text, std::to_string(one.saved), std::to_string(one.size), one.smallest ? "yes" : "no"});
            const Bytes before = one.size + one.saved;
            const double scale = 200.0 / double(most);
            rows += fmt::format(
                "<tr><td class=\"n\" style=\"color:var(--accent)\">{}</td><td>{}<div class=\"small\">{}</div></td><td><svg "
                "class=\"tablebar\" viewBox=\"0 0 200 16\" aria-hidden=\"true\">"
                "<rect class=\"solid\" x=\"0\" y=\"2\" width=\"{}\" height=\"12\"/><rect x=\"{}\" y=\"2.5\" width=\"{}\" "
                "height=\"11\" fill=\"var(--ok-soft)\" "
                "stroke=\"var(--ok)\"/></svg></td><td class=\"n ok\">-{} B</td><td class=\"n ok\">-{}</td><td "
                "class=\"n\">{}</td></tr>\n",
                ++rank, escaped(one.text),
                one.wholeModel ? (one.smallest ? "whole model; proved smallest" : "whole model; planned again")
                               : (one.smallest ? "one buffer; proved smallest" : "one buffer; planned again"),
                report::pixels(double(one.size) * scale), report::pixels(double(one.size) * scale),
                report::pixels(std::max(1.0, double(one.saved) * scale)), number(one.saved),
                percent(double(one.saved) / double(before)), number(one.size));
        }
        return card("Suggested changes", "each planned again and checked", "new size, B &ensp;" + csvLink("changes", csv),
                    "<table>" + rows + "</table>", {});
    }

    /// "part of the peak, moved from 0x0 to 0x40"; pools where they differ.
    [[nodiscard]] static std::string effect(const RevisionTensor* was, const RevisionTensor* is)
    {
        std::string text = is && is->atPeak > 0 ? "part of the peak" : "";
        if (!was || !is || !was->offset || !is->offset || (was->offset == is->offset && was->pool == is->pool)) return text;
        const auto place = [&](const RevisionTensor& one) {
            return (was->pool == is->pool ? std::string() : escaped(one.pool) + ' ') + fmt::format("0x{:x}", *one.offset);
        };
        return text + fmt::format("{}moved from {} to {}", text.empty() ? "" : ", ", place(*was), place(*is));
    }

    [[nodiscard]] std::string sinceLastRun() const
    {
        if (!facts_.baseline) return {};
        const Revision& before = *facts_.baseline;
        const Revision& after = facts_.revision;
        RevisionDifference found = facts_.difference;
        Rows csv{{"tensor", "was", "size_before", "size_after", "offset_before", "offset_after", "change", "pool_before",
                  "pool_after"}};
        std::string rows;
        std::size_t shown = 0;
        const auto row = [&](const RevisionTensor* was, const RevisionTensor* is, const std::string& what) {
            const auto offset = [](const RevisionTensor* one) {
                return one && one->offset ? std::to_string(*one->offset) : std::string();
            };
            csv.push_back({is ? is->name : was->name, was ? was->name : std::string(),
                           was ? std::to_string(was->size) : std::string(), is ? std::to_string(is->size) : std::string(),
                           offset(was), offset(is), what, was ? was->pool : std::string(), is ? is->pool : std::string()});
            if (++shown > shownChanged) return;
            const Bytes by = (is ? is->size : 0) - (was ? was->size : 0);
            rows += fmt::format("<tr><td>{}{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n "
                                "{}\">{}</td><td>{}</td></tr>\n",
                                shortName(is ? is->name : was->name),
                                was && is && was->name != is->name
                                    ? fmt::format("<div class=\"small\">was {}</div>", shortName(was->name))
                                    : std::string(),
                                what, was ? number(was->size) : "", is ? number(is->size) : "",
                                by > 0   ? "warn"
                                : by < 0 ? "ok"
                                         : "",
                                signedNumber(by), effect(was, is));
        };
        std::stable_sort(found.grown.begin(), found.grown.end(), [&](const RevisionPair& a, const RevisionPair& b) {
            const auto by = [&](const RevisionPair& pair) {
                return std::abs(after.tensors[pair.after].size - before.tensors[pair.before].size);
            };
            return by(a) > by(b);
        });
        for (const RevisionChange& change : changesOf(before, after, found))
            row(change.before ? &before.tensors[*change.before] : nullptr, change.after ? &after.tensors[*change.after] : nullptr,
                changeWord(change));
        const Bytes by = after.size - before.size;
        std::string sentence = peakSentence(before, after, found);
        if (sentence.empty())
            sentence = by == 0 ? fmt::format("The size stays at {} B.", number(after.size))
                               : fmt::format("The size {} by {} B, from {} to {} B.", by > 0 ? "rose" : "fell",
                                             number(std::abs(by)), number(before.size), number(after.size));
        std::string body = fmt::format("<p>{} {} of {} kept their size, {} moved.</p>", escaped(sentence),
                                       found.matched.size() + found.renamed.size() - found.grown.size(),
                                       counted(static_cast<std::int64_t>(after.tensors.size()), "buffer"), found.moved.size());
        if (!rows.empty())
            body += "<table><tr><th>tensor</th><th></th><th class=\"n\">last, B</th><th class=\"n\">this, B</th><th "
                    "class=\"n\">change</th><th>effect</th></tr>\n" +
                    rows + "</table>";
        if (shown > shownChanged) body += fmt::format("<div class=\"small\">{} more are in the CSV.</div>", shown - shownChanged);
        return card("Since the last run", fmt::format("baseline {} by {}", escaped(before.name), escaped(before.planner)),
                    fmt::format("<span class=\"chip {}\">{} B</span> {}", by > 0 ? "warn" : "ok", signedNumber(by),
                                csvLink("since-last-run", csv)),
                    body, {});
    }

    [[nodiscard]] std::string provenance() const
    {
        const Problem& problem = run_.problem();
        std::string made = "<dl>";
        const auto row = [&](std::string_view name, const std::string& value, const std::string& note = {}) {
            if (!value.empty() || !note.empty())
                made += fmt::format("<dt>{}</dt><dd><span class=\"mono\">{}</span>{}{}</dd>\n", name, escaped(value),
                                    value.empty() ? "" : "&ensp;", escaped(note));
        };
        std::string size = facts_.fileBytes >= 0 ? number(facts_.fileBytes) + " B, " : std::string();
        std::size_t ops = 0;
        if (run_.program)
            for (const Function& function : run_.program->functions) ops += function.ops.size();
        if (ops > 0) size += counted(static_cast<std::int64_t>(ops), "op") + ", ";
        row("model", title(),
            size + counted(static_cast<std::int64_t>(problem.buffers.size()), "buffer") +
                (facts_.importer.empty() ? "" : ", read by " + facts_.importer));
        row("SHA-256", facts_.sha256);
        std::string pools;
        for (const Pool& pool : problem.pools)
            pools += fmt::format("{}{} {}", pools.empty() ? "" : ", ", pool.name,
                                 pool.capacity ? grouped(*pool.capacity) + " B" : std::string("unbounded"));
        row("target", run_.targetName, pools);
        row("program", "Stowage " + facts_.version, "core " + facts_.build);
        std::string options = fmt::format("{} seed={}", facts_.request.planner, facts_.request.seed);
        for (const auto& [name, value] : facts_.request.options) options += ' ' + name + '=' + value;
        if (facts_.request.workLimit != 0) options += fmt::format(" work-limit={}", facts_.request.workLimit);
        if (facts_.request.timeLimitSeconds > 0) options += fmt::format(" time-limit={:g}s", facts_.request.timeLimitSeconds);
        std::string stopped{stopWords(run_.plan.stoppedBy)};
        if (dated_) stopped += fmt::format("{}after {}", stopped.empty() ? "" : " ", duration(run_.elapsedMs));
        row("options", options, stopped);
        row("lowering", run_.lowering->fingerprint.text());
        row("fingerprint", "plan " + facts_.fingerprint,
            run_.plan.stoppedBy == StoppedBy::deadline || run_.plan.stoppedBy == StoppedBy::cancelled
                ? "stopped by the clock: may differ elsewhere"
                : "the same on every machine");
        const AgainCommand& again = facts_.command; // whole: half of a command line is none
        made += again.line.empty()
                    ? fmt::format("<dt>again</dt><dd>{}</dd>\n", report::escapedWhole(again.whyNot))
                    : fmt::format("<dt>again</dt><dd><span class=\"mono\">{}</span></dd>\n", report::escapedWhole(again.line));
        made += "</dl>";
        Rows csv{{"buffer", "pool", "offset", "size", "begin", "end", "slots"}};
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
            const Placement& placement = run_.plan.placements[i];
            const Interval hull = problem.buffers[i].hull();
            csv.push_back({problem.buffers[i].name, placement.placed() ? problem.pools[at(placement.pool)].name : std::string(),
                           placement.placed() ? std::to_string(placement.offset) : std::string(),
                           std::to_string(problem.buffers[i].size), hull.empty() ? std::string() : std::to_string(hull.begin),
                           hull.empty() ? std::string() : std::to_string(hull.end), slotsOf(placement)});
        }
        const std::string links =
            csvLink("buffers", csv, "buffers CSV") + " &ensp;" +
            report::dataLink(file_ + "-plan.json", "application/json", io::writePlanJson(planForFile()), "plan JSON");
        return card("Provenance", "", links, made);
    }

    /// The addresses that a rotating buffer takes in turn; empty for others.
    [[nodiscard]] static std::string slotsOf(const Placement& placement)
    {
        if (placement.offsets.size() < 2) return {};
        return fmt::format("{}", fmt::join(placement.offsets.begin(), placement.offsets.end(), " "));
    }

    /// The run as it goes into a file: without the measured time where the page has none either.
    [[nodiscard]] Run planForFile() const
    {
        Run run = run_;
        if (!dated_) run.elapsedMs = 0;
        return run;
    }

    const ReportFacts& facts_;
    const Run& run_;
    std::string id_, file_;
    bool dated_;
    std::shared_ptr<const RunScene> scene_;
    Colouring colours_;
};

/// A row for each model of a report of several.
std::string overview(std::span<const ReportFacts> facts)
{
    Rows csv{{"model", "function", "verdict", "size", "lower_bound", "planner"}};
    std::string rows;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const Run& run = *facts[i].run;
        csv.push_back({facts[i].model, facts[i].function, std::string(verdictWord(run)), std::to_string(run.report.totalSize()),
                       std::to_string(run.report.totalBound()), run.plan.planner});
        rows +=
            fmt::format("<tr><td><a href=\"#m{}\">{}</a></td><td class=\"w\">{}</td><td class=\"n\">{}</td><td "
                        "class=\"n\">{}</td><td>{}</td></tr>\n",
                        i + 1, escaped(facts[i].function.empty() ? facts[i].model : facts[i].model + " · " + facts[i].function),
                        chip(run), number(run.report.totalSize()), number(run.report.totalBound()), escaped(run.plan.planner));
    }
    return card("Models", "", report::dataLink("models.csv", "text/csv", report::toCsv(csv), "CSV"),
                "<table><tr><th>model</th><th>verdict</th><th class=\"n\">size, B</th><th class=\"n\">lower bound, "
                "B</th><th>planner</th></tr>\n" +
                    rows + "</table>",
                "long");
}

/// For each model the beginning of the names of its files: the model's name without its ending, and its function.
std::vector<std::string> fileNames(std::span<const ReportFacts> facts)
{
    std::vector<std::string> names;
    for (const ReportFacts& one : facts) {
        const std::string stem = one.model.substr(0, one.model.rfind('.'));
        const std::string name = report::fileNamePart(stem.empty() ? one.model : stem);
        names.push_back(one.function.empty() ? name : name + '-' + report::fileNamePart(one.function));
    }
    return report::distinct(std::move(names));
}

} // namespace

std::string writeHtmlReport(std::span<const ReportFacts> facts, const HtmlReportOptions& options)
{
    const ReportFacts& first = facts.front();
    const std::string what = facts.size() == 1 ? first.model : counted(static_cast<std::int64_t>(facts.size()), "plan");
    const std::string target = first.run->targetName.empty() ? std::string() : " on " + first.run->targetName;
    std::string made = fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                                   "content=\"width=device-width, initial-scale=1\">\n<title>{} · Stowage "
                                   "report</title>\n<style>{}</style></head>\n<body>{}<main>\n",
                                   escaped(what), report::styleSheet(), report::patterns());
    made += fmt::format("<header><div class=\"who\"><svg class=\"logo\" viewBox=\"0 0 36 36\" aria-hidden=\"true\"><rect "
                        "width=\"18\" height=\"6\" rx=\"2.2\" "
                        "fill=\"#8A91A4\"/><rect x=\"10\" y=\"8\" width=\"26\" height=\"11\" rx=\"2.2\" fill=\"#2FA88F\"/><rect "
                        "y=\"21\" width=\"21\" "
                        "height=\"15\" rx=\"2.2\" fill=\"#3B82F0\"/><rect x=\"23\" y=\"21\" width=\"13\" height=\"15\" "
                        "rx=\"2.2\" fill=\"#D9962B\"/></svg>"
                        "<div><h1>Stowage report</h1><div class=\"quiet\">static memory plan of {}{}</div></div></div><div "
                        "class=\"side\">{}<div>Stowage {}</div></div></header>\n",
                        escaped(what), escaped(target),
                        options.date.empty() ? std::string() : fmt::format("<div class=\"mono\">{}</div>", escaped(options.date)),
                        escaped(first.version));
    if (facts.size() > 1) made += overview(facts);
    const std::vector<std::string> files = fileNames(facts);
    for (std::size_t i = 0; i < facts.size(); ++i) {
        if (facts.size() > 1)
            made += fmt::format("<div class=\"model\">{}</div>\n",
                                escaped(facts[i].function.empty() ? facts[i].model : facts[i].model + " · " + facts[i].function));
        made += Chapter(facts[i], fmt::format("m{}", i + 1), files[i], !options.date.empty()).html();
    }
    return made + "<footer><span>One file without scripts or network. Pictures are SVG with hover "
                  "titles.</span><span>CSV and JSON "
                  "of every table are embedded.</span></footer>\n</main></body></html>\n";
}

} // namespace stowage
