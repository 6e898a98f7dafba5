#include "app/desktop/widgets/picture_legend.h"

#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/spoken_role.h"

#include <QPainter>

namespace stowage {

PictureLegend::PictureLegend(Canvas& canvas) : canvas_(canvas)
{
    setFixedHeight(metrics::viewBar - 1);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSpokenRole(*this, QAccessible::StaticText);
    setAccessibleName(tr("Legend"));
}

void PictureLegend::paintEvent(QPaintEvent*)
{
    if (!canvas_.scene()) return;
    QPainter painter(this);
    DrawList list(shaper_, devicePixelRatioF());
    canvas_.picture().paintLegend(list, 0, width() - 1.0, height() / 2.0);
    replay(list, painter);
}

} // namespace stowage
