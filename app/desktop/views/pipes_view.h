// Pipes: what the hardware pipes of a kernel do over time, where they stand still for bytes, and which reuse makes them.
#pragma once

#include "app/desktop/view.h"

#include <QPointer>

#include <array>

class QPushButton;

namespace stowage {

class ChoiceButton;
class Look;
class PipeWidget;
class StatePage;
class Workspace;

class PipesView : public View {
    Q_OBJECT

public:
    PipesView(Workspace& workspace, const Look& look, QWidget* parent);
    ~PipesView() override;

    /// True for a model whose ops run on pipes, and for a run in Ascend's order.
    [[nodiscard]] static bool applies(const Workspace& workspace);

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }
    void zoomToFit() override;
    void zoomToSelection() override;
    void zoomToPeak() override;
    bool perform(ViewCommand command) override;
    QString picture(RenderOptions& options) const override;

    [[nodiscard]] PipeWidget& lanes() { return *lanes_; }
    /// What is said instead of a picture; empty when there is one.
    [[nodiscard]] QString message() const;

private:
    void showState();

    Workspace& workspace_;
    QPointer<QWidget> bar_;
    ChoiceButton* iterations_ = nullptr;
    std::array<QPushButton*, 3> arrows_{}; ///< by ReuseKind
    PipeWidget* lanes_ = nullptr;
    StatePage* page_ = nullptr;
    std::shared_ptr<const Run> run_;
    enum class Remedy : std::uint8_t { nothing, plan, order } remedy_ = Remedy::nothing; ///< what the page's button does
};

} // namespace stowage
