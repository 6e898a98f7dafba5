// Opens memory profiles in Chrome's trace format, as ExecuTorch and ONNX Runtime write them.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::dumps {

/// Importer `memory-profile`. An event of phase X is a tensor in one step: `tid` is the step, `dur` its bytes, `pid` the memory,
/// `ts` its offset. Runs of equal events are buffers.
///  - ExecuTorch (an object with `traceEvents`): one problem, memory `pid` is `arenaN`. Where every `ts` is the sum of what came
///    before in its step, offsets were not recorded: then there are lifetimes and no plan.
///  - ONNX Runtime (an array): what it records is repeated for each process, so each is a problem of its own, under its name.
class MemoryProfileImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"memory-profile", "memory profile (Chrome trace)", {"json"}, {}};
};

} // namespace stowage::dumps
