// Pools in TIR that has been planned: function parameters that are pools, and addresses in them.
#pragma once

#include "plugins/tvm/tir_parser.h"

#include "core/ir/program.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stowage::tvm {

/// An address in a pool: T.tvm_access_ptr(T.type_annotation("uint8"), pool.data, offset, extent, mask), as tir_writer.h writes
/// it, or T.address_of(pool[offset]), as TVM writes it, which has no extent.
struct PoolAddress {
    const Expression* pool = nullptr; ///< the name of the pool, or of the buffer that covers it
    Bytes offset = 0;
    std::optional<Bytes> bytes;
    bool constant = false; ///< the mask allows reads only
};

/// The address that an expression denotes. No value if it is not an address, or if its numbers are not literals.
[[nodiscard]] std::optional<PoolAddress> poolAddress(const Expression& given);

/// The value that a statement binds a name to: the argument of T.LetStmt(value), T.let(value) or T.let(name, value), otherwise
/// the expression itself.
[[nodiscard]] const Expression& boundValue(const Expression& given);
/// The name that a statement binds: its target, or the first argument of T.let(name, value). Null if there is none.
[[nodiscard]] const Expression* boundName(const Statement& statement);
/// The address that a statement binds a name to, directly or as the data of a declared buffer.
[[nodiscard]] std::optional<PoolAddress> boundAddress(const Statement& statement);

/// The parameters of one function that are pools.
struct PoolParameters {
    std::vector<PoolId> pools;                         ///< by parameter: index into `TirPools::pools`; `none`: not a pool
    std::vector<std::pair<std::string, PoolId>> names; ///< of the parameters, and of the buffers that cover them
};

struct TirPools {
    std::vector<Pool> pools; ///< with the names that the outermost function gives them
    std::vector<PoolParameters> functions;

    [[nodiscard]] PoolId find(std::size_t function, const std::string& name) const;
};

/// The function that a call names (npos: none of the module); sets `first` to the index of its first argument.
using FindCallee = std::function<std::size_t(const Expression& call, std::size_t& first)>;

/// Finds the parameters that are pools. A parameter is a pool if it is a handle, with or without a flat uint8 buffer that covers
/// it, and is used only to take addresses in it and to pass it on as a pool. O(size of the text * depth of the calls).
[[nodiscard]] TirPools findPools(const std::vector<PrimFunction>& functions, const FindCallee& calleeOf);

} // namespace stowage::tvm
