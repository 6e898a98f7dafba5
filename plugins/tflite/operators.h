// The built-in operators of TensorFlow Lite.
#pragma once

#include <cstdint>
#include <string>

namespace stowage::tflite {

/// The operators that planning treats specially, with their codes in the file format.
enum class Operator : std::int32_t {
    custom = 32,
    conditional = 118, ///< IF
    loop = 119,        ///< WHILE
    callOnce = 129,
    stablehloWhile = 200,
    stablehloComposite = 206,
    stablehloCase = 209,
};

/// "CONV_2D"; "BUILTIN_999" for a code that this list does not have.
std::string operatorName(std::int32_t code);

} // namespace stowage::tflite
