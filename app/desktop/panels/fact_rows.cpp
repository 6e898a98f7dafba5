#include "app/desktop/panels/fact_rows.h"

#include "app/desktop/glossary.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace stowage {

FactKey::FactKey(const QString& word) : FactKey(word, explained(word)) {}

void addFact(QVBoxLayout& column, const FactKey& key, const QString& value, const QString& caption, bool number,
             const QString& right)
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(6);
    QLabel* name = makeLabel(key.text, Tone::secondary);
    name->setFixedWidth(factKeyWidth);
    name->setToolTip(key.tip);
    row->addWidget(name);
    QLabel* main = number ? makeNumber(value) : nullptr;
    if (main) {
        main->setTextInteractionFlags(Qt::TextSelectableByMouse);
        row->addWidget(main);
    } else {
        auto* elided = new ElidedLabel(Qt::ElideMiddle);
        elided->setFullText(value);
        elided->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred); // as wide as it is, while there is room
        row->addWidget(elided);
    }
    // Of a name, which stands beside a word, the end tells it from others; of a sentence, which stands beside a number, the
    // beginning.
    auto* rest = new ElidedLabel(number ? Qt::ElideRight : Qt::ElideMiddle);
    rest->setFullText(caption);
    rest->setProperty("tone", "secondary");
    if (!number) rest->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    row->addWidget(rest, 1);
    if (!right.isEmpty()) row->addWidget(makeNumber(right, Tone::secondary));
    column.addLayout(row);
}

void addFactName(QVBoxLayout& column, const QString& name, const std::shared_ptr<const NameFit>& names)
{
    constexpr int edge = 12, gap = 6;
    auto* label = new ElidedLabel;
    label->setFitter(
        [names](const QString& full, const QFontMetrics& letters, int room) { return names->fit(full, letters, room); });
    label->setFullText(name);
    label->setProperty("tone", "secondary");
    auto* row = new QHBoxLayout;
    row->setContentsMargins(edge + factKeyWidth + gap, 0, edge, 0);
    row->addWidget(label);
    column.addLayout(row);
}

void addFactLine(QVBoxLayout& column)
{
    column.addSpacing(5);
    column.addWidget(makeLine(Qt::Horizontal));
    column.addSpacing(5);
}

void addFactHeading(QVBoxLayout& column, const FactKey& title, const QString& caption)
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 2, 12, 2);
    QLabel* heading = makeLabel(title.text, Tone::main, metrics::body, QFont::DemiBold);
    heading->setToolTip(title.tip);
    row->addWidget(heading);
    row->addStretch();
    row->addWidget(makeLabel(caption, Tone::secondary));
    column.addLayout(row);
}

} // namespace stowage
