// Whatever the bytes, the reader of TVM's graph JSON gives a program that lowers or is refused, or one error.
#include "plugins/tvm/graph_importer.h"
#include "tests/fuzz/imported.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const stowage::tvm::GraphImporter importer;
    stowage::test::lowerSafely(importer.import({"graph.json", stowage::test::textOf(data, size), {}, {}}));
    return 0;
}
