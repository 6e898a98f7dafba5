// Importers: kernels of Ascend's compiler as MLIR text, and the memory_info.json that it writes.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::hivm {

/// Reads `.mlir` files that contain an op or an attribute of hivm or memref_ext. A `K.memory_info.json` (or `memory_info.json`)
/// in the same folder becomes a plan of the file.
class HivmImporter : public Importer {
public:
    HivmImporter();
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_;
};

/// Reads `memory_info.json`, together with its kernel if that is in the same folder, otherwise alone.
class MemoryInfoImporter : public Importer {
public:
    MemoryInfoImporter();
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_;
};

/// Imports the text of a kernel, without other files. `path` is used for messages and for the name of the program. Errors have
/// positions.
Expected<Imported> importKernel(std::string_view text, const std::string& path);

} // namespace stowage::hivm
