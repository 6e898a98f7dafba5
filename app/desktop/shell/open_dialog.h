// The dialog that opens models and sessions, with a preview: the kind of the file, its size, its beginning.
#pragma once

#include "plugins/api/importer.h"

#include <QFileDialog>
#include <QString>

#include <vector>

class QLabel;

namespace stowage {

/// Facts of a file before it is imported: its kind by contents and suffix, its size, the time of its last change. Reads the first
/// 4 KiB.
struct FilePreview {
    QString kind;  ///< "Stowage program", "TensorFlow Lite model"; "No reader knows this kind of file" if unknown
    QString facts; ///< "1.2 MiB, written 2026-01-31 12:00"
    QString head;  ///< the first lines of a text; empty for other files
    bool readable = false;
};
[[nodiscard]] FilePreview previewOf(const QString& path, const std::vector<ImporterInfo>& importers);

class OpenDialog : public QFileDialog {
    Q_OBJECT

public:
    OpenDialog(std::vector<ImporterInfo> importers, const QString& folder, QWidget* parent = nullptr);
    /// Shows the preview of a file; none for a folder.
    void preview(const QString& path);

private:
    std::vector<ImporterInfo> importers_;
    QLabel* name_ = nullptr;
    QLabel* kind_ = nullptr;
    QLabel* facts_ = nullptr;
    QLabel* head_ = nullptr;
};

} // namespace stowage
