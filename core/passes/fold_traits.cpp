#include "core/passes/fold_traits.h"

#include <algorithm>

namespace stowage {

namespace {

FoldTraits statedTraits(const Op& op)
{
    const OpEffect effect = op.traits.effect;
    FoldTraits traits;
    traits.known = effect != OpEffect::unstated;
    traits.pure = traits.known && effect != OpEffect::stateful && !op.inPlaceRequired;
    traits.elementWise = effect == OpEffect::elementWise;
    traits.broadcast = effect == OpEffect::repeats;
    traits.view = isView(op);
    return traits;
}

} // namespace

FoldTraits foldTraits(const Op& op)
{
    const std::string* text = attribute(op.attributes, foldAttribute);
    if (!text) return statedTraits(op);
    FoldTraits traits;
    std::string_view rest = *text;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(' '), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        traits.pure |= word == "pure";
        traits.known |= word == "known";
        traits.elementWise |= word == "element-wise";
        traits.broadcast |= word == "broadcast";
        traits.view |= word == "view";
        traits.evaluable |= word == "evaluable";
    }
    traits.pure = traits.pure && !op.inPlaceRequired;
    return traits;
}

std::string toText(const FoldTraits& traits)
{
    std::string text;
    const auto add = [&](bool has, std::string_view word) {
        if (!has) return;
        if (!text.empty()) text.push_back(' ');
        text.append(word);
    };
    add(traits.pure, "pure");
    add(traits.known, "known");
    add(traits.elementWise, "element-wise");
    add(traits.broadcast, "broadcast");
    add(traits.view, "view");
    add(traits.evaluable, "evaluable");
    return text;
}

} // namespace stowage
