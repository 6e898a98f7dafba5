// TensorFlow Lite models made to measure: for tests of what no real file at hand has, and as seeds for the fuzzer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stowage::test {

struct MadeTensor {
    std::string name;
    std::vector<std::int32_t> shape{4};
    int type = 0; ///< float
    std::uint32_t buffer = 0;
    bool variable = false;
    std::vector<std::int32_t> signature;
};

struct MadeOperator {
    std::int32_t code = 19; ///< RELU
    std::vector<std::int32_t> inputs;
    std::vector<std::int32_t> outputs;
    /// As many as IF (118), WHILE (119), CALL_ONCE (129), STABLEHLO_WHILE (200) and STABLEHLO_COMPOSITE (206) take;
    /// STABLEHLO_CASE (209) takes any number.
    std::vector<std::int32_t> callees;
    std::string custom; ///< name of a custom operator
    /// CONV_2D (3): padding, stride, dilation; CONCATENATION (2): axis; STRIDED_SLICE (45): masks of begin, end and shrink
    std::vector<std::int32_t> options = {};
};

struct MadeGraph {
    std::string name;
    std::vector<MadeTensor> tensors;
    std::vector<std::int32_t> inputs;
    std::vector<std::int32_t> outputs;
    std::vector<MadeOperator> operators;
};

struct MadeBuffer {
    std::vector<std::uint8_t> data;
    std::uint64_t offset = 0; ///< for data behind the flatbuffer
    std::uint64_t size = 0;
};

struct MadeModel {
    std::vector<MadeGraph> graphs;
    std::vector<MadeBuffer> buffers; ///< behind buffer 0, which is empty
    std::vector<std::int32_t> plan;  ///< words of OfflineMemoryAllocation; none when empty
    bool oldCodes = false;           ///< operator codes in the field that there was first
};

/// The file.
std::string bytesOf(const MadeModel& model);

/// Where an axis is open (-1 in the signature), the file states 1.
MadeTensor openTensor(const std::string& name, const std::vector<std::int32_t>& signature);

/// A chain of `length` RELUs.
MadeGraph reluChain(const std::string& name, int length);
/// From "x" to "y": 16 words with 4 heads of 8 numbers each, in an open batch. Buffer 1 is the order of a transposition.
MadeGraph attentionBlock();

/// Small models that between them use all that the reader knows.
std::vector<MadeModel> exampleModels();

} // namespace stowage::test
