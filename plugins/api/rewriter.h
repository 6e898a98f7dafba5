// What an author of a rewriter includes: the original text and a plan in, the text with the plan in it out. No Qt.
//
// A rewriter belongs to an importer: it gives the files back that this importer reads. It runs in the worker, as the importer
// does. Before it is called the worker imports the text again, and refuses when that does not give the program that was planned
// (the file has changed).
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

/// The plan of one function of the program, with the way back to it.
struct PlannedFunction {
    FunctionId function = none; ///< the entry that was lowered: `lowering.instances[0].function`
    /// `problem` has the pools and the buffers; `instances` and `origins` lead from tensors (by function and tensor id of the
    /// program) to buffers and back; `problem.loops` and `instances[].loops` say which loop op an offset rotates with.
    Lowering lowering;
    /// `placements` by buffer id. All of them are placed, and the plan is valid: checked by the core before the rewriter is
    /// called.
    Plan plan;
};

struct RewriteRequest {
    std::string path;                                             ///< for messages
    std::string_view text;                                        ///< the file, byte for byte
    std::string pass;                                             ///< one of `RewriterInfo::passes`
    std::vector<std::pair<std::string, std::string>> passOptions; ///< names and values are those that the pass declares
    std::vector<std::pair<std::string, std::int64_t>> bindings;   ///< `--bind NAME=N`, as for the import
    std::vector<std::pair<std::string, std::string>> options;     ///< `--import KEY=VALUE`, as for the import
    const Program& program; ///< as imported from `text` by the importer of the same name with these bindings and options
    std::span<const PlannedFunction> planned; ///< one for each function that was planned; what others hold is left as it is
};

struct Rewritten {
    std::string text;
    Diagnostics diagnostics; ///< notes and warnings, with positions in the original text
};

struct PassInfo {
    std::string name;                ///< "plan-memory"
    std::string description;         ///< one sentence
    std::string planner;             ///< the planner that is taken when none is named; empty: the default one
    std::vector<OptionSpec> options; ///< without choices: a text or a number, which the rewriter reads
    std::vector<std::pair<std::string, std::string>> import = {}; ///< options of the import, where the user names none of the key
    Bytes alignment = 0; ///< raises alignments and rounds sizes to it, where the user does not name one; 0: as for any plan
};

struct RewriterInfo {
    std::string importer; ///< whose files it gives back: "tvm-tir"
    std::vector<PassInfo> passes;
};

class Rewriter {
public:
    virtual ~Rewriter() = default;
    /// The name of the importer whose files it gives back. The rest of its `RewriterInfo` is in the plugin's metadata.
    [[nodiscard]] virtual std::string importer() const = 0;
    /// The whole new text, or an error with a position in the original one. What the plan says nothing about stays byte for byte.
    [[nodiscard]] virtual Expected<Rewritten> rewrite(const RewriteRequest& request) const = 0;
};

} // namespace stowage
