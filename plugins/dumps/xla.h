// Opens XLA's text dump of a buffer assignment, with the live ranges in a second file.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::dumps {

/// Importer `xla`. Reads `NAME-buffer-assignment.txt`, and the live ranges in it or in `NAME-live-range.txt` in the same folder;
/// either file may be opened. A step is an instruction; each temporary allocation N is a pool `tempN`; its values are buffers.
/// Values at one offset whose live ranges have a common step are aliases, and become one buffer. The plan in the file is named
/// `xla`.
class XlaImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"xla", "XLA buffer assignment", {"txt"}, {}};
};

} // namespace stowage::dumps
