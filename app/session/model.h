// An opened input: a program or problems from a reader.
#pragma once

#include "core/plan/run.h"
#include "plugins/api/importer.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/// A named set of pools.
struct Target {
    QString name;
    QString description;
    QString source;       ///< source of its figures
    QString runtime = {}; ///< "tflm" or "executorch", if one is known to run on it; else empty
    std::vector<Pool> pools;
    QString file = {}; ///< the file that it was read from; empty for an installed target
};

/// Whether both have the same name, pools and runtime: `description` and `source` are only texts about them.
[[nodiscard]] inline bool sameTarget(const Target& a, const Target& b)
{
    return a.name == b.name && a.pools == b.pools && a.runtime == b.runtime;
}

/// Options for reading a file.
struct OpenOptions {
    QString importer; ///< empty: detected from the contents
    QString function; ///< empty: the entry function, or all functions
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    std::vector<std::pair<std::string, std::string>> importOptions;

    friend bool operator==(const OpenOptions&, const OpenOptions&) = default;
};

/// An opened input. Immutable; edits make a new one under the same id.
struct Model {
    int id = 0;
    QString path;     ///< as opened; empty for pasted text
    QByteArray bytes; ///< contents of an input that cannot be read from `path` again (standard input, pasted text); else empty
    QString name;     ///< short, for lists
    QString importer;
    OpenOptions options;
    std::shared_ptr<const Program> program;     ///< null if the input was a problem
    std::shared_ptr<const Program> fileProgram; ///< before its ops were edited; null: they never were
    std::shared_ptr<const Problem> problem;     ///< null if the input was a program; the first of several
    /// All problems of a file with several (the devices of a snapshot), by the names that `OpenOptions::function` takes. Else
    /// empty.
    std::vector<std::pair<std::string, std::shared_ptr<const Problem>>> problems;
    std::vector<std::shared_ptr<const CallStacks>> calls; ///< by problem of `problems`; null if the file has no call stacks
    /// SHA-256 of the file, if `Session::open` was asked for it; else empty.
    std::string sha256;
    std::vector<FilePlan> filePlans;
    std::vector<FreeDimension> freeDimensions; ///< dimensions that `options.bindings` do not set
    Diagnostics diagnostics;
};

/// `model` with an edited program.
[[nodiscard]] inline Model withProgram(Model model, std::shared_ptr<const Program> program)
{
    if (!model.fileProgram) model.fileProgram = model.program;
    model.program = std::move(program);
    return model;
}

/// The call stack that allocated buffer `id` of `run`, a run of a problem of `model`: its frames, the innermost first. Empty if
/// the file has no call stacks.
[[nodiscard]] std::vector<std::string> callStackOf(const Model& model, const Run& run, BufferId id);

} // namespace stowage
