// The options of constant folding, for `fold` and for `rewrite --pass constant-fold`.
#pragma once

#include "app/cli/command.h"
#include "app/session/folding.h"

#include <string>

namespace stowage::cli {

class FoldFlags {
public:
    void declare(Arguments& app);
    /// The request of the options. Errors name the option.
    [[nodiscard]] Expected<FoldRequest> request() const;
    /// The first option that was given; empty if none was.
    [[nodiscard]] const std::string& given() const { return given_; }

private:
    std::string mode_ = "run-time";
    std::string postpone_ = "on";
    double threshold_ = FoldOptions{}.threshold;
    std::string compileTimeArguments_;
    std::string runTimeArguments_;
    std::string cache_ = "process";
    std::string capacity_;
    std::string given_;
};

} // namespace stowage::cli
