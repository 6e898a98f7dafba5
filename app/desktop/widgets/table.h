// The look of all tables: header of 24 px, rows of 23 px, no grid, sort arrows, copy as tab-separated text.
#pragma once

#include <QHeaderView>
#include <QTableView>

#include <vector>

class QMenu;

namespace stowage {

class Look;
struct Theme;

/// Paints the frame of a row if its list or table has the focus and the row is selected or current.
void paintRowFocus(QPainter& painter, const QStyleOptionViewItem& row, const Theme& theme);

/// Paints the background of a row of a list or a table: selected, hovered or plain, and the focus; with `line` also the thin line
/// below it.
void paintRowGround(QPainter& painter, const QStyleOptionViewItem& row, const Theme& theme, bool line = true);

/// Paints a number into `box`, a part of `cell`, never cut: if it is wider, in a smaller size, and at last without its group
/// separators. In a cell that the edge of its table cuts, an ellipsis is painted in the visible part.
void paintNumber(QPainter& painter, const QStyleOptionViewItem& cell, const QRect& box, const QString& number);

/// `box`, a part of `cell`, cut at the right edge of its table, so that a text ends there with an ellipsis instead of half a
/// letter.
[[nodiscard]] QRect upToEdge(const QStyleOptionViewItem& cell, QRect box);

/// A header that paints its sections in the theme's colours; titles of number columns are at the right.
class TableHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit TableHeader(const Look& look, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    void paintEvent(QPaintEvent* event) override;
    /// Shows the meaning of a title from the glossary as a tool tip, unless the model has one.
    bool viewportEvent(QEvent* event) override;

private:
    const Look& look_;
};

class Table : public QTableView {
    Q_OBJECT

public:
    explicit Table(const Look& look, QWidget* parent = nullptr);
    /// The selected rows with a header line, in the shown order.
    [[nodiscard]] QString selectedTsv() const;
    void copySelection() const;
    /// Widens columns of numbers to the widest number: of all rows up to 2,000, else of the first rows and an even sample.
    void fitNumbers();
    /// Narrows columns of texts from the width in `widths` to their widest text, but not below 120 pixels. Reads the same rows as
    /// `fitNumbers`.
    void fitTexts(const std::vector<int>& widths);
    /// Opens a menu of the columns and the two orders, by which the table is sorted without its header; also the context menu of
    /// a table that sorts. `at`: in global coordinates. The menu deletes itself.
    QMenu* openSortMenu(const QPoint& at);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    [[nodiscard]] int widestText(int column, const QFont& font) const;
    [[nodiscard]] bool hasNumbers(int column) const;
};

} // namespace stowage
