// An opened input: a program or problems, as a reader gave it, and the target that it is planned for.
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
    QString source;       ///< where its figures are from
    QString runtime = {}; ///< "tflm" or "executorch", where one is known to run on it; else empty
    std::vector<Pool> pools;
};

/// How a file is to be read.
struct OpenOptions {
    QString importer; ///< empty: found by contents
    QString function; ///< empty: the entry, or all
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    std::vector<std::pair<std::string, std::string>> importOptions;
};

/// An opened input. Immutable; edits make a new one under the same id.
struct Model {
    int id = 0;
    QString path;     ///< as opened; empty for pasted text
    QByteArray bytes; ///< of what cannot be read from `path` again (standard input, pasted text); else empty
    QString name;     ///< short, for lists
    QString importer;
    OpenOptions options;
    std::shared_ptr<const Program> program; ///< null when the input was a problem
    std::shared_ptr<const Problem> problem; ///< null when the input was a program; of several the first
    /// Of a file with several problems (the devices of a snapshot) all of them by name; they are what `functions` names. Else
    /// empty.
    std::vector<std::pair<std::string, std::shared_ptr<const Problem>>> problems;
    std::vector<std::shared_ptr<const CallStacks>> calls; ///< of `problems`; null where the file knows none
    std::vector<FilePlan> filePlans;
    std::vector<FreeDimension> freeDimensions; ///< that `options.bindings` leave open
    Diagnostics diagnostics;
};

/// Where buffer `id` of `run`, a planning of a problem of `model`, was asked for: frames of the call stack, the innermost first.
/// Empty where the file does not know.
[[nodiscard]] std::vector<std::string> callStackOf(const Model& model, const Run& run, BufferId id);

} // namespace stowage
