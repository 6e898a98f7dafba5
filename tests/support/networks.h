// Published networks as programs: what planners meet in practice.
#pragma once

#include "core/ir/program.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace stowage::test {

struct Network {
    Program program;
    std::int64_t parameters = 0; ///< elements of all weights
};

struct NetworkOptions {
    std::int64_t batch = 1;
    bool training = false; ///< with gradients, which keep the activations
};

struct NetworkMaker {
    std::string_view name;
    Network (*make)(const NetworkOptions&);
    /// Parameters by the paper or its reference implementation, for the tests.
    std::int64_t published = 0;
    std::string_view source;
};

/// All of them. Inference is in f32 with normalisation folded into the convolutions (GoogLeNet without its local response
/// normalisation, as all later implementations); the order of ops is that of the paper's figures.
std::span<const NetworkMaker> networks();
/// The one of that name. Requires that there is one.
Network makeNetwork(std::string_view name, const NetworkOptions& options = {});

} // namespace stowage::test
