#include "plugins/external/rpc_messages.h"

#include "core/io/code_text.h"
#include "plugins/external/answer.h"
#include "plugins/external/placements_json.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <fmt/format.h>

#include <algorithm>

namespace stowage::external {

namespace {

QString key(const char* name)
{
    return QString::fromLatin1(name);
}

std::string errorText(const QJsonObject& message)
{
    return message.value(key("error")).toObject().value(key("message")).toString().left(500).toStdString();
}

} // namespace

Error rpcNotUnderstood(const std::string& message)
{
    return runFailed(RunFailure::notUnderstood, "its message cannot be understood: " + message,
                     "'plugin-check' shows what the messages have to be");
}

Expected<QJsonObject> rpcMessage(const std::string& payload)
{
    QJsonParseError wrong;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(payload), &wrong);
    if (!document.isObject())
        return rpcNotUnderstood(fmt::format("{} (byte {})", wrong.errorString().toStdString(), wrong.offset));
    return document.object();
}

bool rpcAnswers(const QJsonObject& message, std::int64_t id)
{
    return !message.contains(key("method")) && message.value(key("id")).toInteger(-1) == id;
}

std::optional<Error> rpcError(const QJsonObject& message)
{
    if (!message.contains(key("error"))) return std::nullopt;
    const QJsonObject error = message.value(key("error")).toObject();
    const std::string text = errorText(message);
    const std::string code = error.value(key("data")).toObject().value(key("code")).toString().left(64).toStdString();
    Error known = failure(Code::plannerFailed, {});
    io::setCode(known, code);
    if (const auto failed = runFailureOf(known)) return runFailed(*failed, "it says: " + text);
    const std::string told = "it gave up: " + text;
    return code.empty() ? failure(Code::plannerFailed, told) : foreignFailure({code}, told);
}

std::optional<Error> rpcStrayResponse(const QJsonObject& message)
{
    if (message.contains(key("method"))) return std::nullopt;
    if (message.contains(key("error")))
        return rpcNotUnderstood(fmt::format("it reports an error of no open request: {}", errorText(message)));
    const QByteArray id = QJsonDocument(QJsonArray{message.value(key("id"))}).toJson(QJsonDocument::Compact).left(80);
    return rpcNotUnderstood(fmt::format("it answers no open request, with the id {}", id.mid(1, id.size() - 2).toStdString()));
}

Expected<CapabilitySet> rpcWelcome(const QJsonObject& message)
{
    if (auto error = rpcError(message)) return *std::move(error);
    const QJsonObject result = message.value(key("result")).toObject();
    const QJsonValue spoken = result.value(key("protocol"));
    if (spoken.toInteger(-1) != protocolVersion)
        return runFailed(RunFailure::protocolVersion,
                         spoken.isDouble()
                             ? fmt::format("it speaks protocol {}, this host speaks {}", spoken.toDouble(), protocolVersion)
                             : "it does not say which protocol it speaks",
                         "install a version of the plug-in that speaks it");
    CapabilitySet takes{};
    const QJsonArray list = result.value(key("capabilities")).toArray();
    for (const auto& entry : list)
        for (std::size_t c = 0; c < capabilityCount; ++c)
            if (entry.toString().toStdString() == toText(static_cast<Capability>(c))) takes[c] = true;
    return takes;
}

Expected<Plan> rpcPlan(const QJsonObject& message, const Problem& problem)
{
    const QJsonObject result = message.value(key("result")).toObject();
    Answer placed(problem);
    placeAll(result, placed);
    auto plan = placed.plan(false);
    if (!plan) return plan;
    const QJsonObject claim = result.value(key("claim")).toObject();
    const std::string status = claim.value(key("status")).toString().left(64).toStdString();
    const AnsweredOffset bound = offsetOf(claim.value(key("lower_bound")));
    if (!status.empty() || bound.kind == AnsweredOffset::Kind::value)
        plan->claims.emplace_back(ForeignClaim{none, std::max<Bytes>(0, bound.value), status});
    return plan;
}

std::optional<std::uint64_t> rpcProgress(const QJsonObject& message)
{
    if (message.value(key("method")).toString() != key("progress")) return std::nullopt;
    const QJsonObject params = message.value(key("params")).toObject();
    const QJsonValue work = params.contains(key("work")) ? params.value(key("work")) : params.value(key("iteration"));
    return static_cast<std::uint64_t>(std::max<qint64>(0, work.toInteger(0)));
}

std::optional<Expected<Plan>> rpcPartialPlan(const QJsonObject& message, const Problem& problem)
{
    if (message.value(key("method")).toString() != key("partialPlan")) return std::nullopt;
    Answer placed(problem);
    placeAll(message.value(key("params")).toObject(), placed);
    return placed.plan(true);
}

} // namespace stowage::external
