// What a planner that speaks JSON-RPC says: the payloads of its frames, taken apart. Nothing in a message is trusted.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/plan.h"
#include "plugins/external/manifest.h"

#include <QJsonObject>

#include <cstdint>
#include <optional>
#include <string>

namespace stowage::external {

/// "not-understood", with what is wrong.
[[nodiscard]] Error rpcNotUnderstood(const std::string& message);

/// The message in a frame; an error of `RunFailure` when it is no JSON object.
[[nodiscard]] Expected<QJsonObject> rpcMessage(const std::string& payload);
/// Whether a message is the answer to request `id`.
[[nodiscard]] bool rpcAnswers(const QJsonObject& message, std::int64_t id);
/// The error in an answer; nothing where it has none.
[[nodiscard]] std::optional<Error> rpcError(const QJsonObject& message);

/// The answer to `initialize`: what the planner takes. Errors: that of the answer, another version of the protocol.
[[nodiscard]] Expected<CapabilitySet> rpcWelcome(const QJsonObject& message);
/// The answer to `plan`, which has no error: a placement for every buffer, and a claim. Errors of `RunFailure`.
[[nodiscard]] Expected<Plan> rpcPlan(const QJsonObject& message, const Problem& problem);

/// Steps of work in a `progress` notification; nothing where the message is none.
[[nodiscard]] std::optional<std::uint64_t> rpcProgress(const QJsonObject& message);
/// The placements in a `partialPlan` notification, or what is wrong with them; nothing where the message is none.
[[nodiscard]] std::optional<Expected<Plan>> rpcPartialPlan(const QJsonObject& message, const Problem& problem);

} // namespace stowage::external
