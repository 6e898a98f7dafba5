// Tables: buffers, ops, pools, diagnostics.
#pragma once

#include "app/desktop/view.h"
#include "app/desktop/widgets/name_fit.h"

#include <QPointer>

#include <memory>

class QLabel;

namespace stowage {

class Look;
class RowTable;
class SegmentedControl;
class StatePage;
class Table;
class Workspace;

class TablesView : public View {
    Q_OBJECT

public:
    TablesView(Workspace& workspace, const Look& look, QWidget* parent);
    ~TablesView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme&) override {}
    QWidget* bar() override;

    enum Tab { Buffers, Ops, Pools, Problems };
    void setTab(int tab);
    [[nodiscard]] RowTable& table() { return *model_; }
    [[nodiscard]] Table& widget() { return *table_; }

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void showSource();
    /// Widens the column of names until the edge of the table cuts no other column.
    void fitEdge();
    [[nodiscard]] int nameColumn() const;
    void showSelection();
    void refreshCount();

    Workspace& workspace_;
    const Look& look_;
    std::shared_ptr<const Run> run_;
    QPointer<QWidget> bar_; ///< owned by the area that shows it
    SegmentedControl* tabs_ = nullptr;
    QLabel* count_ = nullptr;
    Table* table_ = nullptr;
    RowTable* model_ = nullptr;
    NameFit names_; ///< names of the run's buffers
    StatePage* empty_ = nullptr;
    int fittedFor_ = 0; ///< model for whose names the widths of the columns were set
    int nameWidth_ = 0; ///< of the column of names before `fitEdge`
    bool fitting_ = false;
    bool selecting_ = false;
};

} // namespace stowage
