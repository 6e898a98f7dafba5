#include "app/desktop/panels/tried_changes.h"

#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/session/number_words.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace stowage {

namespace {

/// Says what is so once the change is made.
class TriedChanges {
    Q_DECLARE_TR_FUNCTIONS(TriedChanges)

public:
    static QString text(const Change& change, const NumberFormat& numbers)
    {
        const QString name = QString::fromStdString(change.names.buffer);
        switch (change.kind) {
        case Change::Kind::size: return tr("%1 has %2").arg(name, bytesText(change.size, numbers));
        case Change::Kind::inPlace: return tr("%1 lies on %2").arg(name, QString::fromStdString(change.names.other));
        case Change::Kind::slots:
            return change.slots == 1 ? tr("%1 has one slot").arg(name) : tr("%1 has %2 slots").arg(name).arg(change.slots);
        case Change::Kind::scale: return tr("%1 times %2/%3").arg(name).arg(change.numerator).arg(change.denominator);
        case Change::Kind::tile:
            return tr("tile of loop %1 times %2/%3")
                .arg(QString::fromStdString(change.names.loop))
                .arg(change.numerator)
                .arg(change.denominator);
        case Change::Kind::live: break;
        }
        return tr("%1 is live at %2").arg(name, QString::fromStdString(stepWords(change.live)));
    }
    static QString tried(const QString& text) { return tr("tried: %1").arg(text); }
    static QString takeBack() { return tr("Take back"); }
};

} // namespace

QString changeText(const Change& change, const NumberFormat& numbers)
{
    return TriedChanges::text(change, numbers);
}

void addTriedChanges(QVBoxLayout& column, Workspace& workspace)
{
    QStringList names;
    for (const Change& change : workspace.changes())
        for (const std::string& name : {change.names.buffer, change.names.other, change.names.loop})
            if (!name.empty()) names << QString::fromStdString(name);
    const NameFit apart(names);
    for (const Change& change : workspace.changes()) {
        auto* row = new QHBoxLayout;
        auto* name = new ElidedLabel;
        const QStringList quoted{
            QString::fromStdString(change.kind == Change::Kind::tile ? change.names.loop : change.names.buffer),
            QString::fromStdString(change.names.other)};
        name->setFitter([apart, quoted](const QString& full, const QFontMetrics& letters, int room) {
            return apart.fitSentence(full, quoted, letters, room);
        });
        name->setFullText(TriedChanges::tried(TriedChanges::text(change, workspace.numbers())));
        name->setProperty("tone", "accent");
        row->addWidget(name, 1);
        auto* back = makeButton(TriedChanges::takeBack(), {}, ButtonKind::link);
        back->setObjectName(QStringLiteral("takeBack"));
        QObject::connect(back, &QPushButton::clicked, back, [&workspace, change] { workspace.edits().removeChange(change); });
        row->addWidget(back);
        column.addLayout(row);
    }
}

} // namespace stowage
