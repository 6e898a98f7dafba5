// Opens XLA's text dump of a buffer assignment, with the live ranges beside it.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::dumps {

/// Importer `xla`. Reads `NAME-buffer-assignment.txt` and the live ranges in it or in `NAME-live-range.txt` beside it; either may
/// be named. A step is an instruction; each temporary allocation N is a memory `tempN`, its values are buffers. Values at one
/// place whose live ranges share a step are aliases, and one buffer. The plan in the file is `xla`.
class XlaImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"xla", "XLA buffer assignment", {"txt"}, {}};
};

} // namespace stowage::dumps
