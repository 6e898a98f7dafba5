// The small controls of the design language: plain widgets with the style sheet.
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

/// A push button that paints icon and text 7 px apart, which a style sheet cannot do.
class Button : public QPushButton {
    Q_OBJECT

public:
    using QPushButton::QPushButton;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    /// Width of the drawing at the right end.
    [[nodiscard]] virtual int trailing() const { return 0; }
};

/// A push button of 28 px, or 22 px when small.
QPushButton* makeButton(const QString& text, const QString& iconName, ButtonKind kind = ButtonKind::normal, bool small = false);
/// A flat button with an icon only; `tip` describes it, also for screen readers.
QToolButton* makeIconButton(const QString& iconName, const QString& tip, bool small = false);
/// A flat button for an action: icon only, tip with its shortcut.
QToolButton* makeIconButton(QAction* action, bool small = false);

enum class Tone { main, secondary, caption, ok, warn, bad, accent };

/// A text label. `pixels`: see look/metrics.h.
QLabel* makeLabel(const QString& text, Tone tone = Tone::main, int pixels = 12, QFont::Weight weight = QFont::Normal);
/// A label in the typeface of numbers.
QLabel* makeNumber(const QString& text, Tone tone = Tone::main, int pixels = 12);
void setTone(QLabel* label, Tone tone);

/// Sets a dynamic property that the style sheet uses, and applies the style sheet again.
void setLook(QWidget* widget, const char* property, const QVariant& value);

/// Removes all items of a layout. The widgets are deleted in the next turn of the event loop, because one of them may be emitting
/// a signal, and cannot be found by name any more.
void clearLayout(QLayout& layout);

/// Shows widgets that were added to the layout of a visible widget, and adapts all sizes up to the surrounding scroll area. Qt
/// does both in later turns of the event loop; until then the painted window has gaps or overlapping rows.
void showContents(QLayout& layout);

/// A line of 1 px; vertical ones are `length` high.
QFrame* makeLine(Qt::Orientation orientation, int length = 0);

/// A label that elides its text in the middle or at the end, and needs no minimum width.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideRight, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    /// Sets the function that shortens the text to a width in pixels, for names of a list, which need more than an ellipsis.
    void setFitter(std::function<QString(const QString& full, const QFontMetrics& letters, int room)> fitter);
    [[nodiscard]] const QString& fullText() const { return full_; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString full_;
    QString tip_; ///< the tool tip that it made itself
    Qt::TextElideMode mode_;
    std::function<QString(const QString&, const QFontMetrics&, int)> fitter_;
};

/// A button that opens a menu: text, chevron, and an icon in front.
class ChoiceButton : public Button {
    Q_OBJECT

public:
    ChoiceButton(const QString& iconName, bool small, QWidget* parent = nullptr);
    /// Sets the function that fills the menu each time it opens.
    void setMenuFiller(std::function<void(QMenu&)> filler);
    /// Longer texts are elided in the middle.
    void setMaximumTextWidth(int pixels);
    /// What is chosen. A screen reader says it after the accessible name, or in its place where the button has none; the tool tip
    /// begins with what was elided.
    void setChoice(const QString& text);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] int trailing() const override { return 18; }

private:
    int maximumText_ = 220;
    QString cut_;    ///< what is chosen, if it is shown elided
    QString spoken_; ///< the accessible name that it gave itself
};

/// A row of joined buttons, one of which is chosen.
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

/// Shows a key as a key cap: "Ctrl", "/".
class KeyCap : public QLabel {
    Q_OBJECT

public:
    explicit KeyCap(const QString& key, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace stowage
