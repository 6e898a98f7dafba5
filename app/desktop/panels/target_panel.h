// The pools of the target: the use of each, its editable capacity, and a form with all properties.
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

/// The row of one pool: name, size and capacity, a bar with the bound as a tick, and its properties. A click edits the capacity.
class PoolRow : public QWidget {
    Q_OBJECT

public:
    PoolRow(Workspace& workspace, const Look& look, std::size_t pool, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    void editCapacity();
    /// Shows and describes the pool as it is now.
    void refresh();

Q_SIGNALS:
    void propertiesRequested(bool on); ///< show or hide the form with all properties

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
