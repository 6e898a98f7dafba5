// The buffers on which a buffer rests, from it down to address 0: "Why here" of the inspector.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "app/desktop/widgets/name_fit.h"
#include "core/explain/support_chain.h"
#include "core/plan/run.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <vector>

namespace stowage {

class BufferColours;
class Look;
class SelectionModel;

class SupportPile : public QWidget {
    Q_OBJECT

public:
    SupportPile(const std::shared_ptr<const Run>& run, const SupportChain& chain, const NumberFormat& numbers,
                BufferColours& colours, SelectionModel& selection, const Look& look, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    /// Up and Down choose a level, Enter and Space select its buffer.
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Level {
        BufferId buffer = none; ///< `none`: the line with the count of buffers that are left out
        QString name, reason, address;
        QString below; ///< name that `reason` quotes
    };
    [[nodiscard]] int levelAt(double y) const;
    [[nodiscard]] static QString words(const Level& level);

    std::vector<Level> levels_;
    NameFit names_; ///< names of the buffers in the pile
    QString ground_;
    BufferColours& colours_;
    SelectionModel& selection_;
    const Look& look_;
    int hovered_ = -1;
    int current_ = 0; ///< the level that the keyboard is at
};

} // namespace stowage
