#include "app/desktop/views/liveness_view.h"

#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QHBoxLayout>
#include <QMenu>

namespace stowage {

LivenessView::LivenessView(Workspace& workspace, const Look& look, QWidget* parent)
    : StackView(workspace, look, bandCurve | bandOps | bandRows, parent)
{
    barRow().addWidget(makeLabel(tr("Group by"), Tone::secondary));
    groupBy_ = new ChoiceButton({}, true);
    groupBy_->setObjectName(QStringLiteral("groupBy"));
    groupBy_->setAccessibleName(tr("Group by"));
    groupBy_->setMenuFiller([this](QMenu& menu) {
        for (const ColourBy by : {ColourBy::opKind, ColourBy::kind, ColourBy::pool, ColourBy::scope, ColourBy::source}) {
            if (map().run() && !hasColouring(*map().run(), by)) continue;
            const std::string_view name = toText(by);
            QAction* action = menu.addAction(QString::fromUtf8(name.data(), qsizetype(name.size())), this, [this, by] {
                map().setGrouping(by);
                refreshBar();
            });
            action->setCheckable(true);
            action->setChecked(by == map().grouping());
        }
    });
    barRow().addWidget(groupBy_);
    QToolButton* open = makeIconButton(QStringLiteral("chevron-down"), tr("Open all groups"), true);
    QToolButton* close = makeIconButton(QStringLiteral("chevron-right"), tr("Close all groups"), true);
    open->setObjectName(QStringLiteral("openGroups"));
    close->setObjectName(QStringLiteral("closeGroups"));
    connect(open, &QToolButton::clicked, &map(), [this] { map().setAllOpen(true); });
    connect(close, &QToolButton::clicked, &map(), [this] { map().setAllOpen(false); });
    barRow().addWidget(open);
    barRow().addWidget(close);
}

void LivenessView::refreshBar()
{
    StackView::refreshBar();
    const std::string_view name = toText(map().grouping());
    groupBy_->setChoice(QString::fromUtf8(name.data(), qsizetype(name.size())));
}

} // namespace stowage
