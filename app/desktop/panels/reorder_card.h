// The card "Reorder ops": searches for the order with the smallest peak, shows the peak before and after, and applies it as an
// edit with undo.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/widgets/focus_return.h"
#include "core/ir/expected.h"
#include "core/passes/reorder.h"
#include "core/plan/plan.h"

#include <QFrame>

#include <atomic>
#include <memory>
#include <optional>

class QCheckBox;
class QLabel;
class QPushButton;
class QTimer;

namespace stowage {

class Look;
class Workspace;

class ReorderCard : public QFrame {
    Q_OBJECT

public:
    ReorderCard(Workspace& workspace, const Look& look, QWidget* parent = nullptr);
    /// Shows the card with the focus in it. The focus goes back when the card closes.
    void open();

    /// Starts a search in the background, and cancels a running one.
    void start();
    void cancel();
    [[nodiscard]] bool busy() const { return job_.running(); }
    /// The result; no value before a search, and after a failed one.
    [[nodiscard]] const std::optional<Reordered>& found() const { return found_; }
    [[nodiscard]] QString message() const;
    void apply();

Q_SIGNALS:
    void closed();
    void resized();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Progress {
        std::atomic<std::size_t> done = 0;
        std::atomic<std::size_t> all = 0;
    };
    void leave();
    void showState();
    void describeBars();
    void forget();
    /// The lowering options of the current setup; the core's defaults if they are invalid.
    [[nodiscard]] LowerOptions lowering() const;
    /// The lowering options of the two boxes, as the user has set them.
    [[nodiscard]] OptionValues chosen() const;
    void showLowering();

    Workspace& workspace_;
    const Look& look_;
    FocusReturn before_;
    QCheckBox* inPlace_ = nullptr;
    QCheckBox* views_ = nullptr;
    QLabel* text_ = nullptr;
    QWidget* bars_ = nullptr;
    QPushButton* look_button_ = nullptr;
    QPushButton* apply_ = nullptr;
    QTimer* ticker_ = nullptr;
    QString problem_;
    std::optional<Reordered> found_;
    std::shared_ptr<const Program> of_; ///< the program that `found_` reorders
    std::shared_ptr<Progress> progress_;
    BackgroundJob job_;
};

} // namespace stowage
