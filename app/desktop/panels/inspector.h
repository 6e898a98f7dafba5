// The dock at the right: everything about the selected buffer, or about the run when nothing is selected.
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
    /// What pages show of the scene of a run, and what is made of it when it is first asked for.
    enum class Part : std::uint8_t { support, displaced, pipes };

    void refresh();
    /// The scene of the shown run with that part of it. Of a large run, null while a thread makes them: then the page is built
    /// anew.
    [[nodiscard]] std::shared_ptr<const RunScene> sceneWith(Part part);
    void showNothing(QVBoxLayout& column);
    void showRun(QVBoxLayout& column);
    void showBuffer(QVBoxLayout& column, BufferId buffer);
    void showMany(QVBoxLayout& column);
    /// Of the Pipeline view while that is in front (inspector_pipeline.cpp).
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
    /// All that is lit is what an overflow page has lit: then the page stays.
    [[nodiscard]] bool showsLitOverflow() const;
    void addWhatIf(QVBoxLayout& column, BufferId buffer);

    ChangesList* changes_ = nullptr; ///< made when first shown; so are the next three
    ChangesList* ofBuffer_ = nullptr;
    KernelChanges* whatIf_ = nullptr;
    std::vector<OverflowPage*> overflows_; ///< one for each memory that has overflowed
    BufferColours colours_;
    std::shared_ptr<const Run> sceneRun_; ///< of the next four
    std::shared_ptr<const RunScene> scene_;
    std::array<bool, 3> made_{};  ///< by `Part`
    std::array<bool, 3> asked_{}; ///< by `Part`
    BackgroundJobs sceneJobs_{WhenGone::leave};
};

} // namespace stowage
