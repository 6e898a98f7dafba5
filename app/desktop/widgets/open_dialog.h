// The dialog that asks for files to read, with a preview: the kind of the file, its size, its beginning.
#pragma once

#include "plugins/api/importer.h"

#include <QFileDialog>
#include <QString>
#include <QStringList>

#include <vector>

class QLabel;

namespace stowage {

/// Facts of a file before it is imported: its kind by contents and suffix, its size, the time of its last change. Reads the first
/// 4 KiB.
struct FilePreview {
    QString kind;  ///< "Stowage program", "TensorFlow Lite model"; "No reader knows this kind of file" if unknown
    QString hint;  ///< how a file that is no model is opened: "open its model first"; empty for models
    QString facts; ///< "1.2 MiB, written 2026-01-31 12:00"
    QString head;  ///< the first lines of a text; empty for other files
    bool readable = false;
};
[[nodiscard]] FilePreview previewOf(const QString& path, const std::vector<ImporterInfo>& importers);

class OpenDialog : public QFileDialog {
    Q_OBJECT

public:
    /// For models and sessions. F1 opens the page of the guide that the dialog names (`guidePageProperty`).
    OpenDialog(std::vector<ImporterInfo> importers, const QString& folder, QWidget* parent = nullptr);
    /// For one file of another kind; `filters` as for `QFileDialog::setNameFilters`, `guidePage` a page of the guide.
    OpenDialog(std::vector<ImporterInfo> importers, const QString& title, const QStringList& filters, const QString& guidePage,
               const QString& folder, QWidget* parent = nullptr);
    /// The chosen file of such a dialog; empty: none.
    [[nodiscard]] QString ask();
    /// Shows the preview of a file; none for a folder. Only a dialog for models names readers of models.
    void preview(const QString& path);

private:
    void addPreview();

    std::vector<ImporterInfo> importers_;
    bool hints_ = false;
    QLabel* name_ = nullptr;
    QLabel* kind_ = nullptr;
    QLabel* facts_ = nullptr;
    QLabel* head_ = nullptr;
};

/// Asks for a file to write; empty: none. `proposed` is its path, `filter` and `guidePage` as above; F1 works as in `OpenDialog`.
/// `window` is the window, also for a dialog of it: the window gives its own dialogs their help.
[[nodiscard]] QString askFileToWrite(const QString& title, const QString& proposed, const QString& filter,
                                     const QString& guidePage, QWidget* window);
/// Asks for a folder, which exists; empty: none. `proposed` is the folder that is shown first.
[[nodiscard]] QString askFolder(const QString& title, const QString& proposed, const QString& guidePage, QWidget* window);

} // namespace stowage
