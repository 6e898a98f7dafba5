// Targets: named sets of pools. Installed ones are files in resources/targets; a user's own has the same form:
//
//     {"format": "stowage.target/1", "name": "my-board", "description": "…", "source": "where the figures are from",
//      "found_as": ["MyBoard"], "runtime": "tflm", "pools": [{"name": "dtcm", "capacity": 131072, "alignment": 8}, …]}
//
// `runtime`, "tflm" or "executorch" (optional): the runtime on this target, whose planners `fit` compares with. `found_as`:
// beginnings of the names that compilers use for the target, in upper or lower case. A pool has the same fields as in a problem.
#pragma once

#include "app/session/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// The targets of the resource folder, ascending by name. Files that cannot be read are left out; `findTarget` gives their
/// errors.
std::vector<Target> installedTargets();

/// The target with this name, in this file, or with a name for it that compilers use ("Ascend910B1"), in this order.
Expected<Target> findTarget(const QString& nameOrFile);

/// The chip that a kernel of Ascend's compiler names in its text ("Ascend910B1"); empty if there is none, or for another model.
QString namedChip(const Model& model);

/// The installed target Ascend910B for a kernel of Ascend's compiler whose text names no known chip, so that its pools have no
/// capacities. The notes in such kernels assume this chip. No value for other models.
std::optional<Target> assumedTarget(const Model& model);

/// Whether a target has all pools that a kernel of Ascend's compiler may name; true for other models.
bool suits(const Target& target, const Model& model);

/// Whether the model requires the lowering order of Ascend's compiler.
bool isAscendKernel(const Model& model);

Expected<Target> readTarget(std::string_view text, const std::string& file);

/// Changes of pools by a user, without a target file.
struct PoolEdits {
    std::optional<Bytes> capacity;                    ///< capacity of the only workspace pool, in bytes
    std::vector<std::pair<std::string, Bytes>> pools; ///< capacities by pool name; if there are no pools yet, adds them

    [[nodiscard]] bool empty() const { return !capacity && pools.empty(); }
};

/// `target` (or, if it has no pools, the model's own pools) with `edits` applied. Errors: an unknown pool, no or several
/// workspace pools for `capacity`.
Expected<Target> editedTarget(const Model& model, Target target, const PoolEdits& edits);

} // namespace stowage
