// Memory map: the plan as rectangles of steps and addresses, a strip for each pool, with live curve, ops and the rows of buffers.
#pragma once

#include "app/desktop/views/stack_view.h"

namespace stowage {

class MemoryMapView : public StackView {
    Q_OBJECT

public:
    MemoryMapView(Workspace& workspace, const Look& look, QWidget* parent);

protected:
    void refreshBar() override;

private:
    ChoiceButton* pool_ = nullptr; ///< hidden with a single pool
    QPushButton* reuse_ = nullptr; ///< only for runs with pipes
    PoolId shown_ = none;
};

} // namespace stowage
