// Defines pools by the flags of TVM's compiler driver: those of the design document, and those of the released driver.
#pragma once

#include "app/cli/arguments.h"
#include "core/ir/expected.h"
#include "core/ir/program.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace stowage::cli {

/// The flags of the document:
///
///     --with-workspace-buffer "name=dtcm;target=c;size=1000"   --with-parameter-buffer "name=flash;target=c,accel"
///
/// and of the released driver, in which a value belongs to the pool before the colon, values are separated by commas, and the
/// last value applies:
///
///     --workspace-pools=dtcm,sram --workspace-pools-targets=dtcm:c,sram:c --workspace-pools-targets=sram:accel
///     --workspace-pools-size-hint-bytes=dtcm:1000 …-clock-frequency-hz …-read-bandwidth-bytes-per-cycle
///     …-write-bandwidth-bytes-per-cycle …-read-latency-cycles …-write-latency-cycles …-target-burst-bytes=sram:accel:32
///
/// the same with --constant-pools for constants. Sizes are capacities; -1: unbounded. Every pool of the released flags needs its
/// targets.
class MemoryFlags {
public:
    /// Calls `given` with the name of each flag that the user gives.
    void declare(Arguments& app, const std::function<void(const std::string& name)>& given);
    /// The pools in the order in which they are named, workspaces first; empty if no flag was given. Errors name the flag.
    [[nodiscard]] Expected<std::vector<Pool>> pools() const;

private:
    struct Family {
        std::string prefix; ///< "--workspace-pools"
        PoolKind kind = PoolKind::workspace;
        std::vector<std::string> names;
        std::vector<std::string> targets;
        std::array<std::vector<std::string>, 7> properties; ///< as `propertyNames`
    };
    static std::optional<Error> addBuffers(const std::string& flag, PoolKind kind, const std::vector<std::string>& texts,
                                           std::vector<Pool>& pools);
    static std::optional<Error> addFamily(const Family& family, std::vector<Pool>& pools);

    std::vector<std::string> workspaceBuffers_;
    std::vector<std::string> parameterBuffers_;
    Family workspaces_{"--workspace-pools", PoolKind::workspace, {}, {}, {}};
    Family constants_{"--constant-pools", PoolKind::constant, {}, {}, {}};
};

} // namespace stowage::cli
