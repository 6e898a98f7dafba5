// The built-in operators of TensorFlow Lite.
#pragma once

#include <cstdint>
#include <string>

namespace stowage::tflite {

/// Those that mean something to memory planning, by the format's number.
enum class Operator : std::int32_t {
    custom = 32,
    conditional = 118, ///< IF
    loop = 119,        ///< WHILE
    callOnce = 129,
};

/// "CONV_2D"; "BUILTIN_999" for one that is newer than this list.
std::string operatorName(std::int32_t code);

} // namespace stowage::tflite
