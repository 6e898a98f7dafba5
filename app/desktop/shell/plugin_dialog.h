// Plug-ins found, usable or not: why not, what to do, how the last run of each went; turned on and off here.
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
    /// `host` and `look` outlive it.
    PluginDialog(const PluginHost& host, const Look& look, QWidget* parent = nullptr);

private:
    void fill();
    void turn(bool on);
    void showCurrent();
    [[nodiscard]] int current() const; ///< row of the host; -1: none

    const PluginHost& host_;
    QStandardItemModel* model_ = nullptr;
    Table* table_ = nullptr;
    QLabel* name_ = nullptr; ///< of the current one, above its story
    QLabel* details_ = nullptr;
    QPushButton* enable_ = nullptr;
    QPushButton* disable_ = nullptr;
};

} // namespace stowage
