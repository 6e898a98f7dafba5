// The status bar: the verdict, sizes, the selection, and the position of the cursor.
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
    /// Its texts, part by part; for tests and screen readers.
    [[nodiscard]] QStringList parts() const;

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
    [[nodiscard]] std::vector<Part> left() const;
    [[nodiscard]] std::vector<Part> right() const;

    Workspace& workspace_;
    const Look& look_;
};

} // namespace stowage
