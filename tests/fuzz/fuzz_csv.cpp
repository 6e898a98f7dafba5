// Whatever the bytes, the CSV reader gives a problem that can be planned, or one error with a place.
#include "core/io/text.h"
#include "tests/fuzz/planned.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace stowage;
    const auto read = io::readProblemCsv({reinterpret_cast<const char*>(data), size}, "fuzz.csv");
    if (!read) {
        if (read.error().message.empty() || read.error().where.file != "fuzz.csv") std::abort();
        return 0;
    }
    const auto text = io::writeProblemCsv(read->value, nullptr);
    if (!text) std::abort(); // a table can hold what came from one
    const auto again = io::readProblemCsv(*text, "again.csv");
    if (!again || again->value != read->value) std::abort();
    test::planSafely(read->value);
    return 0;
}
