// A reader with a seeded defect, which the fuzzer has to find: it shows that the harness finds what there is. `tests/run.sh
// --fuzz` fails when this one passes.
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (!text.starts_with("size,")) return 0;
    const std::string_view count = text.substr(5);
    if (count.size() > 2 && count[0] == '-' && count[1] == '9') std::abort(); // a negative size that nobody refused
    return 0;
}
