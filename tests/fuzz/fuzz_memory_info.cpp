// Whatever the bytes, the reader of memory_info.json gives a problem with its plan, or one error. No kernel lies beside it.
#include "plugins/hivm/hivm_importer.h"
#include "tests/fuzz/imported.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const stowage::hivm::MemoryInfoImporter importer;
    stowage::test::lowerSafely(importer.import({"/nowhere/memory_info.json", stowage::test::textOf(data, size), {}, {}}));
    return 0;
}
