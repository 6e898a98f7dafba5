// The option `shapes` of the ONNX importer.
#pragma once

#include <cstdint>

namespace stowage::onnxfile {

/// Effort to find the shapes of a model.
enum class Shapes : std::uint8_t {
    inferred, ///< ONNX's shape inference alone, as all ONNX tools do it
    computed, ///< also evaluates shape arithmetic, and takes the shape of an If from its only possible branch if the condition is
              ///< known
};

} // namespace stowage::onnxfile
