#include "app/desktop/panels/pipe_facts.h"

#include <QStringList>

#include <algorithm>
#include <set>

namespace stowage {

std::optional<PipeFacts> pipeFactsOf(const Run& run, const PipeScene* scene, BufferId buffer)
{
    if (run.problem().axis != Axis::hivm) return std::nullopt;
    PipeFacts facts;
    const auto id = std::size_t(buffer);
    facts.slots = std::max<std::size_t>(1, run.plan.placements[id].offsets.size());
    facts.wanted = run.problem().buffers[id].slots;
    if (const auto levels = reuseLevels(run); levels && levels->levels[id]) {
        const std::string_view name = shortName(*levels->levels[id]);
        facts.level = QString::fromUtf8(name.data(), qsizetype(name.size()));
        const std::string_view meaning = meaningOf(*levels->levels[id]);
        facts.levelMeans = QString::fromUtf8(meaning.data(), qsizetype(meaning.size()));
    }
    if (!scene) return facts;
    std::set<std::int32_t> writing, reading;
    for (const PipeOp& op : scene->analysis.model.ops) {
        if (std::ranges::binary_search(op.writes, buffer)) writing.insert(op.pipes.begin(), op.pipes.end());
        if (std::ranges::binary_search(op.reads, buffer)) reading.insert(op.pipes.begin(), op.pipes.end());
    }
    const auto names = [&](const std::set<std::int32_t>& pipes) {
        QStringList words;
        for (const std::int32_t pipe : pipes) words << QString::fromStdString(scene->analysis.model.pipes[std::size_t(pipe)]);
        return words.join(QStringLiteral(", "));
    };
    facts.writtenBy = names(writing);
    facts.readBy = names(reading);
    for (const ReuseEdge& edge : scene->report().edges) { // the worst kinds come first
        if (edge.to == buffer) facts.neighbours.push_back({edge.from, true, edge.kind, edge.stall});
        if (edge.from == buffer) facts.neighbours.push_back({edge.to, false, edge.kind, edge.stall});
    }
    return facts;
}

} // namespace stowage
