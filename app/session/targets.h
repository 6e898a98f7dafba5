// Targets: named sets of pools. Installed ones are files in resources/targets; a user's own has the same form:
//
//     {"format": "stowage.target/1", "name": "my-board", "description": "…", "source": "where the figures are from",
//      "found_as": ["MyBoard"], "runtime": "tflm", "pools": [{"name": "dtcm", "capacity": 131072, "alignment": 8}, …]}
//
// `runtime`, "tflm" or "executorch": which one plans memory there by itself ('fit' compares with it); may be absent.
// `found_as`: how the names begin that compilers have for it, in any case. A pool has the fields that it has in a problem.
#pragma once

#include "app/session/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// Those of the resource folder, by name. A file that cannot be read is left out here; `findTarget` says what is wrong with it.
std::vector<Target> installedTargets();

/// An installed target by its name, one from a file, or an installed one by a name that compilers have for it ("Ascend910B1"), in
/// this order.
Expected<Target> findTarget(const QString& nameOrFile);

/// The chip that a kernel of Ascend's compiler names, as its text spells it ("Ascend910B1"); empty: none, or it is no such
/// kernel.
QString namedChip(const Model& model);

/// The installed target for a kernel of Ascend's compiler whose text names none that is known, so that its memories have no
/// capacities: the one that the kernels' own notes assume, Ascend910B. Nothing for other models.
std::optional<Target> assumedTarget(const Model& model);

/// True when a target has all pools that a kernel of Ascend's compiler may name; of other models always.
bool suits(const Target& target, const Model& model);

/// Lowered in the order of Ascend's compiler, as its files ask for.
bool isAscendKernel(const Model& model);

Expected<Target> readTarget(std::string_view text, const std::string& file);

/// What a user changes in the memories without writing a target.
struct PoolEdits {
    std::optional<Bytes> capacity;                    ///< of the only workspace pool
    std::vector<std::pair<std::string, Bytes>> pools; ///< capacity by name; names new pools when there are none yet

    [[nodiscard]] bool empty() const { return !capacity && pools.empty(); }
};

/// `target` (or, without pools, the model's own pools) with `edits` done. Errors: a name that is not there, no single pool.
Expected<Target> editedTarget(const Model& model, Target target, const PoolEdits& edits);

} // namespace stowage
