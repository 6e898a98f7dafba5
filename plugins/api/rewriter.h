// The interface of rewriters, for authors of plug-ins: the original text and a plan in, the text with the plan in it out. No Qt.
//
// A rewriter belongs to an importer and writes the files that this importer reads. It runs in the worker, like the importer.
// Before it is called, the worker imports the text again, and refuses if the result is not the program that was planned (the file
// has changed).
#pragma once

#include "core/ir/expected.h"
#include "core/ir/option_spec.h"
#include "core/lower/lower.h"
#include "core/plan/plan.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// The plan of one function of the program, with its lowering.
struct PlannedFunction {
    FunctionId function = none; ///< the entry that was lowered: `lowering.instances[0].function`
    /// `problem` has the pools and the buffers; `instances` and `origins` lead from tensors (by function and tensor id of the
    /// program) to buffers and back; `problem.loops` and `instances[].loops` say which loop op an offset rotates with.
    Lowering lowering;
    /// `placements` by buffer id. The core has checked that all are placed and that the plan is valid, before the rewriter is
    /// called.
    Plan plan;
};

struct RewriteRequest {
    std::string path;                                             ///< for messages
    std::string_view text;                                        ///< the file, byte for byte
    std::string pass;                                             ///< one of `RewriterInfo::passes`
    std::vector<std::pair<std::string, std::string>> passOptions; ///< as declared by the pass
    std::vector<std::pair<std::string, std::int64_t>> bindings;   ///< `--bind NAME=N`, as for the import
    std::vector<std::pair<std::string, std::string>> options;     ///< `--import KEY=VALUE`, as for the import
    const Program& program; ///< as imported from `text` by the importer of the same name with these bindings and options
    std::span<const PlannedFunction> planned; ///< one for each planned function; other functions stay unchanged
};

struct Rewritten {
    std::string text;
    Diagnostics diagnostics; ///< notes and warnings, with positions in the original text
};

struct PassInfo {
    std::string name;                ///< "plan-memory"
    std::string description;         ///< one sentence
    std::string planner;             ///< planner to use if the user names none; empty: the default one
    std::vector<OptionSpec> options; ///< an option without choices is a text or a number, which the rewriter parses
    std::vector<std::pair<std::string, std::string>> import = {}; ///< import options, unless the user gives one with the same key
    Bytes alignment = 0;                                          ///< default of `--alignment`; 0: as for any plan
};

struct RewriterInfo {
    std::string importer; ///< importer of the files that it writes: "tvm-tir"
    std::vector<PassInfo> passes;
};

class Rewriter {
public:
    virtual ~Rewriter() = default;
    /// The name of the importer of the files that it writes. The rest of its `RewriterInfo` is in the plugin's metadata.
    [[nodiscard]] virtual std::string importer() const = 0;
    /// The whole new text; bytes that the plan does not concern stay the same. Errors have a position in the original text.
    [[nodiscard]] virtual Expected<Rewritten> rewrite(const RewriteRequest& request) const = 0;
};

} // namespace stowage
