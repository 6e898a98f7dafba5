// Chooses the label that fits into a buffer. Names are never cut inside a part. No Qt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace stowage {

inline constexpr std::string_view ellipsis = "\u2026"; ///< for the letters of a name that were left out

/// The place and the text of a label.
struct LabelFit {
    enum class Place { nowhere, topLeft, centre, rotated } place = Place::nowhere;
    std::string name;         ///< possibly shortened; empty if only the size fits
    std::string size;         ///< empty if it does not fit
    bool sizeOnLine2 = false; ///< below the name; otherwise at the right end of its line

    friend bool operator==(const LabelFit&, const LabelFit&) = default;
};

/// Width of a text in logical pixels; `number` in the typeface of numbers.
using MeasureText = std::function<double(std::string_view text, bool number)>;

/// Longer texts, in bytes, never fit: measuring a name of megabytes takes seconds.
inline constexpr std::size_t maxLabelBytes = 4096;

/// Space around a label, and minimum sizes of buffers with a label on one line, on two lines and rotated, in logical pixels.
inline constexpr double labelInset = 5;
inline constexpr double labelMinimumWidth = 34;
inline constexpr double labelMinimumHeight = 13;
inline constexpr double labelTwoLines = 34;
inline constexpr double labelRotatedHeight = 44;

/// The leading parts that at least four in five of the names have in common ("MobilenetV1/", with its slash). Labels leave them
/// out, so that the parts that differ remain. Empty for fewer than four names. O(characters).
[[nodiscard]] std::string commonPrefix(std::span<const std::string_view> names);
/// `name` without `prefix`, if it begins with `prefix` and is longer.
[[nodiscard]] std::string_view withoutPrefix(std::string_view name, std::string_view prefix);

/// The trailing parts that at least four in five of the names have in common ("/Relu6", with its slash). They are dropped first
/// from a name that does not fit. Empty for fewer than four names, or if a name consists of the suffix alone. O(characters).
[[nodiscard]] std::string commonSuffix(std::span<const std::string_view> names);
/// `name` without `suffix`, if it ends with `suffix` and is longer.
[[nodiscard]] std::string_view withoutSuffix(std::string_view name, std::string_view suffix);

/// Whether the names' last parts differ more than their first parts. O(characters) of the first few thousand names.
[[nodiscard]] bool endsTellApart(std::span<const std::string_view> names);

/// Counts short forms of names shown near each other, to choose for each name a form that few others have. A short form consists
/// of whole parts of the beginning and of the end with one ellipsis between them. For pictures, where names without room are left
/// out; NamesApart is for lists, where each name has its row.
class ShortForms {
public:
    /// O(parts of the name).
    void add(std::string_view name);
    /// The form of `name`, not wider than `width`, that the fewest names have; of several the longest. Empty if none fits, and if
    /// more than an eighth of at least four names have it, because then the size says more.
    [[nodiscard]] std::string bestOf(std::string_view name, double width, const MeasureText& measure) const;

private:
    std::unordered_map<std::uint64_t, std::size_t> counts_; ///< by hash of the form
    std::size_t names_ = 0;
};

/// The longest form of the name that fits: the whole name; first/…/last part; first part/…. Parts end at '/', else at '.', else
/// at ':'. With `endTells`, …/last part is preferred to the first part if only one part fits. A name that does not fit loses
/// `suffix` first. With `others` the form is that of ShortForms instead.
[[nodiscard]] std::string shortenedName(std::string_view name, double width, const MeasureText& measure, bool endTells = false,
                                        std::string_view suffix = {}, const ShortForms* others = nullptr);

/// The label of a buffer of width x height: the longest form of the name, else its size, else (narrow and tall) the same rotated,
/// else none. `sizeText` includes the unit, `sizeNumber` does not.
[[nodiscard]] LabelFit fitLabel(std::string_view name, std::string_view sizeText, std::string_view sizeNumber, double width,
                                double height, const MeasureText& measure, bool endTells = false, std::string_view suffix = {},
                                const ShortForms* others = nullptr);

} // namespace stowage
