// What a widget that paints itself is to a screen reader.
#pragma once

#include <QAccessible>

class QWidget;

namespace stowage {

/// Makes screen readers take `widget` for a `role`. Without one, Qt takes each widget that is none of its own kinds for a filler,
/// which screen readers pass over, its name and description included. To be called before its name is set: then the kind is
/// settled.
void setSpokenRole(QWidget& widget, QAccessible::Role role);

} // namespace stowage
