// The built-in operators of TensorFlow Lite.
#pragma once

#include <cstdint>
#include <string>

namespace stowage::tflite {

/// Those that mean something to memory planning, by the format's number.
enum class Operator : std::int32_t {
    reshape = 22,
    custom = 32,
    squeeze = 43,
    expandDims = 70,
    conditional = 118, ///< IF
    loop = 119,        ///< WHILE
    callOnce = 129,
    bitcast = 159,
};

/// "CONV_2D"; "BUILTIN_999" for one that is newer than this list.
std::string operatorName(std::int32_t code);

/// True when the result is the first operand's bytes under another shape.
bool makesView(std::int32_t code);

} // namespace stowage::tflite
