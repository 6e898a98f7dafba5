// The JSON of TVM's graph executor.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::tvm {

/// Reads `nodes`, `arg_nodes`, `heads`, `node_row_ptr` and of `attrs` `shape`, `dltype` and `storage_id`; anything else is passed
/// over. One op for each node that is not "null"; `__nop` (a reshape) makes a view of its input. Parameters are told from inputs
/// by their names, which TVM makes p0, p1, …: they become constants (option `params=inputs`: they do not). The storage ids come
/// along as a plan: each id is as large as the largest entry that has it, and comes after the one before.
class GraphImporter : public Importer {
public:
    GraphImporter();

    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override;
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override;

private:
    ImporterInfo info_;
};

} // namespace stowage::tvm
