// Whatever the bytes, the reader of ExecuTorch programs gives problems that can be planned, or one error.
#include "plugins/executorch/program_importer.h"
#include "tests/fuzz/imported_problems.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return stowage::test::readAndPlan<stowage::executorch::ProgramImporter>(data, size, "fuzz.pte");
}
