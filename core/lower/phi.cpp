#include "core/lower/phi.h"

#include "core/lower/carries.h"

#include <algorithm>
#include <map>

namespace stowage::lowering {

namespace {

/// A view of more places than this is copied: what it takes to follow them all grows with each view of views.
constexpr std::size_t mostPlaces = 64;

bool chooses(const Function& function, const Op& op)
{
    return op.control == Control::branch || (op.control == Control::loop && !exitsOf(function, op).empty());
}

/// How a loop takes part in `root`: why a value that is chosen may not stand for it; empty: none does.
std::string_view carried(const Function& function, TensorId root)
{
    const auto is = [&](TensorId id) { return rootOf(function, id) == root; };
    for (const Op& op : function.ops) {
        if (op.control != Control::loop) continue;
        const Region& body = function.regions[at(op.regions.back())];
        for (const Carry& carry : op.carries) {
            if (is(carry.from) || is(carry.to))
                return "a loop carries it on, and where it lay would depend on all iterations before";
            const auto input =
                static_cast<std::size_t>(std::find(body.inputs.begin(), body.inputs.end(), carry.to) - body.inputs.begin());
            if (input < op.inputs.size() && is(op.inputs[input])) return "it is the first value of what a loop carries";
        }
    }
    return {};
}

/// Why whoever is given `root` by a region would not find it wherever it is; empty: nobody is, or they do.
std::string_view givenOut(const Function& function, TensorId root, bool entry,
                          const std::map<TensorId, std::string_view>& showing)
{
    for (std::size_t r = 0; r < function.regions.size(); ++r) {
        const Region& region = function.regions[r];
        for (std::size_t i = 0; i < region.outputs.size(); ++i) {
            if (rootOf(function, region.outputs[i]) != root || (r == 0 && entry && region.outputs[i] == root)) continue;
            if (region.outputs[i] != root) return "a part of it is given out";
            if (region.owner == none) return "its function gives it to whoever calls it, at a place of theirs";
            if (region.role == RegionRole::condition) return "a condition gives it out";
            if (region.role != RegionRole::branch) return "the body of a loop gives it out, as a result with a place of its own";
            const auto shown = showing.find(function.ops[at(region.owner)].outputs[i]);
            if (shown == showing.end() || !shown->second.empty()) return "a branch gives it out, as a result that is copied";
        }
    }
    return {};
}

/// True when an op of `function` has to write over `root`.
bool forced(const Function& function, TensorId root)
{
    return std::any_of(function.ops.begin(), function.ops.end(), [&](const Op& op) {
        return op.inPlaceRequired && std::any_of(op.inPlace.begin(), op.inPlace.end(),
                                                 [&](const InPlace& pair) { return rootOf(function, pair.input) == root; });
    });
}

/// The phi views of one function, the same in each instance.
class Finder {
public:
    Finder(const Program& program, const Function& function, const Sharing& sharing)
        : program_(program), function_(function), sharing_(sharing)
    {
    }

    PhiViews run()
    {
        std::vector<PhiView> views;
        for (std::size_t o = 0; o < function_.ops.size(); ++o) {
            const Op& op = function_.ops[o];
            if (!chooses(function_, op)) continue;
            for (std::size_t i = 0; i < op.outputs.size(); ++i) {
                if (const auto obstacle = sharing_.notShown.find(op.outputs[i]); obstacle != sharing_.notShown.end())
                    tell(obstacle->first, obstacle->second);
                if (!sharing_.mayShow[at(op.outputs[i])]) continue;
                PhiView view{none, static_cast<OpId>(o), op.outputs[i], valuesOf(op, i)};
                const auto own = [&](TensorId value) { return value == none || sharing_.shared(value, view.tensor); };
                const bool elsewhere = !std::all_of(view.values.begin(), view.values.end(), own);
                std::string_view obstacle;
                for (const TensorId value : view.values)
                    if (obstacle.empty() && !own(value)) obstacle = obstacleFor(value, view.tensor);
                if (!obstacle.empty())
                    tell(view.tensor, obstacle);
                else if (elsewhere)
                    views.push_back(std::move(view));
            }
        }
        dropTooWide(views);
        return {std::move(views), std::move(copied_)};
    }

private:
    void tell(TensorId tensor, std::string_view reason) { copied_.push_back({none, tensor, reason}); }

    /// What a view is chosen from comes from ops that end before its own does.
    void dropTooWide(std::vector<PhiView>& views)
    {
        const RegionTree tree = RegionTree::of(function_);
        const auto end = [&](const PhiView& view) { return tree.ops[at(view.op)].end; };
        std::stable_sort(views.begin(), views.end(), [&](const PhiView& a, const PhiView& b) { return end(a) < end(b); });
        std::map<TensorId, std::size_t> places;
        std::erase_if(views, [&](const PhiView& view) {
            std::size_t count = 0;
            for (const TensorId value : view.values) {
                const auto known = value == none ? places.end() : places.find(rootOf(function_, value));
                count += known == places.end() ? 1 : known->second;
            }
            if (count <= mostPlaces)
                places.emplace(view.tensor, count);
            else
                tell(view.tensor, "it may be in more than 64 places");
            return count > mostPlaces;
        });
    }

    std::vector<TensorId> valuesOf(const Op& op, std::size_t output) const
    {
        std::vector<TensorId> values;
        if (op.control == Control::branch) {
            for (const RegionId id : op.regions) {
                const TensorId value = function_.regions[at(id)].outputs[output];
                values.push_back(sharing_.shared(value, op.outputs[output]) ? none : value);
            }
        } else {
            values.push_back(none);
            for (const OpId exit : exitsOf(function_, op))
                values.push_back(valueAtExit(function_.ops[at(exit)], op.outputs[output]));
        }
        return values;
    }

    /// Why `value` cannot be what `output` is; empty: it can.
    std::string_view obstacleFor(TensorId value, TensorId output) const
    {
        const Tensor& given = function_.tensors[at(value)];
        const Tensor& root = function_.tensors[at(rootOf(function_, value))];
        const Tensor& wanted = function_.tensors[at(output)];
        if (!mayLieElsewhere(given) || !mayLieElsewhere(root))
            return "what it would be is not planned, pinned, a variable, or has several copies";
        if (given.bytes != wanted.bytes) return "what it would be has another size";
        if (given.pools != wanted.pools || root.pools != wanted.pools) return "what it would be lies in other pools";
        if (writtenAround(program_, function_, value)) return "something writes into what it would be";
        return {};
    }

    const Program& program_;
    const Function& function_;
    const Sharing& sharing_;
    std::vector<CopiedChoice> copied_;
};

} // namespace

std::map<TensorId, std::string_view> showing(const Program& program, const Function& function, const RegionTree& tree, bool entry)
{
    std::map<TensorId, std::string_view> shown;
    const auto obstacleOf = [&](const Op& op, TensorId output) -> std::string_view {
        const Tensor& tensor = function.tensors[at(output)];
        if (std::count(op.outputs.begin(), op.outputs.end(), output) != 1) return "it is listed twice";
        if (!mayLieElsewhere(tensor)) return "it is not planned, pinned, a variable, or has several copies";
        if (tensor.aliasOf != none || tensor.region != op.parent || tensor.kind == TensorKind::constant)
            return "it is a part of another tensor, or a constant";
        if (forced(function, output)) return "an op has to write its result over it";
        if (writtenInside(program, function, output)) return "something writes into it";
        if (const std::string_view loops = carried(function, output); !loops.empty()) return loops;
        return givenOut(function, output, entry, shown);
    };
    // What is handed on by a branch shows through what that gives: ops that end later come first.
    std::vector<OpId> order = tree.order;
    std::stable_sort(order.begin(), order.end(), [&](OpId a, OpId b) { return tree.ops[at(a)].end > tree.ops[at(b)].end; });
    for (const OpId id : order) {
        const Op& op = function.ops[at(id)];
        if (!chooses(function, op)) continue;
        for (const TensorId output : op.outputs) shown.emplace(output, obstacleOf(op, output));
    }
    return shown;
}

PhiViews findPhiViews(const Expansion& expansion, const std::vector<Sharing>& sharing)
{
    PhiViews found;
    std::map<FunctionId, std::vector<PhiView>> known;
    for (std::size_t i = 0; i < expansion.instances.size(); ++i) {
        const FunctionId id = expansion.instances[i].function;
        auto views = known.find(id);
        if (views == known.end()) {
            PhiViews own = Finder(*expansion.program, expansion.program->functions[at(id)], sharing[at(id)]).run();
            views = known.emplace(id, std::move(own.views)).first;
            for (const CopiedChoice& copied : own.copied) found.copied.push_back({id, copied.tensor, copied.reason});
        }
        for (PhiView view : views->second) {
            view.instance = static_cast<InstanceId>(i);
            found.views.push_back(std::move(view));
        }
    }
    return found;
}

} // namespace stowage::lowering
