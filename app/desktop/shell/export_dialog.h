// The card from which everything leaves the window: the plan in every format, the picture that is shown, tables, the report.
#pragma once

#include <QDialog>
#include <QDir>
#include <QString>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace stowage {

class Look;

struct ExportItem {
    QString id;          ///< "plan:chrome-trace", "picture", "table:buffers", "report"
    QString group;       ///< heading above it in the list; equal ones follow each other
    QString title;       ///< one line
    QString name;        ///< proposed name of the file or folder
    QString patterns;    ///< of the file dialog: "Tables (*.csv)"
    bool folder = false; ///< several files go into a folder, which is made
};

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// `picture`: logical pixels of the view that is shown; `onlyPng`: it has no vector form.
    ExportDialog(std::vector<ExportItem> items, const QDir& folder, QSize picture, bool onlyPng, const Look& look,
                 QWidget* parent);
    /// Chooses an item; nothing where there is none of that id.
    void choose(const QString& id);
    [[nodiscard]] QString chosen() const; ///< id
    [[nodiscard]] QString file() const;   ///< or folder
    [[nodiscard]] double scale() const;   ///< 1 to 4; 1 for all but a PNG

private:
    [[nodiscard]] const ExportItem* item() const;
    void browse();
    /// Proposes a name in the folder that was chosen last.
    void propose();
    void refresh();

    std::vector<ExportItem> items_;
    QDir folder_;
    bool onlyPng_;
    QListWidget* list_ = nullptr;
    QLineEdit* file_ = nullptr;
    QLabel* scaleLabel_ = nullptr;
    QComboBox* scale_ = nullptr;
    QLabel* note_ = nullptr;
    QPushButton* save_ = nullptr;
};

} // namespace stowage
