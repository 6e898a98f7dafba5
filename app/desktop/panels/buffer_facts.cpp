#include "app/desktop/panels/buffer_facts.h"

#include "app/canvas/kit/number_text.h"
#include "core/ir/checked.h"

#include <QFileInfo>
#include <QStringList>

#include <algorithm>

namespace stowage {

namespace {

QString typeText(const Tensor& tensor)
{
    QString text = QString::fromStdString(tensor.dtype);
    QStringList dimensions;
    for (const std::int64_t dimension : tensor.shape)
        dimensions << (dimension < 0 ? QStringLiteral("?") : QString::number(dimension));
    if (!dimensions.isEmpty())
        text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + dimensions.join(QStringLiteral(" × "));
    return text;
}

QString positionText(const Position& where)
{
    if (!where.known() || where.file.empty()) return {};
    QString text = QFileInfo(QString::fromStdString(where.file)).fileName();
    if (where.line > 0)
        text += u':' + QString::number(where.line);
    else if (where.byte >= 0)
        text += QStringLiteral(" byte 0x") + QString::number(where.byte, 16).toUpper();
    return text;
}

} // namespace

BufferFacts factsOf(const Run& run, BufferId id)
{
    const Problem& problem = run.problem();
    const Buffer& buffer = problem.buffers[std::size_t(id)];
    BufferFacts facts;
    facts.name = nameText(buffer.name);
    facts.placement = run.plan.placements[std::size_t(id)];
    facts.size = buffer.size;
    facts.live = buffer.live;
    for (const Interval& range : buffer.live) facts.steps += range.length();

    const std::vector<PoolId> candidates = problem.candidates(buffer);
    facts.choices = candidates.size();
    if (facts.placement.placed()) {
        const PoolId pool = facts.placement.pool;
        facts.pool = nameText(problem.pools[std::size_t(pool)].name);
        if (const auto at = std::ranges::find(candidates, pool); at != candidates.end())
            facts.choice = std::size_t(at - candidates.begin()) + 1;
        const Bytes end = facts.placement.offset + buffer.size;
        facts.padding = alignUp(end, problem.effectiveAlignment(buffer, pool)) - end;
    }
    for (std::size_t other = 0; other < problem.buffers.size(); ++other)
        if (BufferId(other) != id && conflict(problem, id, BufferId(other))) facts.conflicts.push_back(BufferId(other));

    if (!run.program || std::size_t(id) >= run.lowering->origins.size()) return facts;
    const BufferOrigin& origin = run.lowering->origins[std::size_t(id)];
    if (origin.function == none || origin.tensor == none) return facts;
    const Function& function = run.program->functions[std::size_t(origin.function)];
    const Tensor& tensor = function.tensors[std::size_t(origin.tensor)];
    facts.type = typeText(tensor);
    facts.source = positionText(tensor.where);
    for (const TensorId member : origin.members)
        if (member != origin.tensor) facts.sharedWith.push_back(nameText(function.tensors[std::size_t(member)].name));

    const auto use = [&](OpId op) {
        const Op& what = function.ops[std::size_t(op)];
        OpUse result{nameText(what.name), QString::fromStdString(what.kind), -1};
        const auto& steps = run.lowering->steps;
        for (std::size_t step = 0; step < steps.size() && result.step < 0; ++step)
            if (steps[step].function == origin.function && steps[step].op == op) result.step = Step(step);
        return result;
    };
    if (origin.producer != none) facts.producers.push_back(use(origin.producer));
    for (const OpId op : origin.consumers) facts.consumers.push_back(use(op));
    return facts;
}

} // namespace stowage
