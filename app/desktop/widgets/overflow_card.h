// The card of a plan that does not fit into a pool: required, available and excess bytes, and the live buffers at the peak.
#pragma once

#include "core/plan/run.h"

#include <QFrame>
#include <QString>

#include <memory>

namespace stowage {

class Look;
class Workspace;
struct NumberFormat;

/// "1,611,008 bit": a size in bits, as Ascend's compiler counts. Empty above 2^63 bits.
[[nodiscard]] QString sizeInBits(Bytes bytes);

/// An overflowing pool of an Ascend core. The compiler counts in bits, so the card shows them beside the chosen unit.
struct ScopeOverflow {
    QString name;
    Bytes required = 0;
    Bytes capacity = 0;
    QString why;   ///< a sentence; may be empty
    QString words; ///< the compiler's message; may be empty
};

class OverflowCard : public QFrame {
    Q_OBJECT

public:
    OverflowCard(const Look& look, const ScopeOverflow& scope, const NumberFormat& numbers, QWidget* parent = nullptr);
    OverflowCard(Workspace& workspace, const Look& look, std::shared_ptr<const Run> run, PoolId pool, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addLine(QWidget* left, QWidget* right);

    const Look& look_;
    Bytes size_ = 0;
    Bytes capacity_ = 0;
    QWidget* bar_ = nullptr;
};

} // namespace stowage
