// Opens an ExecuTorch program as problems, one for each method, with the plan in the file.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::executorch {

/// Importer `executorch`. A step is an instruction; a buffer is a tensor that the exporter placed (value N is named "tN"), live
/// from the first to the last instruction that uses it; sizes are rounded up to 16 bytes, as by ExecuTorch's planner. The pools
/// are `arena1`, …, by their ids in the file. A view that the exporter removed is part of the buffer that it views: "t257+t271".
class ProgramImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"executorch", "ExecuTorch program", {"pte", "bpte"}, {}};
};

} // namespace stowage::executorch
