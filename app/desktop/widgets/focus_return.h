// The keyboard in cards that lie over the window: the focus goes back when they close, and keys of theirs are no shortcuts.
#pragma once

#include <QEvent>
#include <QKeyEvent>
#include <QPointer>
#include <QWidget>

#include <algorithm>
#include <initializer_list>

namespace stowage {

/// Has the focus go back to where it was before a card opened. Without it, Qt gives the focus of a hidden card to the next widget
/// of the window in the order of the tab key.
class FocusReturn {
public:
    /// To be called before the card takes the focus. A card that has it already keeps what it remembers.
    void remember(const QWidget& card)
    {
        QWidget* const now = card.window()->focusWidget();
        if (!card.isAncestorOf(now)) before_ = now;
    }
    /// To be called before the card is hidden. Leaves a focus that is elsewhere where it is.
    void giveBack(const QWidget& card) const
    {
        if (before_ && before_->isVisible() && card.isAncestorOf(card.window()->focusWidget()))
            before_->setFocus(Qt::OtherFocusReason);
    }

private:
    QPointer<QWidget> before_;
};

/// Whether `event` asks if one of `keys` is a shortcut of the window. It is accepted then: the key goes to the card.
inline bool claimsKey(QEvent& event, std::initializer_list<int> keys)
{
    if (event.type() != QEvent::ShortcutOverride || std::ranges::find(keys, static_cast<QKeyEvent&>(event).key()) == keys.end())
        return false;
    event.accept();
    return true;
}

} // namespace stowage
