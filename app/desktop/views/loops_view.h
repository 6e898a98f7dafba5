// Loops: the unrolled body of a loop with the view that each iteration uses, and what lies where in one iteration after the
// other.
#pragma once

#include "app/desktop/view.h"

#include <QPointer>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QSlider;
class QToolButton;

namespace stowage {

class ChoiceButton;
class Look;
class SegmentedControl;
class LoopCanvas;
class StatePage;
class Workspace;

class LoopsView : public View {
    Q_OBJECT

public:
    LoopsView(Workspace& workspace, const Look& look, QWidget* parent);
    ~LoopsView() override;

    /// Is there a loop to show: in the run that is shown, or while there is none, in the model.
    [[nodiscard]] static bool applies(const Workspace& workspace);

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }
    bool perform(ViewCommand command) override;
    QString picture(RenderOptions& options) const override;

    [[nodiscard]] LoopCanvas& canvas() { return *canvas_; }
    [[nodiscard]] const std::vector<LoopId>& loops() const { return loops_; }
    [[nodiscard]] LoopId loop() const { return loop_; } ///< none while nothing is shown
    [[nodiscard]] std::int64_t iteration() const;
    void setLoop(LoopId loop);
    /// Clamped to the iterations that there are: those of the loop, or enough to see it turn twice.
    void setIteration(std::int64_t iteration);
    [[nodiscard]] std::int64_t iterations() const;
    /// What is said in the place of a picture; empty when there is one.
    [[nodiscard]] QString message() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeBar();
    void makeTransport();
    void refresh();
    void showStep();

    Workspace& workspace_;
    std::shared_ptr<const Run> run_;
    std::vector<LoopId> loops_;
    LoopId loop_ = none;
    std::string wanted_; ///< name of the loop that the user chose: kept from run to run

    QPointer<QWidget> bar_;
    ChoiceButton* choice_ = nullptr;
    QLabel* count_ = nullptr;
    QPushButton* unrolled_ = nullptr;
    int awaited_ = 0; ///< the model whose plan by nnc is shown as soon as there is one; 0: none
    SegmentedControl* range_ = nullptr;
    LoopCanvas* canvas_ = nullptr;
    StatePage* page_ = nullptr;
    QWidget* transport_ = nullptr;
    QToolButton* back_ = nullptr;
    QToolButton* forward_ = nullptr;
    QSlider* slider_ = nullptr;
    QLabel* at_ = nullptr;
};

} // namespace stowage
