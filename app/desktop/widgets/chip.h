// The verdict on a plan as icon and word, and the chip that shows it.
#pragma once

#include "app/canvas/kit/theme.h"
#include "core/plan/report.h"

#include <QString>
#include <QWidget>

class QPainter;

namespace stowage {

class Look;

enum class VerdictWord { absent, valid, fits, doesNotFit, overlap, invalid };

/// What the checker found: `overlap` and `invalid` (another rule is broken) go before `doesNotFit`.
[[nodiscard]] VerdictWord checkerVerdict(const Report& report);
/// The same, with `fits` instead of `valid` where every used pool has a capacity.
[[nodiscard]] VerdictWord fitVerdict(const Report& report);

struct VerdictLook {
    QString word;
    QString icon;
    QColor ink;
    QColor soft;
};
[[nodiscard]] VerdictLook verdictLook(VerdictWord word, const Theme& theme);

/// Paints a chip 18 px high whose left edge is at `left`, centred on `middle`; returns its width.
double paintChip(QPainter& painter, double left, double middle, const QString& iconName, const QString& word, const QColor& ink,
                 const QColor& soft);
[[nodiscard]] int chipWidth(const QString& word);

class Chip : public QWidget {
    Q_OBJECT

public:
    explicit Chip(const Look& look, QWidget* parent = nullptr);
    void setVerdict(VerdictWord word);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Look& look_;
    VerdictWord verdict_ = VerdictWord::absent;
    QString word_;
};

} // namespace stowage
