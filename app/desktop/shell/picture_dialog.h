// Asks where a picture goes, and how large its pixels are.
#pragma once

#include <QDialog>
#include <QString>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace stowage {

class PictureDialog : public QDialog {
    Q_OBJECT

public:
    /// `file`: proposed; `size`: of the picture, logical pixels. `onlyPng`: the view has no vector form.
    PictureDialog(const QString& file, QSize size, bool onlyPng, QWidget* parent);
    [[nodiscard]] QString file() const;
    [[nodiscard]] double scale() const; ///< 1 to 4; 1 for vector formats

private:
    void refresh();

    QSize size_;
    bool onlyPng_;
    QLineEdit* file_ = nullptr;
    QComboBox* scale_ = nullptr;
    QLabel* note_ = nullptr;
    QPushButton* save_ = nullptr;
};

} // namespace stowage
