// The plan that `fit` has found, written into the model's file, and read back from there.
#pragma once

#include "app/session/fit.h"

#include <optional>
#include <stop_token>
#include <string>

namespace stowage {

/// `model` as its runtime reads it: the file of a model that a rewriter gives back is read with the options of that pass (all
/// sub-graphs of a `.tflite` in one arena) where `model` was read otherwise. Else the model itself.
[[nodiscard]] Expected<Model> asRuntimeReads(const Session& session, const Model& model, const std::stop_token& cancel = {});

struct OfflineFile {
    Bytes before = 0;        ///< of the model's file
    Bytes after = 0;         ///< of the written one
    std::size_t tensors = 0; ///< that have an offset in it
    Diagnostics diagnostics; ///< of the rewriter: what the runtime places itself
};

/// Writes the file of `model` (from `asRuntimeReads`) with `fit.plan` in it to `path`, reads it again, and compares all offsets.
/// Errors: no plan; those of the rewriter and of writing; "not-written" where the file does not give the plan back.
[[nodiscard]] Expected<OfflineFile> writeOfflinePlan(const Session& session, const Model& model, const Fit& fit,
                                                     const std::string& path, const std::stop_token& cancel = {});

/// Writes `fit.plan` as the table that ExecuTorch's users read: memory id, offset and bytes of each tensor. The error: there is
/// no plan, or the file cannot be written.
[[nodiscard]] std::optional<Error> writePlanTable(const Fit& fit, const std::string& path);

} // namespace stowage
