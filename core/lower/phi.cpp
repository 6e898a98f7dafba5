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

/// True when a loop carries a value to or from `root`, or takes it for the first value of what it carries.
bool carried(const Function& function, TensorId root)
{
    const auto is = [&](TensorId id) { return rootOf(function, id) == root; };
    return std::any_of(function.ops.begin(), function.ops.end(), [&](const Op& op) {
        if (op.control != Control::loop) return false;
        const Region& body = function.regions[at(op.regions.back())];
        return std::any_of(op.carries.begin(), op.carries.end(), [&](const Carry& carry) {
            if (is(carry.from) || is(carry.to)) return true;
            const auto input = static_cast<std::size_t>(std::find(body.inputs.begin(), body.inputs.end(), carry.to) - body.inputs.begin());
            return input < op.inputs.size() && is(op.inputs[input]);
        });
    });
}

/// True when whoever is given `root` by a region finds it wherever it is.
bool givenOutFreely(const Function& function, TensorId root, bool entry, const std::vector<bool>& showing)
{
    for (std::size_t r = 0; r < function.regions.size(); ++r) {
        const Region& region = function.regions[r];
        for (std::size_t i = 0; i < region.outputs.size(); ++i) {
            if (rootOf(function, region.outputs[i]) != root || (r == 0 && entry && region.outputs[i] == root)) continue;
            if (region.role != RegionRole::branch || region.outputs[i] != root) return false;
            if (!showing[at(function.ops[at(region.owner)].outputs[i])]) return false;
        }
    }
    return true;
}

bool requiresPlaces(const Program& program)
{
    for (const Function& function : program.functions)
        for (const Op& op : function.ops)
            if (op.inPlaceRequired) return true;
    return false;
}

/// The phi views of one function, the same in each instance.
class Finder {
public:
    Finder(const Program& program, const Function& function, const Sharing& sharing) : program_(program), function_(function), sharing_(sharing) {}

    std::vector<PhiView> run()
    {
        std::vector<PhiView> views;
        for (std::size_t o = 0; o < function_.ops.size(); ++o) {
            const Op& op = function_.ops[o];
            if (!chooses(function_, op)) continue;
            for (std::size_t i = 0; i < op.outputs.size(); ++i) {
                if (!sharing_.mayShow[at(op.outputs[i])]) continue;
                PhiView view{none, static_cast<OpId>(o), op.outputs[i], valuesOf(op, i)};
                const auto own = [&](TensorId value) { return value == none || sharing_.shared(value, view.tensor); };
                const bool elsewhere = !std::all_of(view.values.begin(), view.values.end(), own);
                const bool all = std::all_of(view.values.begin(), view.values.end(), [&](TensorId value) { return own(value) || mayStandFor(value, view.tensor); });
                if (elsewhere && all) views.push_back(std::move(view));
            }
        }
        dropTooWide(views);
        return views;
    }

private:
    /// What a view is chosen from comes from ops that end before its own does.
    void dropTooWide(std::vector<PhiView>& views) const
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
            if (count <= mostPlaces) places.emplace(view.tensor, count);
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
            for (const OpId exit : exitsOf(function_, op)) values.push_back(valueAtExit(function_.ops[at(exit)], op.outputs[output]));
        }
        return values;
    }

    bool mayStandFor(TensorId value, TensorId output) const
    {
        const Tensor& given = function_.tensors[at(value)];
        const Tensor& root = function_.tensors[at(rootOf(function_, value))];
        const Tensor& wanted = function_.tensors[at(output)];
        return mayLieElsewhere(given) && mayLieElsewhere(root) && given.bytes == wanted.bytes && given.pools == wanted.pools && root.pools == wanted.pools &&
               !writtenAround(program_, function_, value);
    }

    const Program& program_;
    const Function& function_;
    const Sharing& sharing_;
};

} // namespace

std::vector<bool> showing(const Program& program, const Function& function, const RegionTree& tree, bool entry)
{
    std::vector<bool> shown(function.tensors.size());
    if (requiresPlaces(program)) return shown;
    // What is handed on by a branch shows through what that gives: ops that end later come first.
    std::vector<OpId> order = tree.order;
    std::stable_sort(order.begin(), order.end(), [&](OpId a, OpId b) { return tree.ops[at(a)].end > tree.ops[at(b)].end; });
    for (const OpId id : order) {
        const Op& op = function.ops[at(id)];
        if (!chooses(function, op)) continue;
        for (const TensorId output : op.outputs) {
            const Tensor& tensor = function.tensors[at(output)];
            const bool once = std::count(op.outputs.begin(), op.outputs.end(), output) == 1;
            shown[at(output)] = once && mayLieElsewhere(tensor) && tensor.aliasOf == none && tensor.region == op.parent && tensor.kind != TensorKind::constant &&
                                !writtenInside(program, function, output) && !carried(function, output) &&
                                givenOutFreely(function, output, entry, shown);
        }
    }
    return shown;
}

std::vector<PhiView> findPhiViews(const Expansion& expansion, const std::vector<Sharing>& sharing)
{
    std::vector<PhiView> found;
    std::map<FunctionId, std::vector<PhiView>> known;
    for (std::size_t i = 0; i < expansion.instances.size(); ++i) {
        const FunctionId id = expansion.instances[i].function;
        auto views = known.find(id);
        if (views == known.end())
            views = known.emplace(id, Finder(*expansion.program, expansion.program->functions[at(id)], sharing[at(id)]).run()).first;
        for (PhiView view : views->second) {
            view.instance = static_cast<InstanceId>(i);
            found.push_back(std::move(view));
        }
    }
    return found;
}

} // namespace stowage::lowering
