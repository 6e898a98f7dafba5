// The one selection, time cursor and filter that all views share.
#pragma once

#include "app/desktop/buffer_filter.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// Buffers are named by id in the problem of the run that is shown; runs of one lowering share ids, so a selection survives a
/// change of planner.
class SelectionModel : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] BufferId buffer() const { return buffer_; }                       ///< the selected one, or none
    [[nodiscard]] const std::vector<BufferId>& buffers() const { return buffers_; } ///< an area's; contains `buffer`
    [[nodiscard]] BufferId hovered() const { return hovered_; }
    [[nodiscard]] std::optional<Step> cursor() const { return cursor_; }
    [[nodiscard]] const BufferFilter& filter() const { return filter_; }
    /// What `filter` leaves of the buffers of the run that is shown; null when everything passes. Worked out once for all
    /// views (by the workspace, in the background when there are many buffers).
    [[nodiscard]] const std::shared_ptr<const BufferMask>& mask() const { return mask_; }
    /// True when the buffer passes the filter. O(1).
    [[nodiscard]] bool passes(BufferId buffer) const
    {
        return !mask_ || buffer < 0 || std::size_t(buffer) >= mask_->shown.size() || mask_->shown[std::size_t(buffer)];
    }

public Q_SLOTS:
    void select(stowage::BufferId buffer);
    void selectMany(std::vector<stowage::BufferId> buffers);
    void hover(stowage::BufferId buffer);
    void setCursor(std::optional<stowage::Step> step);
    void setFilter(const stowage::BufferFilter& filter);
    void setMask(std::shared_ptr<const stowage::BufferMask> mask);
    /// Forgets what is selected, hovered and pointed at, but not the filter.
    void clear();

Q_SIGNALS:
    void selectionChanged();
    void hoverChanged();
    void cursorChanged();
    void filterChanged(); ///< the filter as typed; its mask follows
    void maskChanged();   ///< redraw: other buffers are dimmed now

private:
    BufferId buffer_ = none;
    std::vector<BufferId> buffers_;
    BufferId hovered_ = none;
    std::optional<Step> cursor_;
    BufferFilter filter_;
    std::shared_ptr<const BufferMask> mask_;
};

} // namespace stowage
