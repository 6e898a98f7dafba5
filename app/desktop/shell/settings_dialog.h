// The settings page. Every setting takes effect immediately, and is saved when the window closes.
#pragma once

#include <QDialog>

class QComboBox;
class QCheckBox;
class QDoubleSpinBox;

namespace stowage {

class FileWatch;
class Look;
class Workspace;

/// Keys of settings that have no widget elsewhere in the window.
namespace settings {
inline constexpr const char* reopenLast = "files/reopen-last"; ///< true unless set
inline constexpr const char* offerTour = "tour/offer";         ///< true until the user has answered
} // namespace settings

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    /// All arguments must outlive the dialog.
    SettingsDialog(Workspace& workspace, Look& look, FileWatch& watch, QWidget* parent = nullptr);

Q_SIGNALS:
    void panelsReset(); ///< the user wants the panels of the first start
    void tourRequested();

private:
    /// Updates the page from the current values, which may change elsewhere while it is open.
    void refresh();

    Workspace& workspace_;
    Look& look_;
    FileWatch& watch_;
    QComboBox* theme_ = nullptr;
    QComboBox* unit_ = nullptr;
    QComboBox* base_ = nullptr;
    QDoubleSpinBox* limit_ = nullptr;
    QCheckBox* reload_ = nullptr;
    QCheckBox* reopen_ = nullptr;
};

} // namespace stowage
