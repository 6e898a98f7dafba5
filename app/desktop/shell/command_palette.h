// Every command by name, made from the action registry; and the list of its keys.
#pragma once

#include <QFrame>

class QLineEdit;
class QListWidget;

namespace stowage {

class ActionRegistry;
class Look;

/// Lies over the window. Type to narrow, Enter runs, Escape leaves.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    CommandPalette(const ActionRegistry& actions, const Look& look, QWidget* window);
    void open();
    [[nodiscard]] int count() const;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void narrow();
    void run();

    const ActionRegistry& actions_;
    QLineEdit* input_ = nullptr;
    QListWidget* list_ = nullptr;
};

/// All shortcuts in groups; a card over the window.
class ShortcutList : public QFrame {
    Q_OBJECT

public:
    ShortcutList(const ActionRegistry& actions, const Look& look, QWidget* window);
    void open();
    [[nodiscard]] int count() const { return count_; }

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int count_ = 0;
};

/// True when the letters of `needle` occur in `text` in this order; the palette's way to match.
[[nodiscard]] bool fuzzyMatch(const QString& text, const QString& needle);

} // namespace stowage
