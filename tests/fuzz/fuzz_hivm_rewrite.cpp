// For every kernel, the rewriter writes the plan into a text that can be read as a kernel again, or reports an error.
#include "plugins/hivm/hivm_importer.h"
#include "plugins/hivm/hivm_rewriter.h"
#include "tests/fuzz/rewritten.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    stowage::LowerOptions options;
    options.order = stowage::Order::hivm;
    options.inPlace = stowage::InPlaceMode::allowed;
    stowage::test::rewriteSafely(stowage::test::textOf(data, size), options, stowage::hivm::HivmRewriter(),
                                 [](std::string_view text) { return stowage::hivm::importKernel(text, "k.mlir"); });
    return 0;
}
