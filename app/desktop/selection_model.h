// The one selection, time cursor and filter that all views share.
#pragma once

#include "core/ir/types.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace stowage {

/// Which buffers are shown in full; the others are dimmed in every view. Every part is optional.
struct BufferFilter {
    QString text;                ///< part of a name, or /regex/
    std::optional<Bytes> minimumSize, maximumSize;
    std::optional<Interval> steps; ///< live in one of these
    std::optional<Step> minimumLifetime, maximumLifetime;

    [[nodiscard]] bool active() const
    {
        return !text.isEmpty() || minimumSize || maximumSize || steps || minimumLifetime || maximumLifetime;
    }
};

/// Buffers are named by id in the problem of the run that is shown; runs of one lowering share ids, so a selection survives a
/// change of planner.
class SelectionModel : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] BufferId buffer() const { return buffer_; }  ///< the selected one, or none
    [[nodiscard]] const std::vector<BufferId>& buffers() const { return buffers_; } ///< an area's; contains `buffer`
    [[nodiscard]] BufferId hovered() const { return hovered_; }
    [[nodiscard]] std::optional<Step> cursor() const { return cursor_; }
    [[nodiscard]] const BufferFilter& filter() const { return filter_; }

public Q_SLOTS:
    void select(stowage::BufferId buffer);
    void selectMany(std::vector<stowage::BufferId> buffers);
    void hover(stowage::BufferId buffer);
    void setCursor(std::optional<stowage::Step> step);
    void setFilter(const stowage::BufferFilter& filter);
    void clear();

Q_SIGNALS:
    void selectionChanged();
    void hoverChanged();
    void cursorChanged();
    void filterChanged();

private:
    BufferId buffer_ = none;
    std::vector<BufferId> buffers_;
    BufferId hovered_ = none;
    std::optional<Step> cursor_;
    BufferFilter filter_;
};

} // namespace stowage
