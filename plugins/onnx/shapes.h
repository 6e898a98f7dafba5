// The option `shapes` of the ONNX importer.
#pragma once

#include <cstdint>

namespace stowage::onnxfile {

/// How far sizes are followed.
enum class Shapes : std::uint8_t {
    inferred, ///< ONNX's shape inference alone: what every ONNX tool agrees on
    computed, ///< shape arithmetic is evaluated as well, and a branch whose condition is known decides the shape of an If
};

} // namespace stowage::onnxfile
