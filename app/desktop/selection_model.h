// The selection, time cursor and filter that all views share.
#pragma once

#include "app/canvas/kit/shared_buffers.h"
#include "app/desktop/buffer_filter.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// Buffers are ids in the problem of the shown run. Runs of one lowering share ids, so that a selection survives a change of
/// planner.
class SelectionModel : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// The run whose buffers the ids are; null: none is shown.
    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    /// Sets the run. If its buffers differ from those of the run before, the caller clears the selection.
    void setRun(std::shared_ptr<const Run> run);

    [[nodiscard]] BufferId buffer() const { return buffer_; } ///< the selected one, or `none`
    /// All selected buffers; contains `buffer`. The reference is valid until the next change.
    [[nodiscard]] const std::vector<BufferId>& buffers() const { return buffers_.list(); }
    [[nodiscard]] const SharedBuffers& shared() const { return buffers_; } ///< the same, to be kept without a copy
    [[nodiscard]] BufferId hovered() const { return hovered_; }
    [[nodiscard]] std::optional<Step> cursor() const { return cursor_; }
    [[nodiscard]] const BufferFilter& filter() const { return filter_; }
    /// The result of `filter` for the buffers of the shown run; null if all pass. Computed once for all views (by the workspace,
    /// in the background for many buffers).
    [[nodiscard]] const std::shared_ptr<const BufferMask>& mask() const { return mask_; }
    /// Whether the buffer passes the filter. O(1).
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
    /// Clears selection, hovered buffer and cursor, but not the filter.
    void clear();

Q_SIGNALS:
    void selectionChanged();
    void hoverChanged();
    void cursorChanged();
    void filterChanged(); ///< the filter; its mask follows later
    void maskChanged();   ///< other buffers are dimmed

private:
    std::shared_ptr<const Run> run_;
    BufferId buffer_ = none;
    SharedBuffers buffers_;
    BufferId hovered_ = none;
    std::optional<Step> cursor_;
    BufferFilter filter_;
    std::shared_ptr<const BufferMask> mask_;
};

} // namespace stowage
