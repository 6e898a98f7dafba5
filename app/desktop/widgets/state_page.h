// The page that is shown instead of a picture.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace stowage {

struct Run;

/// The reason why the plan of `run` shows nothing (its problem has no buffers); empty if it has buffers.
[[nodiscard]] QString whyNothingToPlace(const Run& run);

/// One sentence and one button, shown instead of a picture.
class StatePage : public QWidget {
    Q_OBJECT

public:
    explicit StatePage(QWidget* parent = nullptr);
    /// `button` empty: no button.
    void say(const QString& iconName, const QString& sentence, const QString& button);
    [[nodiscard]] QString sentence() const;
    /// Shows the page, or else `picture`, which has the same parent and layout.
    void standIn(QWidget& picture, bool needed);

Q_SIGNALS:
    void pressed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString icon_;
    QLabel* text_ = nullptr;
    QPushButton* button_ = nullptr;
};

} // namespace stowage
