// The command palette: all commands of the action registry, models, runs, planners, targets and buffers, by name. And the list of
// keys.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/buffer_filter.h"
#include "app/desktop/widgets/focus_return.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/session/model.h"

#include <QFrame>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QScrollArea;

namespace stowage {

class ActionRegistry;
class Look;
class Workspace;
struct Run;

/// Opens over the window. Typing filters the list, Enter runs an entry, Escape closes it. The focus stays in the field: its
/// description is the current entry.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    CommandPalette(const ActionRegistry& actions, Workspace& workspace, const Look& look, QWidget* window);
    void open();
    [[nodiscard]] int count() const;

    /// Maximum count of listed buffers. They are searched as in the search field by words in their names, from two letters on.
    static constexpr std::size_t maxBuffers = 24;
    /// More buffers than these are searched in the background, and listed when they are found.
    static constexpr std::size_t searchedAtOnce = 20'000;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    /// An entry that is not a command: a model, a run, a planner, a target, a buffer.
    struct Thing {
        QString kind; ///< "Model"
        QString text;
        QString note; ///< shown at the right: a size
        std::function<void()> run;
    };
    void narrow();
    /// Describes the current entry to screen readers.
    void describeCurrent();
    /// Runs an entry and closes; one that cannot be done now does neither.
    void run(const QListWidgetItem* item);
    /// All that is found at once: everything but buffers.
    [[nodiscard]] std::vector<Thing> things(const QString& needle) const;
    /// Lists more things: those that hold `needle` as it is before the entries that only hold its letters.
    void addThings(std::vector<Thing> more, const QString& needle);
    void searchBuffers(const QString& needle);
    [[nodiscard]] std::vector<Thing> buffersOf(const Run& run, const SearchHits& hits) const;

    const ActionRegistry& actions_;
    Workspace& workspace_;
    std::vector<Thing> things_;   ///< the listed entries
    std::vector<Target> targets_; ///< as they were when the palette was opened: they are files
    int firstLoose_ = 0;          ///< row of the first entry that only holds the letters
    bool runWhenFound_ = false;   ///< Enter was pressed while buffers were searched
    BackgroundJob job_;           ///< searches buffers
    NameFit names_;               ///< of `things_`
    FocusReturn before_;
    QLineEdit* input_ = nullptr;
    QListWidget* list_ = nullptr;
};

/// All shortcuts in groups, as a card over the window.
class ShortcutList : public QFrame {
    Q_OBJECT

public:
    ShortcutList(const ActionRegistry& actions, const Look& look, QWidget* window);
    void open();
    /// For a card that opens over this one: it remembers who had the focus before both.
    void giveFocusBack() { before_.giveBack(*this); }
    [[nodiscard]] int count() const { return count_; }

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void fill(int columnCount);

    const ActionRegistry& actions_;
    FocusReturn before_;
    QScrollArea* scroll_ = nullptr;
    int count_ = 0;
};

/// Whether the letters of `needle` occur in `text` in this order; the palette filters by this.
[[nodiscard]] bool fuzzyMatch(const QString& text, const QString& needle);

} // namespace stowage
