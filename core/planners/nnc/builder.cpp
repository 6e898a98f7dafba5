#include "core/planners/nnc/builder.h"

#include "core/ir/checked.h"
#include "core/planners/common/overflow.h"
#include "core/planners/nnc/size_classes.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::nnc {

namespace {

Tuple only(Node node)
{
    Tuple tuple;
    tuple.add(node);
    return tuple;
}

} // namespace

Builder::Builder(const BufferTable& table, const Tensors& tensors, const PlanContext& context)
    : table_(table),
      tensors_(tensors),
      context_(context),
      pending_(table.problem().pools.size(), Words(tensors.words())),
      choice_(at(tensors.size())),
      poolOf_(at(tensors.size()), none),
      pinnedTo_(at(table.size()), none)
{
    for (PoolId p = 0; p < static_cast<PoolId>(table.problem().pools.size()); ++p) graphs_.emplace_back(table, tensors, p);
    placePins();
    for (Node node = 0; node < tensors.size(); ++node)
        if (poolOf_[at(node)] == none) enlist(node);
}

Bytes Builder::limit(PoolId p) const
{
    return table_.problem().pools[at(p)].capacity.value_or(maxBytes);
}

std::span<const PoolId> Builder::candidates(Node node) const
{
    const BufferId buffer = tensors_[node].buffer;
    const PoolId& pinned = pinnedTo_[at(buffer)];
    return pinned == none ? table_.candidates(buffer)
                          : std::span(&pinned, 1); // the other slots of a pinned buffer lie in the pool of the pin
}

void Builder::placePins()
{
    std::vector<Node> pins;
    for (Node node = 0; node < tensors_.size(); ++node)
        if (table_.buffer(tensors_[node].buffer).pin && tensors_[node].firstSlot == 0) pins.push_back(node);
    std::sort(pins.begin(), pins.end(), [&](Node a, Node b) { return tensors_.rank(a) < tensors_.rank(b); });
    for (const Node node : pins) {
        const Tensor& tensor = tensors_[node];
        const Buffer& buffer = table_.buffer(tensor.buffer);
        const Bytes pin = *buffer.pin;
        PoolId chosen = none;
        PoolId aligned = table_.candidates(tensor.buffer).back();
        for (const PoolId p : table_.candidates(tensor.buffer)) {
            if (pin % graph(p).alignment(node) != 0) continue;
            aligned = p;
            if (!graph(p).isFree(node, pin)) continue;
            const bool fits = pin + tensor.bytes() <= limit(p);
            if (chosen == none || (fits && pin + tensor.bytes() > limit(chosen))) chosen = p;
        }
        if (chosen == none) {
            chosen = aligned;
            if (buffer.mayShare.empty()) {
                std::string message =
                    fmt::format("'{}' is pinned at {:#x} in {}, where it is misaligned or meets another pinned buffer",
                                buffer.name, pin, table_.problem().pools[at(chosen)].name);
                diagnostics_.push_back(
                    failure(Code::pinsCollide, std::move(message), Position(), "move or remove one of the pins"));
            }
        }
        graph(chosen).carve(node, pin);
        poolOf_[at(node)] = chosen;
        pinnedTo_[at(tensor.buffer)] = chosen;
        ++inserted_;
        if (context_.recorder)
            context_.recorder->add({StepKind::place, context_.recorder->reason(StepRule::pinned), tensor.buffer, chosen, pin});
    }
}

void Builder::enlist(Node node)
{
    add(pending(candidates(node)[at(choice_[at(node)])]), node);
}

PoolId Builder::nextPool() const
{
    for (std::size_t p = 0; p < pending_.size(); ++p)
        if (std::any_of(pending_[p].begin(), pending_[p].end(), [](std::uint64_t word) { return word != 0; }))
            return static_cast<PoolId>(p);
    return none;
}

bool Builder::isLast(Node node) const
{
    return at(choice_[at(node)]) + 1 == candidates(node).size();
}

void Builder::sendOn(Node node, PoolId from)
{
    if (context_.recorder)
        context_.recorder->add({StepKind::reject, context_.recorder->reason(StepRule::poolFull), tensors_[node].buffer, from, 0});
    ++choice_[at(node)];
    enlist(node);
}

bool Builder::mayGoOn()
{
    if (stoppedBy_ != StoppedBy::complete || beyondAddresses_) return false;
    if (context_.workLimit > 0 && inserted_ >= context_.workLimit)
        stoppedBy_ = StoppedBy::workLimit;
    else if (inserted_ % 16 == 0)
        if (const auto stop = context_.shouldStop(inserted_)) stoppedBy_ = *stop;
    return stoppedBy_ == StoppedBy::complete;
}

Place Builder::freshPlace(PoolId p, const Tuple& tuple, bool evenAbove)
{
    const auto offset = graph(p).onTop(tuple);
    if (!offset) {
        beyondAddresses_ = evenAbove;
        return {};
    }
    Bytes block = 0;
    for (const Node node : tuple.all()) block = std::max(block, tensors_[node].bytes());
    if (!evenAbove && *offset + block > limit(p)) return {};
    return graph(p).grow(tuple, *offset);
}

void Builder::insert(PoolId p, const Tuple& tuple, const Place& place)
{
    graph(p).insert(tuple, place);
    for (const Node node : tuple.all()) poolOf_[at(node)] = p;
    ++inserted_;
}

void Builder::runDocument(bool strict)
{
    for (PoolId p = nextPool(); p != none && mayGoOn(); p = nextPool()) {
        Selection selection(tensors_, graph(p), pending(p), strict);
        while (std::any_of(pending(p).begin(), pending(p).end(), [](std::uint64_t word) { return word != 0; }) && mayGoOn()) {
            const Candidate candidate = selection.next();
            Place place = candidate.place;
            const bool fresh = !place.found();
            if (fresh) {
                // If the pool cannot grow, the largest member of the tuple moves to its next candidate.
                const auto members = candidate.tuple.all();
                const Node largest = *std::min_element(members.begin(), members.end());
                place = freshPlace(p, candidate.tuple, isLast(largest));
                if (!place.found()) {
                    if (beyondAddresses_) return;
                    selection.remove(largest);
                    sendOn(largest, p);
                    continue;
                }
            }
            if (context_.recorder) {
                noteSelection(p, candidate);
                noteInsertion(p, candidate.tuple, graph(p).edge(place.edge), fresh, place.offset);
            }
            insert(p, candidate.tuple, place);
            for (const Node node : candidate.tuple.all()) selection.remove(node);
        }
    }
    stopped();
}

void Builder::runSizeFirst()
{
    for (PoolId p = nextPool(); p != none && mayGoOn(); p = nextPool()) {
        SizeClasses classes(tensors_, pending(p));
        while (mayGoOn() && !classes.empty()) {
            Place place;
            const Node node = classes.next(graph(p), place);
            const Tuple tuple = only(node);
            if (!place.found()) place = graph(p).find(tuple, 2); // edges that alignment left over
            const bool fresh = !place.found();
            if (fresh) place = freshPlace(p, tuple, isLast(node));
            classes.remove(node);
            if (!place.found()) {
                if (beyondAddresses_) break;
                sendOn(node, p);
                continue;
            }
            if (context_.recorder) noteInsertion(p, tuple, graph(p).edge(place.edge), fresh, place.offset);
            insert(p, tuple, place);
        }
        if (beyondAddresses_) break;
    }
    stopped();
}

/// Places all remaining tensors above all others, so that the plan is complete.
void Builder::stopped()
{
    for (Node node = 0; node < tensors_.size() && !beyondAddresses_; ++node) {
        if (poolOf_[at(node)] != none) continue;
        Place place;
        PoolId chosen = none;
        for (const PoolId p : candidates(node)) {
            if (place.found()) break;
            chosen = p;
            place = freshPlace(p, only(node), p == candidates(node).back());
        }
        if (!place.found()) return;
        if (context_.recorder)
            context_.recorder->add({StepKind::place, context_.recorder->reason(StepRule::stoppedEarly), tensors_[node].buffer,
                                    chosen, place.offset});
        insert(chosen, only(node), place);
    }
}

void Builder::noteSelection(PoolId p, const Candidate& candidate)
{
    EdgeSelection selection{.chosen = sized(candidate.chosen),
                            .interference = candidate.interference,
                            .ties = candidate.ties,
                            .passedOver = candidate.passedOver,
                            .edge = candidate.ends};
    for (const Node other : candidate.others.all()) selection.others.push_back(bufferOf(other));
    for (const Node node : candidate.tuple.all())
        if (node != candidate.chosen) selection.larger.push_back(sized(node));
    const std::uint16_t why = context_.recorder->reason(std::move(selection));
    context_.recorder->add({StepKind::note, why, tensors_[candidate.chosen].buffer, p, 0});
}

void Builder::noteInsertion(PoolId p, const Tuple& tuple, const Edge& edge, bool fresh, Bytes offset)
{
    EdgeInsertion insertion{.fresh = fresh};
    if (fresh) {
        insertion.top = graph(p).top();
    } else {
        insertion.from = bufferOf(edge.from);
        insertion.to = bufferOf(edge.to);
        insertion.offset = edge.offset;
        insertion.bytes = edge.bytes;
        for (const Node node : tuple.all()) insertion.members.push_back(sized(node));
        insertion.idleSteps = graph(p).freeSteps(edge, tuple);
    }
    const std::uint16_t why = context_.recorder->reason(std::move(insertion));
    for (const Node node : tuple.all()) {
        const Tensor& tensor = tensors_[node];
        for (std::int32_t slot = 0; slot < tensor.slots; ++slot)
            context_.recorder->add({StepKind::place, why, tensor.buffer, p, offset + slot * tensor.stride});
    }
}

Expected<Plan> Builder::finish(const PlannerInfo& info, const OptionValues& options)
{
    if (beyondAddresses_)
        return failure(Code::addressOverflow, "the buffers and their alignments need addresses beyond 2^62 bytes", {},
                       "lower the alignments");
    const Problem& problem = table_.problem();
    Plan plan;
    plan.planner = info.name;
    plan.options = options;
    plan.seed = context_.seed;
    plan.stoppedBy = stoppedBy_;
    plan.diagnostics = std::move(diagnostics_);
    plan.placements.resize(problem.buffers.size());
    for (BufferId b = 0; b < table_.size(); ++b) {
        const Item& item = table_.item(b);
        Placement& to = plan.placements[at(b)];
        if (item.size == 0) { // size 0: at any place
            to.pool = table_.candidates(b).front();
            to.offset = problem.buffers[at(b)].pin.value_or(0);
            ++inserted_;
            if (context_.recorder)
                context_.recorder->add({StepKind::place, context_.recorder->reason(StepRule::noBytes), b, to.pool, to.offset});
        }
        if (item.slots == 1) continue;
        to.offsets.assign(at(item.slots), to.offset);
        to.rotations.push_back({problem.buffers[at(b)].loop, item.slots, false});
    }
    for (Node node = 0; node < tensors_.size(); ++node) {
        const Tensor& tensor = tensors_[node];
        Placement& to = plan.placements[at(tensor.buffer)];
        to.pool = poolOf_[at(node)];
        const Bytes offset = graph(to.pool).offsetOf(node);
        if (tensor.firstSlot == 0) to.offset = offset;
        if (!to.offsets.empty())
            for (std::int32_t slot = 0; slot < tensor.slots; ++slot)
                to.offsets[at(tensor.firstSlot + slot)] = offset + slot * tensor.stride;
    }
    plan.work = inserted_;
    for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p)
        if (const auto& capacity = problem.pools[at(p)].capacity; capacity && plan.poolSize(problem, p) > *capacity)
            plan.diagnostics.push_back(describeOverflow(problem, plan, p));
    return plan;
}

} // namespace stowage::nnc
