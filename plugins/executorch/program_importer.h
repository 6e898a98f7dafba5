// Opens an ExecuTorch program as problems, one for each method, with the plan that the file brings along.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::executorch {

/// Importer `executorch`. A step is an instruction; a buffer is a tensor that the exporter placed (value N is named "tN"), live
/// from the first to the last instruction that names it; sizes are rounded up to 16 bytes, as ExecuTorch's planner does. The
/// memories are `arena1` …, by their ids in the file. Views that the exporter elided belong to what they view: "t257+t271".
class ProgramImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"executorch", "ExecuTorch program", {"pte", "bpte"}, {}};
};

} // namespace stowage::executorch
