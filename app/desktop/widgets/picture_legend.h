// The legend or scale of a canvas's picture, at the right end of the view's bar.
#pragma once

#include "app/canvas/kit/text.h"

#include <QWidget>

namespace stowage {

class Canvas;

class PictureLegend : public QWidget {
    Q_OBJECT

public:
    /// `canvas` must outlive the legend.
    explicit PictureLegend(Canvas& canvas);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Canvas& canvas_;
    TextShaper shaper_;
};

} // namespace stowage
