// Which text a buffer can carry: never cut inside a part of its name. No Qt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace stowage {

/// Where a label goes, and what it says.
struct LabelFit {
    enum class Place { nowhere, topLeft, centre, rotated } place = Place::nowhere;
    std::string name;         ///< or a shortened one; empty when only the size fits
    std::string size;         ///< empty when there is no room for it
    bool sizeOnLine2 = false; ///< below the name; otherwise at the right end of its line

    friend bool operator==(const LabelFit&, const LabelFit&) = default;
};

/// Width of a text in logical pixels; `number` in the typeface of numbers.
using MeasureText = std::function<double(std::string_view text, bool number)>;

/// A text of more bytes fits nowhere: no picture is as wide, and a name of megabytes takes seconds to measure.
inline constexpr std::size_t maxLabelBytes = 4096;

/// Space around a label inside its buffer, and the least buffer that gets one, in logical pixels.
inline constexpr double labelInset = 5;
inline constexpr double labelMinimumWidth = 34;
inline constexpr double labelMinimumHeight = 13;
inline constexpr double labelTwoLines = 34;
inline constexpr double labelRotatedHeight = 44;

/// The leading parts that at least four in five of the names have in common ("MobilenetV1/", with its slash): labels leave them
/// out, so that what tells buffers apart is left. Empty for fewer than four names. O(characters).
[[nodiscard]] std::string commonPrefix(std::span<const std::string_view> names);
/// `name` without `prefix`, if it begins with it and goes on.
[[nodiscard]] std::string_view withoutPrefix(std::string_view name, std::string_view prefix);

/// The trailing parts that at least four in five of the names have in common ("/Relu6", with its slash): where a name does not
/// fit, they go first. Empty for fewer than four names, and where a name is nothing else. O(characters).
[[nodiscard]] std::string commonSuffix(std::span<const std::string_view> names);
/// `name` without `suffix`, if it ends with it and has something before it.
[[nodiscard]] std::string_view withoutSuffix(std::string_view name, std::string_view suffix);

/// Whether the names' last parts differ more than their first parts. O(characters) of the first few thousand names.
[[nodiscard]] bool endsTellApart(std::span<const std::string_view> names);

/// How many of some names beside each other have a short form in common, so that each keeps the part that differs. A short form
/// is whole parts of the beginning and of the end with one ellipsis between them. For names where there is no room, and that need
/// not be shown, in a picture; NamesApart is for lists, where each name has its row.
class ShortForms {
public:
    /// O(parts of the name).
    void add(std::string_view name);
    /// The form of `name` that the fewest of the names have, and of those the longest, that is not wider than `width`. Empty when
    /// none fits, and when more than half of at least four names have it: then it says less than the size does.
    [[nodiscard]] std::string bestOf(std::string_view name, double width, const MeasureText& measure) const;

private:
    std::unordered_map<std::uint64_t, std::size_t> counts_; ///< by hash of the form
    std::size_t names_ = 0;
};

/// The name in forms that grow shorter: all of it; first/…/last part; first part/…. Parts end at '/', else at '.', else at
/// ':'. With `endTells` …/last part goes before the first part where there is room for one only. A name that does not fit
/// loses `suffix` first. With `others` the form is that of ShortForms instead.
[[nodiscard]] std::string shortenedName(std::string_view name, double width, const MeasureText& measure, bool endTells = false,
                                        std::string_view suffix = {}, const ShortForms* others = nullptr);

/// What fits into a buffer of width x height: the longest form of the name, else its size, else (narrow and tall) the same
/// upwards, else nothing. `sizeText` has its unit, `sizeNumber` has not.
[[nodiscard]] LabelFit fitLabel(std::string_view name, std::string_view sizeText, std::string_view sizeNumber, double width,
                                double height, const MeasureText& measure, bool endTells = false, std::string_view suffix = {},
                                const ShortForms* others = nullptr);

} // namespace stowage
