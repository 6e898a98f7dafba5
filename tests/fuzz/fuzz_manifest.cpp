// Whatever the bytes, the reader of plug-in manifests gives a manifest whose planner can be described, or one error.
#include "plugins/external/manifest_reader.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace stowage::external;
    const auto read = readManifest({reinterpret_cast<const char*>(data), size}, "/fuzz/manifest.json");
    if (!read) {
        if (read.error().message.empty() || codeText(read.error()).empty()) std::abort();
        return 0;
    }
    if (read->id.empty() || read->argv.empty()) std::abort(); // nothing that could be started
    if (read->kind == ManifestKind::planner) (void)plannerInfo(*read);
    return 0;
}
