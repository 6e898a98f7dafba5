// Fit: how big the arena must be with each planner of the model's runtime and with a plan in the file, with the runtime's log
// where there is one; and the button that writes that plan.
#pragma once

#include "app/canvas/pictures/fit/fit_picture.h"
#include "app/desktop/background_job.h"
#include "app/desktop/view.h"
#include "app/session/offline_file.h"

#include <QPointer>

#include <optional>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace stowage {

class ElidedLabel;
class Look;
class SegmentedControl;
class StatePage;
class Workspace;

class FitView : public View {
    Q_OBJECT

public:
    FitView(Workspace& workspace, const Look& look, QWidget* parent);
    ~FitView() override;
    /// Whether the model is for a runtime whose planners are known.
    static bool applies(const Workspace& workspace);

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }
    [[nodiscard]] Canvas* canvas() override { return canvas_; }

    [[nodiscard]] const Fit* fit() const { return made_ ? &made_->fit : nullptr; } ///< null while it is computed
    /// What is said while there is none; empty when there is one.
    [[nodiscard]] QString message() const;
    /// Shows the plan of a row in the map on the right.
    void showRow(std::size_t row);
    [[nodiscard]] std::size_t shownRow() const;
    /// Writes the plan: into the model's file for TensorFlow Lite Micro, as a table of offsets for ExecuTorch. A notice says when
    /// it is there, and read back.
    void write(const QString& file);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Made {
        Model model; ///< as the runtime reads it
        Fit fit;
    };
    /// What a fit depends on.
    struct Wish {
        std::shared_ptr<const Program> program;
        std::shared_ptr<const Problem> problem;
        PlanRequest request;
        std::shared_ptr<const Model> log;
        [[nodiscard]] bool sameAs(const Wish& other) const;
    };

    void makeBar();
    void makeButtons();
    [[nodiscard]] Wish wish() const;
    void compute();
    void refresh();
    void place();
    void chooseLog();
    void chooseFile();
    [[nodiscard]] double buttonRoom() const;

    const Look& look_;
    Workspace& workspace_;
    std::optional<Wish> asked_;
    std::shared_ptr<const Made> made_;
    std::shared_ptr<const Made> drawn_; ///< what the canvas shows, or is to show
    std::optional<Error> why_;
    bool withLog_ = true;
    BackgroundJob computing_{WhenGone::wait};
    BackgroundJobs writing_;

    Canvas* canvas_ = nullptr;
    FitPicture* picture_ = nullptr; ///< of `canvas_`
    StatePage* page_ = nullptr;
    QPointer<QWidget> bar_;
    SegmentedControl* scratch_ = nullptr;
    QPushButton* openLog_ = nullptr;
    QToolButton* closeLog_ = nullptr;
    ElidedLabel* log_ = nullptr;
    QLabel* matches_ = nullptr;
    QPushButton* write_ = nullptr;
    QPushButton* copySize_ = nullptr;
    QPushButton* copyLine_ = nullptr;
};

} // namespace stowage
