#include "plugins/external/placements_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace stowage::external {

AnsweredOffset offsetOf(const QJsonValue& value)
{
    if (!value.isDouble()) return {};
    const double approximate = value.toDouble();
    if (approximate != std::floor(approximate)) return {};
    // What no int64 holds is kept as a double, and has no integer.
    constexpr qint64 absent = std::numeric_limits<qint64>::min();
    const qint64 exact = value.toInteger(absent);
    if (exact == absent) return {AnsweredOffset::Kind::outOfRange, 0};
    return {AnsweredOffset::Kind::value, exact};
}

void placeAll(const QJsonObject& object, Answer& answer)
{
    const auto wrong = [&](const char* message) { answer.fail(answerNotUnderstood(message)); };
    const QJsonValue list = object.value(QLatin1String("placements"));
    if (!list.isArray()) return wrong("it has no list \"placements\"");
    const QJsonArray placements = list.toArray();
    for (const auto& entry : placements) {
        if (answer.error()) return;
        if (!entry.isObject()) return wrong("a placement is no object");
        const QJsonObject fields = entry.toObject();
        const QJsonValue name = fields.value(QLatin1String("buffer"));
        if (!name.isString()) return wrong("a placement has no \"buffer\"");
        std::vector<AnsweredOffset> offsets;
        if (const QJsonValue several = fields.value(QLatin1String("offsets")); several.isArray()) {
            const QJsonArray all = several.toArray();
            for (const auto& offset : all) offsets.push_back(offsetOf(offset));
        } else {
            offsets.push_back(offsetOf(fields.value(QLatin1String("offset"))));
        }
        answer.place(name.toString().toStdString(), fields.value(QLatin1String("pool")).toString().toStdString(), offsets);
    }
}

Expected<Plan> readJsonAnswer(std::string_view text, const Problem& problem)
{
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return runFailed(RunFailure::exitedEarly, "it ended without an answer");
    QJsonParseError wrong;
    const QJsonDocument document =
        QJsonDocument::fromJson(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())), &wrong);
    if (!document.isObject())
        return answerNotUnderstood(wrong.error == QJsonParseError::NoError
                                       ? "it is no JSON object"
                                       : fmt::format("{} at byte {}", wrong.errorString().toStdString(), wrong.offset));
    Answer answer(problem);
    placeAll(document.object(), answer);
    return answer.plan(false);
}

} // namespace stowage::external
