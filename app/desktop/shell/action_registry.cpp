#include "app/desktop/shell/action_registry.h"

#include "app/desktop/look/icons.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QWidget>

#include <algorithm>

namespace stowage {

namespace {

QString keysText(const QKeySequence& keys)
{
    return keys.toString(QKeySequence::NativeText).replace(QStringLiteral("Return"), QStringLiteral("Enter")); // as on the key
}

} // namespace

ActionRegistry::ActionRegistry(QWidget& window, QObject* parent) : QObject(parent), window_(window) {}

QAction* ActionRegistry::add(const QString& id, const QString& menu, const QString& text, const QString& iconName,
                             const QList<QKeySequence>& shortcuts)
{
    Q_ASSERT(std::ranges::none_of(entries_, [&](const Entry& entry) { return entry.id == id; }));
    auto* action = new QAction(text, this);
    action->setObjectName(id);
    if (!iconName.isEmpty()) action->setIcon(themedIcon(iconName));
    action->setIconVisibleInMenu(false);
    action->setShortcuts(shortcuts);
    QString plain = text;
    plain.remove(QStringLiteral("…")).remove(u'&');
    action->setToolTip(shortcuts.isEmpty() ? plain : QStringLiteral("%1 (%2)").arg(plain, keysText(shortcuts.front())));
    window_.addAction(action);
    entries_.push_back({id, menu, QString(text).remove(u'&'), action, {}, separateNext_.removeAll(menu) > 0});
    return action;
}

void ActionRegistry::separate(const QString& menu)
{
    separateNext_ << menu;
}

void ActionRegistry::describe(const QString& menu, const QString& text, const QStringList& keys)
{
    entries_.push_back({QString(), menu, text, nullptr, keys, false});
}

void ActionRegistry::setKeys(const QString& id, const QString& keys)
{
    const auto found = std::ranges::find(entries_, id, &Entry::id);
    Q_ASSERT(found != entries_.end());
    if (found == entries_.end()) return;
    found->keys = QStringList{keys};
    found->action->setToolTip(QStringLiteral("%1 (%2)").arg(found->text, keyText(*found)));
}

QAction* ActionRegistry::action(const QString& id) const
{
    const auto found = std::ranges::find(entries_, id, &Entry::id);
    Q_ASSERT(found != entries_.end());
    return found == entries_.end() ? nullptr : found->action;
}

QStringList ActionRegistry::keyTexts(const Entry& entry)
{
    QStringList texts;
    if (entry.action)
        for (const QKeySequence& keys : entry.action->shortcuts())
            if (!keys.isEmpty()) texts << keysText(keys);
    texts << entry.keys;
    return texts;
}

QStringList ActionRegistry::duplicateShortcuts() const
{
    QSet<QString> seen;
    QStringList twice;
    for (const Entry& entry : entries_) {
        if (!entry.action) continue;
        for (const QKeySequence& keys : entry.action->shortcuts()) {
            const QString text = keys.toString(QKeySequence::PortableText);
            if (seen.contains(text)) twice << text;
            seen.insert(text);
        }
    }
    return twice;
}

void ActionRegistry::fill(QMenuBar& bar, const QStringList& titles) const
{
    for (const QString& title : titles) {
        QMenu* menu = bar.addMenu(title);
        for (const Entry& entry : entries_) {
            if (!entry.action || entry.menu != title) continue;
            if (entry.separated) menu->addSeparator();
            menu->addAction(entry.action);
        }
    }
}

} // namespace stowage
