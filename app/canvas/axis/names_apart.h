// Shortens names that are shown together, so that each keeps the letters that distinguish it from the others. No Qt.
#pragma once

#include "app/canvas/axis/label_fit.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// The common beginning and end of a name and another one.
struct NameNeighbour {
    std::size_t begin = 0; ///< length of the common beginning in bytes
    std::size_t end = 0;   ///< length of the common end in bytes
};

/// What a short form is made of.
enum class NameCuts : std::uint8_t {
    parts,   ///< whole parts where they distinguish it: names of tensors
    letters, ///< as many letters as fit: names of files, whose last part is not what they are called
};

/// The names of a list, a table or a picture, with their short forms. A short form consists of a beginning and an end of the name
/// with one ellipsis between them; of all that fit, the one is chosen that the fewest other names have.
class NamesApart {
public:
    NamesApart() = default;
    /// Copies the names; equal ones count once. O(characters x log names).
    explicit NamesApart(std::span<const std::string_view> names, NameCuts cuts = NameCuts::parts);

    /// `name` if it is not wider than `width`; else whole parts of it (they end at '/', else at '.', else at ':') if they
    /// distinguish it; else as many letters as fit, numbers kept whole; else the same without the suffix that nearly all names
    /// have. Never two ellipses; empty if not one letter fits. Compares with the names of the most similar beginning or end: at
    /// most O(letters x log letters) measurements.
    [[nodiscard]] std::string fit(std::string_view name, double width, const MeasureText& measure) const;

    /// `sentence` with its `quoted` names shortened as by `fit`, so that it is not wider than `width`; unchanged if it fits; with
    /// the shortest forms if no form is short enough.
    [[nodiscard]] std::string fitSentence(std::string_view sentence, std::span<const std::string> quoted, double width,
                                          const MeasureText& measure) const;

private:
    /// The common parts of `name` and the most similar names.
    [[nodiscard]] std::vector<NameNeighbour> neighbours(std::string_view name) const;

    NameCuts cuts_ = NameCuts::parts;
    std::vector<std::string> names_; ///< ascending
    std::vector<std::size_t> byEnd_; ///< into `names_`, ascending by the letters from the end
};

} // namespace stowage
