// The verdict on a plan as icon and word, and the chip that shows it.
#pragma once

#include "app/canvas/kit/theme.h"
#include "app/session/verdicts.h"

#include <QString>
#include <QWidget>

#include <optional>

class QPainter;

namespace stowage {

class Look;

struct VerdictLook {
    QString word;
    QString icon;
    QColor ink;
    QColor soft;
};
/// Without a verdict: an empty word, and the icon for "not planned".
[[nodiscard]] VerdictLook verdictLook(std::optional<VerdictKind> verdict, const Theme& theme);

/// Paints a chip 18 px high whose left edge is at `left`, centred on `middle`; returns its width.
double paintChip(QPainter& painter, double left, double middle, const QString& iconName, const QString& word, const QColor& ink,
                 const QColor& soft);
[[nodiscard]] int chipWidth(const QString& word);

class Chip : public QWidget {
    Q_OBJECT

public:
    explicit Chip(const Look& look, QWidget* parent = nullptr);
    void setVerdict(VerdictKind verdict, const QString& word = {}); ///< `word` replaces that of the verdict
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Look& look_;
    std::optional<VerdictKind> verdict_;
    QString word_;
};

} // namespace stowage
