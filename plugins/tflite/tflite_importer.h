// Importer for TensorFlow Lite models.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::tflite {

class TfliteImporter final : public Importer {
public:
    TfliteImporter();

    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    /// Options: subgraphs=nested|main|flat, io=included|excluded.
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_;
};

} // namespace stowage::tflite
