// The commands of the window. Menus, shortcut list and command palette are made from it.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

class QAction;
class QMenuBar;
class QWidget;

namespace stowage {

class ActionRegistry : public QObject {
    Q_OBJECT

public:
    struct Entry {
        QString id;                ///< "plan.run"; stable
        QString menu;              ///< "Plan"
        QString text;              ///< without mnemonic
        QAction* action = nullptr; ///< null for a command that only keys and pointer give
        QStringList keys;          ///< keys that a view handles itself, and that are no shortcut: "W"
        bool separated = false;    ///< a separator precedes it in the menu
    };

    /// Shortcuts work everywhere in `window`.
    explicit ActionRegistry(QWidget& window, QObject* parent = nullptr);

    /// Adds a command. `menu` is the menu's title; entries keep their order. An id must be new.
    QAction* add(const QString& id, const QString& menu, const QString& text, const QString& iconName = {},
                 const QList<QKeySequence>& shortcuts = {});
    /// Puts a separator before the next `add` to `menu`.
    void separate(const QString& menu);
    /// Adds an entry for keys that views handle themselves, without an action.
    void describe(const QString& menu, const QString& text, const QStringList& keys);

    /// Sets keys by which the focused view runs the action itself: listed, but not a shortcut, so that other widgets get them.
    void setKeys(const QString& id, const QString& keys);

    /// Requires a known id.
    [[nodiscard]] QAction* action(const QString& id) const;
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    /// The keys of an entry as texts: all shortcuts of its action, then `Entry::keys`.
    [[nodiscard]] static QStringList keyTexts(const Entry& entry);
    /// The first of them; empty without keys.
    [[nodiscard]] static QString keyText(const Entry& entry) { return keyTexts(entry).value(0); }
    /// Shortcuts that more than one action has.
    [[nodiscard]] QStringList duplicateShortcuts() const;

    /// Makes the menus, in the order of `titles`.
    void fill(QMenuBar& bar, const QStringList& titles) const;

private:
    QWidget& window_;
    std::vector<Entry> entries_;
    QStringList separateNext_;
};

} // namespace stowage
