// How the rows of large tables are painted: numbers in their typeface, names cut where they are alike.
#pragma once

#include <QStyledItemDelegate>

namespace stowage {

class Look;
class NameFit;

class RowDelegate : public QStyledItemDelegate {
public:
    /// `look` and `names` outlive it.
    RowDelegate(const Look& look, const NameFit& names, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    /// A name, or a sentence with names in it.
    [[nodiscard]] QString fitted(const QString& text, const QFontMetrics& letters, int width) const;

    const Look& look_;
    const NameFit& names_;
};

} // namespace stowage
