// Something that the user must be told, shown as a card.
#pragma once

#include "core/ir/expected.h"

#include <QString>

#include <functional>
#include <vector>

namespace stowage {

struct Notice {
    QString title; ///< "detector_v3.tflite was not opened"
    Diagnostic what;
    Diagnostics more; ///< the rest of them
    QString path;     ///< the file concerned, if any
    struct Choice {
        QString text;
        std::function<void()> take;
    };
    std::vector<Choice> choices; ///< a question: what the user may answer, as buttons
    bool good = false;           ///< no problem: something was done, and `path` says where it is
};

} // namespace stowage
