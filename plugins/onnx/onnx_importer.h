// Reads ONNX models.
#pragma once

#include "plugins/api/importer.h"

namespace stowage {

class OnnxImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override;
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;
};

} // namespace stowage
