// The toolbar: open, model, target, Plan, undo, search, units, export, theme.
#pragma once

#include <QStringList>
#include <QWidget>

class QMenu;
class QPushButton;
class QToolButton;

namespace stowage {

class ActionRegistry;
class ChoiceButton;
class Look;
class SearchField;
class SegmentedControl;
class Workspace;

class ToolStrip : public QWidget {
    Q_OBJECT

public:
    ToolStrip(Workspace& workspace, Look& look, const ActionRegistry& actions, QWidget* window);
    [[nodiscard]] SearchField& search() { return *search_; }
    /// No minimum width: parts without room are shortened by `fold`.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void refresh();
    /// Shortens the names of model and target to the available width, and joins unit and base into one button, step by step until
    /// all fits.
    void fold();
    void showNames(int textWidth);
    void fillNumberMenu(QMenu& menu);
    void refreshTheme();

    Workspace& workspace_;
    Look& look_;
    const ActionRegistry& actions_;
    ChoiceButton* model_ = nullptr;
    ChoiceButton* target_ = nullptr;
    QPushButton* plan_ = nullptr;
    QPushButton* planMenu_ = nullptr;
    SearchField* search_ = nullptr;
    SegmentedControl* units_ = nullptr;
    SegmentedControl* base_ = nullptr;
    ChoiceButton* numbers_ = nullptr; ///< replaces both if there is no room
    QPushButton* export_ = nullptr;
    QStringList folded_; ///< the texts for which `fold` was done
    int textWidth_ = 220;
    bool tightest_ = false; ///< nothing is left to shorten
    int againAt_ = -1;      ///< the width for which `fold` was repeated
    QToolButton* theme_ = nullptr;
};

} // namespace stowage
