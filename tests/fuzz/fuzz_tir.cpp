// Whatever the bytes, the reader of TIR gives a program that lowers or is refused, or one error.
#include "plugins/tvm/tir_importer.h"
#include "tests/fuzz/imported.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const stowage::tvm::TirImporter importer;
    stowage::test::lowerSafely(importer.import({"module.py", stowage::test::textOf(data, size), {}, {}}));
    return 0;
}
