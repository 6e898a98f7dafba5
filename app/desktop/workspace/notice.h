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
    std::vector<Choice> choices;      ///< answers to a question, shown as buttons
    bool good = false;                ///< success: `path` is the written file
    QString subject = {};             ///< a later notice with the same subject replaces this one; empty: with the same title
    std::function<bool()> holds = {}; ///< whether the question still stands; null: it does
    /// A question that still stands.
    [[nodiscard]] bool asks() const { return !good && !choices.empty() && (!holds || holds()); }
    /// A question that no longer stands.
    [[nodiscard]] bool outdated() const { return holds && !holds(); }
    [[nodiscard]] bool isAbout(const Notice& other) const
    {
        return subject == other.subject && (!subject.isEmpty() || title == other.title);
    }
    /// Something that may be done, and no fault.
    [[nodiscard]] bool offer() const { return !good && !choices.empty() && what.severity == Severity::note; }
};

} // namespace stowage
