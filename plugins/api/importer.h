// The interface of importers, for authors of plug-ins: bytes in, program or problem out. No Qt.
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
    std::string path; ///< for messages, and to find other files in its folder; may be "-"
    std::string_view bytes;
    std::vector<std::pair<std::string, std::int64_t>> bindings; ///< `--bind NAME=N`
    std::vector<std::pair<std::string, std::string>> options;   ///< `--import KEY=VALUE`
};

/// A plan in the file, to compare with plans of Stowage.
struct FilePlan {
    std::string name; ///< "OfflineMemoryAllocation"
    /// If the file has several problems (`Imported::content`), the index of the plan's problem, and `Offset::tensor` is a buffer;
    /// else 0.
    std::int32_t problem = 0;
    struct Offset {
        FunctionId function = none;
        TensorId tensor = none;
        Bytes offset = 0;
        /// Offsets of the slots of a rotating buffer, the first equal to `offset`; empty: one slot.
        std::vector<Bytes> offsets = {};
    };
    std::vector<Offset> offsets; ///< of placed tensors; the others are free
    /// By pool name: bytes that the other tool uses, if they exceed the end of the last placed tensor (a rounded arena), or if
    /// there are no offsets (bytes that an allocator reserved). Such a plan is a claim, which the core does not check.
    std::vector<std::pair<std::string, Bytes>> sizes = {};
    std::vector<std::pair<std::string, std::int64_t>> figures = {}; ///< further figures of the file: "reserved_peak", bytes
};

/// The call stacks that allocated the buffers of a problem, from a trace. Each stack is stored once.
struct CallStacks {
    std::vector<std::string> frames;               ///< "forward /home/me/model.py:12"
    std::vector<std::vector<std::int32_t>> stacks; ///< indices into `frames`, the innermost first
    std::vector<std::int32_t> ofBuffer;            ///< by buffer: index into `stacks`; `none`: unknown. Empty: all are unknown
};

/// One of several problems of a file: a device, a method.
struct NamedProblem {
    std::string name; ///< as for `--function`; unique in the file
    Problem problem;
    CallStacks calls = {};
};

/// A dimension that the file leaves open, by the name that `ImportRequest::bindings` takes.
struct FreeDimension {
    std::string name;
    std::int64_t size = 0; ///< assumed size; 0: none, so that sizes that depend on it are unknown

    friend bool operator==(const FreeDimension&, const FreeDimension&) = default;
};

struct Imported {
    /// The importer states what the ops of a program do (`Op::traits`). `io::stateTraits` (core/io/op_kinds.h) does so by the
    /// names of ops; the host calls it for ops without traits.
    std::variant<Program, Problem, std::vector<NamedProblem>> content;
    std::vector<FilePlan> plans;
    Diagnostics diagnostics;                        ///< notes and warnings: assumptions, and parts that were left out
    std::vector<FreeDimension> freeDimensions = {}; ///< of the inputs, without those that `ImportRequest::bindings` sets
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
    /// How likely it is that the file has this importer's format, mainly by its contents: 0 no, 100 certain. `head` is at most
    /// the first 64 KiB of the file.
    [[nodiscard]] virtual int claims(std::string_view head, std::string_view path) const = 0;
    [[nodiscard]] virtual Expected<Imported> import(const ImportRequest& request) const = 0;
};

} // namespace stowage
