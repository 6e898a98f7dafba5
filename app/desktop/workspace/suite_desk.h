// The suite of models that is compared with its baseline: planned in the background, accepted as the next baseline, opened as
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

    /// Plans the suite of the workspace again; results are appended to its history. What is under way is given up.
    void run();
    void cancel();
    /// Writes rows into the baseline, with their plans: those with these keys, or (empty) all. Then plans the suite again.
    void accept(std::span<const std::string> keys);
    /// Opens the model of a row with its plan, and what it was in the baseline as a model of its own.
    void openBothMaps(const RegressionRow& row);

    [[nodiscard]] bool running() const { return planning_.running() || accepting_.running(); }
    /// That is shown, or being planned; empty: none.
    [[nodiscard]] const QString& suite() const { return suite_; }
    /// The last outcome; null before, and after a failure.
    [[nodiscard]] const std::shared_ptr<const Regression>& regression() const { return regression_; }
    /// Why there is no outcome.
    [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
    [[nodiscard]] std::size_t done() const { return done_; }   ///< rows that are planned
    [[nodiscard]] std::size_t total() const { return total_; } ///< 0: not known yet
    /// What came of the last thing that was asked for, or how far it is; empty: nothing to tell.
    [[nodiscard]] QString told() const;

Q_SIGNALS:
    void changed();
    void answered(); ///< a run has ended

private:
    struct Outcome {
        std::uint64_t asked = 0;
        std::optional<Expected<Regression>> regression;
        std::optional<Error> history; ///< why it was not written
    };

    void take(Outcome& outcome);
    void open(const RegressionRow& row);
    void openBaseline(const RegressionRow& row);

    Workspace& workspace_;
    QString suite_;
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
