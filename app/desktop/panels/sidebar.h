// The left side of the window: models, target, planners, options and runs.
#pragma once

#include <QWidget>

class QAction;
class QLabel;

namespace stowage {

class ActionRegistry;
class Look;
class Workspace;

class Sidebar : public QWidget {
    Q_OBJECT

public:
    Sidebar(Workspace& workspace, const Look& look, const ActionRegistry& actions, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Look& look_;
};

} // namespace stowage
