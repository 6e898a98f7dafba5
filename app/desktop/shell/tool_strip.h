// The toolbar: open, model, target, Plan, undo, search, units, export, theme.
#pragma once

#include <QWidget>

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

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
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
    QPushButton* export_ = nullptr;
    QToolButton* theme_ = nullptr;
};

} // namespace stowage
