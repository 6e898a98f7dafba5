// Every command by name, made from the action registry, and the things on the desk by theirs: models, runs, planners, targets,
// buffers. And the list of the keys.
#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;
class QScrollArea;

namespace stowage {

class ActionRegistry;
class Look;
class Workspace;

/// Lies over the window. Type to narrow, Enter runs, Escape leaves.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    CommandPalette(const ActionRegistry& actions, Workspace& workspace, const Look& look, QWidget* window);
    void open();
    [[nodiscard]] int count() const;

    /// Buffers that are listed at most: they are found by a part of their name, from two letters on.
    static constexpr std::size_t maxBuffers = 24;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    /// Something on the desk: what Enter does with it.
    struct Thing {
        QString kind; ///< "Model"
        QString text;
        QString note; ///< right: a size
        std::function<void()> run;
    };
    void narrow();
    void run();
    [[nodiscard]] std::vector<Thing> things(const QString& needle) const;

    const ActionRegistry& actions_;
    Workspace& workspace_;
    std::vector<Thing> things_; ///< those that are listed
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
    void fill(int rows);

    const ActionRegistry& actions_;
    QScrollArea* scroll_ = nullptr;
    int count_ = 0;
};

/// True when the letters of `needle` occur in `text` in this order; the palette's way to match.
[[nodiscard]] bool fuzzyMatch(const QString& text, const QString& needle);

} // namespace stowage
