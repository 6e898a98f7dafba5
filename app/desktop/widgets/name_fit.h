// Names of one list where there is no room for them: what all have in common goes, what tells them apart stays.
#pragma once

#include <QString>

#include <string>

class QFontMetrics;

namespace stowage {

struct Problem;

/// `text`, or its beginning with an ellipsis; a number at the end of that goes as a whole: "6 runs in …", never "6 runs in 1…".
[[nodiscard]] QString elidedWhole(const QString& text, const QFontMetrics& letters, int width);

class NameFit {
public:
    NameFit() = default;
    /// For the names of a problem's buffers: looks at the first few thousand. O(characters).
    explicit NameFit(const Problem& problem);
    /// `name`, or what fits of it: without the leading parts that all have, then without the trailing ones too, then with an
    /// ellipsis inside the rest.
    [[nodiscard]] QString fit(const QString& name, const QFontMetrics& letters, int width) const;

private:
    std::string prefix_;
    std::string suffix_;
};

} // namespace stowage
