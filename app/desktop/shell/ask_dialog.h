// A small dialog that asks for one value. It stays open, and shows the reason, until the value can be taken.
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;

namespace stowage {

struct Question {
    QString title;
    QString label; ///< of the field: what to type
    QString text;  ///< contents of the field at first
    QString button;
    QString choiceLabel; ///< of the list above the field
    QStringList choices; ///< the list; it is shown if there are two or more
    int choice = 0;      ///< index of the first choice
    /// Takes the trimmed text and the index of the choice. Returns the reason why they cannot be taken; empty: they were.
    std::function<QString(const QString& text, int choice)> take;
};

/// Deletes itself when it is closed.
class AskDialog : public QDialog {
    Q_OBJECT

public:
    explicit AskDialog(Question question, QWidget* parent = nullptr);
    /// The shown reason; empty: none.
    [[nodiscard]] QString reason() const;
    void accept() override;

private:
    Question question_;
    QComboBox* choices_ = nullptr; ///< null: nothing to choose
    QLineEdit* edit_ = nullptr;
    QLabel* reason_ = nullptr;
};

} // namespace stowage
