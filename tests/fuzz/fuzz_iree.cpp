// Whatever the bytes, the reader of IREE's slices gives problems that can be planned, or one error.
#include "plugins/dumps/stream_pack.h"
#include "tests/fuzz/imported_problems.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return stowage::test::readAndPlan<stowage::dumps::StreamPackImporter>(data, size, "fuzz.mlir");
}
