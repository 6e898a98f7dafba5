// Opens IREE's slices of transient memory: the operands of stream.resource.pack.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::dumps {

/// Importer `iree`. Each `stream.resource.pack` is a problem, named after its function ("f", "f#2", …); a slice is a buffer,
/// live in the inclusive steps that it tells; sizes are constants of the module, and slices of other sizes are left out with a
/// warning. Alignments come from the nearest `#stream.resource_config` before it (min_buffer_offset_alignment,
/// min_buffer_range_alignment), else 64.
class StreamPackImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"iree", "IREE slices (stream.resource.pack)", {"mlir"}, {}};
};

} // namespace stowage::dumps
