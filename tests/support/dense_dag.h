// Random graphs of ops in which most values are live together, the hardest of their size for planners that look at conflicts.
#pragma once

#include "core/ir/program.h"
#include "tests/support/seed_shift.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace stowage::test {

/// `ops` ops that each read one to three of what the `reach` ops before made (0: of all), of 64 bytes to 1 MiB, evenly by order
/// of magnitude. What nobody reads is an output. The same on every machine but for the last bits of a logarithm.
inline Program denseDag(int ops, int reach, std::uint64_t seed)
{
    std::mt19937_64 random(seed + stowage::test::seedShift());
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
    Program program;
    program.name = "dense";
    Function& function = program.functions.emplace_back();
    function.name = "main";
    function.regions.emplace_back();
    std::vector<bool> read;
    const auto tensor = [&](Bytes bytes, TensorKind kind) {
        Tensor& made = function.tensors.emplace_back();
        made.name = "t" + std::to_string(function.tensors.size() - 1);
        made.bytes = bytes;
        made.alignment = 64;
        made.kind = kind;
        read.push_back(false);
    };
    tensor(65'536, TensorKind::input);
    function.regions[0].inputs = {0};
    for (int i = 0; i < ops; ++i) {
        Op& op = function.ops.emplace_back();
        op.name = "o" + std::to_string(i);
        op.kind = "op";
        const int known = static_cast<int>(function.tensors.size());
        const int first = reach == 0 ? 0 : std::max(0, known - reach);
        for (int k = 1 + below(3); k > 0; --k) {
            const TensorId input = first + below(known - first);
            if (std::find(op.inputs.begin(), op.inputs.end(), input) != op.inputs.end()) continue;
            op.inputs.push_back(input);
            read[static_cast<std::size_t>(input)] = true;
        }
        op.outputs = {known};
        tensor(64 * static_cast<Bytes>(std::exp2(below(1400) / 100.0)), TensorKind::intermediate);
        function.regions[0].ops.push_back(i);
    }
    for (std::size_t t = 1; t < read.size(); ++t) {
        if (read[t]) continue;
        function.tensors[t].kind = TensorKind::output;
        function.regions[0].outputs.push_back(static_cast<TensorId>(t));
    }
    return program;
}

} // namespace stowage::test
