// Whatever the bytes, the reader of program JSON gives a program that is written and read back the same, and that can be lowered
// and planned once it is verified, or one error with a place.
#include "core/io/text.h"
#include "core/ir/verify.h"
#include "core/lower/lower.h"
#include "tests/fuzz/planned.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace stowage;
    const auto read = io::readProgramJson({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!read) {
        if (read.error().message.empty() || read.error().where.file != "fuzz.json") std::abort();
        return 0;
    }
    const Program& program = read->value;
    const Diagnostics findings = verify(program);
    if (std::any_of(findings.begin(), findings.end(), [](const Diagnostic& d) { return d.severity == Severity::error; }))
        return 0;
    auto again = io::readProgramJson(io::writeProgramJson(program), "again.json");
    if (!again) std::abort();
    for (const ViewMode views : {ViewMode::separate, ViewMode::merged})
        for (const Order order : {Order::linear, Order::dag}) {
            LowerOptions options;
            options.order = order;
            options.views = views;
            options.inPlace = InPlaceMode::allowed;
            if (const auto lowering = lower(program, options)) test::planSafely(lowering->problem);
        }
    return 0;
}
