// All bytes either are rejected by the reader of settings, or give values that can be written, read back and written again with
// the same result. The first writing may change a text: Qt replaces halves of surrogate pairs.
#include "plugins/host/settings_format.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto read = stowage::readSettings(QByteArray(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size)));
    if (!read) return 0;
    const auto once = stowage::readSettings(stowage::writeSettings(*read));
    if (!once) std::abort();
    const auto twice = stowage::readSettings(stowage::writeSettings(*once));
    if (!twice || stowage::writeSettings(*twice) != stowage::writeSettings(*once)) std::abort();
    return 0;
}
