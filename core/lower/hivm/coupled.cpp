#include "core/lower/hivm/coupled.h"

#include "core/ir/kernel_marks.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace stowage::lowering {

namespace {

/// First and last op, by number in its function, that touches a tensor or a view of it.
using Uses = std::map<std::int32_t, std::pair<OpId, OpId>>;

/// The number by which the functions of both cores name one buffer (`marks::coupled`); none: it is not coupled.
std::int32_t coupledNumber(const Function& function, TensorId id)
{
    // A view is as coupled as what it views; a chain of views is no longer than there are tensors.
    for (std::size_t hops = 0; id != none && hops <= function.tensors.size(); ++hops) {
        const Tensor& tensor = function.tensors[static_cast<std::size_t>(id)];
        if (const std::string* text = attribute(tensor.attributes, marks::coupled))
            if (!text->empty() && text->size() <= 6 && text->find_first_not_of("0123456789") == std::string::npos)
                return std::stoi(*text);
        id = tensor.aliasOf;
    }
    return none;
}

Uses usesOf(const Function& function)
{
    Uses uses;
    for (std::size_t o = 0; o < function.ops.size(); ++o)
        for (const auto* list : {&function.ops[o].inputs, &function.ops[o].outputs, &function.ops[o].temps})
            for (const TensorId tensor : *list) {
                const std::int32_t number = coupledNumber(function, tensor);
                if (number == none) continue;
                const auto op = static_cast<OpId>(o);
                const auto [place, added] = uses.try_emplace(number, op, op);
                place->second.second = op;
            }
    return uses;
}

/// True when in some function the ops from first to last use overlap.
bool usedTogether(const std::vector<Uses>& functions, std::int32_t a, std::int32_t b)
{
    return std::any_of(functions.begin(), functions.end(), [&](const Uses& uses) {
        const auto x = uses.find(a);
        const auto y = uses.find(b);
        return x != uses.end() && y != uses.end() && x->second.first <= y->second.second && y->second.first <= x->second.second;
    });
}

bool liveTogether(const Buffer& a, const Buffer& b)
{
    return std::any_of(a.live.begin(), a.live.end(), [&](const Interval& x) {
        return std::any_of(b.live.begin(), b.live.end(), [&](const Interval& y) { return x.overlaps(y); });
    });
}

} // namespace

void letCoupledShare(const Program& program, Problem& problem)
{
    std::vector<BufferId> coupled;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        if (problem.buffers[b].unique && problem.buffers[b].coupled != none) coupled.push_back(static_cast<BufferId>(b));
    if (coupled.size() < 2) return;
    std::vector<Uses> functions;
    for (const Function& function : program.functions) functions.push_back(usesOf(function));

    std::set<std::pair<BufferId, BufferId>> allowed; // both ways
    std::set<BufferId> sharing;
    for (const BufferId a : coupled)
        for (const BufferId b : coupled) {
            const Buffer& x = problem.buffers[static_cast<std::size_t>(a)];
            const Buffer& y = problem.buffers[static_cast<std::size_t>(b)];
            if (a == b || x.coupled == y.coupled || x.pools != y.pools || liveTogether(x, y) ||
                usedTogether(functions, x.coupled, y.coupled))
                continue;
            allowed.emplace(a, b);
            sharing.insert(a);
        }
    for (const BufferId a : sharing) {
        Buffer& it = problem.buffers[static_cast<std::size_t>(a)];
        it.unique = false;
        for (std::size_t other = 0; other < problem.buffers.size(); ++other) {
            const auto b = static_cast<BufferId>(other);
            if (b == a || problem.buffers[other].pools != it.pools || allowed.contains({a, b})) continue;
            it.conflicts.push_back(b);
            problem.buffers[other].conflicts.push_back(a);
        }
    }
    for (Buffer& buffer : problem.buffers) {
        std::sort(buffer.conflicts.begin(), buffer.conflicts.end());
        buffer.conflicts.erase(std::unique(buffer.conflicts.begin(), buffer.conflicts.end()), buffer.conflicts.end());
        // What conflicts may not share in place either.
        eraseIf(buffer.mayShare,
                [&](BufferId other) { return std::binary_search(buffer.conflicts.begin(), buffer.conflicts.end(), other); });
    }
}

} // namespace stowage::lowering
