// Whatever the TIR, its plan is written into a text that is TIR again, or refused with a reason.
#include "plugins/tvm/tir_importer.h"
#include "plugins/tvm/tir_writer.h"
#include "tests/fuzz/rewritten.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    stowage::test::rewriteSafely(stowage::test::textOf(data, size), {}, stowage::tvm::TirRewriter(), [](std::string_view text) {
        return stowage::tvm::TirImporter().import({"module.py", text, {}, {}});
    });
    return 0;
}
