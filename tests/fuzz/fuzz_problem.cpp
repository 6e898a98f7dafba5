// Whatever the bytes, the reader of problem JSON gives a problem that is written and read back the same, and can be planned, or
// one error with a place.
#include "core/io/text.h"
#include "tests/fuzz/planned.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace stowage;
    const auto read = io::readProblemJson({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!read) {
        if (read.error().message.empty() || read.error().where.file != "fuzz.json") std::abort();
        return 0;
    }
    const auto again = io::readProblemJson(io::writeProblemJson(read->value), "again.json");
    if (!again || again->value != read->value) std::abort();
    test::planSafely(read->value);
    return 0;
}
