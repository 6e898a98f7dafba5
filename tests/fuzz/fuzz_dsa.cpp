// Whatever the bytes, the reader of DSA problems gives problems that can be planned, or one error.
#include "plugins/dumps/dsa_problem.h"
#include "tests/fuzz/imported_problems.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return stowage::test::readAndPlan<stowage::dumps::DsaProblemImporter>(data, size, "fuzz.json");
}
