// The texts of a draw list.
#pragma once

#include "app/canvas/kit/draw_list.h"

#include <QString>
#include <QStringList>

#include <variant>

namespace stowage::test {

/// All texts, in painting order.
[[nodiscard]] inline QStringList textsOf(const DrawList& list)
{
    QStringList texts;
    for (const DrawCommand& command : list.commands())
        if (const auto* text = std::get_if<draw::Text>(&command)) texts << text->text;
    return texts;
}

/// The count of texts that contain `part`.
[[nodiscard]] inline qsizetype timesSaid(const DrawList& list, const QString& part)
{
    return textsOf(list).filter(part).size();
}

} // namespace stowage::test
