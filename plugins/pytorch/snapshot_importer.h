// Opens a memory snapshot of PyTorch as problems, one for each device, with the sizes that the allocator used.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::pytorch {

/// Importer `pytorch`. A step is an event of the trace; a buffer is live from its allocation to the event that makes its bytes
/// reusable; sizes are rounded up to 512 bytes, as by the allocator. With `split=device` one pool stands for a whole device, so
/// that the result bounds every allocator; with `split=streams` there is one pool for each stream, segment pool and size class,
/// because PyTorch reuses bytes only inside these.
///
/// Events of several streams have no total order. With `order=auto` blocks of different streams conflict by their vector clocks
/// (core/io/clocks.h), and live ranges show the order of the trace; `order=events` takes the order of the trace as the order of
/// all streams.
class SnapshotImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"pytorch", "PyTorch memory snapshot", {"pickle", "pkl", "pkl.gz", "html"}, {}};
};

} // namespace stowage::pytorch
