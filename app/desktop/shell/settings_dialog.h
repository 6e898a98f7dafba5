// The settings page. Every setting takes effect at once and is kept with the others when the window closes.
#pragma once

#include <QDialog>

class QComboBox;
class QCheckBox;
class QDoubleSpinBox;

namespace stowage {

class FileWatch;
class Look;
class Workspace;

/// Settings that have no widget of their own elsewhere in the window.
namespace settings {
inline constexpr const char* reopenLast = "files/reopen-last"; ///< true unless set
inline constexpr const char* offerTour = "tour/offer";         ///< true until it was answered
} // namespace settings

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    /// All outlive it.
    SettingsDialog(Workspace& workspace, Look& look, FileWatch& watch, QWidget* parent = nullptr);

Q_SIGNALS:
    void panelsReset(); ///< the panels shall be as they are at the first start
    void tourRequested();

private:
    /// From what is in force: it may change elsewhere while the page is open.
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
