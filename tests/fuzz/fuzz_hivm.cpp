// Kernels of Ascend's compiler: any bytes give an error or a program that lowers or is refused.
#include "core/lower/lower.h"
#include "plugins/hivm/hivm_importer.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto imported = stowage::hivm::importKernel(text, "k.mlir");
    if (!imported) return 0;
    stowage::LowerOptions options;
    options.order = stowage::Order::hivm;
    options.inPlace = stowage::InPlaceMode::allowed;
    (void)stowage::lower(std::get<stowage::Program>(imported->content), options);
    return 0;
}
