// export INPUT… --as report: plans the inputs with every planner, and writes one HTML page about them.
#pragma once

#include "app/cli/options.h"
#include "app/cli/planned.h"

#include <string>

namespace stowage::cli {

class ReportOptions {
public:
    void declare(Arguments& app);
    /// The status of the worst verdict, as `plan` gives it: the page is written whatever the verdict.
    [[nodiscard]] int run(const Environment& environment, const InputOptions& input, const PlanningOptions& planning,
                          const std::string& file) const;

private:
    std::string baseline_;
    bool noDate_ = false;
    std::size_t changes_ = 8;
};

} // namespace stowage::cli
