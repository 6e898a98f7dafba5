// The memories of the target: how full each is, its capacity to edit, and a form with everything else.
#pragma once

#include "core/ir/program.h"
#include "core/ir/types.h"

#include <QWidget>

#include <optional>

class QLineEdit;
class QToolButton;

namespace stowage {

class Look;
class Section;
class Workspace;

/// One memory: name, size of capacity, a bar with the bound as a tick, and what it is. A click lets the capacity be typed.
class PoolRow : public QWidget {
    Q_OBJECT

public:
    PoolRow(Workspace& workspace, const Look& look, std::size_t pool, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    void editCapacity();

Q_SIGNALS:
    void propertiesRequested(bool on); ///< the form with all properties, below it

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void commit();

    Workspace& workspace_;
    const Look& look_;
    std::size_t pool_;
    QLineEdit* editor_ = nullptr;
    QToolButton* properties_ = nullptr;
};

/// "read-write, 240 MHz, align 16".
[[nodiscard]] QString poolFacts(const Pool& pool);

Section* makeTargetSection(Workspace& workspace, const Look& look);

} // namespace stowage
