// Names that are shown together where there is no room for them: each keeps the letters that tell it from the others. No Qt.
#pragma once

#include "app/canvas/axis/label_fit.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// What a name has in common with another one.
struct NameNeighbour {
    std::size_t begin = 0; ///< bytes that both begin with
    std::size_t end = 0;   ///< bytes that both end with
};

/// The names of a list, a table or a picture, and how each is shortened there. One rule: a short form is a beginning and an end
/// of the name with one ellipsis between them, and of all that fit it is the one that the fewest other names have too.
class NamesApart {
public:
    NamesApart() = default;
    /// Copies the names; equal ones count once. O(characters x log names).
    explicit NamesApart(std::span<const std::string_view> names);

    /// `name` where it is not wider than `width`; else whole parts of it (they end at '/', else at '.', else at ':') where these
    /// tell it apart; else as many letters as fit, whole numbers kept together; else so without what nearly all end with. Never
    /// two ellipses; empty where not even one letter fits. Compares with the names that begin or end most alike: O(letters x log
    /// letters) measurements at most.
    [[nodiscard]] std::string fit(std::string_view name, double width, const MeasureText& measure) const;

    /// `sentence` with the `quoted` names in it shortened as `fit` does, so that it is not wider than `width`; as it is where it
    /// fits, and with the shortest forms where no form is short enough.
    [[nodiscard]] std::string fitSentence(std::string_view sentence, std::span<const std::string> quoted, double width,
                                          const MeasureText& measure) const;

private:
    /// What `name` has in common with the names that are most like it.
    [[nodiscard]] std::vector<NameNeighbour> neighbours(std::string_view name) const;

    std::vector<std::string> names_; ///< ascending
    std::vector<std::size_t> byEnd_; ///< into `names_`, ascending by the letters from the end
};

} // namespace stowage
