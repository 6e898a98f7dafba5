// Types of values, from their text.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::hivm {

struct Type {
    enum class Kind : std::uint8_t { other, memref, tensor };
    Kind kind = Kind::other;
    std::string element;             ///< "f16"; of another type its whole text
    std::vector<std::int64_t> shape; ///< -1: dynamic
    std::string space;               ///< "ub", "gm"; empty: none is named
    std::string layoutOffset;        ///< of a strided layout: "?" or a number; empty: 0
    bool contiguous = true;          ///< rows follow each other without gaps, as far as the text says

    [[nodiscard]] bool shaped() const { return kind != Kind::other; }
    [[nodiscard]] bool isStatic() const;
    /// On the chip: memory that the pass plans.
    [[nodiscard]] bool local() const { return !space.empty() && space != "gm"; }
    /// Bytes of a dense value, elements packed. Nothing when a dimension is dynamic, the element type is not known, or it exceeds
    /// 2^62.
    [[nodiscard]] std::optional<Bytes> bytes() const;
};

/// Bits of an element type: "i1", "si8", "bf16", "f8E4M3FN", "index", "complex<f32>"; nothing for others.
std::optional<int> elementBits(std::string_view name);

/// Never fails: what is neither memref nor tensor is `other`. Linear.
Type parseType(std::string_view text);

/// "T, T<…, …>, T" at its outermost commas, without spaces round them.
std::vector<std::string_view> splitList(std::string_view text);

} // namespace stowage::hivm
