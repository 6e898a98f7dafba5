// The contents and the selection of the Pipeline view, for the panels beside it.
#pragma once

#include "app/desktop/workspace/beside_file.h"
#include "app/session/pipeline_study.h"

#include <QObject>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace stowage {

class PipelineFocus : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    struct Content {
        std::shared_ptr<const PipelineData> data; ///< null: no split
        pipeline::DeviceSet devices;
        pipeline::Ticks latency = 0;
        std::optional<pipeline::Ticks> bound; ///< lower bound of the objective
        bool proved = false;
        bool byLatency = false; ///< the objective is the latency
        double milliseconds = 0;

        friend bool operator==(const Content&, const Content&) = default;
    };
    /// The selected stage, a frame of it, or a connection; nothing if all are `none`.
    struct Selected {
        std::int32_t stage = none;
        std::int64_t frame = none;
        std::int32_t connection = none;

        friend bool operator==(const Selected&, const Selected&) = default;
    };

    /// Whether the Pipeline view is shown. Panels show pipelines only then.
    [[nodiscard]] bool active() const { return active_; }
    void setActive(bool active)
    {
        if (std::exchange(active_, active) != active) Q_EMIT changed();
    }
    [[nodiscard]] const Content& content() const { return content_; }
    void setContent(Content content);
    [[nodiscard]] const Selected& selected() const { return selected_; }
    /// Selects; items that the split does not have are ignored.
    void select(Selected selected);
    /// The files of devices and measured runs that are shown, of all models.
    [[nodiscard]] const std::vector<BesideFile>& files() const { return files_; }
    void setFiles(std::vector<BesideFile> files)
    {
        files_ = std::move(files);
        Q_EMIT filesChanged();
    }

Q_SIGNALS:
    void changed();
    void selectionChanged();
    void filesChanged();

private:
    [[nodiscard]] Selected known(Selected selected) const;

    bool active_ = false;
    Content content_;
    Selected selected_;
    std::vector<BesideFile> files_;
};

} // namespace stowage
