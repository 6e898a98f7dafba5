// Opens problems in the open JSON of dynamic storage allocation (schema version 1, as dsa-solver and PyPTO have it).
#pragma once

#include "plugins/api/importer.h"

namespace stowage::dumps {

/// Importer `dsa-solver`: see `io::readDsaProblem`.
class DsaProblemImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_{"dsa-solver", "DSA problem (dsa-solver, PyPTO)", {"json"}, {}};
};

} // namespace stowage::dumps
