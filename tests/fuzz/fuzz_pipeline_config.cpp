// Whatever the bytes, the readers of pipelines (configuration, devices, costs, runs, traces) give a value that is written and
// read back the same, or one error with a place. The first byte chooses the reader.
#include "core/io/devices_json.h"
#include "core/io/pipeline_config.h"
#include "core/io/pipeline_json.h"

#include <cstdlib>

using namespace stowage;

namespace {

void placed(const Error& error)
{
    if (error.message.empty() || error.where.file.empty()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 5) {
    case 0: {
        const auto read = io::readPipelineConfig(text, "fuzz.json");
        if (!read) return placed(read.error()), 0;
        return 0;
    }
    case 1: {
        const auto read = io::readDevices(text, "fuzz.json");
        if (!read) return placed(read.error()), 0;
        const std::string written = io::writeDevices(*read);
        const auto again = io::readDevices(written, "again.json");
        if (!again || io::writeDevices(*again) != written) std::abort();
        return 0;
    }
    case 2: {
        const auto read = io::readCosts(text, "fuzz.json");
        if (!read) return placed(read.error()), 0;
        const std::string written = io::writeCosts(*read);
        const auto again = io::readCosts(written, "again.json");
        if (!again || io::writeCosts(*again) != written) std::abort();
        return 0;
    }
    case 3: {
        const auto read = io::readRun(text, "fuzz.json");
        if (!read) placed(read.error());
        return 0;
    }
    default: {
        const auto read = io::readChromeTrace(text, "fuzz.json");
        if (!read) return placed(read.error()), 0;
        if (read->framesOut < 0 || read->framesOut > read->frames) std::abort();
        return 0;
    }
    }
}
