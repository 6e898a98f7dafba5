// export INPUT… --as report: plans the inputs with every planner, and writes one HTML page about them.
#pragma once

#include "app/cli/options.h"
#include "app/cli/planned.h"

#include <string>

namespace stowage::cli {

class ReportOptions {
public:
    void declare(Arguments& app);
    /// True if the user gave an option of the report.
    [[nodiscard]] bool used() const { return !baseline_.empty() || noDate_ || changes_ != usualChanges; }
    /// Writes the page and returns the exit status of the worst verdict, as `plan` does. The page is written with every verdict.
    [[nodiscard]] int run(const Environment& environment, const InputOptions& input, const PlanningOptions& planning,
                          const std::string& file) const;

private:
    std::string baseline_;
    bool noDate_ = false;
    static constexpr std::size_t usualChanges = 8;
    std::size_t changes_ = usualChanges;
};

} // namespace stowage::cli
