// Texts of quantities on the screen and in pictures, with one unit and one base for addresses, chosen in the toolbar.
#pragma once

#include "core/ir/types.h"

#include <QString>

#include <optional>
#include <string_view>

namespace stowage {

struct NumberFormat {
    enum class Unit { bytes, kibibytes, words } unit = Unit::bytes; ///< a word has 4 bytes
    bool hexAddresses = true;

    friend bool operator==(const NumberFormat&, const NumberFormat&) = default;
};

/// "1,234,567": a comma for each thousand, in every locale.
[[nodiscard]] QString countText(std::int64_t count);
/// A name from a file for display (`shownName`): control characters escaped, at most 200 characters.
[[nodiscard]] QString nameText(std::string_view name);
/// "3,488 B", "3.41 KiB", "872 words". Exact in bytes; else at most two decimals, or more where a size that is not 0 would be
/// written as 0: "0.004 KiB".
[[nodiscard]] QString bytesText(Bytes bytes, const NumberFormat& format);
/// The same without the unit, for columns whose header has it.
[[nodiscard]] QString bytesNumber(Bytes bytes, const NumberFormat& format);
/// The same for a tick of an axis: ticks that are at least `spacing` bytes apart have different texts.
[[nodiscard]] QString bytesTick(Bytes bytes, Bytes spacing, const NumberFormat& format);
/// "B", "KiB", "words".
[[nodiscard]] QString unitText(const NumberFormat& format);
/// Reads "64", "1K", "2MiB", "1.5M", "1,024" as bytes; units are powers of 1024. No value if it is not a size, or above 2^62.
[[nodiscard]] std::optional<Bytes> parseBytes(const QString& text);
/// "0x0C70" (at least four digits, an even number of them) or "3,184".
[[nodiscard]] QString addressText(Bytes address, const NumberFormat& format);
/// An address at an axis. Addresses are in bytes whatever the unit of sizes, as in files, pins and the search; beside sizes in
/// another unit each address names its own: "0x4000 B".
[[nodiscard]] QString axisAddressText(Bytes address, const NumberFormat& format);
/// About three digits for narrow places, without the unit: "240", "3.2 K", "96 K", "1.1 M". Counts words if `format` does, else
/// bytes; K, M and so on are powers of 1024 of either.
[[nodiscard]] QString shortBytes(Bytes bytes, const NumberFormat& format);
/// The same with the whole unit, for sentences: "240 B", "3.2 KiB", "24 K words".
[[nodiscard]] QString roughBytes(Bytes bytes, const NumberFormat& format);
/// "+5.3 %", "+207 %", "0", "-12 %": a fraction as a signed percentage.
[[nodiscard]] QString percentText(double fraction);
/// "85.2 %": a fraction as an unsigned percentage; `percent` of core/ir/figures.h.
[[nodiscard]] QString shareText(double fraction);
/// "35 µs", "0.2 ms", "18.7 ms", "1.4 s", "2 min 5 s"; `duration` of core/ir/figures.h.
[[nodiscard]] QString durationText(double milliseconds);
/// Time that a planner took; "–" for 0: nobody knows that of a plan from a file.
[[nodiscard]] QString planningTimeText(double milliseconds);
/// The same for programs: "0.213" milliseconds; empty for 0.
[[nodiscard]] QString planningTimeNumber(double milliseconds);
/// "1 buffer", "39 buffers": `noun` with an s unless `count` is 1.
[[nodiscard]] QString countedText(std::int64_t count, const QString& noun);
/// `begin`, the beginning of a longer text, without the number or hexadecimal address in which it may end: "6 runs in " of
/// "6 runs in 1". A number at the end of a name ("conv12") stays.
[[nodiscard]] QString withoutCutNumber(const QString& begin);

} // namespace stowage
