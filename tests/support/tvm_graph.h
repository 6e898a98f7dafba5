// A graph of TVM's graph executor, as its JSON: six nodes with storage ids.
#pragma once

namespace stowage::test {

/// The storage ids 0, 2, 3 and 4 hold 100, 80, 40 and 40 bytes; 1 is a parameter's. At most 180 bytes are live: `input` and
/// `conv`.
inline constexpr const char* tvmGraph = R"({
  "nodes": [
    {"op": "null", "name": "input", "inputs": []},
    {"op": "null", "name": "p0", "inputs": []},
    {"op": "tvm_op", "name": "conv", "attrs": {"num_outputs": "1", "num_inputs": "2", "flatten_data": "0",
                                               "func_name": "tvmgen_conv", "hash": "1f"}, "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "tvm_op", "name": "reshape", "attrs": {"num_outputs": "1", "num_inputs": "1", "flatten_data": "0",
                                                  "func_name": "__nop"}, "inputs": [[2, 0, 0]]},
    {"op": "tvm_op", "name": "split", "attrs": {"num_outputs": "2", "num_inputs": "1", "flatten_data": "0",
                                                "func_name": "tvmgen_split"}, "inputs": [[3, 0, 0]]},
    {"op": "tvm_op", "name": "add", "attrs": {"num_outputs": "1", "num_inputs": "2", "flatten_data": "0",
                                              "func_name": "tvmgen_add"}, "inputs": [[4, 0, 0], [4, 1, 0]]}
  ],
  "arg_nodes": [0, 1],
  "heads": [[5, 0, 0]],
  "attrs": {
    "dltype": ["list_str", ["uint8", "int8", "int32", "int32", "int32", "int32", "int32"]],
    "device_index": ["list_int", [1, 1, 1, 1, 1, 1, 1]],
    "storage_id": ["list_int", [0, 1, 2, 2, 3, 4, 2]],
    "shape": ["list_shape", [[1, 10, 10], [3, 3], [1, 20], [20], [10], [10], [10]]]
  },
  "node_row_ptr": [0, 1, 2, 3, 4, 6, 7]
})";

} // namespace stowage::test
