// Opens memory profiles in Chrome's trace format, as ExecuTorch and ONNX Runtime write them.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::dumps {

/// Importer `memory-profile`. An event of phase X is a tensor in one step: `tid` is the step, `dur` its bytes, `pid` the pool,
/// `ts` its offset. Equal events in consecutive steps are one buffer.
///  - ExecuTorch (an object with `traceEvents`): one problem; the pool of `pid` N is `arenaN`. If every `ts` is the sum of the
///    earlier `dur` of its step and pool, the offsets were not recorded: the problem has lifetimes, and there is no plan.
///  - ONNX Runtime (an array): each process repeats the record, and becomes a problem of its own, with its name.
class MemoryProfileImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"memory-profile", "memory profile (Chrome trace)", {"json"}, {}};
};

} // namespace stowage::dumps
