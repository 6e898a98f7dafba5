// Whatever the bytes of a message between host and worker, it is read into a value that is written and read back the same, or
// refused; memory is bounded by the bytes. The first byte chooses the message.
#include "plugins/host/import_messages.h"
#include "plugins/host/layout_messages.h"
#include "plugins/host/plan_messages.h"
#include "plugins/host/rewrite_messages.h"

#include <cstdlib>

using namespace stowage;

namespace {

template <typename Message>
void read(std::string_view bytes)
{
    const auto value = fromArchive<Message>(bytes);
    if (!value) return;
    const std::string written = toArchive(*value);
    const auto again = fromArchive<Message>(written);
    if (!again || toArchive(*again) != written) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 5) {
    case 0: read<Imported>(bytes); break;
    case 1: read<PlanOrder>(bytes); break;
    case 2: read<Incumbent>(bytes); break;
    case 3: read<Plan>(bytes); break;
    default: read<ImportOrder>(bytes); break;
    }
    return 0;
}
