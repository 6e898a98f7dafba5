// Legend or scale of a canvas's picture, at the right end of a view's bar.
#pragma once

#include "app/canvas/kit/text.h"

#include <QWidget>

namespace stowage {

class Canvas;

class PictureLegend : public QWidget {
    Q_OBJECT

public:
    /// `canvas` outlives it.
    explicit PictureLegend(Canvas& canvas);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Canvas& canvas_;
    TextShaper shaper_;
};

} // namespace stowage
