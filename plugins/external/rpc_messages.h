// Reads the messages of a planner that uses JSON-RPC, from the payloads of its frames. Each message is checked completely.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/plan.h"
#include "plugins/external/manifest.h"

#include <QJsonObject>

#include <cstdint>
#include <optional>
#include <string>

namespace stowage::external {

/// The error "not-understood"; `message` names the fault.
[[nodiscard]] Error rpcNotUnderstood(const std::string& message);

/// The message in the payload of a frame. Errors of `RunFailure`: the payload is no JSON object.
[[nodiscard]] Expected<QJsonObject> rpcMessage(const std::string& payload);
/// True if the message is the answer to request `id`.
[[nodiscard]] bool rpcAnswers(const QJsonObject& message, std::int64_t id);
/// The error that an answer contains; no value if it contains none.
[[nodiscard]] std::optional<Error> rpcError(const QJsonObject& message);
/// The error "not-understood" if the message is a response; no value for a notification. For a response that answers no open
/// request: its id is null, as in the report of a message that could not be read, or another one.
[[nodiscard]] std::optional<Error> rpcStrayResponse(const QJsonObject& message);

/// Reads the answer to `initialize`: the capabilities of the planner. Errors: the error in the answer; another version of the
/// protocol.
[[nodiscard]] Expected<CapabilitySet> rpcWelcome(const QJsonObject& message);
/// Reads the answer to `plan`: a placement for each buffer, and a claim. Requires an answer without an error. Errors of
/// `RunFailure`.
[[nodiscard]] Expected<Plan> rpcPlan(const QJsonObject& message, const Problem& problem);

/// Work in a `progress` notification, in the planner's own unit; no value for another message.
[[nodiscard]] std::optional<std::uint64_t> rpcProgress(const QJsonObject& message);
/// The placements in a `partialPlan` notification, or their error; no value for another message.
[[nodiscard]] std::optional<Expected<Plan>> rpcPartialPlan(const QJsonObject& message, const Problem& problem);

} // namespace stowage::external
