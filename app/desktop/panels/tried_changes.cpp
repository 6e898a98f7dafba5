#include "app/desktop/panels/tried_changes.h"

#include "app/desktop/widgets/controls.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace stowage {

namespace {

/// Says what is so once the change is made.
class TriedChanges {
    Q_DECLARE_TR_FUNCTIONS(TriedChanges)

public:
    static QString text(const ChangeRequest& change, const std::function<QString(Bytes)>& sizeText)
    {
        const QString name = QString::fromStdString(change.buffer);
        switch (change.kind) {
        case ChangeKind::size: return tr("%1 has %2").arg(name, sizeText(change.size));
        case ChangeKind::inPlace: return tr("%1 lies on %2").arg(name, QString::fromStdString(change.other));
        case ChangeKind::slots:
            return change.slots == 1 ? tr("%1 has one slot").arg(name) : tr("%1 has %2 slots").arg(name).arg(change.slots);
        case ChangeKind::tile:
            return tr("tile of loop %1 times %2/%3")
                .arg(QString::fromStdString(change.loop))
                .arg(change.numerator)
                .arg(change.denominator);
        case ChangeKind::live: break;
        }
        QStringList live;
        for (const Interval& range : change.live) live << QStringLiteral("[%1, %2)").arg(range.begin).arg(range.end);
        return tr("%1 lives %2").arg(name, live.join(u' '));
    }
    static QString tried(const QString& text) { return tr("tried: %1").arg(text); }
    static QString takeBack() { return tr("Take back"); }
};

} // namespace

ChangeRequest requestOf(const Problem& problem, const SingleChange& change)
{
    ChangeRequest request;
    request.kind = change.kind;
    request.size = change.size;
    request.live = change.live;
    request.slots = change.slots;
    request.numerator = change.numerator;
    request.denominator = change.denominator;
    if (change.buffer != none) request.buffer = problem.buffers[std::size_t(change.buffer)].name;
    if (change.other != none) request.other = problem.buffers[std::size_t(change.other)].name;
    if (change.loop != none) {
        const std::string& name = problem.loops[std::size_t(change.loop)].name;
        request.loop = name.empty() ? std::to_string(change.loop) : name;
    }
    return request;
}

void addTriedChanges(QVBoxLayout& column, Workspace& workspace, const std::function<QString(Bytes)>& sizeText)
{
    for (const ChangeRequest& change : workspace.changes()) {
        auto* row = new QHBoxLayout;
        auto* name = new ElidedLabel(Qt::ElideMiddle);
        name->setFullText(TriedChanges::tried(TriedChanges::text(change, sizeText)));
        name->setProperty("tone", "accent");
        row->addWidget(name, 1);
        auto* back = makeButton(TriedChanges::takeBack(), {}, ButtonKind::link);
        back->setObjectName(QStringLiteral("takeBack"));
        QObject::connect(back, &QPushButton::clicked, back, [&workspace, change] { workspace.removeChange(change); });
        row->addWidget(back);
        column.addLayout(row);
    }
}

} // namespace stowage
