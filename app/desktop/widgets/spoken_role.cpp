#include "app/desktop/widgets/spoken_role.h"

#include <QAccessibleWidget>
#include <QWidget>

namespace stowage {

namespace {

constexpr const char* roleProperty = "spokenRole";

QAccessibleInterface* faceOf(const QString&, QObject* object)
{
    auto* const widget = qobject_cast<QWidget*>(object);
    const QVariant role = widget ? widget->property(roleProperty) : QVariant();
    return role.isValid() ? new QAccessibleWidget(widget, QAccessible::Role(role.toInt())) : nullptr;
}

} // namespace

void setSpokenRole(QWidget& widget, QAccessible::Role role)
{
    static const bool installed = (QAccessible::installFactory(faceOf), true);
    Q_UNUSED(installed)
    widget.setProperty(roleProperty, int(role));
}

} // namespace stowage
