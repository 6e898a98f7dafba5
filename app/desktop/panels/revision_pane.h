// The differences between the shown model and another open one, tensor by tensor: sentences on peak and size, and a table.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/desktop/background_job.h"

#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;

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
    /// Shows the tensor of a row that is gone in the earlier model.
    void showEarlier(int row);
    /// The name of a model; empty if it is closed.
    [[nodiscard]] QString nameOf(int model) const;
    /// Says which models have no plan, and offers to plan the first.
    void askForPlan(bool before, bool after);

    Workspace& workspace_;
    int against_ = 0;
    std::shared_ptr<const Run> before_, after_; ///< the compared runs, also while the comparison is computed
    QLabel* sentence_ = nullptr;
    QPushButton* plan_ = nullptr; ///< plans `toPlan_`; hidden while both models have a plan
    int toPlan_ = 0;
    Table* view_ = nullptr;
    RevisionTable* table_ = nullptr;
    BackgroundJob job_;
};

} // namespace stowage
