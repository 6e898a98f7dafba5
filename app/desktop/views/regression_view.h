// A suite against its baseline: planned in the background, with the maps of both, and buttons that accept rows as the new
// baseline.
#pragma once

#include "app/canvas/pictures/regression/regression_picture.h"
#include "app/desktop/background_job.h"
#include "app/desktop/views/picture_view.h"
#include "app/session/regress/regression.h"

#include <QString>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

class QLabel;
class QPushButton;

namespace stowage {

class ChoiceButton;

class RegressionView : public PictureView {
    Q_OBJECT

public:
    RegressionView(Workspace& workspace, const Look& look, QWidget* parent);
    ~RegressionView() override;

    /// True while a suite is open.
    static bool applies(const Workspace& workspace);

    void setContext(const ViewContext& context) override;

    /// Plans the suite again; results are appended to its history. What is under way is given up.
    void run();
    void cancel();
    /// Writes rows into the baseline, with their plans: those with these keys, or (empty) all. Then plans the suite again.
    void accept(std::span<const std::string> keys);
    /// Opens the model of the chosen row with its plan, and what it was in the baseline as a model of its own.
    void openBothMaps();

    [[nodiscard]] bool running() const { return planning_.running() || accepting_.running(); }
    [[nodiscard]] RegressionPicture& regressionPicture() { return pictureAs<RegressionPicture>(); }
    /// The last outcome; null before.
    [[nodiscard]] const std::shared_ptr<const Regression>& regression() const { return regression_; }
    /// What is said beside the controls.
    [[nodiscard]] QString said() const;

Q_SIGNALS:
    void answered(); ///< a run has ended

protected:
    [[nodiscard]] Page page(const Error* why) const override;
    void pressPage() override;
    void refresh() override;

private:
    struct Outcome {
        std::uint64_t asked = 0;
        std::optional<Expected<Regression>> regression;
        std::optional<Error> history; ///< why it was not written
    };

    void makeControls();
    void openSuite();
    void take(Outcome& outcome);
    void askToUpdate();
    [[nodiscard]] std::string chosenKey();
    void open(const RegressionRow& row);
    void openBaseline(const RegressionRow& row);

    QString suite_; ///< that is shown, or being planned
    std::shared_ptr<const Regression> regression_;
    std::optional<Error> failure_;
    BackgroundJob planning_{WhenGone::wait};
    BackgroundJobs accepting_;
    std::uint64_t asked_ = 0;
    std::size_t done_ = 0;
    std::size_t total_ = 0;

    ChoiceButton* suiteChoice_ = nullptr;
    QLabel* said_ = nullptr;
    QPushButton* both_ = nullptr;
    QPushButton* acceptRow_ = nullptr;
    QPushButton* again_ = nullptr;
    QPushButton* update_ = nullptr;
};

} // namespace stowage
