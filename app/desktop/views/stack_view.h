// What memory map and liveness timeline have in common: the bands, the bar above them, and what is shown while there is no run.
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

    [[nodiscard]] MapWidget& map() { return *map_; }
    [[nodiscard]] ColourLegend& legend() { return *legend_; }
    /// What is said while there is no picture; empty when there is one.
    [[nodiscard]] QString message() const;

protected:
    void showEvent(QShowEvent* event) override;
    StackView(Workspace& workspace, const Look& look, unsigned bands, QWidget* parent);
    /// The bar's row, for what a view adds after the legend.
    [[nodiscard]] QHBoxLayout& barRow() { return *barRow_; }
    /// Buttons joined to a row, each of which is on or off.
    static std::vector<QPushButton*> addToggles(QHBoxLayout& row, const QStringList& names, const QStringList& tips);
    /// After another run has come to be painted.
    virtual void refreshBar();

private:
    void showState();
    /// The gutter is as wide in all maps, and as it was when the program ended.
    void takeGutter();
    void keepGutter();

    Workspace& workspace_;
    MapWidget* map_ = nullptr;
    StatePage* page_ = nullptr;
    QPointer<QWidget> bar_;
    QHBoxLayout* barRow_ = nullptr;
    ChoiceButton* colourBy_ = nullptr;
    ColourLegend* legend_ = nullptr;
    bool failed_ = false; ///< the last planning left no run
    bool wasBusy_ = false;
};

} // namespace stowage
