// Properties of ops that follow from their names.
#pragma once

#include "plugins/hivm/types.h"

#include <span>
#include <string_view>

namespace stowage::hivm {

/// How an op uses its operands.
enum class OpRole : std::uint8_t {
    plain,       ///< reads its operands and makes new values
    alloc,       ///< a buffer without an address
    workspace,   ///< a buffer in a workspace argument
    pointerCast, ///< a buffer with addresses
    mark,        ///< an annotation of its operand
    view,        ///< its result is (a part of) its first operand
    select,      ///< its result is one of its operands
    neutral,     ///< uses only the type of its operand
    load,        ///< reads its operands on the scalar pipe
    store,       ///< writes its last operand on the scalar pipe
    write,       ///< writes its last operand on another pipe
    writeFirst,  ///< writes its first operand on another pipe
    copyTo,      ///< reads the first operand, writes the second
    insert,      ///< reads the first operand, writes the second; its result is the second
    destination, ///< ins(…) outs(…) temp_buffer(…)
    call,        ///< reads and writes all its operands
    loop,        ///< scf.for and similar ops
    whileLoop,   ///< scf.while
    branch,      ///< scf.if, scf.index_switch: one of its regions runs
    once,        ///< scope.scope: a region that runs once
    terminator,  ///< ends its region and gives its results
    jump,        ///< cf.br
    unknown,
};

/// The role of an op, from its name. `structured`: the op has ins(…) or outs(…).
OpRole roleOf(std::string_view kind, bool structured);

/// The pipe that runs an op: "V", "MTE2", …; "MTE2+MTE3" for a macro op; empty if the op runs on no pipe. `compare`: the
/// compare_mode of a vcmp with its angle brackets; may be empty. The table is that of specs/hivm.md, "Op to pipe".
std::string_view pipeOf(std::string_view kind, std::span<const Type> inputs, std::span<const Type> outputs,
                        std::string_view compare);

} // namespace stowage::hivm
