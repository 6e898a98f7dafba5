// Whatever the bytes, the readers of TensorFlow Lite Micro's and Vela's logs give problems that can be checked, or one error.
#include "plugins/tflm/log_importers.h"
#include "tests/fuzz/imported.h"

namespace {

void checkSafely(const stowage::Expected<stowage::Imported>& imported)
{
    if (!imported) return stowage::test::lowerSafely(imported);
    for (auto named : std::get<std::vector<stowage::NamedProblem>>(imported->content))
        for (const stowage::Diagnostic& told : checkAndRepair(named.problem))
            if (told.message.empty()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = stowage::test::textOf(data, size);
    checkSafely(stowage::tflm::TflmLogImporter().import({"device.log", text, {}, {}}));
    checkSafely(stowage::tflm::VelaLogImporter().import({"vela.txt", text, {}, {}}));
    return 0;
}
