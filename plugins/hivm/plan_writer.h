// A kernel's text with its plan written into it.
#pragma once

#include "core/ir/program.h"
#include "core/lower/lower.h"
#include "core/plan/plan.h"

#include <span>
#include <string>
#include <string_view>

namespace stowage::hivm {

/// One function that was planned; the things that it points to outlive the call.
struct WrittenFunction {
    FunctionId function = none;
    const Lowering* lowering = nullptr;
    const Plan* plan = nullptr;
};

/// How allocations in workspaces get their place: `offset = […]` after the argument, as the compiler writes it today, or a
/// pointer_cast, as its document says.
enum class WorkspaceForm : std::uint8_t { offset, document };

/// Each allocation of a planned function becomes `%x = hivm.hir.pointer_cast(%c, …) : T` with 64-bit constants (in workspaces
/// `index` constants) at the function's top; buffers that the text marks as multi-buffered move to the front of their loop's
/// body, as the compiler has them; the sizes of workspaces go to the function's attributes (`WorkspaceSize`). A tightly coupled
/// buffer in a memory of the other core gets the addresses of its partner there, when that one's function is among those planned.
/// A file that is planned already gets the new addresses in the old places. All else is as it was, byte for byte. `program` is
/// what `text` was read as. Errors: a text that cannot be read, an allocation of the program that is not in it. O(text log
/// edits).
Expected<std::string> writePlan(std::string_view text, const std::string& file, const Program& program,
                                std::span<const WrittenFunction> planned, WorkspaceForm form);

} // namespace stowage::hivm
