// A sentence on one line, with its addresses in the typeface of numbers; too long, it is cut in the middle, and whole in its tip.
#pragma once

#include "app/desktop/widgets/controls.h"

namespace stowage {

class AddressLabel : public ElidedLabel {
public:
    AddressLabel() : ElidedLabel(Qt::ElideMiddle) {}

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace stowage
