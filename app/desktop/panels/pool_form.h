// All properties of one pool as a form. Typed values take effect while the user types, after a short delay; the whole edit is one
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
    /// Updates the fields from the workspace, except the one that the user is typing into.
    void refresh();
    /// The error shown beside a field; empty: none. Fields have the names of their labels.
    [[nodiscard]] QString problemOf(const QString& field) const;
    [[nodiscard]] std::size_t pool() const { return pool_; }

    static constexpr int delayMs = 250; ///< milliseconds from the last key to a new planning

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    struct Field {
        QLineEdit* edit = nullptr;
        QLabel* problem = nullptr;
        std::function<QString(const Pool&)> show;
        std::function<QString(const QString&, Pool&)> take; ///< writes the value into the pool, or returns an error
    };
    void addField(QGridLayout& form, const QString& label, const QString& tip, std::function<QString(const Pool&)> show,
                  std::function<QString(const QString&, Pool&)> take);
    void commit();

    Workspace& workspace_;
    std::size_t pool_;
    std::map<QString, Field> fields_;
    QComboBox* kind_ = nullptr;
    QTimer* delay_ = nullptr;
    QLineEdit* typed_ = nullptr; ///< field with a typed value that has not taken effect yet
    int edit_ = 0;               ///< id of the edit for the undo stack
};

/// A size as users type it: "256K", "1.5M", "100". `parseBytes` reads it back exactly.
[[nodiscard]] QString typedBytes(Bytes bytes);

} // namespace stowage
