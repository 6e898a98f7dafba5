// Parts of side panels: a section that folds, and the title bar of a dock.
#pragma once

#include <QString>
#include <QWidget>

class QDockWidget;
class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace stowage {

class ElidedLabel;
class Look;

/// Title row of 30 px with a chevron, a caption, and room for buttons at the right; a body that folds.
class Section : public QWidget {
    Q_OBJECT

public:
    Section(const QString& title, const Look& look, QWidget* parent = nullptr);
    void setCaption(const QString& text);
    void addHeaderWidget(QWidget* widget);
    [[nodiscard]] QVBoxLayout* body() { return body_; }
    [[nodiscard]] bool folded() const;
    void setFolded(bool folded);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    const Look& look_;
    QToolButton* chevron_ = nullptr;
    ElidedLabel* caption_ = nullptr;
    QHBoxLayout* header_ = nullptr;
    QWidget* head_ = nullptr;
    QWidget* content_ = nullptr;
    QVBoxLayout* body_ = nullptr;
};

/// Title bar of a dock: icon, title, caption, buttons, close.
class DockTitle : public QWidget {
    Q_OBJECT

public:
    DockTitle(const QString& iconName, const QString& title, const Look& look, QDockWidget* dock);
    void setCaption(const QString& text);
    void addWidget(QWidget* widget);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString icon_;
    const Look& look_;
    ElidedLabel* caption_ = nullptr;
    QHBoxLayout* row_ = nullptr;
};

} // namespace stowage
