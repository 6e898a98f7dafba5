// The dock at the right: the facts of the selected buffer, or of the run if none is selected.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/buffer_colours.h"
#include "core/plan/run.h"

#include <QScrollArea>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

class QVBoxLayout;

namespace stowage {

class ChangesList;
class KernelChanges;
class Look;
class OverflowPage;
class Workspace;
struct BufferFacts;
struct PipelineData;
struct RunScene;

class Inspector : public QScrollArea {
    Q_OBJECT

public:
    Inspector(Workspace& workspace, const Look& look, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

private:
    /// Parts of a run's scene that pages show, and that are computed on first use.
    enum class Part : std::uint8_t { support, displaced, pipes };

    void refresh();
    /// The scene of the shown run with this part. For a large run null until a thread has computed it; then the page is built
    /// again.
    [[nodiscard]] std::shared_ptr<const RunScene> sceneWith(Part part);
    void showNothing(QVBoxLayout& column);
    void showRun(QVBoxLayout& column);
    void showBuffer(QVBoxLayout& column, BufferId buffer);
    void showMany(QVBoxLayout& column);
    /// The page of the Pipeline view, if that is shown (inspector_pipeline.cpp).
    void showPipeline(QVBoxLayout& column);
    void showStage(QVBoxLayout& column, const PipelineData& data, std::size_t stage);
    void addChanges(QVBoxLayout& column);
    void addChain(QVBoxLayout& column, BufferId buffer);
    void addCallStack(QVBoxLayout& column, BufferId id);
    void addSlots(QVBoxLayout& column, const Placement& placement);
    void addFallback(QVBoxLayout& column, BufferId id);
    void addPipes(QVBoxLayout& column);
    void addReuse(QVBoxLayout& column, BufferId id);
    void addBufferLink(QVBoxLayout& column, BufferId buffer, const QString& right);

    Workspace& workspace_;
    const Look& look_;
    bool pending_ = false;
    /// Whether the selection is the one that an overflow page made, so that its page stays.
    [[nodiscard]] bool showsLitOverflow() const;
    void addWhatIf(QVBoxLayout& column, BufferId buffer);

    ChangesList* changes_ = nullptr; ///< made when first shown, like the next three
    ChangesList* ofBuffer_ = nullptr;
    KernelChanges* whatIf_ = nullptr;
    std::vector<OverflowPage*> overflows_; ///< one for each pool that overflowed
    BufferColours colours_;
    std::shared_ptr<const Run> sceneRun_; ///< run of the next four members
    std::shared_ptr<const RunScene> scene_;
    std::array<bool, 3> made_{};  ///< by `Part`
    std::array<bool, 3> asked_{}; ///< by `Part`
    bool waitsForPile_ = false;   ///< the pile had the focus, and that of this run is not found yet
    BackgroundJobs sceneJobs_{WhenGone::leave};
};

} // namespace stowage
