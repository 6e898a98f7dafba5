// What is known of ops by their names.
#pragma once

#include "plugins/hivm/types.h"

#include <span>
#include <string_view>

namespace stowage::hivm {

/// How an op treats what it is given.
enum class OpRole : std::uint8_t {
    plain,       ///< reads its operands, makes values of its own
    alloc,       ///< a buffer without an address
    workspace,   ///< a buffer in a workspace argument
    pointerCast, ///< a buffer with addresses
    mark,        ///< says something of its operand
    view,        ///< its result is (a part of) its first operand
    select,      ///< its result is one of its operands
    neutral,     ///< looks at its operand's type only
    load,        ///< reads, on the scalar pipe
    store,       ///< writes its last operand, on the scalar pipe
    write,       ///< writes its last operand, not on the scalar pipe
    copyTo,      ///< reads the first operand, writes the second
    insert,      ///< reads the first operand, writes the second, which its result is
    destination, ///< ins(…) outs(…) temp_buffer(…)
    call,        ///< reads and writes all it is given
    loop,        ///< scf.for and its like
    whileLoop,
    branch,     ///< scf.if
    once,       ///< scope.scope: a region that runs once
    terminator, ///< hands values out of its region
    jump,       ///< cf.br
    unknown,
};

/// By name alone; `structured`: it has ins(…) or outs(…).
OpRole roleOf(std::string_view kind, bool structured);

/// The pipe that runs an op: "V", "MTE2", …, "MTE2+MTE3" for macro ops, empty for what runs on none. `compare`: value of a
/// vcmp's compare_mode, with its angle brackets; may be empty. The table is that of specs/hivm.md, "Op to pipe".
std::string_view pipeOf(std::string_view kind, std::span<const Type> inputs, std::span<const Type> outputs,
                        std::string_view compare);

} // namespace stowage::hivm
