// Reasons why a tensor is not planned.
#pragma once

#include <cstdint>
#include <string_view>

namespace stowage::lowering {

enum class LeftOutReason : std::uint8_t {
    none,             ///< it is planned
    keptOut,          ///< kept out by the input or an import option
    unknownSize,      ///< its size is not known
    empty,            ///< it is empty
    noConstantPool,   ///< there is no constant pool for it
    noPersistentPool, ///< there is no persistent pool for it
    otherMode,        ///< `mem-plan-mode` leaves it to the pass in its other mode
    notOfKernel,      ///< constants and variables are not planned with `order=hivm`
    neverWritten,     ///< nothing writes it
};

/// The reason as a clause: "its size is not known". Empty for `none`.
[[nodiscard]] std::string_view toText(LeftOutReason reason);

} // namespace stowage::lowering
