#include "app/desktop/shell/samples.h"

#include "app/desktop/buffer_colours.h"
#include "app/session/resources.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QRectF>

#include <utility>

namespace stowage {

std::vector<Sample> readSamples(const QString& folder)
{
    std::vector<Sample> samples;
    QFile file(folder + QStringLiteral("/index.json"));
    if (folder.isEmpty() || !file.open(QIODevice::ReadOnly)) return samples;
    const QJsonArray entries = QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("samples")).toArray();
    for (const QJsonValue value : entries) {
        const QJsonObject entry = value.toObject();
        Sample sample;
        sample.path = folder + u'/' + entry.value(QStringLiteral("file")).toString();
        sample.title = entry.value(QStringLiteral("title")).toString();
        sample.subtitle = entry.value(QStringLiteral("subtitle")).toString();
        sample.note = entry.value(QStringLiteral("note")).toString();
        sample.intent.target = entry.value(QStringLiteral("target")).toString();
        for (const QJsonValue planner : entry.value(QStringLiteral("planners")).toArray())
            sample.intent.planners.push_back(planner.toString().toStdString());
        if (QFile::exists(sample.path)) samples.push_back(std::move(sample));
    }
    return samples;
}

Samples::Samples(const Session& session, QObject* parent)
    : QObject(parent), session_(session), samples_(readSamples(resourcePath(QStringLiteral("samples"))))
{
}

void Samples::plan()
{
    if (!asked_) planNext(0);
    asked_ = true;
}

void Samples::planNext(std::size_t index)
{
    if (index >= samples_.size()) return;
    job_.start(
        [&session = session_, path = samples_[index].path](const std::stop_token& stop) -> std::shared_ptr<const Run> {
            const auto model = session.read(path, {}, stop);
            if (!model) return nullptr;
            PlanRequest request;
            request.planner = "greedy-by-size";
            PlanContext context;
            context.cancel = stop;
            auto run = session.planNow(*model, request, context);
            return run ? *run : nullptr;
        },
        [this, index](std::shared_ptr<const Run> run) {
            samples_[index].run = std::move(run);
            if (samples_[index].run) Q_EMIT planned(int(index));
            planNext(index + 1);
        });
}

void paintThumbnail(QPainter& painter, const QRectF& box, const Run& run, const Theme& theme)
{
    const PoolReport* largest = nullptr;
    for (const PoolReport& pool : run.report.pools) { // weights lie there all the time: they make no picture
        if (run.problem().pools[std::size_t(pool.pool)].kind != PoolKind::workspace) continue;
        if (!largest || pool.size > largest->size) largest = &pool;
    }
    const double steps = double(run.problem().horizon());
    if (!largest || largest->size == 0 || steps == 0) return;
    const ColourBy by = defaultColouring(run);
    const Colouring colours = colouring(run, by);
    const double top = double(largest->size);
    for (std::size_t i = 0; i < run.plan.placements.size(); ++i) {
        const Placement& placement = run.plan.placements[i];
        if (placement.pool != largest->pool) continue;
        const Buffer& buffer = run.problem().buffers[i];
        const QColor fill = classColour(by, colours.of[i], theme);
        for (const Interval& range : buffer.live) {
            const double x0 = box.left() + box.width() * double(range.begin) / steps;
            const double x1 = box.left() + box.width() * double(range.end) / steps;
            const double y0 = box.bottom() - box.height() * double(placement.offset + buffer.size) / top;
            const double y1 = box.bottom() - box.height() * double(placement.offset) / top;
            const QRectF whole(x0, y0, x1 - x0, y1 - y0);
            const double insetX = whole.width() > 3 ? 0.5 : 0, insetY = whole.height() > 3 ? 0.5 : 0;
            painter.fillRect(whole.adjusted(insetX, insetY, -insetX, -insetY), fill);
        }
    }
}

} // namespace stowage
