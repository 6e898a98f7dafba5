#include "app/desktop/views/memory_map_view.h"

#include "app/canvas/axis/pipe_lanes.h"
#include "app/desktop/widgets/colour_legend.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QHBoxLayout>
#include <QMenu>

namespace stowage {

MemoryMapView::MemoryMapView(Workspace& workspace, const Look& look, QWidget* parent)
    : StackView(workspace, look, bandCurve | bandOps | bandMap | bandRows, parent)
{
    pool_ = new ChoiceButton({}, true);
    pool_->setObjectName(QStringLiteral("poolChoice"));
    pool_->setAccessibleName(tr("Pools shown"));
    pool_->setMenuFiller([this](QMenu& menu) {
        const auto add = [&](const QString& name, PoolId id) {
            QAction* action = menu.addAction(name, this, [this, id] {
                shown_ = id;
                map().setPool(id);
                refreshBar();
            });
            action->setCheckable(true);
            action->setChecked(id == shown_);
        };
        add(tr("all pools"), none);
        if (const ViewState* state = map().state())
            for (const PoolScene& pool : state->scene().pools) add(QString::fromStdString(pool.map.poolName), pool.map.pool);
    });
    pool_->hide();
    barRow().addWidget(pool_);
    reuse_ = makeButton(tr("Reuse"), QStringLiteral("pipes"), ButtonKind::normal, true);
    reuse_->setObjectName(QStringLiteral("mapReuse"));
    reuse_->setCheckable(true);
    reuse_->setToolTip(tr("Arrows to the buffer that takes over the bytes: grey on one pipe, amber between pipes, red where it "
                          "breaks a double buffer; dashed round the loop"));
    reuse_->hide();
    const auto toggle = [this](QPushButton* button, const char* id) {
        connect(button, &QPushButton::toggled, &map(), [this, id](bool on) { map().setToggle(id, on); });
    };
    toggle(reuse_, "reuse");
    barRow().addWidget(reuse_);
    const auto toggles = addToggles(barRow(), {tr("Clique"), tr("Chain"), tr("Conflicts")},
                                    {tr("Marks the peak step and the buffers that prove the lower bound"),
                                     tr("Buffers below the selected one that it rests on, down to address 0"),
                                     tr("Outlines buffers that may not share a byte with the selected one")});
    toggles[0]->setChecked(true);
    toggles[1]->setChecked(true);
    toggle(toggles[0], "clique");
    toggle(toggles[1], "chain");
    toggle(toggles[2], "conflicts");
}

void MemoryMapView::refreshBar()
{
    StackView::refreshBar();
    const ViewState* state = map().state();
    if (!state) return;
    QString name = tr("all pools");
    bool known = shown_ == none;
    for (const PoolScene& pool : state->scene().pools)
        if (pool.map.pool == shown_) {
            name = QString::fromStdString(pool.map.poolName);
            known = true;
        }
    if (!known) {
        shown_ = none;
        map().setPool(none);
    }
    pool_->setChoice(name);
    pool_->setVisible(state->scene().pools.size() > 1);
    reuse_->setVisible(whyNoPipes(*state->scene().run).empty());
}

} // namespace stowage
