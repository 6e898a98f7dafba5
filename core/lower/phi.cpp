#include "core/lower/phi.h"

#include "core/ir/region_tree.h"
#include "core/lower/carries.h"
#include "core/lower/choices.h"

#include <algorithm>
#include <map>

namespace stowage::lowering {

namespace {

/// Maximum number of addresses of a phi view; a view with more is copied, because the cost of following them multiplies with
/// nested views.
constexpr std::size_t maxPlaces = 64;

/// The phi views of one function, the same in each instance.
class PhiFinder {
public:
    PhiFinder(const Program& program, const Function& function, const Sharing& sharing)
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
                MoveReason obstacle = MoveReason::none;
                for (const TensorId value : view.values)
                    if (obstacle == MoveReason::none && !own(value)) obstacle = obstacleFor(value, view.tensor);
                if (obstacle != MoveReason::none)
                    tell(view.tensor, obstacle);
                else if (elsewhere)
                    views.push_back(std::move(view));
            }
        }
        dropTooWide(views);
        return {std::move(views), std::move(copied_)};
    }

private:
    /// Records the reason for which an output is copied.
    void tell(TensorId tensor, MoveReason reason) { copied_.push_back({none, tensor, reason}); }

    /// The values of a view come from ops that end before its own op.
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
            if (count <= maxPlaces)
                places.emplace(view.tensor, count);
            else
                tell(view.tensor, MoveReason::tooManyPlaces);
            return count > maxPlaces;
        });
    }

    /// The possible values of output number `output`: for a case, one for each branch; for a loop, the value at its end, then one
    /// for each exit. none: its own storage.
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

    /// The reason why `value` cannot be a value of the phi view `output`; `none`: it can.
    MoveReason obstacleFor(TensorId value, TensorId output) const
    {
        const Tensor& given = function_.tensors[at(value)];
        const Tensor& root = function_.tensors[at(rootOf(function_, value))];
        const Tensor& wanted = function_.tensors[at(output)];
        if (!mayLieElsewhere(given) || !mayLieElsewhere(root)) return MoveReason::valueHasFixedPlace;
        if (given.bytes != wanted.bytes) return MoveReason::valueSizeDiffers;
        if (given.pools != wanted.pools || root.pools != wanted.pools) return MoveReason::valuePoolsDiffer;
        if (writtenAround(program_, function_, value)) return MoveReason::valueWritten;
        return MoveReason::none;
    }

    const Program& program_;
    const Function& function_;
    const Sharing& sharing_;
    std::vector<CopiedChoice> copied_;
};

} // namespace

PhiViews findPhiViews(const Expansion& expansion, const std::vector<Sharing>& sharing)
{
    PhiViews found;
    std::map<FunctionId, std::vector<PhiView>> known;
    for (std::size_t i = 0; i < expansion.instances.size(); ++i) {
        const FunctionId id = expansion.instances[i].function;
        auto views = known.find(id);
        if (views == known.end()) {
            PhiViews own = PhiFinder(*expansion.program, expansion.program->functions[at(id)], sharing[at(id)]).run();
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
