// Writes the plan of `fit` into the model's file, and reads it back.
#pragma once

#include "app/session/fit.h"

#include <optional>
#include <stop_token>
#include <string>

namespace stowage {

/// `model` as its runtime reads it. If a rewriter can write the model's file but `model` was read with other options than its
/// pass needs (all sub-graphs of a `.tflite` in one arena), the file is read again with those; otherwise the model itself.
[[nodiscard]] Expected<Model> asRuntimeReads(const Session& session, const Model& model, const std::stop_token& cancel = {});

struct OfflineFile {
    Bytes before = 0;        ///< bytes of the model's file
    Bytes after = 0;         ///< bytes of the written file
    std::size_t tensors = 0; ///< count of tensors with an offset in it
    Diagnostics diagnostics; ///< of the rewriter: tensors that the runtime places itself
};

/// Writes the file of `model` (a result of `asRuntimeReads`) with `fit.plan` in it to `path`, reads it again, and compares all
/// offsets. Errors: no plan; those of the rewriter and of writing; "not-written" if the file that was read differs from the plan;
/// "cancelled", with the old file unchanged unless it was replaced before.
[[nodiscard]] Expected<OfflineFile> writeOfflinePlan(const Session& session, const Model& model, const Fit& fit,
                                                     const std::string& path, const std::stop_token& cancel = {});

/// Writes `fit.plan` as a table for ExecuTorch's users: memory id, offset and bytes of each tensor. Errors: no plan, the file
/// cannot be written, "cancelled" with the old file unchanged.
[[nodiscard]] std::optional<Error> writePlanTable(const Fit& fit, const std::string& path, const std::stop_token& cancel = {});

} // namespace stowage
