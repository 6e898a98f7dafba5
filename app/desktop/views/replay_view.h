// Replay: a running search (its incumbent and remaining gap), and afterwards its recorded steps, one by one (see
// app/desktop/workspace/replay_player.h).
#pragma once

#include "app/canvas/pictures/replay/search_picture.h"
#include "app/desktop/view.h"
#include "app/desktop/workspace/replay_player.h"

#include <QPointer>

#include <memory>
#include <optional>

class QLabel;
class QPushButton;
class QSlider;
class QSplitter;
class QToolButton;

namespace stowage {

class ElidedLabel;
class Look;
class MapWidget;
class SegmentedControl;
class StatePage;
class Workspace;

class ReplayView : public View {
    Q_OBJECT

public:
    ReplayView(Workspace& workspace, const Look& look, QWidget* parent);
    ~ReplayView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }
    [[nodiscard]] Canvas* canvas() override;
    QString picture(RenderOptions& options) const override;
    bool perform(ViewCommand command) override;

    [[nodiscard]] MapWidget& map() { return *map_; }
    [[nodiscard]] Canvas& chart() { return *chart_; }
    [[nodiscard]] SearchPicture& course() { return *course_; }
    [[nodiscard]] QSlider& slider() { return *slider_; }
    [[nodiscard]] ReplayPlayer& player() { return player_; }
    /// Null without recorded steps.
    [[nodiscard]] const Replay* replayed() const { return player_.replay(); }
    /// The text of the step, or the text shown without one.
    [[nodiscard]] QString message() const;

protected:
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Abscissa : std::uint8_t { steps, time, work };

    void makeTransport();
    void fitReasons();
    void makeBar();
    void refresh();
    void beginReplay();
    void showFrame();
    void showChart();
    void showTransport();

    Workspace& workspace_;
    const Theme* theme_;
    NumberFormat numbers_;
    ReplayPlayer player_;
    Abscissa abscissa_ = Abscissa::time;
    bool chosen_ = false; ///< the user has chosen the abscissa

    QPointer<QWidget> bar_;
    ElidedLabel* caption_ = nullptr;
    SegmentedControl* by_ = nullptr;
    QPushButton* record_ = nullptr;
    StatePage* page_ = nullptr;
    QSplitter* content_ = nullptr;
    MapWidget* map_ = nullptr;
    Canvas* chart_ = nullptr;
    SearchPicture* course_ = nullptr;             ///< of `chart_`
    std::shared_ptr<const SearchSubject> search_; ///< search that `course_` shows
    QWidget* transport_ = nullptr;
    QToolButton* play_ = nullptr;
    QToolButton* back_ = nullptr;
    QToolButton* forward_ = nullptr;
    QSlider* slider_ = nullptr;
    QLabel* count_ = nullptr;
    ElidedLabel* step_ = nullptr;
    QWidget* reasons_ = nullptr; ///< for planners whose reasons are longer than a line
    QLabel* selectionText_ = nullptr;
    QLabel* why_ = nullptr;
};

} // namespace stowage
