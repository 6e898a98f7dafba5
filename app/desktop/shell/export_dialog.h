// The Export card: the plan in every format, the shown picture, tables, the report.
#pragma once

#include <QDialog>
#include <QDir>
#include <QString>

#include <cstdint>
#include <functional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace stowage {

class Look;

struct ExportItem {
    QString id;          ///< "plan:chrome-trace", "picture", "table:buffers", "report"
    QString group;       ///< heading in the list; items of a group are adjacent
    QString title;       ///< one line
    QString name;        ///< proposed name of the file or folder
    QString patterns;    ///< for the file dialog: "Tables (*.csv)"
    bool folder = false; ///< several files, in a new folder
    QString suffix;      ///< what follows the model's name in `name`: ".plan.json"
};

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// `picture`: size of the shown view in logical pixels; `onlyPng`: it has no vector form. `isOfModel`: whether a file is that
    /// of an open model; none is proposed, and one is replaced only after the user has ticked a box for it.
    ExportDialog(std::vector<ExportItem> items, const QDir& folder, QSize picture, bool onlyPng,
                 std::function<bool(const QString& file)> isOfModel, const Look& look, QWidget* parent);
    /// Chooses an item; no effect for an unknown id.
    void choose(const QString& id);
    [[nodiscard]] QString chosen() const; ///< id of the chosen item
    [[nodiscard]] QString file() const;   ///< or folder
    [[nodiscard]] double scale() const;   ///< 1 to 4; 1 unless a PNG
    void accept() override;

private:
    /// What exists under the name that was entered.
    enum class Existing : std::uint8_t { nothing, file, folder, openModel };

    [[nodiscard]] const ExportItem* item() const;
    [[nodiscard]] Existing existing() const;
    void browse();
    /// Proposes a file name in the last chosen folder.
    void propose();
    void refresh();

    std::vector<ExportItem> items_;
    QDir folder_;
    bool onlyPng_;
    std::function<bool(const QString& file)> isOfModel_;
    Existing told_ = Existing::nothing; ///< what the card says that exists
    QListWidget* list_ = nullptr;
    QLineEdit* file_ = nullptr;
    QLabel* scaleLabel_ = nullptr;
    QComboBox* scale_ = nullptr;
    QLabel* note_ = nullptr;
    QCheckBox* replace_ = nullptr; ///< for the file of an open model
    QPushButton* save_ = nullptr;
};

} // namespace stowage
