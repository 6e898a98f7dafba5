#include "core/lower/hivm/aliases.h"

#include "core/ir/kernel_marks.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace stowage::lowering {

namespace {

class Walk {
public:
    Walk(const Function& function, std::span<const ViewOrigin> origins) : function_(function), origins_(origins)
    {
        for (std::size_t t = 0; t < function.tensors.size(); ++t)
            byName_.emplace(function.tensors[t].name, static_cast<TensorId>(t));
    }

    std::vector<AliasEvent> run()
    {
        visit(0);
        return std::move(events_);
    }

private:
    void link(TensorId a, TensorId b, bool conditional = false)
    {
        events_.push_back({none, origins_[at(a)].root, origins_[at(b)].root, conditional});
    }

    void visit(RegionId region)
    {
        for (const OpId id : function_.regions[at(region)].ops) {
            const Op& op = function_.ops[at(id)];
            events_.push_back({id, none, none, false});
            if (op.control == Control::loop)
                loop(op);
            else if (op.control == Control::branch)
                branch(op);
            else if (attribute(op.attributes, marks::chooses))
                for (const TensorId output : op.outputs) choose(output);
        }
    }

    /// Events come in the order in which the compiler finds them: results before the body or, with `marks::linksAtEnd`, after
    /// it.
    void loop(const Op& op)
    {
        const Region& body = function_.regions[at(op.regions.back())];
        for (std::size_t i = 0; i < std::min(op.inputs.size(), body.inputs.size()); ++i) link(body.inputs[i], op.inputs[i]);
        if (op.regions.size() == 2) {
            const auto& given = function_.regions[at(op.regions.front())].inputs;
            for (std::size_t i = 0; i < std::min(given.size(), op.inputs.size()); ++i) link(given[i], op.inputs[i]);
        }
        const auto results = [&] {
            for (std::size_t i = 0; i < std::max(op.carries.size(), op.outputs.size()); ++i) {
                if (i < op.carries.size()) link(op.carries[i].from, op.carries[i].to);
                if (i < op.outputs.size()) link(op.outputs[i], body.outputs[i]);
            }
        };
        const bool atEnd = attribute(op.attributes, marks::linksAtEnd) != nullptr;
        if (!atEnd) results();
        for (const RegionId region : op.regions) visit(region);
        if (atEnd) results();
    }

    void branch(const Op& op)
    {
        for (const RegionId id : op.regions) {
            const Region& region = function_.regions[at(id)];
            for (std::size_t i = 0; i < region.inputs.size(); ++i) link(region.inputs[i], op.inputs[i + 1]);
            visit(id);
            for (std::size_t i = 0; i < op.outputs.size(); ++i) link(op.outputs[i], region.outputs[i]);
        }
    }

    /// The output of an op that chooses may be any of the tensors that its root names.
    void choose(TensorId output)
    {
        const TensorId chosen = origins_[at(output)].root;
        const std::string* names = attribute(function_.tensors[at(chosen)].attributes, marks::mayBe);
        if (!names) return;
        for (std::string_view rest = *names; !rest.empty();) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            if (const auto found = byName_.find(rest.substr(0, end)); found != byName_.end()) link(chosen, found->second, true);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }

    const Function& function_;
    std::span<const ViewOrigin> origins_;
    std::unordered_map<std::string_view, TensorId> byName_;
    std::vector<AliasEvent> events_;
};

} // namespace

std::vector<AliasEvent> aliasEvents(const Function& function, std::span<const ViewOrigin> origins)
{
    return Walk(function, origins).run();
}

AliasClasses::AliasClasses(std::size_t count) : parent_(count)
{
    std::iota(parent_.begin(), parent_.end(), 0);
}

TensorId AliasClasses::find(TensorId id)
{
    while (parent_[at(id)] != id) id = parent_[at(id)] = parent_[at(parent_[at(id)])];
    return id;
}

bool AliasClasses::unite(TensorId a, TensorId b)
{
    a = find(a);
    b = find(b);
    parent_[at(std::max(a, b))] = std::min(a, b);
    return a != b;
}

AliasOrder::AliasOrder(std::size_t count) : classes_(count), nodes_(count), top_(count)
{
    std::iota(top_.begin(), top_.end(), 0);
}

void AliasOrder::link(TensorId a, TensorId b)
{
    const std::int32_t left = top_[at(classes_.find(a))];
    const std::int32_t right = top_[at(classes_.find(b))];
    if (!classes_.unite(a, b)) return;
    const auto made = static_cast<std::int32_t>(nodes_.size());
    nodes_[at(left)].parent = nodes_[at(right)].parent = made;
    nodes_.push_back({none, left, right, a, b});
    top_[at(classes_.find(a))] = made;
}

std::vector<TensorId> AliasOrder::aliasesOf(TensorId id) const
{
    // Seen from a value, each link above it brings in the other side: the value that the link names there, then the aliases that
    // it had by then.
    std::vector<TensorId> found;
    std::vector<std::pair<TensorId, std::int32_t>> open{{id, none}}; // a value, and the class up to which to look
    std::vector<std::pair<TensorId, std::int32_t>> others;
    while (!open.empty()) {
        const auto [value, top] = open.back();
        open.pop_back();
        found.push_back(value);
        others.clear();
        for (std::int32_t node = value; node != top && nodes_[at(node)].parent != none; node = nodes_[at(node)].parent) {
            const Node& link = nodes_[at(nodes_[at(node)].parent)];
            others.push_back(link.left == node ? std::pair(link.b, link.right) : std::pair(link.a, link.left));
        }
        open.insert(open.end(), others.rbegin(), others.rend());
    }
    found.erase(found.begin());
    return found;
}

} // namespace stowage::lowering
