// Paints the rows of large tables: numbers in their typeface, names shortened so that they stay different.
#pragma once

#include <QStyledItemDelegate>

namespace stowage {

class Look;
class NameFit;

class RowDelegate : public QStyledItemDelegate {
public:
    /// `look` and `names` must outlive the delegate.
    RowDelegate(const Look& look, const NameFit& names, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    /// The text, a name or a sentence with names in it, shortened to `width`.
    [[nodiscard]] QString fitted(const QString& text, const QFontMetrics& letters, int width) const;

    const Look& look_;
    const NameFit& names_;
};

} // namespace stowage
