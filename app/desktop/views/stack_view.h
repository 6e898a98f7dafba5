// The common base of memory map and liveness timeline: the bands, the bar above them, and the page without a run.
#pragma once

#include "app/desktop/view.h"
#include "app/desktop/widgets/map_widget.h"

#include <QPointer>

class QHBoxLayout;
class QPushButton;

namespace stowage {

class ChoiceButton;
class ColourLegend;
class Look;
class StatePage;
class Workspace;

class StackView : public View {
    Q_OBJECT

public:
    ~StackView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }
    [[nodiscard]] Canvas* canvas() override { return map_; }
    bool perform(ViewCommand command) override;
    bool performs(ViewCommand command) override;

    [[nodiscard]] MapWidget& map() { return *map_; }
    [[nodiscard]] ColourLegend& legend() { return *legend_; }
    /// The text shown instead of a picture; empty if there is one.
    [[nodiscard]] QString message() const;

protected:
    void showEvent(QShowEvent* event) override;
    StackView(Workspace& workspace, const Look& look, unsigned bands, QWidget* parent);
    /// The layout of the bar, for additions of a derived view after the legend.
    [[nodiscard]] QHBoxLayout& barRow() { return *barRow_; }
    /// Adds a row of joined buttons, each on or off.
    static std::vector<QPushButton*> addToggles(QHBoxLayout& row, const QStringList& names, const QStringList& tips);
    /// Updates the bar after a change of the painted run.
    virtual void refreshBar();

private:
    void showState();
    /// The text of the page after a planning without a run: the cause of the first planner that failed.
    [[nodiscard]] QString whyNoPlan() const;
    /// Reads and saves the width of the gutter, which all maps share and which is kept between starts.
    void takeGutter();
    void keepGutter();

    Workspace& workspace_;
    const bool hasMap_;
    MapWidget* map_ = nullptr;
    StatePage* page_ = nullptr;
    QPointer<QWidget> bar_;
    QHBoxLayout* barRow_ = nullptr;
    ChoiceButton* colourBy_ = nullptr;
    ColourLegend* legend_ = nullptr;
    bool failed_ = false; ///< the last planning gave no run
    bool wasBusy_ = false;
};

} // namespace stowage
