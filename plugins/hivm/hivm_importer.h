// Importers: kernels of Ascend's compiler as MLIR text, and the memory_info.json that it writes.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::hivm {

/// Reads `.mlir` with an op or attribute of hivm or memref_ext. A `K.memory_info.json` (or `memory_info.json`) in the same folder
/// comes along as a plan.
class HivmImporter : public Importer {
public:
    HivmImporter();
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_;
};

/// Reads `memory_info.json`: with its kernel where that is in the same folder, else alone.
class MemoryInfoImporter : public Importer {
public:
    MemoryInfoImporter();
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_;
};

/// A kernel's text alone, without what lies beside it. `path` is for messages and the program's name.
Expected<Imported> importKernel(std::string_view text, const std::string& path);

} // namespace stowage::hivm
