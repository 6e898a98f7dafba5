// check-proof INPUT LOG: checks the log of a search that proved that no layout exists (plan --proof).
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/session/number_words.h"
#include "core/io/input_file.h"
#include "core/plan/proof/check_proof.h"

#include <fmt/format.h>

namespace stowage::cli {

namespace {

/// The first of several consecutive logs. A proof about several pools contains other logs, and comes last.
std::string_view firstOf(std::string_view logs)
{
    if (logs.starts_with("stowage-pool-proof ") || logs.starts_with("stowage-sum-proof ")) return logs;
    const std::size_t next = logs.find("\nstowage-"); // only a header begins like this
    return logs.substr(0, next == std::string_view::npos ? logs.size() : next + 1);
}

class CheckProofCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "check-proof"; }
    [[nodiscard]] std::string summary() const override { return "check a proof that plan --proof wrote"; }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"plan problem.csv --planner exact --capacity 29 --proof problem.proof",
                "check-proof problem.csv problem.proof --capacity 29"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        app.option("LOG", log_, "proof to check").required().typeName("");
        planning_.declare(app, PlanningOptions::noPlanner);
        output_.declare(app, {});
    }

    int run(const Environment& environment) override
    {
        const auto model = input_.read(environment);
        if (!model) return badInput;
        const auto functions = Session::functions(*model);
        if (functions.size() != 1)
            return environment.fail(
                failure(Code::severalFunctions, "a proof covers one function", {}, "choose one with --function NAME"));
        auto request = planning_.request(environment, *model, functions.front());
        if (!request) return environment.fail(request.error());
        request->planner.clear();
        const auto lowered = environment.session.lowerNow(*model, *request);
        if (!lowered) return environment.fail(lowered.error());
        const auto bytes = io::readFile(log_, {}, [&] { return environment.interrupt.stop_requested(); });
        if (!bytes) return environment.fail(bytes.error());
        const Problem& problem = (*lowered)->problem;
        // One log after the other: a plan with several pools has one for each.
        std::string text;
        std::string_view rest = *bytes;
        do {
            const std::string_view log = firstOf(rest);
            const auto proved = checkProof(problem, log);
            rest.remove_prefix(log.size());
            if (!proved) {
                output_.write(environment,
                              text + toned(fmt::format("not proved: {}", proved.error().message), Tone::bad, output_) + "\n");
                return answerIsNo;
            }
            const auto lines = counted(static_cast<std::int64_t>(proved->steps), "line");
            const std::string what =
                proved->together ? fmt::format("no plan takes {} bytes or fewer in all pools together", grouped(proved->capacity))
                : proved->pool == none ? "no plan fits into the capacities of all pools"
                                       : fmt::format("no plan fits into {} bytes of {}", grouped(proved->capacity),
                                                     problem.pools[at(proved->pool)].name);
            text += toned(fmt::format("proved in {}: {}", lines, what), Tone::good, output_) + "\n";
        } while (!rest.empty());
        return output_.write(environment, text);
    }

private:
    InputOptions input_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::string log_;
};

} // namespace

std::unique_ptr<Command> checkProofCommand()
{
    return std::make_unique<CheckProofCommand>();
}

} // namespace stowage::cli
