#include "app/desktop/views/pipes_view.h"

#include "app/canvas/axis/pipe_lanes.h"
#include "app/desktop/workspace.h"

namespace stowage {

PipesView::PipesView(Workspace& workspace, const Look& look, QWidget* parent)
    : PictureView(*pictureEntry(QStringLiteral("pipes")), workspace, look, parent)
{
}

bool PipesView::applies(const Workspace& workspace)
{
    if (const auto run = workspace.run(); run && run->problem().axis == Axis::hivm) return true;
    const Model* model = workspace.model();
    return model && model->program && hasPipes(*model->program);
}

bool PipesView::wantsOrder() const
{
    return run() && run()->problem().axis != Axis::hivm && run()->program && hasPipes(*run()->program);
}

PictureView::Page PipesView::page(const Error* why) const
{
    Page says = PictureView::page(why);
    if (why && wantsOrder()) says.button = tr("Plan in Ascend's order");
    return says;
}

void PipesView::pressPage()
{
    if (wantsOrder())
        workspace().edits().setLowering("order", "hivm");
    else
        PictureView::pressPage();
}

} // namespace stowage
