// Whatever the bytes, the TensorFlow Lite importer gives a program or one error: no crash, no hang, no endless memory. Nor does
// the writer of plans, which leaves every old byte as it is.
#include "plugins/tflite/plan_writer.h"
#include "plugins/tflite/tflite_importer.h"
#include "tests/plugins/made_model.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const stowage::tflite::TfliteImporter importer;
    for (const char* mode : {"nested", "main", "flat"}) {
        const auto imported = importer.import({"model.tflite", bytes, {}, {{"subgraphs", mode}}});
        if (!imported && (codeText(imported.error()).empty() || imported.error().message.empty())) std::abort();
    }
    const std::vector<std::int32_t> offsets(size % 32, 16);
    const auto written = stowage::tflite::writeOfflinePlan(bytes, "model.tflite", offsets);
    if (written ? !written->text.ends_with(bytes) && written->text.size() != size : written.error().message.empty()) std::abort();
    return 0;
}

/// Noise seldom becomes a flatbuffer: what is too small to be one turns into a model made for the purpose, and is changed from
/// there.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed)
{
    if (size < 100) {
        static const auto models = stowage::test::exampleModels();
        const std::string bytes = stowage::test::bytesOf(models[seed % models.size()]);
        if (bytes.size() <= maxSize) {
            std::memcpy(data, bytes.data(), bytes.size());
            return bytes.size();
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}
