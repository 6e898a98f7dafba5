// The legend above a chart: a swatch and a name for each curve or part, in as many rows as the names take.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/theme.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

namespace stowage {

class ChartLegend : public QWidget {
    Q_OBJECT

public:
    explicit ChartLegend(QWidget* parent);

    void setTheme(const Theme& theme);
    /// Names with their colours. Entries with an empty name are left out.
    void setEntries(const std::vector<std::pair<QString, QColor>>& entries);
    /// Height in logical pixels of all entries in this width; 0 without entries.
    [[nodiscard]] int heightFor(int width);
    void paint(DrawList& list) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// The left end of each entry, where its swatch is, in rows of this width.
    [[nodiscard]] std::vector<QPointF> places(DrawList& list, int width) const;

    const Theme* theme_;
    std::vector<std::pair<QString, QColor>> entries_;
    TextShaper shaper_;
};

} // namespace stowage
