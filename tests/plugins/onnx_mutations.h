// Damages ONNX models, for tests of readers: as transmission does (bytes), and as a wrong exporter does (fields).
#pragma once

#include <onnx/onnx_pb.h>

#include <random>
#include <string>

namespace stowage::test {

using Random = std::mt19937_64;

/// A few bits flipped, bytes overwritten, a piece cut out, doubled or moved, or the end cut off.
std::string damageBytes(std::string bytes, Random& random);

/// One to four fields changed anywhere in the model: numbers to extreme ones, names to other names of the model or to nothing, elements
/// of lists removed, doubled or swapped, fields cleared.
void damageFields(onnx::ModelProto& model, Random& random);

} // namespace stowage::test
