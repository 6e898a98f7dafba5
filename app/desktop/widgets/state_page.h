// What is shown where a picture would be.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace stowage {

struct Run;

/// Why a plan of `run` shows nothing: its problem has no buffers. Empty where it has some.
[[nodiscard]] QString whyNothingToPlace(const Run& run);

/// One sentence and one button, where a picture would be.
class StatePage : public QWidget {
    Q_OBJECT

public:
    explicit StatePage(QWidget* parent = nullptr);
    /// Without a text for the button there is none.
    void say(const QString& iconName, const QString& sentence, const QString& button);
    [[nodiscard]] QString sentence() const;

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
