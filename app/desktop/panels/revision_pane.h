// The differences between the shown model and another open one, tensor by tensor: a sentence on the peak, and a table.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/desktop/background_job.h"

#include <QWidget>

#include <memory>

class QLabel;

namespace stowage {

class Look;
class RevisionTable;
class Table;
class Workspace;
struct Run;

class RevisionPane : public QWidget {
    Q_OBJECT

public:
    RevisionPane(Workspace& workspace, const Look& look, QWidget* parent);
    /// Sets the model of the earlier revision; 0: none.
    void setAgainst(int model);
    [[nodiscard]] int against() const { return against_; }
    /// To be called after a change of either model's run, the unit or the theme.
    void refresh();
    [[nodiscard]] RevisionTable& table() { return *table_; }
    [[nodiscard]] QString sentence() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    void select(int row);

    Workspace& workspace_;
    int against_ = 0;
    std::shared_ptr<const Run> before_, after_; ///< the compared runs, also while the comparison is computed
    QLabel* sentence_ = nullptr;
    Table* view_ = nullptr;
    RevisionTable* table_ = nullptr;
    BackgroundJob job_;
};

} // namespace stowage
