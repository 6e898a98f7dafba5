// Writes a plan into the text of a kernel.
#pragma once

#include "core/ir/program.h"
#include "core/lower/lower.h"
#include "core/plan/plan.h"

#include <span>
#include <string>
#include <string_view>

namespace stowage::hivm {

/// One planned function. The pointers must stay valid during the call.
struct WrittenFunction {
    FunctionId function = none;
    const Lowering* lowering = nullptr;
    const Plan* plan = nullptr;
};

/// How the text gives the offsets of allocations in workspaces: by `offset = […]` after the argument, as the compiler writes it,
/// or by a pointer_cast, as the compiler's document describes it.
enum class WorkspaceForm : std::uint8_t { offset, document };

/// Each allocation of a planned function becomes `%x = hivm.hir.pointer_cast(%c, …) : T` with 64-bit constants (in workspaces
/// `index` constants) at the function's top; buffers that the text marks as multi-buffered move to the front of their loop's
/// body, as the compiler has them; the sizes of workspaces go to the function's attributes (`WorkspaceSize`). A tightly coupled
/// buffer in a memory of the other core gets the addresses of its partner there, if the partner's function is planned, too. In a
/// file that is planned already, the new addresses replace the old ones. All other bytes stay unchanged. `program` is the result
/// of importing `text`. Errors: a text that cannot be read; an allocation of the program that is not in the text. O(text log
/// edits).
Expected<std::string> writePlan(std::string_view text, const std::string& file, const Program& program,
                                std::span<const WrittenFunction> planned, WorkspaceForm form);

} // namespace stowage::hivm
