// What the inspector tells of kernels and of several memories: pipes, reuse of bytes, fallbacks.
#include "app/desktop/panels/inspector.h"

#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/pipes/pipe_chart.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/desktop/panels/fact_rows.h"
#include "app/desktop/panels/pipe_facts.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace stowage {

std::shared_ptr<const RunScene> Inspector::sceneWith(Part part)
{
    const auto of = std::size_t(part);
    if (made_[of]) return scene_;
    if (std::exchange(asked_[of], true)) return nullptr;
    const auto make = [part, run = sceneRun_, scenes = workspace_.scenes()] {
        auto scene = scenes->scene(run);
        switch (part) {
        case Part::support: (void)scene->support(); break;
        case Part::displaced: (void)scene->displaced(); break;
        case Part::pipes: (void)scene->pipes(); break;
        }
        return scene;
    };
    const auto take = [this, of](std::shared_ptr<const RunScene> scene) {
        scene_ = std::move(scene);
        made_[of] = true;
    };
    const std::size_t executions = part == Part::pipes ? pipeWork(*sceneRun_) : 0;
    if (std::max(sceneRun_->problem().buffers.size(), executions) <= Picture::sceneAtOnce) {
        take(make());
        return scene_;
    }
    sceneJobs_.start([make](const std::stop_token& stop) { return stop.stop_requested() ? nullptr : make(); },
                     [this, take](std::shared_ptr<const RunScene> scene) {
                         take(std::move(scene));
                         refresh();
                     });
    return nullptr;
}

/// Where it was asked for: every frame, the innermost first; those of Python stand out.
void Inspector::addCallStack(QVBoxLayout& column, BufferId id)
{
    const Model* model = workspace_.model();
    const std::vector<std::string> frames = model ? callStackOf(*model, *workspace_.run(), id) : std::vector<std::string>();
    if (frames.empty()) return;
    addFactLine(column);
    addFactHeading(column, tr("Allocated by"), countedText(std::int64_t(frames.size()), tr("frame")));
    for (const std::string& frame : frames) {
        const QString whole = nameText(frame);
        auto* line = new ElidedLabel(Qt::ElideMiddle); // both the function and the end of the path are seen
        line->setObjectName(QStringLiteral("callFrame"));
        const qsizetype unknown = whole.lastIndexOf(QStringLiteral(" ??")); // code without a source
        line->setFullText(unknown < 0 ? whole : whole.left(unknown));
        if (!whole.contains(QStringLiteral(".py:"))) setTone(line, Tone::caption);
        auto* row = new QHBoxLayout;
        row->setContentsMargins(12, 0, 12, 0);
        row->addWidget(line);
        column.addLayout(row);
    }
}

/// What the pipes of a kernel lose to reuse.
void Inspector::addPipes(QVBoxLayout& column)
{
    const auto run = workspace_.run();
    if (!whyNoPipes(*run).empty()) return;
    const auto shown = sceneWith(Part::pipes);
    const auto scene = shown ? shown->pipes() : nullptr;
    if (shown && !scene) return;
    addFactLine(column);
    if (!scene) {
        addFactHeading(column, tr("Pipes"), tr("simulating…"));
        return;
    }
    const PipeReport& report = scene->report();
    addFactHeading(column, tr("Pipes"), tr("simulated, %1").arg(countedText(scene->analysis.iterations, tr("iteration"))));
    addFact(column, tr("time"), countText(report.time), timeUnit(*scene));
    const std::int64_t lost = std::max<std::int64_t>(0, report.time - report.timeWithoutReuse);
    addFact(column, tr("lost"), countText(lost),
            lost > 0 ? tr("to reuse, %1").arg(percentText(report.slowdown())) : tr("to reuse"));
    addFact(column, tr("reuse"), countText(std::int64_t(report.edges.size())),
            report.edges.empty() ? tr("pairs of buffers")
                                 : tr("pairs, %1 across pipes, %2 breaking")
                                       .arg(countText(report.count(ReuseKind::crossPipe)),
                                            countText(report.count(ReuseKind::breaksDoubleBuffer))));
    if (const auto levels = reuseLevels(*run)) {
        std::array<std::int64_t, 4> counts{};
        for (const auto& level : levels->levels)
            if (level && *level <= hivm::Level::samePipe) ++counts[std::size_t(*level)];
        for (std::size_t level = counts.size(); level-- > 0;)
            if (counts[level] > 0)
                addFact(column, tr("level %1").arg(level), countText(counts[level]),
                        counts[level] == 1 ? tr("buffer placed there") : tr("buffers placed there"));
        addFact(column, tr("rollbacks"), countText(levels->rollbacks),
                levels->rollbacks == 1 ? tr("placement") : tr("placements"));
    }
}

/// Level, pipes, and whoever shares its bytes.
void Inspector::addReuse(QVBoxLayout& column, BufferId id)
{
    const auto run = workspace_.run();
    if (run->problem().axis != Axis::hivm) return;
    const auto shown = whyNoPipes(*run).empty() ? sceneWith(Part::pipes) : nullptr;
    const auto scene = shown ? shown->pipes() : nullptr;
    const auto facts = pipeFactsOf(*run, scene.get(), id);
    if (!facts) return;
    if (facts->slots > 1 || facts->wanted > 1)
        addFact(column, tr("slots"), countText(std::int64_t(facts->slots)),
                std::int64_t(facts->slots) > facts->wanted ? tr("upgraded from %1").arg(facts->wanted) : tr("multi-buffer"));
    if (!facts->level.isEmpty()) {
        addFact(column, tr("placed at"), facts->level, {}, false);
        QLabel* means = makeLabel(facts->levelMeans, Tone::secondary);
        means->setObjectName(QStringLiteral("levelMeans"));
        means->setWordWrap(true);
        means->setContentsMargins(12 + factKeyWidth + 6, 0, 12, 0);
        means->setVisible(!facts->levelMeans.isEmpty());
        column.addWidget(means);
    }
    if (!facts->writtenBy.isEmpty() || !facts->readBy.isEmpty()) {
        QStringList uses;
        if (!facts->writtenBy.isEmpty()) uses << tr("%1 writes").arg(facts->writtenBy);
        if (!facts->readBy.isEmpty()) uses << tr("%1 reads").arg(facts->readBy);
        addFact(column, tr("pipes"), uses.join(QStringLiteral("; ")), {}, false);
    }
    if (facts->neighbours.empty()) return;
    addFactLine(column);
    addFactHeading(column, tr("Reuse of its bytes"), countedText(std::int64_t(facts->neighbours.size()), tr("neighbour")));
    for (std::size_t i = 0; i < facts->neighbours.size() && i < maxFactLines; ++i) {
        const ReuseNeighbour& neighbour = facts->neighbours[i];
        addBufferLink(column, neighbour.other, neighbour.stall > 0 ? tr("stall %1").arg(countText(neighbour.stall)) : QString());
        QLabel* how = makeLabel(QStringLiteral("%1, %2").arg(neighbour.before ? tr("held them before") : tr("takes them over"),
                                                             reuseText(neighbour.kind)),
                                neighbour.kind == ReuseKind::samePipe    ? Tone::secondary
                                : neighbour.kind == ReuseKind::crossPipe ? Tone::warn
                                                                         : Tone::bad);
        how->setContentsMargins(12, 0, 12, 3);
        column.addWidget(how);
    }
    if (facts->neighbours.size() > maxFactLines)
        addFact(column, {}, tr("%1 more").arg(facts->neighbours.size() - maxFactLines), {}, false);
}

/// Which pool it was pushed out of, and what a few more bytes there would bring.
void Inspector::addFallback(QVBoxLayout& column, BufferId id)
{
    const auto run = workspace_.run();
    const Problem& problem = run->problem();
    if (!isFallback(problem, problem.buffers[std::size_t(id)], run->plan.placements[std::size_t(id)])) return;
    const auto scene = sceneWith(Part::displaced);
    const auto out = scene ? scene->displacedFrom(id) : std::nullopt;
    const PoolId wanted = out ? out->first : problem.candidates(problem.buffers[std::size_t(id)]).front();
    addFact(column, tr("fallback"), tr("from %1").arg(nameText(problem.pools[std::size_t(wanted)].name)), {}, false);
    if (!out) return;
    const NumberFormat& numbers = workspace_.numbers();
    QStringList more;
    if (out->second.more)
        more << (*out->second.more == 0 ? tr("The buffer fits into that pool as it is.")
                 : out->second.exact
                     ? tr("With %1 more in that pool, the buffer returns to it.").arg(bytesText(*out->second.more, numbers))
                     : tr("With at most %1 more in that pool, the buffer returns to it.")
                           .arg(bytesText(*out->second.more, numbers)));
    if (out->second.saved && *out->second.saved > 0)
        more << tr("This saves %1 of traffic.").arg(durationText(*out->second.saved / 1e6));
    if (more.isEmpty()) return;
    QLabel* text = makeLabel(more.join(u' '), Tone::warn);
    text->setObjectName(QStringLiteral("fallbackText"));
    text->setWordWrap(true);
    text->setContentsMargins(12 + factKeyWidth + 6, 0, 12, 0);
    column.addWidget(text);
}

} // namespace stowage
