// A sentence on one line, with addresses in the typeface of numbers. A long one is elided in the middle, and complete in the tool
// tip.
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
