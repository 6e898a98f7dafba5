// All properties of one memory as a form. What is typed takes effect while it is typed, a moment later; the whole edit is one
// step of undo.
#pragma once

#include "core/ir/program.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <map>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QTimer;

namespace stowage {

class Workspace;

class PoolForm : public QWidget {
    Q_OBJECT

public:
    PoolForm(Workspace& workspace, std::size_t pool, QWidget* parent = nullptr);
    /// Takes over what the workspace says, but not into the field that is being typed in.
    void refresh();
    /// What is wrong with a field, as it says beside it; empty when nothing is. Fields are called as their labels are.
    [[nodiscard]] QString problemOf(const QString& field) const;
    [[nodiscard]] std::size_t pool() const { return pool_; }

    static constexpr int delayMs = 250; ///< from the last key to a new planning

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    struct Field {
        QLineEdit* edit = nullptr;
        QLabel* problem = nullptr;
        std::function<QString(const Pool&)> show;
        std::function<QString(const QString&, Pool&)> take; ///< writes into the pool, or says what is wrong
    };
    void addField(QGridLayout& form, const QString& label, const QString& tip, std::function<QString(const Pool&)> show,
                  std::function<QString(const QString&, Pool&)> take);
    void commit();

    Workspace& workspace_;
    std::size_t pool_;
    std::map<QString, Field> fields_;
    QComboBox* kind_ = nullptr;
    QTimer* delay_ = nullptr;
    QLineEdit* typed_ = nullptr; ///< in which something has been typed that has not taken effect
    int edit_ = 0;               ///< of the undo stack
};

/// A size as it is typed: "256K", "1.5M", "100"; what `parseBytes` reads back exactly.
[[nodiscard]] QString typedBytes(Bytes bytes);

} // namespace stowage
