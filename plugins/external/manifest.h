// A manifest: what makes a program in any language a planner, an importer or an exporter of Stowage.
//
//     {"id": "first-fit", "name": "First fit", "protocol": 1, "argv": ["python3", "{dir}/first_fit.py"],
//      "transport": "csv-oneshot", "timeout_s": 60, "memory_mb": 1024,
//      "options": [{"name": "order", "type": "choice", "choices": ["size", "start"], "default": "size", "help": "…"}]}
//
// A manifest is data: reading one runs nothing.
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

enum class ManifestKind : std::uint8_t { planner, importer, exporter };

enum class Transport : std::uint8_t {
    csvOneshot,  ///< problem CSV in, the same CSV with offsets out
    jsonOneshot, ///< `stowage.problem/1` in, `stowage.plan/1` out
    dsaOneshot,  ///< DSA problem JSON in (with reuse penalties), DSA solution JSON out
    stdioRpc,    ///< JSON-RPC messages in frames, on standard input and output
};

/// What a problem may have beyond buffers with one live range in one pool.
enum class Capability : std::uint8_t { pools, gaps, windows, pins, conflicts, slots, partial, cancel };
inline constexpr std::size_t capabilityCount = 8;
/// By enumerator of `Capability`: their names in manifests and messages.
inline constexpr std::array<std::string_view, capabilityCount> capabilityNames{"pools",     "gaps",  "windows", "pins",
                                                                               "conflicts", "slots", "partial", "cancel"};
[[nodiscard]] std::string_view toText(Capability capability);
/// By enumerator of `Capability`.
using CapabilitySet = std::array<bool, capabilityCount>;

/// Bytes that a file of this format has at this offset.
struct Magic {
    std::int64_t offset = 0; ///< from the file's start, at most 64 KiB
    std::string bytes;
};

struct Manifest {
    std::string path;   ///< of the manifest's file, absolute
    std::string folder; ///< that the file is in; `{dir}` in `argv`
    std::string id;     ///< lower-case letters, digits and '-'; the planner's name
    std::string name;   ///< for people
    std::string description;
    std::string version;
    std::string license;
    ManifestKind kind = ManifestKind::planner;
    int protocol = 0;
    /// Arguments, the program first. Each is a list of one or more words: a list of several is left out as a whole when one of
    /// its values is empty.
    std::vector<std::vector<std::string>> argv;
    Transport transport = Transport::csvOneshot;
    std::vector<OptionSpec> options;
    /// What it can take. Of a `stdio-jsonrpc` planner its answer to `initialize` decides; until then everything.
    CapabilitySet takes{};
    bool capacityRequired = false; ///< plans only into pools of a given capacity
    bool deterministic = true;
    std::chrono::milliseconds timeout{60'000};
    Bytes memory = Bytes{2} << 30;
    Bytes output = Bytes{256} << 20;   ///< all that it may say
    std::vector<std::string> suffixes; ///< of files that an importer reads or an exporter writes, without the dot
    std::vector<Magic> magic;          ///< of files that an importer reads: one of them is there
};

/// The planner's description for lists, forms and checks.
[[nodiscard]] PlannerInfo plannerInfo(const Manifest& manifest);

/// Why that problem cannot be handed to a planner with these capabilities ("not-supported"), or nothing.
[[nodiscard]] std::optional<Error> unsupported(const Manifest& manifest, const CapabilitySet& takes, const Problem& problem);

} // namespace stowage::external
