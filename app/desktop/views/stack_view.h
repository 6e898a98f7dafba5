// What memory map and liveness timeline have in common: the bands, the bar above them, and what is shown while there is no run.
#pragma once

#include "app/desktop/view.h"
#include "app/desktop/widgets/map_widget.h"

#include <QPointer>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace stowage {

class ChoiceButton;
class ColourLegend;
class Look;
class Workspace;

/// One sentence and one button, where a picture would be.
class StatePage : public QWidget {
    Q_OBJECT

public:
    explicit StatePage(QWidget* parent = nullptr);
    /// Without a text for the button there is none.
    void say(const QString& iconName, const QString& sentence, const QString& button);
    [[nodiscard]] QString sentence() const;

Q_SIGNALS:
    void pressed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString icon_;
    QLabel* text_ = nullptr;
    QPushButton* button_ = nullptr;
};

class StackView : public View {
    Q_OBJECT

public:
    ~StackView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }
    void zoomToFit() override { map_->zoomToFit(); }
    void zoomToSelection() override { map_->zoomToSelection(); }
    void zoomToPeak() override { map_->zoomToPeak(); }
    bool perform(ViewCommand command) override { return map_->perform(command); }

    [[nodiscard]] MapWidget& map() { return *map_; }
    [[nodiscard]] ColourLegend& legend() { return *legend_; }
    /// What is said while there is no picture; empty when there is one.
    [[nodiscard]] QString message() const;

protected:
    StackView(Workspace& workspace, const Look& look, MapBands bands, QWidget* parent);
    /// The bar's row, for what a view adds behind the legend.
    [[nodiscard]] QHBoxLayout& barRow() { return *barRow_; }
    /// Buttons joined to a row, each of which is on or off.
    static std::vector<QPushButton*> addToggles(QHBoxLayout& row, const QStringList& names, const QStringList& tips);
    /// After another run has come to be painted.
    virtual void refreshBar();

private:
    void showState();

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
