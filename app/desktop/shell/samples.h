// The bundled samples, with thumbnails of their plans, which are computed in the background.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/workspace.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

class QPainter;
class QRectF;

namespace stowage {

struct Sample {
    QString path;
    QString title;
    QString subtitle;
    QString note;
    OpenIntent intent;
    std::shared_ptr<const Run> run; ///< null until it is planned for the thumbnail
};

class Samples : public QObject {
    Q_OBJECT

public:
    explicit Samples(const Session& session, QObject* parent = nullptr);
    [[nodiscard]] const std::vector<Sample>& all() const { return samples_; }
    /// Plans the samples one after the other in the background, for their thumbnails.
    void plan();
    /// Whether `plan` has ended: no further sample gets a run.
    [[nodiscard]] bool complete() const { return asked_ && !job_.running(); }

Q_SIGNALS:
    void planned(int index);

private:
    void planNext(std::size_t index);

    const Session& session_;
    std::vector<Sample> samples_;
    bool asked_ = false;
    BackgroundJob job_{WhenGone::wait};
};

/// Reads resources/samples/index.json; empty if it does not exist.
[[nodiscard]] std::vector<Sample> readSamples(const QString& folder);

/// Draws the largest pool of a plan into `box`: rectangles only. O(buffers).
void paintThumbnail(QPainter& painter, const QRectF& box, const Run& run, const Theme& theme);

} // namespace stowage
