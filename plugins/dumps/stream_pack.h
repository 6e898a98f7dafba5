// Opens the operands of IREE's stream.resource.pack, slices of transient memory, as problems.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::dumps {

/// Importer `iree`. Each `stream.resource.pack` is a problem, named after its function ("f", "f#2", …). A slice is a buffer, live
/// in the inclusive range of steps that the op states. Sizes are constants of the module; slices of other sizes are left out with
/// a warning (`Problem::unknownSizes`). Alignments are those of the nearest preceding `#stream.resource_config`
/// (min_buffer_offset_alignment, min_buffer_range_alignment), else 64.
class StreamPackImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"iree", "IREE slices (stream.resource.pack)", {"mlir"}, {}};
};

} // namespace stowage::dumps
