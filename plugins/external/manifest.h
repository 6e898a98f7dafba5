// A manifest declares a program in any language as a planner, an importer or an exporter of Stowage.
//
//     {"id": "first-fit", "name": "First fit", "protocol": 1, "argv": ["python3", "{dir}/first_fit.py"],
//      "transport": "csv-oneshot", "timeout_s": 60, "memory_mb": 1024,
//      "options": [{"name": "order", "type": "choice", "choices": ["size", "start"], "default": "size", "help": "…"}]}
//
// A manifest is data: reading it runs no program.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/planner.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::external {

/// Version of the protocol that this host speaks.
inline constexpr int protocolVersion = 1;

/// Maximum time of a run of a plug-in that states none.
inline constexpr std::chrono::milliseconds defaultTimeout{60'000};
/// The value of "timeout_s", in a manifest or in the metadata of a library; no value if it is out of range.
[[nodiscard]] std::optional<std::chrono::milliseconds> timeoutOf(double seconds);
inline constexpr auto timeoutRange = "0.001 to 604800"; ///< in seconds: a week

enum class ManifestKind : std::uint8_t { planner, importer, exporter };

enum class Transport : std::uint8_t {
    csvOneshot,  ///< problem CSV in, the same CSV with offsets out
    jsonOneshot, ///< `stowage.problem/1` in, `stowage.plan/1` out
    dsaOneshot,  ///< DSA problem JSON in (with reuse penalties), DSA solution JSON out
    stdioRpc,    ///< JSON-RPC messages in frames, on standard input and output
};

/// Features of a problem beyond buffers with one live range each in one pool.
enum class Capability : std::uint8_t { pools, gaps, windows, pins, conflicts, slots, partial, cancel };
inline constexpr std::size_t capabilityCount = 8;
/// By enumerator of `Capability`: their names in manifests and messages.
inline constexpr std::array<std::string_view, capabilityCount> capabilityNames{"pools",     "gaps",  "windows", "pins",
                                                                               "conflicts", "slots", "partial", "cancel"};
[[nodiscard]] std::string_view toText(Capability capability);
/// By enumerator of `Capability`.
using CapabilitySet = std::array<bool, capabilityCount>;

/// Bytes by which a file of a format is recognised.
struct Magic {
    std::int64_t offset = 0; ///< of `bytes` in the file, in bytes from its start; 0 to 64 KiB
    std::string bytes;
};

struct Manifest {
    std::string path;   ///< of the manifest's file, absolute
    std::string folder; ///< folder of the manifest's file; value of `{dir}` in `argv`
    std::string id;     ///< lower-case letters, digits and '-'; the planner's name
    std::string name;   ///< shown to the user
    std::string description;
    std::string version;
    std::string license;
    ManifestKind kind = ManifestKind::planner;
    int protocol = 0;
    /// Arguments, the program first. Each argument is a list of one or more words. A list of several words is left out as a
    /// whole if a placeholder in it is empty. The first list begins with the program, and contains no placeholder but `{dir}`.
    std::vector<std::vector<std::string>> argv;
    Transport transport = Transport::csvOneshot;
    std::vector<OptionSpec> options;
    /// Features that a problem for this planner may have. A `stdio-jsonrpc` planner states them in its answer to `initialize`;
    /// before that, all features are set.
    CapabilitySet takes{};
    bool capacityRequired = false; ///< true if every pool must have a capacity
    bool deterministic = true;
    std::chrono::milliseconds timeout = defaultTimeout;
    Bytes memory = Bytes{2} << 30;
    Bytes output = Bytes{256} << 20;   ///< maximum number of bytes that it may write
    std::vector<std::string> suffixes; ///< of files that an importer reads or an exporter writes, without the dot
    std::vector<Magic> magic;          ///< an importer reads files that contain one of them
};

/// The planner's description for lists, forms and checks.
[[nodiscard]] PlannerInfo plannerInfo(const Manifest& manifest);

/// The error "not-supported" if a planner with the capabilities `takes` cannot plan `problem`; otherwise no value. O(buffers).
[[nodiscard]] std::optional<Error> unsupported(const Manifest& manifest, const CapabilitySet& takes, const Problem& problem);

} // namespace stowage::external
