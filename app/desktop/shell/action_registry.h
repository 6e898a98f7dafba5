// Every command of the window, once. Menus, shortcut list and command palette are made from it.
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
        QAction* action = nullptr; ///< null for what only keys and pointer do
        QString keys;              ///< what a view handles itself, and so is no shortcut of the action: "W"
        bool separated = false;    ///< a line goes before it in the menu
    };

    /// Shortcuts work everywhere in `window`.
    explicit ActionRegistry(QWidget& window, QObject* parent = nullptr);

    /// Adds a command. `menu` is the menu's title; entries keep their order. An id must be new.
    QAction* add(const QString& id, const QString& menu, const QString& text, const QString& iconName = {},
                 const QList<QKeySequence>& shortcuts = {});
    /// The next `add` to `menu` is set apart by a line.
    void separate(const QString& menu);
    /// Keys that views handle themselves: listed, but no action.
    void describe(const QString& menu, const QString& text, const QString& keys);

    /// The keys by which the view that has the focus runs an action itself: listed, but no shortcut that would take them from
    /// elsewhere.
    void setKeys(const QString& id, const QString& keys);

    /// Requires that there is one with this id.
    [[nodiscard]] QAction* action(const QString& id) const;
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    /// The keys of an entry as text, the first shortcut of an action.
    [[nodiscard]] static QString keyText(const Entry& entry);
    /// Shortcuts that more than one action has.
    [[nodiscard]] QStringList duplicateShortcuts() const;

    /// Makes the menus in `titles`' order.
    void fill(QMenuBar& bar, const QStringList& titles) const;

private:
    QWidget& window_;
    std::vector<Entry> entries_;
    QStringList separateNext_;
};

} // namespace stowage
