// Plug-ins found, usable or not: why not, what to do, how the last run of each went; turned on and off here.
#pragma once

#include <QDialog>

class QLabel;
class QPushButton;
class QTableWidget;

namespace stowage {

class PluginHost;

class PluginDialog : public QDialog {
    Q_OBJECT

public:
    /// `host` outlives it.
    explicit PluginDialog(const PluginHost& host, QWidget* parent = nullptr);

    [[nodiscard]] QTableWidget& table() { return *table_; }

private:
    void fill();
    void turn(bool on);
    void showCurrent();

    const PluginHost& host_;
    QTableWidget* table_;
    QLabel* details_;
    QPushButton* enable_;
    QPushButton* disable_;
};

} // namespace stowage
