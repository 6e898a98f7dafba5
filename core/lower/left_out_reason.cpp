#include "core/lower/left_out_reason.h"

namespace stowage::lowering {

std::string_view toText(LeftOutReason reason)
{
    switch (reason) {
    case LeftOutReason::none: break;
    case LeftOutReason::keptOut: return "kept out by the input or an import option";
    case LeftOutReason::unknownSize: return "its size is not known";
    case LeftOutReason::empty: return "it is empty";
    case LeftOutReason::noConstantPool: return "there is no constant pool for it";
    case LeftOutReason::noPersistentPool: return "there is no persistent pool for it";
    case LeftOutReason::otherMode: return "mem-plan-mode leaves it to the pass in its other mode";
    case LeftOutReason::notOfKernel: return "constants and variables are not planned with order=hivm";
    case LeftOutReason::neverWritten: return "nothing writes it";
    }
    return {};
}

} // namespace stowage::lowering
