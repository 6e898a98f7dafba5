// Pipes: the ops and stalls of each pipe of an Ascend kernel over time. Offers to plan in Ascend's order if the run has another
// one.
#pragma once

#include "app/desktop/views/picture_view.h"

namespace stowage {

class PipesView : public PictureView {
    Q_OBJECT

public:
    PipesView(Workspace& workspace, const Look& look, QWidget* parent);
    /// Whether the model is a kernel, and so has a tab.
    static bool applies(const Workspace& workspace);

protected:
    [[nodiscard]] Page page(const Error* why) const override;
    void pressPage() override;

private:
    [[nodiscard]] bool wantsOrder() const; ///< the kernel names pipes, but was planned in another order
};

} // namespace stowage
