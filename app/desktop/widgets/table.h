// The dress of all tables: header of 24 px, rows of 23 px, no grid, sort arrows, copy as tab-separated text.
#pragma once

#include <QHeaderView>
#include <QTableView>

namespace stowage {

class Look;
struct Theme;

/// What lies under a row of a list or a table: selected, hovered or plain; and, with `line`, the hairline below it.
void paintRowGround(QPainter& painter, const QStyleOptionViewItem& row, const Theme& theme, bool line = true);

/// Draws its sections from tokens; numbers' titles stand right.
class TableHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit TableHeader(const Look& look, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    const Look& look_;
};

class Table : public QTableView {
    Q_OBJECT

public:
    explicit Table(const Look& look, QWidget* parent = nullptr);
    /// The selected rows with a header line, in the order shown.
    [[nodiscard]] QString selectedTsv() const;
    void copySelection() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace stowage
