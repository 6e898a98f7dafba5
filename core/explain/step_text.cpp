#include "core/explain/step_text.h"

#include "core/ir/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace stowage {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(StepRule::count)> ruleTexts{
    "",
    "the smallest gap that fits",
    "the lowest gap that fits",
    "at the bottom: no buffer in conflict lies there",
    "no gap fits: above everything that conflicts",
    "pinned",
    "on the bytes of the buffer that it may share with",
    "fits in no candidate pool: above the capacity of the last one",
    "end to end: nothing is shared",
    "stopped early: above all buffers",
    "does not fit in this pool",
    "has no bytes",
    "the lowest place left; tried first",
    "no other buffer can lie low enough here",
    "no unplaced buffer can reach into this place",
    "as low as possible, before collisions are resolved",
    "pushed up by a buffer in conflict",
    "back to its earlier place: no layout found",
    "removed: no layout found with it",
    "no layout with it at its lowest place, so it lies higher",
    "a new search begins",
    "looks for a layout of {} bytes",
    "found one",
    "proved: there is none",
    "turns to another order: this one takes too long",
    "stopped",
    "{} placements are recorded; from here on only better layouts are",
    "in the best plan of the quick heuristics",
    "in a better layout",
    "in the best layout found",
    "in a better choice of pools",
    "no free token is of a size that suits: a new one",
    "in a token that was free",
    "inside the block of its operator, by size",
    "between operators and their blocks, by size",
    "in the plan of least price and size that was found",
    "in the best assignment of buffers to pools that was found",
    "in a better plan",
    "restart: covered bounds are kept apart",
    "no place at any level",
    "rolled back",
};
static_assert(!ruleTexts.back().empty(), "each rule has a text");

class StepTexts {
public:
    explicit StepTexts(const Problem& problem) : problem_(problem) {}

    std::string operator()(const RuleApplied& applied) const
    {
        const std::string_view text = ruleTexts[static_cast<std::size_t>(applied.rule)];
        const std::size_t number = text.find("{}");
        if (number == std::string_view::npos) return std::string(text);
        return fmt::format("{}{}{}", text.substr(0, number), grouped(applied.number), text.substr(number + 2));
    }
    std::string operator()(hivm::Level /*level*/) const { return {}; }

    std::string operator()(const EdgeSelection& it) const
    {
        std::string text = fmt::format("{} meets {} unassigned tensors, the most{}", name(it.chosen.buffer), it.interference,
                                       it.ties > 1 ? fmt::format(" ({} meet as many)", it.ties) : "");
        for (std::size_t i = 0; i < it.others.size(); ++i)
            text += fmt::format("{}{}", i == 0 ? ", as do " : i + 1 == it.others.size() ? " and " : ", ", name(it.others[i]));
        for (const SizedBuffer& larger : it.larger)
            text += fmt::format("; with {}, which is larger ({} bytes for {}) and does not meet it", name(larger.buffer),
                                larger.bytes, it.chosen.bytes);
        if (it.edge != EdgeKind::fresh && it.passedOver > 0)
            text += fmt::format("; {} larger {} asked first, and no such edge takes {}", it.passedOver,
                                it.passedOver == 1 ? "one was" : "ones were", it.passedOver == 1 ? "it" : "them");
        switch (it.edge) {
        case EdgeKind::inner: return text + "; an edge between two tensors takes it";
        case EdgeKind::one: return text + "; no candidate fits between two tensors, this one fits an edge with one dummy end";
        case EdgeKind::fresh: break;
        }
        return text + "; no candidate fits an edge: the first one, by size and then by how many it meets";
    }

    std::string operator()(const EdgeInsertion& it) const
    {
        if (it.fresh) return fmt::format("a new edge source -> sink: the pool grows to {} bytes", it.top);
        const std::string from = it.from == none ? "source" : name(it.from), to = it.to == none ? "sink" : name(it.to);
        std::string text = fmt::format("into the edge {} -> {} ({} bytes at {}): ", from, to, it.bytes, it.offset);
        Bytes block = 0;
        for (const SizedBuffer& member : it.members) {
            text += fmt::format("{}{} takes {} of them", block == 0 ? "" : ", ", name(member.buffer), member.bytes);
            block = std::max(block, member.bytes);
        }
        text += it.from == none ? " from the source" : fmt::format(" over from {}", from);
        text += it.to == none ? " and gives them back" : fmt::format(" and hands them on to {}", to);
        if (it.bytes > block) text += fmt::format(", {} stay on the edge", it.bytes - block);
        return text +
               fmt::format("; of the edges that fit, those with the fewest dummy ends first, its bytes lie idle for the shortest "
                           "time ({} steps)",
                           it.idleSteps);
    }

private:
    /// The quoted name. Of a long name the end is shown, which tells more than the beginning.
    [[nodiscard]] std::string name(BufferId buffer) const
    {
        constexpr std::size_t maxShown = 44; // bytes
        const std::string& name = problem_.buffers[at(buffer)].name;
        if (name.size() <= maxShown) return "'" + name + "'";
        std::size_t end = name.size() - maxShown; // do not cut inside a UTF-8 character
        while (end < name.size() && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) ++end;
        return "'…" + name.substr(end) + "'";
    }

    const Problem& problem_;
};

} // namespace

std::string stepText(const Problem& problem, const StepReason& reason)
{
    return std::visit(StepTexts(problem), reason);
}

bool isLong(const StepReason& reason)
{
    const auto* insertion = std::get_if<EdgeInsertion>(&reason);
    return std::holds_alternative<EdgeSelection>(reason) || (insertion && !insertion->fresh);
}

} // namespace stowage
