// The open models as a list: name, contents, size of the best plan.
#pragma once

#include <QAbstractListModel>
#include <QStyledItemDelegate>

#include <vector>

namespace stowage {

class Look;
class Section;
class Workspace;

class ModelList : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { IdRole = Qt::UserRole, DetailRole, SizeRole, BusyRole, FailedRole };

    explicit ModelList(Workspace& workspace, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] int rowOf(int id) const;

private:
    struct Row {
        int id = 0;
        bool opening = false;
        QString name, detail, size;
        bool failed = false;     ///< the file could not be opened
        QString spokenSize = {}; ///< the same as `size` with its unit
    };
    void reload();
    void renewSizes();

    Workspace& workspace_;
    std::vector<Row> rows_;
};

class ModelDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    ModelDelegate(Workspace& workspace, const Look& look, QObject* parent)
        : QStyledItemDelegate(parent), workspace_(workspace), look_(look)
    {
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// A click on the cross of a file that is being read cancels that; a click on a file that could not be opened shows the
    /// reason.
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    Workspace& workspace_;
    const Look& look_;
};

/// The section of the sidebar for the models.
Section* makeModelsSection(Workspace& workspace, const Look& look, class QAction* open);

} // namespace stowage
