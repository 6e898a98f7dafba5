#include "core/lower/storage.h"

#include "core/lower/touches.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace stowage::lowering {

namespace {

/// Numbers the storages, and gives each owner its storage.
class Numbering {
public:
    /// `perCall`: tensors of which each call has its own, by function.
    Numbering(const Expansion& expansion, const std::vector<bool>& touched,
              const std::vector<std::unordered_set<TensorId>>& perCall)
        : expansion_(expansion), touched_(touched), perCall_(perCall)
    {
    }

    /// For each element: its storage; none for an element that nothing touches. Calls of one function share storages, except for
    /// `perCall` and tensors with several slots. Appends the storages to `all` in the order of first calls.
    std::vector<std::int32_t> run(std::vector<Storage>& all)
    {
        std::vector<std::int32_t> storageOf(expansion_.tensors, none);
        std::vector<std::vector<std::int32_t>> common(expansion_.program->functions.size());
        for (std::size_t i = 0; i < expansion_.instances.size(); ++i) {
            const Instance& instance = expansion_.instances[i];
            const auto& tensors = expansion_.function(static_cast<InstanceId>(i)).tensors;
            auto& ofFunction = common[at(instance.function)];
            ofFunction.resize(tensors.size(), none);
            for (std::size_t t = 0; t < tensors.size(); ++t) {
                if (!touched_[instance.firstTensor + t]) continue;
                std::int32_t& number = storageOf[instance.firstTensor + t];
                const bool perCall =
                    tensors[t].multiBuffer > 1 || perCall_[at(instance.function)].contains(static_cast<TensorId>(t));
                if (!perCall) number = ofFunction[t];
                if (number == none) {
                    number = static_cast<std::int32_t>(all.size());
                    all.push_back({static_cast<InstanceId>(i), static_cast<TensorId>(t), {}, {}, {}, {}, {}});
                }
                if (!perCall) ofFunction[t] = number;
            }
        }
        return storageOf;
    }

private:
    const Expansion& expansion_;
    const std::vector<bool>& touched_;
    const std::vector<std::unordered_set<TensorId>>& perCall_;
};

/// Live ranges of one owner's touches.
std::vector<Interval> rangesOf(const Expansion& expansion, std::span<Touch> touches, bool scratch)
{
    if (!scratch) return liveRanges(expansion, touches);
    std::vector<Interval> ranges;
    for (const Touch& touch : touches) ranges.push_back({touch.begin, touch.end});
    return unite(ranges, {});
}

/// Adds the live ranges of a later call. Calls are in the order of time, so that this is mostly a constant-time append.
void append(std::vector<Interval>& live, std::vector<Interval> later)
{
    if (live.empty()) {
        live = std::move(later);
        return;
    }
    if (later.front().begin < live.back().end) {
        live = unite(live, later);
        return;
    }
    const bool adjacent = later.front().begin == live.back().end;
    if (adjacent) live.back().end = later.front().end;
    live.insert(live.end(), later.begin() + (adjacent ? 1 : 0), later.end());
}

/// Points by storage: a segment for each owner, and one for each use as scratch.
void addSegments(const Touches& found, const std::vector<std::int32_t>& storageOf, std::vector<Storage>& all)
{
    std::vector<PointTouch> sorted = found.points;
    std::stable_sort(sorted.begin(), sorted.end(), [](const PointTouch& a, const PointTouch& b) { return a.owner < b.owner; });
    for (std::size_t i = 0; i < sorted.size();) {
        auto& segments = all[at(storageOf[at(sorted[i].owner)])].segments;
        const Element owner = sorted[i].owner;
        std::vector<Point> points;
        for (; i < sorted.size() && sorted[i].owner == owner; ++i) {
            points.push_back(sorted[i].first);
            points.push_back(sorted[i].last);
            if (sorted[i].scratch) segments.push_back(std::exchange(points, {}));
        }
        if (!points.empty()) segments.push_back(std::move(points));
    }
    for (const PointWrite& write : found.pointWrites) all[at(storageOf[at(write.owner)])].pointWrites.push_back(write.point);
    const auto normalise = [](std::vector<Point>& points) {
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
    };
    for (Storage& storage : all) {
        for (std::vector<Point>& segment : storage.segments) normalise(segment);
        normalise(storage.pointWrites);
    }
}

/// An element's instance.
const Instance& instanceOf(const Expansion& expansion, Element element)
{
    return *(std::partition_point(expansion.instances.begin(), expansion.instances.end(),
                                  [&](const Instance& i) { return i.firstTensor <= at(element); }) -
             1);
}

const Tensor& tensorOf(const Expansion& expansion, Element element)
{
    const Instance& instance = instanceOf(expansion, element);
    return expansion.program->functions[at(instance.function)].tensors[at(element) - instance.firstTensor];
}

bool isInside(const Expansion& expansion, LoopId loop, LoopId around)
{
    while (loop != none && loop != around) loop = expansion.loops[at(loop)].parent;
    return loop == around;
}

/// Removes carries that are impossible together, or impossible with these storages.
class Chooser {
public:
    Chooser(const Expansion& expansion, const Elements& elements, Carries& carries, const std::vector<PhiView>& phis)
        : expansion_(expansion), elements_(elements), carries_(carries)
    {
        for (const PhiView& phi : phis) shown_.insert({phi.instance, phi.tensor});
    }

    /// Removes carries that would give a storage two roles.
    void settle()
    {
        std::unordered_map<Element, LoopId> madeIn; // the innermost loop round which it is carried
        std::unordered_set<Element> kept, results;
        for (PreciseCarry& carry : carries_.precise) {
            const Element made = ownerOf(carry, carry.value.made);
            const Element to = ownerOf(carry, carry.to);
            if (made == to || to != own(carry, carry.to) || !movable(made) || kept.contains(made) || madeIn.contains(to) ||
                !kept.insert(to).second) {
                refuse(carry, MoveReason::placeShared);
                continue;
            }
            const auto [known, fresh] = madeIn.try_emplace(made, carry.loop);
            if (!fresh && isInside(expansion_, carry.loop, known->second))
                known->second = carry.loop;
            else if (!fresh && !isInside(expansion_, known->second, carry.loop))
                refuse(carry, MoveReason::placeCarriedByOtherLoop);
        }
        for (PreciseCarry& carry : carries_.precise)
            for (const TensorId initial : carry.value.initials)
                if (const Element first = ownerOf(carry, initial); carries(first, carry.loop, madeIn, kept))
                    refuse(carry, MoveReason::firstValueCarried);
        // A result that is carried further, or that has another role, gets an address of its own.
        for (PreciseCarry& carry : carries_.precise) {
            if (carry.result == none) continue;
            const Element result = own(carry, carry.result);
            // When a loop is left before its end, its result is not the value that the next iteration would have.
            const bool copied = !exitsOf(functionOf(carry), functionOf(carry).ops[at(carry.op)]).empty() &&
                                !shown_.contains({carry.instance, carry.result});
            if (copied || elements_.owner[at(result)] != result || isCarriedFurther(carry) || !results.insert(result).second)
                carry.result = none;
        }
        drop();
    }

    void refuse(PreciseCarry& carry, MoveReason reason)
    {
        if (carry.value.obstacle == MoveReason::none) carry.value.obstacle = reason;
    }

    /// Moves refused carries, and carries that pass through them, to the other list. True when there are any.
    bool drop()
    {
        for (bool changed = true; changed;) {
            changed = false;
            std::set<std::pair<InstanceId, TensorId>> there;
            for (const PreciseCarry& carry : carries_.precise)
                if (carry.value.obstacle == MoveReason::none) there.insert({carry.instance, carry.to});
            for (PreciseCarry& carry : carries_.precise) {
                if (carry.value.obstacle != MoveReason::none || carry.value.distance == 1) continue;
                const TensorId from = sourceOf(carry).from; // the input through which it passes
                if (there.contains({carry.instance, from})) continue;
                refuse(carry, MoveReason::sourceMoved);
                changed = true;
            }
        }
        const std::size_t before = carries_.precise.size();
        for (const PreciseCarry& carry : carries_.precise)
            if (carry.value.obstacle != MoveReason::none)
                carries_.moved.push_back({carry.instance, carry.op, sourceOf(carry), carry.value.obstacle});
        std::erase_if(carries_.precise, [](const PreciseCarry& carry) { return carry.value.obstacle != MoveReason::none; });
        return carries_.precise.size() < before;
    }

    /// Tensors that rotate: each call has its own.
    std::vector<std::unordered_set<TensorId>> perCall() const
    {
        std::vector<std::unordered_set<TensorId>> found(expansion_.program->functions.size());
        const auto add = [&](Element owner) {
            const Instance& instance = instanceOf(expansion_, owner);
            found[at(instance.function)].insert(static_cast<TensorId>(at(owner) - instance.firstTensor));
        };
        for (const PreciseCarry& carry : carries_.precise) {
            add(ownerOf(carry, carry.value.made));
            add(ownerOf(carry, carry.to));
            if (carry.result != none) add(ownerOf(carry, carry.result));
        }
        return found;
    }

private:
    Element own(const PreciseCarry& carry, TensorId tensor) const
    {
        return static_cast<Element>(expansion_.instances[at(carry.instance)].firstTensor) + tensor;
    }
    Element ownerOf(const PreciseCarry& carry, TensorId tensor) const { return elements_.owner[at(own(carry, tensor))]; }
    const Function& functionOf(const PreciseCarry& carry) const { return expansion_.function(carry.instance); }

    const Carry& sourceOf(const PreciseCarry& carry) const
    {
        const auto& all = functionOf(carry).ops[at(carry.op)].carries;
        return *std::find_if(all.begin(), all.end(), [&](const Carry& c) { return c.to == carry.to; });
    }

    bool movable(Element owner) const
    {
        const Tensor& tensor = tensorOf(expansion_, owner);
        return tensor.planned && tensor.bytes && tensor.multiBuffer == 1 && !tensor.pinnedOffset &&
               tensor.kind != TensorKind::variable && tensor.kind != TensorKind::constant;
    }

    /// True when `first` is made in `loop`, or an input of its body.
    bool carries(Element first, LoopId loop, const std::unordered_map<Element, LoopId>& madeIn,
                 const std::unordered_set<Element>& kept) const
    {
        if (const auto made = madeIn.find(first); made != madeIn.end() && isInside(expansion_, made->second, loop)) return true;
        if (!kept.contains(first)) return false;
        return isInside(expansion_, elements_.homeLoops[at(first)], loop);
    }

    /// True for an output of its region (except the entry's), and for an input of regions and calls.
    bool isCarriedFurther(const PreciseCarry& carry) const
    {
        const Function& function = functionOf(carry);
        const Region& home = function.regions[at(function.tensors[at(carry.result)].region)];
        if ((home.owner != none || carry.instance != 0) &&
            std::find(home.outputs.begin(), home.outputs.end(), carry.result) != home.outputs.end())
            return true;
        // A place of its own, with all that lies in it, is looked up as one; in that of what the body makes the result alone may
        // be another.
        if (ownerOf(carry, carry.value.made) != own(carry, carry.result)) return false;
        if (std::any_of(function.tensors.begin(), function.tensors.end(),
                        [&](const Tensor& tensor) { return tensor.aliasOf == carry.result; }))
            return true;
        return std::any_of(function.ops.begin(), function.ops.end(), [&](const Op& op) {
            return op.control != Control::leaf && std::find(op.inputs.begin(), op.inputs.end(), carry.result) != op.inputs.end();
        });
    }

    const Expansion& expansion_;
    const Elements& elements_;
    Carries& carries_;
    std::set<std::pair<InstanceId, TensorId>> shown_; ///< phi views
};

/// Extends the live ranges of loops' inputs to the steps at which their first iterations need them.
class Holder {
public:
    Holder(const Expansion& expansion, Storages& storages, const PartialOrder* order)
        : expansion_(expansion), storages_(storages), order_(order)
    {
        kept_.resize(storages.all.size());
        for (const StorageCarry& carry : storages.carries) kept_[at(carry.kept)] = true;
    }

    void run()
    {
        // Inner loops first: their inputs may be inputs of the enclosing body.
        std::vector<const StorageCarry*> carries;
        for (const StorageCarry& carry : storages_.carries) carries.push_back(&carry);
        for (const StorageResult& result : storages_.results) carries.push_back(&result.carry);
        std::stable_sort(carries.begin(), carries.end(),
                         [](const StorageCarry* a, const StorageCarry* b) { return a->loop > b->loop; });
        for (const StorageCarry* carry : carries)
            for (std::size_t i = 0; i < carry->initials.size(); ++i) hold(*carry, static_cast<std::int32_t>(i));
        for (std::size_t s = 0; s < storages_.all.size(); ++s)
            if (!kept_[s]) settle(storages_.all[s]);
    }

private:
    /// Adds the steps of the carried value to its initial value number `iteration`. They count in that iteration only; steps
    /// after the loop count when the loop ended in that iteration.
    void hold(const StorageCarry& carry, std::int32_t iteration)
    {
        const StorageCarry::Place& place = carry.initials[static_cast<std::size_t>(iteration)];
        if (place.storage == none) return;
        const Storage& kept = storages_.all[at(carry.kept)];
        const Interval loop = expansion_.loops[at(carry.loop)].live;
        std::vector<Interval> ranges;
        std::vector<Interval> afterLoop; // steps in use when the loop was left in that iteration
        const auto add = [&](Interval live) {
            if (carry.after) live.begin = std::max(live.begin, loop.end); // inside the loop it is an input
            const Interval rest{std::max(live.begin, loop.end), live.end};
            if (!carry.after) live.end = std::min(live.end, loop.end);
            if (!live.empty()) ranges.push_back(live);
            if (!carry.after && !rest.empty()) afterLoop.push_back(rest);
        };
        for (const Interval& live : kept.live) add(live);
        for (const Early& early : kept.early) add(early.live); // its own iteration is dropped, which is conservative
        if (carry.after && iteration < least(carry.loop)) return;
        // When the loop ends, other results are copied: in the last step they must not overwrite this value.
        if (carry.after && carry.othersMove) ranges.push_back({loop.end - 1, loop.end});
        if (carry.after && ranges.empty()) return;
        Storage& initial = storages_.all[at(place.storage)];
        for (const Interval& range : ranges) initial.early.push_back({range, {carry.loop, iteration}});
        for (const Interval& range : afterLoop) initial.early.push_back({range, {carry.loop, iteration + 1}});
        initial.needs = unite(unite(initial.needs, ranges), afterLoop);
        if (!order_ || initial.segments.empty()) return;
        std::vector<Point>& points = initial.segments.front();
        for (const std::vector<Point>& more : kept.segments) points.insert(points.end(), more.begin(), more.end());
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
    }

    /// Minimum number of iterations of the loop.
    std::int64_t least(LoopId loop) const
    {
        return storages_.tested.contains(loop) ? 0 : expansion_.loops[at(loop)].tripCount.value_or(0);
    }

    /// Adds all its steps to the live ranges; steps that are not in `live` otherwise become early ranges.
    void settle(Storage& storage) const
    {
        if (storage.early.empty()) return;
        std::vector<Early> early;
        std::vector<Interval> all = storage.live;
        for (const Early& entry : storage.early) {
            all.push_back(entry.live);
            Interval rest = entry.live;
            for (const Interval& live : storage.live) { // ascending
                if (!live.overlaps(rest)) continue;
                if (rest.begin < live.begin) early.push_back({{rest.begin, live.begin}, entry.when});
                rest.begin = std::min(rest.end, live.end);
            }
            if (!rest.empty()) early.push_back({rest, entry.when});
        }
        const auto key = [](const Early& e) { return std::tuple(e.live.begin, e.live.end, e.when.loop, e.when.iteration); };
        std::sort(early.begin(), early.end(), [&](const Early& a, const Early& b) { return key(a) < key(b); });
        early.erase(std::unique(early.begin(), early.end()), early.end());
        storage.early = std::move(early);
        storage.live = unite(all, {});
    }

    const Expansion& expansion_;
    Storages& storages_;
    const PartialOrder* order_;
    std::vector<bool> kept_;
};

/// The storages where owners, carries and phi views are decided. `perCall`: by function, tensors of which each call has its own.
Storages findStorages(const Expansion& expansion, const std::vector<Sharing>& sharing, const Elements& elements,
                      const PartialOrder* order, const Carries& carries, const std::vector<PhiView>& phis,
                      const std::vector<std::unordered_set<TensorId>>& perCall, bool withWrites)
{
    Touches found = collectTouches(expansion, sharing, elements, order, carries, phis, withWrites);

    // Bucket the touches by owner.
    std::vector<std::size_t> first(expansion.tensors + 1, 0);
    std::vector<bool> scratch(expansion.tensors);
    std::vector<bool> touched(expansion.tensors);
    for (const StorageTouch& touch : found.touches) {
        ++first[at(touch.owner) + 1];
        touched[at(touch.owner)] = true;
        if (touch.scratch) scratch[at(touch.owner)] = true;
    }
    for (std::size_t e = 0; e < expansion.tensors; ++e) first[e + 1] += first[e];
    std::vector<Touch> sorted(found.touches.size());
    {
        std::vector<std::size_t> next(first.begin(), first.end() - 1);
        for (const StorageTouch& touch : found.touches) sorted[next[at(touch.owner)]++] = touch.touch;
    }
    found.touches = {};

    Storages out;
    const std::vector<std::int32_t> storageOf = Numbering(expansion, touched, perCall).run(out.all);
    for (std::size_t e = 0; e < expansion.tensors; ++e) {
        if (!touched[e]) continue;
        auto ranges = rangesOf(expansion, std::span(sorted).subspan(first[e], first[e + 1] - first[e]), scratch[e]);
        auto& live = out.all[at(storageOf[e])].live;
        append(live, std::move(ranges));
    }
    for (const StorageWrite& write : found.writes) out.all[at(storageOf[at(write.owner)])].writes.push_back(write.tick);
    for (const StorageNeed& need : found.needs) out.all[at(storageOf[at(need.owner)])].needs.push_back(need.steps);
    if (order) addSegments(found, storageOf, out.all);
    for (Storage& storage : out.all) {
        std::sort(storage.writes.begin(), storage.writes.end());
        storage.needs = unite(storage.needs, {});
    }

    out.of.resize(expansion.tensors);
    for (std::size_t e = 0; e < expansion.tensors; ++e) out.of[e] = storageOf[at(elements.owner[e])];
    out.delta = elements.delta;
    std::map<std::pair<InstanceId, OpId>, std::size_t> unmoved; // results of loops
    for (const PreciseCarry& carry : carries.precise)
        if (carry.result != none) ++unmoved[{carry.instance, carry.op}];
    for (std::size_t c = 0; c < carries.precise.size(); ++c) {
        const PreciseCarry& carry = carries.precise[c];
        const std::size_t firstTensor = expansion.instances[at(carry.instance)].firstTensor;
        const Op& loop = expansion.function(carry.instance).ops[at(carry.op)];
        if (loop.regions.size() > 1) out.tested.insert(carry.loop);
        StorageCarry made;
        made.source = c;
        made.made = out.of[firstTensor + at(carry.value.made)];
        made.kept = out.of[firstTensor + at(carry.to)];
        made.distance = carry.value.distance;
        for (const TensorId initial : carry.value.initials)
            made.initials.push_back({out.of[firstTensor + at(initial)], out.delta[firstTensor + at(initial)]});
        made.loop = carry.loop;
        out.carries.push_back(made);
        if (carry.result == none) continue;
        made.kept = out.of[firstTensor + at(carry.result)];
        made.after = true;
        made.othersMove = unmoved[{carry.instance, carry.op}] < loop.outputs.size();
        if (made.kept == made.made)
            out.results.push_back({firstTensor + at(carry.result), made});
        else if (made.kept != none)
            out.carries.push_back(made);
    }
    for (const PhiView& phi : phis) {
        const std::size_t firstTensor = expansion.instances[at(phi.instance)].firstTensor;
        StoragePhi& made = out.phis.emplace_back();
        made.element = firstTensor + at(phi.tensor);
        made.by = {phi.instance, phi.op};
        for (const TensorId value : phi.values)
            made.values.push_back(value == none ? none : static_cast<Element>(firstTensor) + value);
    }
    out.owner = elements.owner;
    out.copies = std::move(found.copies);
    return out;
}

/// Refuses carries whose storages are also in use before their loop, as results that an enclosing loop keeps: there they would
/// have the address of iteration 0. True when there are any.
bool refuseEarlyOnes(const Expansion& expansion, const Elements& elements, const Storages& storages, Chooser& chooser,
                     Carries& carries)
{
    bool resultsChanged = false;
    for (PreciseCarry& carry : carries.precise) {
        const std::size_t firstTensor = expansion.instances[at(carry.instance)].firstTensor;
        const auto liveOf = [&](TensorId tensor) -> const std::vector<Interval>& {
            return storages.all[at(storages.of[at(elements.owner[firstTensor + at(tensor)])])].live;
        };
        const Interval& loop = expansion.loops[at(carry.loop)].live;
        const std::vector<Interval>& made = liveOf(carry.value.made);
        if (made.empty() || made.front().begin < loop.begin) chooser.refuse(carry, MoveReason::keptByOuterLoop);
        if (carry.result == none ||
            elements.owner[firstTensor + at(carry.result)] == elements.owner[firstTensor + at(carry.value.made)])
            continue;
        if (const std::vector<Interval>& live = liveOf(carry.result); live.empty() || live.front().begin < loop.end - 1) {
            carry.result = none;
            resultsChanged = true;
        }
    }
    return chooser.drop() || resultsChanged;
}

} // namespace

Storages findStorages(const Expansion& expansion, const std::vector<Sharing>& sharing, const PartialOrder* order,
                      Carries& carries, const std::vector<PhiView>& phis, bool withWrites)
{
    const Elements elements = Elements::of(expansion, sharing);
    Chooser chooser(expansion, elements, carries, phis);
    chooser.drop();
    chooser.settle();
    for (;;) {
        Storages storages = findStorages(expansion, sharing, elements, order, carries, phis, chooser.perCall(), withWrites);
        if (refuseEarlyOnes(expansion, elements, storages, chooser, carries)) continue;
        Holder(expansion, storages, order).run();
        return storages;
    }
}

} // namespace stowage::lowering
