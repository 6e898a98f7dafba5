// Heads of groups of runs in a table: which groups are folded, how a head is painted, and how mouse and keys fold it.
#pragma once

#include <QString>

#include <cstdint>
#include <functional>
#include <set>

class QPainter;
class QStyleOptionViewItem;
class QTableView;

namespace stowage {

struct Theme;

enum class HeadState : std::uint8_t {
    open,
    folded,
    fixed ///< always open
};

/// Folds the groups of other setups and opens those of the current one, until they are toggled. The group of the shown run is
/// always open.
class GroupFolds {
public:
    /// `shown`: the group has the shown run; `current`: its setup is that of the edits as they are now.
    [[nodiscard]] HeadState state(const QString& title, bool shown, bool current) const
    {
        if (shown) return HeadState::fixed;
        return current == toggled_.contains(title) ? HeadState::folded : HeadState::open;
    }
    /// Folds or opens the group with this title.
    void toggle(const QString& title)
    {
        if (!toggled_.erase(title)) toggled_.insert(title);
    }

private:
    std::set<QString> toggled_; ///< titles
};

/// The words of a head for screen readers: "inplace=allowed, 3 runs, folded". No last part if the state is fixed.
[[nodiscard]] QString spokenHead(const QString& title, const QString& count, HeadState state);

/// Paints the head of a group: a chevron unless the state is fixed, the title and the count of runs. Of a long title the first
/// parts are painted.
void paintGroupHead(QPainter& painter, const QStyleOptionViewItem& cell, const Theme& theme, const QString& title,
                    const QString& count, HeadState state);

/// Calls `toggle` for a row that is clicked, or activated by a key; it returns whether the row is a head. Keys go on from the
/// head.
void foldByMouseAndKeys(QTableView& view, const std::function<bool(int row)>& toggle);

} // namespace stowage
