// The small controls of the design language, made of plain widgets that the style sheet dresses.
#pragma once

#include <QBoxLayout>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QString>
#include <QStringList>
#include <QToolButton>

#include <functional>
#include <vector>

class QAction;

namespace stowage {

enum class ButtonKind { normal, primary, link };

/// A push button that sets icon and text itself: 7 px apart, which the style sheet cannot say.
class Button : public QPushButton {
    Q_OBJECT

public:
    using QPushButton::QPushButton;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    /// Room for what is drawn at the right end.
    [[nodiscard]] virtual int trailing() const { return 0; }
};

/// A push button of 28 px, or 22 px when small.
QPushButton* makeButton(const QString& text, const QString& iconName, ButtonKind kind = ButtonKind::normal, bool small = false);
/// A flat button that shows an icon only; `tip` says what it does, also to screen readers.
QToolButton* makeIconButton(const QString& iconName, const QString& tip, bool small = false);
/// A flat button for an action: icon only, tip with its shortcut.
QToolButton* makeIconButton(QAction* action, bool small = false);

enum class Tone { main, secondary, caption, ok, warn, bad, accent };

/// A text label. `pixels` and `weight` as in look/metrics.h.
QLabel* makeLabel(const QString& text, Tone tone = Tone::main, int pixels = 12, QFont::Weight weight = QFont::Normal);
/// A label in the typeface of numbers.
QLabel* makeNumber(const QString& text, Tone tone = Tone::main, int pixels = 12);
void setTone(QLabel* label, Tone tone);

/// Sets a dynamic property that the style sheet asks for, and dresses the widget again.
void setLook(QWidget* widget, const char* property, const QVariant& value);

/// Takes everything out of a layout. The widgets go when the event loop runs next, as one of them may be sending a signal, and
/// are not found by their names any more.
void clearLayout(QLayout& layout);

/// Shows what was put into the layout of a widget that is in sight, and makes room for it up to the scroll area around. Qt does
/// both in later turns of the event loop, and what is painted before that has a hole there, or rows over each other.
void showContents(QLayout& layout);

/// A line of 1 px; vertical ones are `length` high.
QFrame* makeLine(Qt::Orientation orientation, int length = 0);

/// A label that elides its text in the middle or at the end rather than asking for room.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideRight, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    /// Asked for the text that is shown where the full one has no room, in pixels: names of a list need more than an ellipsis.
    void setFitter(std::function<QString(const QString& full, const QFontMetrics& letters, int room)> fitter);
    [[nodiscard]] const QString& fullText() const { return full_; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString full_;
    Qt::TextElideMode mode_;
    std::function<QString(const QString&, const QFontMetrics&, int)> fitter_;
};

/// A button that opens a menu: text, chevron, and an icon in front.
class ChoiceButton : public Button {
    Q_OBJECT

public:
    ChoiceButton(const QString& iconName, bool small, QWidget* parent = nullptr);
    /// Fills the menu whenever it is about to open, so that it never lies.
    void setMenuFiller(std::function<void(QMenu&)> filler);
    /// Longer texts are elided in the middle.
    void setMaximumTextWidth(int pixels);
    void setChoice(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] int trailing() const override { return 18; }

private:
    int maximumText_ = 220;
};

/// A row of joined buttons of which one is down.
class SegmentedControl : public QWidget {
    Q_OBJECT

public:
    SegmentedControl(const QStringList& labels, bool small, QWidget* parent = nullptr);
    [[nodiscard]] int current() const;
    void setCurrent(int index);

Q_SIGNALS:
    void chosen(int index); ///< by the user only

private:
    std::vector<QPushButton*> buttons_;
};

/// The picture of a key: "Ctrl", "/".
class KeyCap : public QLabel {
    Q_OBJECT

public:
    explicit KeyCap(const QString& key, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace stowage
