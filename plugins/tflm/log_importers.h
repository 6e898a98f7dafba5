// Importers for logs of TensorFlow Lite Micro and Vela.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::tflm {

/// One problem, "arena", with the buffers of the last plan in the log ("id0", …), and the plan "tflm". Its figures are `head`,
/// `tail` and `total`, if the log has them. A log with totals only gives one buffer, the head, and a plan without offsets.
class TflmLogImporter final : public Importer {
public:
    TflmLogImporter();
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_;
};

/// A problem for each table (one memory and sub-graph of Vela's), with the plan "vela". A summary CSV gives one buffer for each
/// memory.
class VelaLogImporter final : public Importer {
public:
    VelaLogImporter();
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_;
};

} // namespace stowage::tflm
