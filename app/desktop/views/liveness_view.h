// Liveness timeline: a row for each buffer, in groups, below the curve of live bytes and the ops.
#pragma once

#include "app/desktop/views/stack_view.h"

namespace stowage {

class LivenessView : public StackView {
    Q_OBJECT

public:
    LivenessView(Workspace& workspace, const Look& look, QWidget* parent);

protected:
    void refreshBar() override;

private:
    ChoiceButton* groupBy_ = nullptr;
};

} // namespace stowage
