// Memories in TIR that has been planned: parameters through which they are handed in, and addresses in them.
#pragma once

#include "plugins/tvm/tir_parser.h"

#include "core/ir/program.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stowage::tvm {

/// Where something lies in a memory: T.tvm_access_ptr(T.type_annotation("uint8"), pool.data, offset, extent, mask), as it is
/// written here, or T.address_of(pool[offset]), as TVM writes it, which does not say how many bytes.
struct PoolAddress {
    const Expression* pool = nullptr; ///< the name of the memory, or of the buffer over it
    Bytes offset = 0;
    std::optional<Bytes> bytes;
    bool constant = false; ///< only read
};

/// The address that an expression is, with numbers only; nothing when it is no such thing.
[[nodiscard]] std::optional<PoolAddress> poolAddress(const Expression& given);

/// What a statement binds a name to: the value inside T.LetStmt(value), T.let(value) and T.let(name, value), else the expression
/// itself.
[[nodiscard]] const Expression& boundValue(const Expression& given);
/// The name that it binds: the target, or the first argument of T.let(name, value). Null when there is none.
[[nodiscard]] const Expression* boundName(const Statement& statement);
/// The address that a statement gives a name to, also as the data of a buffer declared over it.
[[nodiscard]] std::optional<PoolAddress> boundAddress(const Statement& statement);

/// What is known of the parameters of one function that are memories; `none` for all others.
struct PoolParameters {
    std::vector<PoolId> pools;                         ///< by parameter, into `TirPools::pools`
    std::vector<std::pair<std::string, PoolId>> names; ///< of the parameters, and of the buffers over them
};

struct TirPools {
    std::vector<Pool> pools; ///< named as the outermost function names them
    std::vector<PoolParameters> functions;

    [[nodiscard]] PoolId find(std::size_t function, const std::string& name) const;
};

/// Finds the function that a call calls (npos: none of the module), and where its arguments begin.
using FindCallee = std::function<std::size_t(const Expression& call, std::size_t& first)>;

/// A parameter is a memory when it is a handle, with or without a flat uint8 buffer over it, of which nothing is done but to take
/// addresses in it and to hand it on as a memory. O(size of the text times depth of the calls).
[[nodiscard]] TirPools findPools(const std::vector<PrimFunction>& functions, const FindCallee& calleeOf);

} // namespace stowage::tvm
