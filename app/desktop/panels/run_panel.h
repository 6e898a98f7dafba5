// The dock under the views: all runs of the model in one table.
#pragma once

#include "app/desktop/tables/run_table.h"

#include <QWidget>

#include <array>

namespace stowage {

class DockTitle;
class Look;
class Table;
class Workspace;

class RunPanel : public QWidget {
    Q_OBJECT

public:
    RunPanel(Workspace& workspace, const Look& look, QWidget* parent = nullptr);
    /// Writes the caption and the buttons into the dock's title.
    void fillTitle(DockTitle& title);
    [[nodiscard]] RunTable& table() { return *model_; }
    void copy() const;
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void compareRequested();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void refresh();
    /// Hides the bar column if otherwise a column of numbers would be cut.
    void fitBar();
    /// Gives the remark the width that the other columns leave; it is elided to that width.
    void fitRemark();

    Workspace& workspace_;
    RunTable* model_ = nullptr;
    Table* view_ = nullptr;
    DockTitle* title_ = nullptr;
    std::array<int, RunTable::columns> widths_{}; ///< widths of columns that may be hidden
    bool selecting_ = false;
    bool fitting_ = false;
};

} // namespace stowage
