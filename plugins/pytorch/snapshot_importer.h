// Opens a memory snapshot of PyTorch as problems, one for each device, with what the allocator used beside them.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::pytorch {

/// Importer `pytorch`. A step is an event of the trace; a buffer is live from its allocation to the event that makes its bytes
/// reusable; sizes are rounded up to 512 bytes, as the allocator does. With `split=device` one memory holds a whole device, which
/// bounds what any allocator could do; with `split=streams` there is one for each stream, pool of segments, and size class, as
/// PyTorch reuses memory only inside these.
///
/// Several streams have no common order: their blocks conflict by vector clocks (core/io/clocks.h), and their live ranges show
/// the order of the events (`order=auto`; `events` takes that order for theirs).
class SnapshotImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"pytorch", "PyTorch memory snapshot", {"pickle", "pkl", "pkl.gz", "html"}, {}};
};

} // namespace stowage::pytorch
