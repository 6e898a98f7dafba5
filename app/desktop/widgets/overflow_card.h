// Required, available, excess, and what is live at the peak: for a plan that does not fit into a pool.
#pragma once

#include "core/plan/run.h"

#include <QFrame>

#include <memory>

namespace stowage {

class Look;
class Workspace;

class OverflowCard : public QFrame {
    Q_OBJECT

public:
    OverflowCard(Workspace& workspace, const Look& look, std::shared_ptr<const Run> run, PoolId pool, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Look& look_;
    Bytes size_ = 0;
    Bytes capacity_ = 0;
    QWidget* bar_ = nullptr;
};

} // namespace stowage
