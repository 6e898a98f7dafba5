// The status bar: the verdict, sizes, the selection, and the position of the cursor.
#pragma once

#include "core/ir/types.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

namespace stowage {

class Look;
class Workspace;

class StatusStrip : public QWidget {
    Q_OBJECT

public:
    StatusStrip(Workspace& workspace, const Look& look, QWidget* parent = nullptr);
    /// Its texts, part by part; for tests and screen readers.
    [[nodiscard]] QStringList parts() const;
    /// Count of times that the selected buffers were summed up; for tests.
    [[nodiscard]] std::size_t sumsMade() const { return sumsMade_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// A text in one tone; numbers are in the typeface of numbers.
    struct Word {
        QString text;
        enum class Kind { caption, number, ok, open, warn, bad, strong } kind = Kind::caption;
    };
    struct Part {
        QString icon;
        std::vector<Word> words;
    };
    /// The selected buffers, those that the shown run has.
    struct Selected {
        std::size_t count = 0;
        BufferId first = none;
        Bytes bytes = 0;
    };
    [[nodiscard]] std::vector<Part> left() const;
    [[nodiscard]] std::vector<Part> right() const;
    [[nodiscard]] const Selected& selected() const;

    Workspace& workspace_;
    const Look& look_;
    mutable std::optional<Selected> selected_; ///< no value: the run or the selection has changed
    mutable std::size_t sumsMade_ = 0;
};

} // namespace stowage
