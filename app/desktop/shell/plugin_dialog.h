// The plug-ins that were found, usable or not: the reason and remedy, the result of the last run; and buttons that turn them on
// and off.
#pragma once

#include <QDialog>

class QLabel;
class QPushButton;
class QStandardItemModel;

namespace stowage {

class Look;
class PluginHost;
class Table;

class PluginDialog : public QDialog {
    Q_OBJECT

public:
    /// `host` and `look` must outlive the dialog.
    PluginDialog(const PluginHost& host, const Look& look, QWidget* parent = nullptr);

private:
    void fill();
    void turn(bool on);
    void showCurrent();
    [[nodiscard]] int current() const; ///< row of the host; -1: none

    const PluginHost& host_;
    QStandardItemModel* model_ = nullptr;
    Table* table_ = nullptr;
    QLabel* name_ = nullptr; ///< name of the current plug-in, above its details
    QLabel* details_ = nullptr;
    QPushButton* enable_ = nullptr;
    QPushButton* disable_ = nullptr;
};

} // namespace stowage
