#include "app/session/revision.h"

#include "app/session/verdicts.h"
#include "core/io/json_writer.h"
#include "core/ir/digits.h"
#include "core/ir/occupied.h"
#include "core/ir/shown_text.h"
#include "core/plan/load.h"
#include "core/plan/offsets.h"
#include "core/plan/verdict_words.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

constexpr std::string_view planFormat = "stowage.plan/1";

/// Kind of the op that makes it and kind of buffer, for finding renamed tensors.
std::string originOf(const Run& run, std::size_t id)
{
    const int kind = static_cast<int>(run.problem().buffers[id].kind);
    if (!run.program || id >= run.lowering->origins.size()) return {};
    const BufferOrigin& origin = run.lowering->origins[id];
    if (origin.function == none || origin.producer == none) return fmt::format("{}", kind);
    return fmt::format("{} {}", kind, run.program->functions[at(origin.function)].ops[at(origin.producer)].kind);
}

/// Positions of the longest ascending subsequence of `values`, which are all different.
std::vector<std::size_t> longestAscending(const std::vector<std::size_t>& values)
{
    std::vector<std::size_t> ends; // position of the smallest last value of an ascending run of each length
    std::vector<std::size_t> previous(values.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto where =
            std::lower_bound(ends.begin(), ends.end(), values[i], [&](std::size_t e, std::size_t v) { return values[e] < v; });
        if (where != ends.begin()) previous[i] = *(where - 1);
        if (where == ends.end())
            ends.push_back(i);
        else
            *where = i;
    }
    std::vector<std::size_t> found;
    for (std::size_t i = ends.empty() ? values.size() : ends.back(); i < values.size(); i = previous[i]) found.push_back(i);
    std::reverse(found.begin(), found.end());
    return found;
}

/// Tensors of both sides between two matched neighbours, that no name matches.
struct Gap {
    std::vector<std::size_t> before;
    std::vector<std::size_t> after;
};

void pairRenamed(const Revision& before, const Revision& after, Gap& gap, std::vector<RevisionPair>& renamed)
{
    using Key = std::pair<std::string_view, Bytes>;
    const auto keyOf = [](const RevisionTensor& tensor) { return Key(tensor.origin, tensor.size); };
    std::map<Key, std::vector<std::size_t>> open; // positions before, the first one last
    for (auto i = gap.before.rbegin(); i != gap.before.rend(); ++i) open[keyOf(before.tensors[*i])].push_back(*i);
    std::vector<std::size_t> restAfter;
    for (const std::size_t i : gap.after) {
        const auto found = open.find(keyOf(after.tensors[i]));
        if (found == open.end() || found->second.empty()) {
            restAfter.push_back(i);
            continue;
        }
        renamed.push_back({found->second.back(), i});
        found->second.pop_back();
    }
    std::vector<std::size_t> restBefore;
    for (const auto& [key, positions] : open) restBefore.insert(restBefore.end(), positions.begin(), positions.end());
    std::sort(restBefore.begin(), restBefore.end());
    if (restBefore.size() != restAfter.size()) return;
    for (std::size_t i = 0; i < restBefore.size(); ++i) {
        const std::string& origin = before.tensors[restBefore[i]].origin;
        if (origin.empty() || origin != after.tensors[restAfter[i]].origin) return;
    }
    for (std::size_t i = 0; i < restBefore.size(); ++i) renamed.push_back({restBefore[i], restAfter[i]});
}

Error wrongPlan(const std::string& file, std::string message)
{
    return failure(Code::badPlan, std::move(message), {file, 0, 0, -1}, "'plan --format json' writes such a file");
}

/// The first step at which most bytes are live in all pools together, if bytes that buffers share by permission count once.
Step sharedPeakStep(const Run& run, const std::vector<Load>& loads)
{
    const Problem& problem = run.problem();
    std::vector<std::pair<Step, Bytes>> changes;
    for (std::size_t pool = 0; pool < problem.pools.size(); ++pool) {
        Bytes before = 0;
        for (const UsageSample& sample : usage(problem, run.plan, static_cast<PoolId>(pool))) {
            changes.emplace_back(sample.step, sample.live - before);
            before = sample.live;
        }
    }
    for (const Load& load : loads) {
        if (run.plan.placements[at(load.buffer)].placed()) continue;
        changes.emplace_back(load.live.begin, load.total());
        changes.emplace_back(load.live.end, -load.total());
    }
    std::ranges::sort(changes);
    Step step = -1;
    Bytes live = 0, most = -1;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        live += changes[i].second;
        const bool settled = i + 1 == changes.size() || changes[i + 1].first != changes[i].first;
        if (settled && live > most) most = live, step = changes[i].first;
    }
    return step;
}

/// By buffer: the bytes of the pool that it is the first to use at `step`, of those that use them by the begin of their lives.
/// O(n log n).
std::vector<Bytes> bytesUsedFirst(const Run& run, PoolId pool, Step step)
{
    const Problem& problem = run.problem();
    struct End {
        Bytes address = 0;
        bool begins = false;
        std::pair<Step, std::size_t> buffer; ///< begin of its life, id
    };
    std::vector<End> ends;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        if (run.plan.placements[b].pool != pool) continue;
        const std::pair buffer(problem.buffers[b].hull().begin, b);
        for (const Bytes offset : distinctOffsets(run.plan.placements[b]))
            forEachOccupied(problem.buffers[b], [&](const Occupied& it) {
                if (!it.steps.contains(step) || it.low >= it.high) return;
                ends.push_back({offset + it.low, true, buffer});
                ends.push_back({offset + it.high, false, buffer});
            });
    }
    std::ranges::sort(ends, {}, &End::address);
    std::vector<Bytes> bytes(problem.buffers.size(), 0);
    std::multiset<std::pair<Step, std::size_t>> users;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (i > 0 && !users.empty()) bytes[users.begin()->second] += ends[i].address - ends[i - 1].address;
        if (ends[i].begins)
            users.insert(ends[i].buffer);
        else
            users.erase(users.find(ends[i].buffer));
    }
    return bytes;
}

/// The step at which most bytes are live, and the live bytes of each buffer there.
struct LivePeak {
    Step step = -1;
    std::vector<Bytes> held; ///< by buffer
};

/// Bytes that buffers share by permission count once: for the one that begins first. Requires a time axis.
LivePeak livePeak(const Run& run)
{
    const Problem& problem = run.problem();
    std::vector<BufferId> all(problem.buffers.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<Load> loads = occupied(problem, all, none);
    // Only a valid plan says which bytes are shared.
    const bool shared = run.report.verdict.valid() &&
                        std::ranges::any_of(problem.buffers, [](const Buffer& buffer) { return !buffer.mayShare.empty(); });
    LivePeak peak{shared ? sharedPeakStep(run, loads) : heaviestStep(loads, false), std::vector<Bytes>(all.size(), 0)};
    if (peak.step < 0) return peak;
    for (const Load& load : loads)
        if (load.live.contains(peak.step)) peak.held[at(load.buffer)] += load.total();
    for (std::size_t pool = 0; shared && pool < problem.pools.size(); ++pool) {
        const std::vector<Bytes> first = bytesUsedFirst(run, static_cast<PoolId>(pool), peak.step);
        Bytes live = 0, used = 0;
        for (std::size_t b = 0; b < all.size(); ++b) {
            if (run.plan.placements[b].pool != static_cast<PoolId>(pool)) continue;
            live += peak.held[b];
            used += first[b];
        }
        if (used >= live) continue; // nothing is shared; a rotating buffer uses all its offsets
        for (std::size_t b = 0; b < all.size(); ++b)
            if (run.plan.placements[b].pool == static_cast<PoolId>(pool)) peak.held[b] = first[b];
    }
    return peak;
}

void write(io::JsonWriter& json, const char* key, const RevisionTensor* tensor)
{
    json.key(key);
    if (!tensor) return json.null();
    json.object(io::JsonWriter::compact, [&] {
        json.field("size", tensor->size);
        json.key("pool");
        tensor->pool.empty() ? json.null() : json.value(tensor->pool);
        json.key("offset");
        tensor->offset ? json.value(*tensor->offset) : json.null();
    });
}

} // namespace

Revision revisionOf(const Run& run, std::string name)
{
    const Problem& problem = run.problem();
    Revision revision;
    revision.name = std::move(name);
    revision.planner = run.plan.planner;
    revision.size = run.report.totalSize();
    revision.status = run.report.status;
    for (const std::string_view unknown : unknownSizeNames(run)) revision.unknownSizes.emplace_back(unknown);
    revision.caveat = caveatOf(run);
    std::vector<Bytes> held(problem.buffers.size(), 0);
    if (problem.axis != Axis::dag && problem.horizon() > 0) {
        LivePeak peak = livePeak(run);
        revision.peakStep = peak.step;
        held = std::move(peak.held);
    } else {
        for (const BufferId id : lowerBound(problem, none).buffers) held[at(id)] = heldAt(problem, id, -1);
    }
    revision.peak = std::accumulate(held.begin(), held.end(), Bytes{0});

    std::vector<std::size_t> order(held.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return problem.buffers[a].hull().begin < problem.buffers[b].hull().begin;
    });
    for (const std::size_t id : order) {
        const Placement& placement = run.plan.placements[id];
        RevisionTensor& tensor = revision.tensors.emplace_back();
        tensor.name = problem.buffers[id].name;
        tensor.size = problem.buffers[id].size;
        tensor.origin = originOf(run, id);
        tensor.atPeak = held[id];
        if (!placement.placed()) continue;
        tensor.pool = problem.pools[at(placement.pool)].name;
        tensor.offset = placement.offset;
    }
    return revision;
}

bool isPlanDocument(std::string_view text)
{
    constexpr std::size_t head = 4'096;
    const std::string_view beginning = text.substr(0, head);
    const auto first = beginning.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first != std::string_view::npos && beginning[first] == '{' &&
           beginning.find('"' + std::string(planFormat) + '"') != std::string_view::npos;
}

Expected<Revision> revisionOfPlanFile(std::string_view text, const std::string& file, std::string_view function)
{
    QJsonParseError wrong;
    const QJsonObject whole =
        QJsonDocument::fromJson(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())), &wrong).object();
    if (wrong.error != QJsonParseError::NoError)
        return failure(Code::badPlan, wrong.errorString().toStdString(), {file, 0, 0, wrong.offset},
                       "'plan --format json' writes such a file");
    if (whole.value(QLatin1String("format")).toString().toStdString() != planFormat)
        return wrongPlan(file, fmt::format("it is no document '{}'", planFormat));
    QJsonObject document = whole;
    if (const QJsonArray functions = whole.value(QLatin1String("functions")).toArray(); !functions.isEmpty()) {
        const auto found = std::find_if(functions.begin(), functions.end(), [&](const QJsonValue& one) {
            return one.toObject().value(QLatin1String("name")).toString().toStdString() == function;
        });
        if (found == functions.end() && functions.size() > 1)
            return failure(Code::noSuchFunction, fmt::format("the plan has no function '{}'", shownName(function)),
                           {file, 0, 0, -1}, "choose one that it has with --function NAME, or name another plan");
        document = (found == functions.end() ? functions.first() : *found).toObject();
    }
    const QJsonValue placements = document.value(QLatin1String("placements"));
    if (!placements.isArray()) return wrongPlan(file, "it has no list 'placements'");
    Revision revision;
    revision.name = file.substr(file.rfind('/') + 1);
    revision.planner = document.value(QLatin1String("planner")).toString().toStdString();
    std::map<std::string, Bytes> sizes; // by pool
    for (const auto& value : placements.toArray()) {
        const QJsonObject row = value.toObject();
        RevisionTensor tensor;
        tensor.name = row.value(QLatin1String("buffer")).toString().toStdString();
        tensor.pool = row.value(QLatin1String("pool")).toString().toStdString();
        tensor.size = row.value(QLatin1String("size")).toInteger(-1);
        const qint64 offset = row.value(QLatin1String("offset")).toInteger(-1);
        constexpr Bytes largest = Bytes{1} << 61;
        if (tensor.name.empty() || tensor.size < 0 || tensor.size > largest || offset > largest)
            return wrongPlan(file, fmt::format("placement {} has no name, or no size in range", revision.tensors.size()));
        if (offset >= 0) tensor.offset = offset;
        if (!tensor.pool.empty()) sizes[tensor.pool] = std::max(sizes[tensor.pool], std::max<Bytes>(offset, 0) + tensor.size);
        revision.tensors.push_back(std::move(tensor));
    }
    // What the file says counts where it is more: rotating buffers have further offsets.
    for (const auto& value : document.value(QLatin1String("pools")).toArray()) {
        const QJsonObject row = value.toObject();
        Bytes& size = sizes[row.value(QLatin1String("name")).toString().toStdString()];
        size = std::max<Bytes>(size, row.value(QLatin1String("size")).toInteger(0));
    }
    for (const auto& [pool, size] : sizes) revision.size += size;
    for (const auto& name : document.value(QLatin1String("unknown_sizes")).toArray())
        revision.unknownSizes.push_back(name.toString().toStdString());
    if (!revision.unknownSizes.empty())
        revision.caveat = leftOutText(static_cast<std::int64_t>(revision.unknownSizes.size()), "tensor");
    return revision;
}

RevisionDifference difference(const Revision& before, const Revision& after)
{
    RevisionDifference found;
    std::map<std::string_view, std::size_t> byName;
    for (std::size_t i = 0; i < before.tensors.size(); ++i) byName.emplace(before.tensors[i].name, i);
    std::vector<bool> takenBefore(before.tensors.size()), takenAfter(after.tensors.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < after.tensors.size(); ++i) {
        const auto there = byName.find(after.tensors[i].name);
        if (there == byName.end() || takenBefore[there->second]) continue;
        takenBefore[there->second] = takenAfter[i] = true;
        found.matched.push_back({there->second, i});
        order.push_back(there->second);
    }

    // What stands in one order on both sides cuts the rest into gaps.
    std::vector<RevisionPair> anchors;
    for (const std::size_t i : longestAscending(order)) anchors.push_back(found.matched[i]);
    std::size_t b = 0, a = 0;
    for (std::size_t next = 0; next <= anchors.size(); ++next) {
        Gap gap;
        const std::size_t endBefore = next < anchors.size() ? anchors[next].before : before.tensors.size();
        const std::size_t endAfter = next < anchors.size() ? anchors[next].after : after.tensors.size();
        for (; b < endBefore; ++b)
            if (!takenBefore[b]) gap.before.push_back(b);
        for (; a < endAfter; ++a)
            if (!takenAfter[a]) gap.after.push_back(a);
        if (!gap.before.empty() && !gap.after.empty()) pairRenamed(before, after, gap, found.renamed);
    }
    const auto byAfter = [](const RevisionPair& x, const RevisionPair& y) { return x.after < y.after; };
    std::sort(found.renamed.begin(), found.renamed.end(), byAfter);
    for (const RevisionPair& pair : found.renamed) takenBefore[pair.before] = takenAfter[pair.after] = true;
    for (std::size_t i = 0; i < after.tensors.size(); ++i)
        if (!takenAfter[i]) found.added.push_back(i);
    for (std::size_t i = 0; i < before.tensors.size(); ++i)
        if (!takenBefore[i]) found.gone.push_back(i);

    const bool peaks = before.peak && after.peak;
    const auto cause = [&](const std::string& name, Bytes bytes) {
        if (peaks && bytes != 0) found.because.push_back({name, bytes});
    };
    for (const auto* pairs : {&found.matched, &found.renamed})
        for (const RevisionPair& pair : *pairs) {
            const RevisionTensor& was = before.tensors[pair.before];
            const RevisionTensor& is = after.tensors[pair.after];
            if (was.size != is.size) found.grown.push_back(pair);
            if (was.pool != is.pool || was.offset != is.offset) found.moved.push_back(pair);
            cause(is.name, is.atPeak - was.atPeak);
        }
    for (const std::size_t i : found.added) cause(after.tensors[i].name, after.tensors[i].atPeak);
    for (const std::size_t i : found.gone) cause(before.tensors[i].name, -before.tensors[i].atPeak);
    std::sort(found.grown.begin(), found.grown.end(), byAfter);
    std::sort(found.moved.begin(), found.moved.end(), byAfter);
    std::sort(found.because.begin(), found.because.end(), [](const PeakCause& x, const PeakCause& y) {
        return std::tuple(-std::abs(x.bytes), std::string_view(x.tensor)) <
               std::tuple(-std::abs(y.bytes), std::string_view(y.tensor));
    });
    return found;
}

std::vector<RevisionChange> changesOf(const Revision& before, const Revision& after, const RevisionDifference& difference)
{
    using Kind = RevisionChange::Kind;
    const auto sizes = [&](const RevisionPair& pair) {
        return std::pair(before.tensors[pair.before].size, after.tensors[pair.after].size);
    };
    const auto otherName = [&](const RevisionPair& pair) {
        return before.tensors[pair.before].name != after.tensors[pair.after].name;
    };
    std::vector<RevisionChange> changes;
    for (const RevisionPair& pair : difference.grown) {
        const auto [was, is] = sizes(pair);
        changes.push_back({is > was ? Kind::grown : Kind::shrunk, pair.before, pair.after, otherName(pair)});
    }
    for (const std::size_t i : difference.added) changes.push_back({Kind::added, std::nullopt, i, false});
    for (const std::size_t i : difference.gone) changes.push_back({Kind::gone, i, std::nullopt, false});
    const auto sameSize = [&](const RevisionPair& pair) {
        const auto [was, is] = sizes(pair);
        return was == is;
    };
    for (const RevisionPair& pair : difference.renamed)
        if (sameSize(pair)) changes.push_back({Kind::renamed, pair.before, pair.after, true});
    for (const RevisionPair& pair : difference.moved)
        if (sameSize(pair) && !otherName(pair)) changes.push_back({Kind::moved, pair.before, pair.after, false});
    return changes;
}

std::string changeWord(const RevisionChange& change)
{
    using Kind = RevisionChange::Kind;
    const char* also = change.otherName ? ", renamed" : "";
    switch (change.kind) {
    case Kind::grown: return fmt::format("grown{}", also);
    case Kind::shrunk: return fmt::format("shrunk{}", also);
    case Kind::added: return "new";
    case Kind::gone: return "gone";
    case Kind::renamed: return "renamed";
    case Kind::moved: return "moved";
    }
    return {};
}

std::string peakSentence(const Revision& before, const Revision& after, const RevisionDifference& difference)
{
    if (!before.peak || !after.peak) return {};
    const Bytes by = *after.peak - *before.peak;
    std::string text = by == 0 ? fmt::format("The peak stays at {} B", grouped(*after.peak))
                               : fmt::format("The peak {} by {} B, from {} to {} B", by > 0 ? "rises" : "falls",
                                             grouped(std::abs(by)), grouped(*before.peak), grouped(*after.peak));
    constexpr std::size_t named = 3;
    Bytes rest = 0;
    for (std::size_t i = 0; i < difference.because.size(); ++i) {
        const PeakCause& cause = difference.because[i];
        if (i < named || difference.because.size() == named + 1)
            text += fmt::format("{} {} {}{} B", i == 0 ? ":" : ",", shownName(cause.tensor), cause.bytes > 0 ? "+" : "",
                                grouped(cause.bytes));
        else
            rest += cause.bytes;
    }
    if (difference.because.size() > named + 1)
        text += fmt::format(", {} others {}{} B", difference.because.size() - named, rest > 0 ? "+" : "", grouped(rest));
    return text + ".";
}

std::string sizeSentence(const Revision& before, const Revision& after)
{
    const Bytes by = after.size - before.size;
    const bool otherPlanner = before.planner != after.planner;
    if (by == 0)
        return fmt::format("Size: {} B, as before{}", grouped(after.size),
                           otherPlanner ? fmt::format("; planned by {}, before by {}", after.planner, before.planner)
                                        : std::string());
    return fmt::format("Size: {} B, {}{} B against {} B of {} by {}{}", grouped(after.size), by > 0 ? "+" : "", grouped(by),
                       grouped(before.size), shownName(before.name), before.planner,
                       otherPlanner ? fmt::format("; planned by {}", after.planner) : std::string());
}

std::string caveatLines(const Revision& before, const Revision& after)
{
    std::string text;
    if (!after.caveat.empty()) text += after.caveat + '\n';
    if (!before.caveat.empty()) text += fmt::format("{}: {}\n", shownName(before.name), before.caveat);
    return text;
}

std::string countsSentence(const RevisionDifference& difference)
{
    return fmt::format("{} matched by name, {} renamed, {} new, {} gone, {} of another size, {} moved", difference.matched.size(),
                       difference.renamed.size(), difference.added.size(), difference.gone.size(), difference.grown.size(),
                       difference.moved.size());
}

std::string writeDifferenceJson(const Revision& before, const Revision& after, const RevisionDifference& difference)
{
    io::JsonWriter json;
    const auto row = [&](const RevisionTensor* was, const RevisionTensor* is) {
        json.object(io::JsonWriter::compact, [&] {
            json.field("tensor", is ? is->name : was->name);
            if (was && is && was->name != is->name) json.field("was", was->name);
            write(json, "before", was);
            write(json, "after", is);
        });
    };
    const auto pairs = [&](const char* key, const std::vector<RevisionPair>& list) {
        json.array(key, [&] {
            for (const RevisionPair& pair : list) row(&before.tensors[pair.before], &after.tensors[pair.after]);
        });
    };
    const auto peak = [&](const char* key, const std::optional<Bytes>& value) {
        json.key(key);
        value ? json.value(*value) : json.null();
    };
    const auto names = [&](const char* key, const std::vector<std::string>& list) {
        json.array(key, [&] {
            for (const std::string& name : list) json.value(name);
        });
    };
    const auto status = [&](const char* key, const std::optional<Status>& value) {
        json.key(key);
        value ? json.value(wordOf(*value)) : json.null();
    };
    json.object([&] {
        json.field("format", "stowage.difference/1");
        json.field("before", before.name);
        json.field("after", after.name);
        json.object("status", io::JsonWriter::compact, [&] {
            status("before", before.status);
            status("after", after.status);
        });
        if (!before.unknownSizes.empty() || !after.unknownSizes.empty()) {
            json.object("partial", io::JsonWriter::compact, [&] {
                json.field("before", !before.unknownSizes.empty());
                json.field("after", !after.unknownSizes.empty());
            });
            json.object("unknown_sizes", io::JsonWriter::compact, [&] {
                names("before", before.unknownSizes);
                names("after", after.unknownSizes);
            });
        }
        pairs("matched", difference.matched);
        pairs("renamed", difference.renamed);
        json.array("new", [&] {
            for (const std::size_t i : difference.added) row(nullptr, &after.tensors[i]);
        });
        json.array("gone", [&] {
            for (const std::size_t i : difference.gone) row(&before.tensors[i], nullptr);
        });
        pairs("grown", difference.grown);
        pairs("moved", difference.moved);
        json.object("size", io::JsonWriter::compact, [&] {
            json.field("before", before.size);
            json.field("after", after.size);
        });
        json.object("peak", [&] {
            peak("before", before.peak);
            peak("after", after.peak);
            json.array("because", [&] {
                for (const PeakCause& cause : difference.because)
                    json.object(io::JsonWriter::compact, [&] {
                        json.field("tensor", cause.tensor);
                        json.field("bytes", cause.bytes);
                    });
            });
        });
    });
    return std::move(json).text();
}

} // namespace stowage
