// For every TIR text, the rewriter writes the plan into a text that can be read as TIR again, or reports an error.
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
