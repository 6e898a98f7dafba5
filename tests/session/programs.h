// Programs for tests of the session, as texts.
#pragma once

namespace stowage::test {

/// x of 16 bytes makes y of 32 bytes, which makes z of 16 bytes.
inline constexpr const char* chainOfTwo =
    R"({"format": "stowage.program/1", "name": "chain", "entry": "main", "functions": [{"name": "main",
        "inputs": ["x"], "outputs": ["z"],
        "tensors": [{"name": "x", "kind": "input", "bytes": 16}, {"name": "y", "bytes": 32},
                    {"name": "z", "kind": "output", "bytes": 16}],
        "ops": [{"name": "f", "kind": "f", "inputs": ["x"], "outputs": ["y"]},
                {"name": "g", "kind": "g", "inputs": ["y"], "outputs": ["z"]}]}]})";

/// `first` calls `helper`; nothing calls `first` and `second`, and `second` is the entry.
inline constexpr const char* threeFunctions =
    R"({"format": "stowage.program/1", "name": "two", "entry": "second", "functions": [
        {"name": "first", "inputs": ["x"], "outputs": ["y"],
         "tensors": [{"name": "x", "kind": "input", "bytes": 4}, {"name": "y", "kind": "output", "bytes": 4}],
         "ops": [{"name": "c", "kind": "call", "callee": "helper", "inputs": ["x"], "outputs": ["y"]}]},
        {"name": "helper", "inputs": ["x"], "outputs": ["y"],
         "tensors": [{"name": "x", "kind": "input", "bytes": 4}, {"name": "y", "kind": "output", "bytes": 4}],
         "ops": [{"name": "f", "kind": "f", "inputs": ["x"], "outputs": ["y"]}]},
        {"name": "second", "inputs": ["x"], "outputs": ["y"],
         "tensors": [{"name": "x", "kind": "input", "bytes": 8}, {"name": "y", "kind": "output", "bytes": 8}],
         "ops": [{"name": "g", "kind": "g", "inputs": ["x"], "outputs": ["y"]}]}]})";

} // namespace stowage::test
