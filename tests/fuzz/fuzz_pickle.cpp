// Whatever the bytes, the reader of PyTorch's snapshots gives problems that can be planned, or one error.
#include "plugins/pytorch/snapshot_importer.h"
#include "tests/fuzz/imported_problems.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return stowage::test::readAndPlan<stowage::pytorch::SnapshotImporter>(data, size, "fuzz.pickle");
}
