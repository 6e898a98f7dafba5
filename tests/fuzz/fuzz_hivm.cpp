// Whatever the bytes, the reader of Ascend's kernels gives a program that lowers or is refused, or one error.
#include "plugins/hivm/hivm_importer.h"
#include "tests/fuzz/imported.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    stowage::LowerOptions options;
    options.order = stowage::Order::hivm;
    options.inPlace = stowage::InPlaceMode::allowed;
    stowage::test::lowerSafely(stowage::hivm::importKernel(stowage::test::textOf(data, size), "k.mlir"), options);
    return 0;
}
