// An error as a card: message, position, remedy, and choices. Never a modal dialog.
#pragma once

#include "app/desktop/workspace.h"

#include <QFrame>

class QLabel;
class QPushButton;
class QHBoxLayout;
class QVBoxLayout;

namespace stowage {

class ElidedLabel;
class FaultTable;
class Look;
class Table;

class ErrorCard : public QFrame {
    Q_OBJECT

public:
    explicit ErrorCard(const Look& look, QWidget* parent = nullptr);
    void setNotice(const Notice& notice);
    [[nodiscard]] const Notice& notice() const { return notice_; }
    /// The whole text of the card, for copying.
    [[nodiscard]] QString details() const;
    /// Preferred width in logical pixels.
    [[nodiscard]] int wishedWidth() const;
    /// The faults of a pipeline configuration; without rows for other errors.
    [[nodiscard]] const FaultTable& faults() const { return *faults_; }

Q_SIGNALS:
    void closed();
    void openRequested();
    void listRequested(); ///< the user wants the list of all errors

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showFaults();

    const Look& look_;
    Notice notice_;
    FaultTable* faults_ = nullptr;
    Table* faultRows_ = nullptr;
    ElidedLabel* title_ = nullptr;
    QLabel* sentence_ = nullptr;
    QFrame* code_ = nullptr;
    QLabel* where_ = nullptr;
    QLabel* remedy_ = nullptr;
    QHBoxLayout* choices_ = nullptr;
    QPushButton* list_ = nullptr;
    QPushButton* copy_ = nullptr;
    QPushButton* open_ = nullptr;
};

/// "detector.tflite: byte 0x4A1C8" or "line 13, column 5"; empty: unknown.
[[nodiscard]] QString whereText(const Position& where);

} // namespace stowage
