// The state of the Regression view: plans the suite in the background, accepts results as the next baseline, and opens rows as
// models.
#pragma once

#include "app/desktop/background_job.h"
#include "app/session/regress/regression.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace stowage {

class Workspace;

class SuiteDesk : public QObject {
    Q_OBJECT

public:
    explicit SuiteDesk(Workspace& workspace, QObject* parent = nullptr);
    ~SuiteDesk() override;

    /// Plans the suite of the workspace again, and appends the results to its history. Cancels a running planning.
    void run();
    /// Takes over the suite of the workspace without planning it. Cancels a running planning of another suite.
    void hold();
    void cancel();
    /// Writes rows with their plans into the baseline: those with these keys, or (empty) all. Then plans the suite again.
    void accept(std::span<const std::string> keys);
    /// Opens the model of a row with its current plan, and the kept plan of the baseline as a second model. A model that is open
    /// already gets the plan as a run. The current plan is in front.
    void openBothMaps(const RegressionRow& row);

    [[nodiscard]] bool running() const { return planning_.running() || accepting_.running(); }
    [[nodiscard]] bool held() const { return held_; } ///< the suite waits for the first `run`
    /// The suite that is shown or being planned; empty: none.
    [[nodiscard]] const QString& suite() const { return suite_; }
    /// The last result; null before, and after a failure.
    [[nodiscard]] const std::shared_ptr<const Regression>& regression() const { return regression_; }
    /// The error; no value: none.
    [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
    [[nodiscard]] std::size_t done() const { return done_; }   ///< count of planned rows
    [[nodiscard]] std::size_t total() const { return total_; } ///< count of rows; 0: unknown
    /// The text of the view: the result of the last action, or its progress; may be empty.
    [[nodiscard]] QString told() const;

Q_SIGNALS:
    void changed();
    void answered(); ///< a planning of the suite has ended

private:
    struct Outcome {
        std::uint64_t asked = 0;
        std::optional<Expected<Regression>> regression;
        std::optional<Error> history; ///< error of writing the history
    };

    void take(Outcome& outcome);
    void open(const RegressionRow& row);
    void openBaseline(const RegressionRow& row);

    Workspace& workspace_;
    QString suite_;
    bool held_ = false; ///< see `held`
    std::shared_ptr<const Regression> regression_;
    std::optional<Error> failure_;
    QString told_;
    BackgroundJob planning_{WhenGone::wait};
    BackgroundJobs accepting_;
    std::uint64_t asked_ = 0;
    std::size_t done_ = 0;
    std::size_t total_ = 0;
};

} // namespace stowage
