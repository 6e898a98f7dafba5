// The status bar: the checker's verdict first, then sizes, what is selected, and where the cursor is.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <vector>

namespace stowage {

class Look;
class Workspace;

class StatusStrip : public QWidget {
    Q_OBJECT

public:
    StatusStrip(Workspace& workspace, const Look& look, QWidget* parent = nullptr);
    /// What it says, part by part, as plain text: for tests and screen readers.
    [[nodiscard]] QStringList parts() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// A stretch of text in one tone; numbers in the typeface of numbers.
    struct Word {
        QString text;
        enum class Kind { caption, number, ok, warn, bad, strong } kind = Kind::caption;
    };
    struct Part {
        QString icon;
        std::vector<Word> words;
    };
    [[nodiscard]] std::vector<Part> left() const;
    [[nodiscard]] std::vector<Part> right() const;

    Workspace& workspace_;
    const Look& look_;
};

} // namespace stowage
