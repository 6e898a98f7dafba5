// The files that were not opened and the planners that ended with an error; then the diagnostics of import, lowering, planner and
// checker, the most severe first.
#pragma once

#include "core/ir/diagnostic.h"

#include <QAbstractListModel>
#include <QWidget>

namespace stowage {

class DockTitle;
class Look;
class Workspace;

class DiagnosticList : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { SeverityRole = Qt::UserRole, WhereRole };

    using QAbstractListModel::QAbstractListModel;
    void setDiagnostics(Diagnostics diagnostics);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    Diagnostics diagnostics_;
};

class DiagnosticsPanel : public QWidget {
    Q_OBJECT

public:
    DiagnosticsPanel(Workspace& workspace, const Look& look, QWidget* parent = nullptr);
    void fillTitle(DockTitle& title);
    [[nodiscard]] QSize sizeHint() const override { return {420, 160}; }

private:
    void refresh();

    Workspace& workspace_;
    DiagnosticList* model_ = nullptr;
    DockTitle* title_ = nullptr;
};

} // namespace stowage
