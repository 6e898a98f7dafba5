#include "app/desktop/shell/opening_bar.h"

#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace stowage {

namespace {

constexpr int shownAfter = 300; ///< ms
constexpr std::size_t shownRows = 4;

} // namespace

OpeningBar::OpeningBar(Workspace& workspace, QWidget* parent) : QFrame(parent), workspace_(workspace)
{
    setObjectName(QStringLiteral("openingBar"));
    setProperty("floating", true); // lies over the window by design
    setProperty("surface", "popup");
    rows_ = new QVBoxLayout(this);
    rows_->setContentsMargins(12, 8, 8, 8);
    rows_->setSpacing(4);
    delay_ = new QTimer(this);
    delay_->setSingleShot(true);
    delay_->setInterval(shownAfter);
    connect(delay_, &QTimer::timeout, this, &OpeningBar::refresh);
    connect(&workspace_, &Workspace::modelsChanged, this, [this] {
        if (isVisible() || workspace_.models().opening().empty())
            refresh();
        else if (!delay_->isActive())
            delay_->start();
    });
    hide();
}

void OpeningBar::refresh()
{
    clearLayout(*rows_);
    const auto& opening = workspace_.models().opening();
    setVisible(!opening.empty());
    if (opening.empty()) {
        delay_->stop();
        return;
    }
    std::size_t count = 0;
    for (const auto& [id, path] : opening) {
        if (count++ == shownRows) {
            rows_->addWidget(makeLabel(tr("and %1 more").arg(opening.size() - shownRows), Tone::secondary));
            break;
        }
        auto* row = new QHBoxLayout;
        row->setSpacing(12);
        row->setContentsMargins(0, 0, 0, 0);
        auto* name = new ElidedLabel(Qt::ElideMiddle);
        name->setFullText(tr("Opening %1…").arg(QFileInfo(path).fileName()));
        name->setToolTip(path);
        name->setMinimumHeight(22);
        row->addWidget(name, 1);
        auto* cancel = makeButton(tr("Cancel"), QStringLiteral("cross"), ButtonKind::normal, true);
        cancel->setObjectName(QStringLiteral("cancelOpening"));
        cancel->setAccessibleName(tr("Cancel opening %1").arg(QFileInfo(path).fileName()));
        connect(cancel, &QPushButton::clicked, this, [this, opening = id] {
            QMetaObject::invokeMethod(
                &workspace_, [this, opening] { workspace_.models().cancelOpening(opening); }, Qt::QueuedConnection);
        });
        row->addWidget(cancel);
        rows_->addLayout(row);
    }
    // The rows count once they are shown, which the layout does in the next turn of the event loop.
    QTimer::singleShot(0, this, &OpeningBar::resized);
}

} // namespace stowage
