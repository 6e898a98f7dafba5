// TVM's TIR as text (TVMScript).
#pragma once

#include "plugins/api/importer.h"

namespace stowage::tvm {

class TirImporter : public Importer {
public:
    TirImporter();

    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    /// Claims a file whose beginning contains `prim_func`.
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_;
};

} // namespace stowage::tvm
