// What an author of an importer includes: bytes in, program or problem out. No Qt.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/option_spec.h"
#include "core/ir/problem.h"
#include "core/ir/program.h"

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace stowage {

struct ImportRequest {
    std::string path; ///< for messages and for files beside it; may be "-"
    std::string_view bytes;
    std::vector<std::pair<std::string, std::int64_t>> bindings; ///< `--bind NAME=N`
    std::vector<std::pair<std::string, std::string>> options;   ///< `--import KEY=VALUE`
};

/// A plan that the file brings along, to be compared with ours.
struct FilePlan {
    std::string name; ///< "OfflineMemoryAllocation"
    /// Of several problems of one file (`Imported::content`) the one that it is for; 0 otherwise. Then `Offset::tensor` is a
    /// buffer.
    std::int32_t problem = 0;
    struct Offset {
        FunctionId function = none;
        TensorId tensor = none;
        Bytes offset = 0;
        std::vector<Bytes> offsets = {}; ///< of slots that rotate with a loop, `offset` the first of them; empty: there is one
    };
    std::vector<Offset> offsets; ///< of the tensors that it places; others are free
    /// Bytes that the other tool uses of a memory, by the memory's name, where that is more than its offsets tell (a rounded
    /// arena), or where it tells no offsets at all (what an allocator reserved). Such a plan is believed to hold, not checked.
    std::vector<std::pair<std::string, Bytes>> sizes = {};
    std::vector<std::pair<std::string, std::int64_t>> figures = {}; ///< what else the file says: "reserved_peak", bytes
};

/// Where in a program the buffers of a problem were asked for, as a trace has it: whole call stacks, each kept once.
struct CallStacks {
    std::vector<std::string> frames;               ///< "forward /home/me/model.py:12"
    std::vector<std::vector<std::int32_t>> stacks; ///< indices into `frames`, the innermost first
    std::vector<std::int32_t> ofBuffer;            ///< index into `stacks` by buffer; none: not known. Empty: none is known
};

/// One of several problems of a file: a device, a method.
struct NamedProblem {
    std::string name; ///< as `--function` takes it; unique in the file
    Problem problem;
    CallStacks calls = {};
};

/// A dimension that the file leaves open, by the name that `ImportRequest::bindings` takes.
struct FreeDimension {
    std::string name;
    std::int64_t size = 0; ///< that was taken for it; 0: none, sizes that hang on it are not known

    friend bool operator==(const FreeDimension&, const FreeDimension&) = default;
};

struct Imported {
    /// What the ops of a program do (`Op::traits`) is the importer's to state; `io::stateTraits` (core/io/op_kinds.h) does so by
    /// their names, and the host calls it for ops without a statement.
    std::variant<Program, Problem, std::vector<NamedProblem>> content;
    std::vector<FilePlan> plans;
    Diagnostics diagnostics;                        ///< notes and warnings: what was assumed, what is partial
    std::vector<FreeDimension> freeDimensions = {}; ///< of the inputs, those that are bound left out
};

struct ImporterInfo {
    std::string name;                  ///< "tflite"
    std::string title;                 ///< "TensorFlow Lite model"
    std::vector<std::string> suffixes; ///< "tflite", without the dot
    std::vector<OptionSpec> options;   ///< `--import KEY=VALUE`; all of them are choices
};

class Importer {
public:
    virtual ~Importer() = default;
    [[nodiscard]] virtual const ImporterInfo& info() const = 0;
    /// How sure it is that the file is its own, by contents first: 0 no, 100 certain. `head` is at most the first 64 KiB.
    [[nodiscard]] virtual int claims(std::string_view head, std::string_view path) const = 0;
    [[nodiscard]] virtual Expected<Imported> import(const ImportRequest& request) const = 0;
};

} // namespace stowage
