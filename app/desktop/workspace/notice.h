// A message to the user, shown as a card.
#pragma once

#include "core/ir/expected.h"

#include <QString>

#include <functional>
#include <vector>

namespace stowage {

struct Notice {
    QString title; ///< "detector_v3.tflite was not opened"
    Diagnostic what;
    Diagnostics more; ///< further diagnostics
    QString path;     ///< the file of the message, if any
    struct Choice {
        QString text;
        std::function<void()> take;
    };
    std::vector<Choice> choices; ///< answers to a question, shown as buttons
    bool good = false;           ///< success: `path` is the written file
    /// Something that may be done, and no fault.
    [[nodiscard]] bool offer() const { return !good && !choices.empty() && what.severity == Severity::note; }
};

} // namespace stowage
