// The JSON of TVM's graph executor.
#pragma once

#include "plugins/api/importer.h"

namespace stowage::tvm {

/// Reads `nodes`, `arg_nodes`, `heads`, `node_row_ptr`, and `shape`, `dltype`, `storage_id`, `device_index` and `storage_scope`
/// of `attrs`; other fields are ignored. Each node that is not "null" becomes an op; `__nop` (a reshape) makes a view of its
/// input. TVM names parameters p0, p1, …: inputs of such names become constants, or with `params=inputs` inputs. The storage ids
/// become a plan: an id has the size of its largest entry, and its offset is the end of the id before it on the same device,
/// rounded up to a multiple of the size of its elements. If the planned tensors are on several devices, the program has an
/// unbounded pool for each, named as TVM names the type of device ("cpu", "cuda"; "device14" for a type without a name). Of other
/// scopes than "global" nothing is planned, with one note for each scope.
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
