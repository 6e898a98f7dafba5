#include "core/lower/storage.h"

#include "core/lower/touches.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace stowage::lowering {

namespace {

std::size_t at(Id id)
{
    return static_cast<std::size_t>(id);
}

/// Numbers the storages, and says which each owner has.
class Numbering {
public:
    Numbering(const Expansion& expansion, const std::vector<bool>& touched) : expansion_(expansion), touched_(touched) {}

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
                const bool perCall = tensors[t].multiBuffer > 1;
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
};

/// Live ranges of one owner's touches.
std::vector<Interval> rangesOf(const Expansion& expansion, std::span<Touch> touches, bool scratch)
{
    if (!scratch) return liveRanges(expansion, touches);
    std::vector<Interval> ranges;
    for (const Touch& touch : touches) ranges.push_back({touch.begin, touch.end});
    return unite(ranges, {});
}

/// Adds what a later call contributes. Calls come in the order of time, so this is a constant-time append but for odd cases.
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

/// Carries in place, but for those that would have a storage rotate with two loops, or begin where another one is carried.
std::vector<PreciseCarry> chooseCarries(const Expansion& expansion, const Elements& elements)
{
    std::vector<PreciseCarry> candidates = preciseCarries(expansion);
    const auto ownerOf = [&](const PreciseCarry& carry, TensorId tensor) {
        return elements.owner[expansion.instances[at(carry.instance)].firstTensor + at(tensor)];
    };
    std::vector<int> instances(expansion.program->functions.size(), 0);
    for (const Instance& instance : expansion.instances) ++instances[at(instance.function)];
    const auto ownedOnce = [&](Element owner) {
        const auto instance = std::partition_point(expansion.instances.begin(), expansion.instances.end(),
                                                   [&](const Instance& i) { return i.firstTensor <= at(owner); }) - 1;
        const Tensor& tensor = expansion.program->functions[at(instance->function)].tensors[at(owner) - instance->firstTensor];
        return instances[at(instance->function)] == 1 && tensor.planned && tensor.bytes && tensor.multiBuffer == 1 &&
               !tensor.pinnedOffset && tensor.kind != TensorKind::variable && tensor.kind != TensorKind::constant;
    };
    std::unordered_set<Element> taken;
    std::vector<PreciseCarry> chosen;
    for (const PreciseCarry& carry : candidates) {
        const Element made = ownerOf(carry, carry.from);
        const Element kept = ownerOf(carry, carry.to);
        const Element initial = ownerOf(carry, carry.initial);
        if (made == kept || made == initial || kept == initial || !ownedOnce(made) || !ownedOnce(kept)) continue;
        if (taken.contains(made) || taken.contains(kept) || taken.contains(initial)) continue;
        taken.insert({made, kept});
        chosen.push_back(carry);
    }
    return chosen;
}

/// The loop's input is needed as long as the first iteration needs it.
void keepInitials(Storages& storages, const PartialOrder* order)
{
    for (const StorageCarry& carry : storages.carries) {
        const Storage& kept = storages.all[at(carry.kept)];
        Storage& initial = storages.all[at(carry.initial)];
        initial.live = unite(initial.live, kept.live);
        initial.needs = unite(initial.needs, kept.live);
        if (!order || initial.segments.empty()) continue;
        for (const std::vector<Point>& points : kept.segments)
            initial.segments.front().insert(initial.segments.front().end(), points.begin(), points.end());
        std::sort(initial.segments.front().begin(), initial.segments.front().end());
    }
}

Storages findStorages(const Expansion& expansion, const std::vector<Sharing>& sharing, const Elements& elements,
                      const PartialOrder* order, const std::vector<PreciseCarry>& carries, bool withWrites)
{
    Touches found = collectTouches(expansion, sharing, elements, order, carries, withWrites);

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
    const std::vector<std::int32_t> storageOf = Numbering(expansion, touched).run(out.all);
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
    for (const PreciseCarry& carry : carries) {
        const std::size_t firstTensor = expansion.instances[at(carry.instance)].firstTensor;
        out.carries.push_back({out.of[firstTensor + at(carry.from)], out.of[firstTensor + at(carry.to)], out.of[firstTensor + at(carry.initial)],
                               out.delta[firstTensor + at(carry.from)], out.delta[firstTensor + at(carry.initial)], carry.loop});
    }
    keepInitials(out, order);
    return out;
}

/// Leaves out the carries whose storages are in use in front of their loop too, as results that a loop around it keeps: there they would
/// be where iteration 0 puts them. True when there are any.
bool dropEarlyOnes(const Expansion& expansion, const Storages& storages, std::vector<PreciseCarry>& carries)
{
    std::vector<PreciseCarry> left;
    for (std::size_t c = 0; c < carries.size(); ++c)
        if (storages.all[at(storages.carries[c].made)].live.front().begin >= expansion.loops[at(carries[c].loop)].live.begin)
            left.push_back(carries[c]);
    const bool dropped = left.size() < carries.size();
    carries = std::move(left);
    return dropped;
}

} // namespace

Storages findStorages(const Expansion& expansion, const std::vector<Sharing>& sharing, const PartialOrder* order, bool precise,
                      bool withWrites)
{
    const Elements elements = Elements::of(expansion, sharing);
    std::vector<PreciseCarry> carries = precise ? chooseCarries(expansion, elements) : std::vector<PreciseCarry>{};
    Storages storages = findStorages(expansion, sharing, elements, order, carries, withWrites);
    while (dropEarlyOnes(expansion, storages, carries))
        storages = findStorages(expansion, sharing, elements, order, carries, withWrites);
    return storages;
}

} // namespace stowage::lowering
