// reduce INPUT --when CONDITION: finds a small problem that still satisfies the condition.
#include "app/cli/commands.h"
#include "app/cli/exporters.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/session/number_words.h"
#include "app/session/run_text.h"
#include "core/explain/reduce.h"
#include "core/plan/report.h"
#include "core/plan/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace stowage::cli {

namespace {

// Work limit of one test, for planners that search until a proof or a limit. It counts work, not time, so that the result is
// deterministic.
constexpr std::uint64_t workOfOneQuestion = 200'000;

/// The condition of --when, which is parsed like a command line.
class Condition {
public:
    enum class Kind : std::uint8_t { doesNotFit, infeasible, undecided, invalid, fails, aboveBound, worseThan };
    /// In the order of `Kind`.
    static constexpr std::array<std::string_view, 7> words{wordOf(Status::doesNotFit),
                                                           wordOf(Status::infeasible),
                                                           wordOf(Status::undecided),
                                                           wordOf(Status::invalid),
                                                           "fails",
                                                           "above-bound",
                                                           "worse-than"};

    /// Parses the text. Returns an error for an incorrect text.
    std::optional<Error> parse(const Environment& environment, const std::string& text)
    {
        const auto wrong = parseText(text, [this](Arguments& app) {
            app.option("what", what_).required().oneOf(std::vector<std::string>(words.begin(), words.end()));
            app.option("--planner", planner_);
            app.option("--than", than_);
            app.option("--by", by_).notNegative();
            app.option("--capacity", capacity_);
            app.option("--pool", pools_).oneValueEach();
            app.option("--option", options_).oneValueEach();
            app.option("--seed", seed_);
            app.option("--work-limit", workLimit_);
        });
        if (wrong)
            return failure(
                Code::usage, fmt::format("--when '{}': {}", text, *wrong), {},
                fmt::format(
                    "a condition is one of {}, then --planner P, --capacity N, --pool NAME=N, --option KEY=VALUE, --seed N, "
                    "--work-limit N, and of the last two --by PERCENT and --than PLANNER",
                    fmt::join(words, ", ")));
        kind_ = static_cast<Kind>(std::find(words.begin(), words.end(), what_) - words.begin());
        if (kind_ == Kind::infeasible && planner_.empty()) planner_ = "exact";
        if (planner_.empty()) planner_ = "auto";
        for (auto [name, planner, options] : {std::tuple(&planner_, &own_, true), std::tuple(&than_, &other_, false)}) {
            if (name->empty()) continue;
            const auto found = environment.session.planners().require(*name);
            if (!found) return found.error();
            *planner = *found;
            if (!options) continue;
            for (const std::string& option : options_) {
                auto pair = splitPair("--option", option);
                if (!pair) return std::move(pair).error();
                values_.push_back(*std::move(pair));
            }
            if (auto error = checkOptions((*planner)->info(), values_)) return error;
        }
        if ((kind_ == Kind::worseThan) != !than_.empty())
            return failure(Code::usage, "--when: worse-than and --than PLANNER go together");
        return std::nullopt;
    }

    /// Sets the capacities of the condition in `problem`. Error: an unknown pool.
    std::optional<Error> setMemories(Problem& problem) const
    {
        std::vector<std::pair<std::string, std::string>> sizes;
        for (const std::string& pool : pools_) {
            auto pair = splitPair("--pool", pool);
            if (!pair) return std::move(pair).error();
            sizes.push_back(*std::move(pair));
        }
        if (!capacity_.empty()) {
            if (problem.pools.size() != 1)
                return failure(Code::usage, "--when: --capacity is for the only pool, and there are several", {},
                               "name one with --pool NAME=BYTES");
            sizes.emplace_back(problem.pools.front().name, capacity_);
        }
        for (const auto& [name, size] : sizes) {
            const auto bytes = parseBytes(size);
            if (!bytes)
                return failure(Code::usage, fmt::format("--when: '{}' is not a size", size), {},
                               "sizes are written 65536, 0x10000, 64KiB or 1.5MiB");
            const auto found = std::find_if(problem.pools.begin(), problem.pools.end(),
                                            [&wanted = name](const Pool& pool) { return pool.name == wanted; });
            if (found == problem.pools.end())
                return failure(Code::usage, fmt::format("--when: there is no pool named '{}'", name));
            found->capacity = *bytes;
        }
        const bool bounded =
            std::any_of(problem.pools.begin(), problem.pools.end(), [](const Pool& pool) { return pool.capacity.has_value(); });
        if (!bounded && (kind_ == Kind::doesNotFit || kind_ == Kind::infeasible))
            return failure(Code::usage, fmt::format("--when '{}': no pool has a capacity", what_), {},
                           "add --capacity BYTES to the condition");
        return std::nullopt;
    }

    [[nodiscard]] bool holds(const Problem& problem, const std::stop_token& cancel) const
    {
        const auto plan = planWith(*own_, values_, problem, cancel);
        if (kind_ == Kind::fails) return !plan;
        if (!plan) return false;
        const Report report = evaluate(problem, *plan);
        if (kind_ == Kind::doesNotFit) return report.verdict.valid() && report.verdict.overCapacity;
        if (kind_ == Kind::infeasible) return report.status == Status::infeasible;
        if (kind_ == Kind::undecided) return report.status == Status::undecided;
        if (kind_ == Kind::invalid) return !report.verdict.valid();
        if (!report.verdict.valid()) return false;
        if (kind_ == Kind::aboveBound) return above(report.totalSize(), report.totalBound());
        const auto other = planWith(*other_, {}, problem, cancel);
        if (!other) return false;
        const Report theirs = evaluate(problem, *other);
        return theirs.verdict.valid() && above(report.totalSize(), theirs.totalSize());
    }

private:
    [[nodiscard]] bool above(Bytes size, Bytes base) const { return double(size) > double(base) * (1 + by_ / 100); }

    [[nodiscard]] Expected<Plan> planWith(const Planner& planner, const OptionValues& values, const Problem& problem,
                                          const std::stop_token& cancel) const
    {
        if (auto error = checkCapabilities(planner.info(), problem)) return *std::move(error);
        PlanContext context;
        context.cancel = cancel;
        context.seed = seed_;
        context.workLimit = workLimit_ > 0 ? workLimit_ : planner.info().anytime ? workOfOneQuestion : 0;
        return planner.plan(problem, values, context);
    }

    Kind kind_ = Kind::fails;
    std::string what_, planner_, than_, capacity_;
    double by_ = 0;
    std::vector<std::string> pools_, options_;
    OptionValues values_;
    std::uint64_t seed_ = 0, workLimit_ = 0;
    std::shared_ptr<const Planner> own_, other_;
};

class ReduceCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "reduce"; }
    [[nodiscard]] std::string summary() const override { return "reduce a problem while it satisfies a condition"; }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"reduce problem.csv --when 'does-not-fit --capacity 29 --planner naive' -o small.csv",
                "reduce problem.csv --when 'above-bound --planner naive --by 10' -o small.csv"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        app.option("--when", when_, "condition to keep, as in 'does-not-fit --capacity 64KiB --planner greedy-by-size'")
            .required()
            .typeName("CONDITION");
        app.option("--tests", tests_, "maximum number of smaller problems tried; 0: no limit").typeName("N").showDefault();
        app.flag("--keep-properties", keep_,
                 "only remove buffers; keep pins, holes of live ranges, alignments and other properties");
        planning_.declare(app, PlanningOptions::noPlanner);
        output_.declare(app, {});
        app.footer(
            fmt::format("Conditions: {}. Their options: --planner P, --capacity N, --pool NAME=N, --option KEY=VALUE, --seed N,\n"
                        "--work-limit N; above-bound --by PERCENT; worse-than --than PLANNER --by PERCENT.",
                        fmt::join(Condition::words, ", ")));
    }

    int run(const Environment& environment) override
    {
        Condition condition;
        if (auto error = condition.parse(environment, when_)) return environment.fail(*error);
        const std::string to = output_.file().empty() ? "problem" : exporterFor(output_.file());
        if (to != "problem" && to != "csv")
            return environment.fail(failure(Code::usage, fmt::format("'{}': the result is a problem", output_.file()), {},
                                            "name a file ending in .json or .csv"));
        const auto model = input_.read(environment);
        if (!model) return badInput;
        const auto functions = Session::functions(*model);
        if (functions.size() > 1)
            return environment.fail(failure(Code::severalFunctions, fmt::format("the input has {} functions", functions.size()),
                                            {}, "choose one with --function NAME"));
        const auto request = planning_.request(environment, *model, functions.front());
        if (!request) return environment.fail(request.error());
        const auto lowering = environment.session.lowerNow(*model, *request);
        if (!lowering) return environment.fail(lowering.error());
        Problem problem = (*lowering)->problem;
        if (auto error = condition.setMemories(problem)) return environment.fail(*error);

        const Shows shows = [&](const Problem& smaller) { return condition.holds(smaller, environment.interrupt); };
        if (!shows(problem)) {
            environment.note(fmt::format("the input does not satisfy '{}': there is nothing to reduce", when_));
            return answerIsNo;
        }
        ReduceOptions options;
        options.tests = tests_;
        options.simplify = !keep_;
        options.stop = [&] { return environment.interrupt.stop_requested(); };
        Ticker ticker(problem.buffers.size());
        options.progress = [&](std::size_t buffers, std::uint64_t tests) { ticker.show(buffers, tests); };
        ReduceResult reduced = reduceProblem(problem, shows, options);
        ticker.clear();

        // Reads the written file again and tests the condition on it.
        auto text = written(to, reduced.problem);
        if (!text) return environment.fail(text.error());
        environment.say(text->diagnostics);
        if (const int status = output_.write(environment, text->text); status != done) return status;
        const QString file =
            QString::fromStdString(output_.file().empty() || output_.file() == "-" ? "reduced.json" : output_.file());
        auto again = environment.session.readText(file, QByteArray::fromStdString(text->text));
        if (!again || !again->problem) return environment.fail("the result cannot be read again");
        Problem reread = *again->problem;
        if (reread.pools.size() == 1 && to == "csv") reread.pools = reduced.problem.pools; // CSV cannot contain pools
        if (!environment.interrupt.stop_requested() && !shows(reread))
            return environment.fail("the written result does not satisfy the condition any more");
        environment.note(fmt::format("{} of {} left after {}; {}",
                                     counted(static_cast<std::int64_t>(reduced.problem.buffers.size()), "buffer"),
                                     grouped(static_cast<std::int64_t>(problem.buffers.size())),
                                     counted(static_cast<std::int64_t>(reduced.tests), "question"),
                                     reduced.minimal ? "without any one of them the condition does not hold"
                                                     : "stopped before the removal of each one was tried"));
        return reduced.minimal ? done : undecided;
    }

private:
    /// One line on a terminal, which is updated ten times a second.
    class Ticker {
    public:
        explicit Ticker(std::size_t all) : all_(all), shown_(isatty(STDERR_FILENO) != 0) {}
        void show(std::size_t buffers, std::uint64_t tests)
        {
            const auto now = std::chrono::steady_clock::now();
            if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
            last_ = now;
            std::fprintf(stderr, "\rreduce: %zu of %zu buffers left, %llu tried ", buffers, all_,
                         static_cast<unsigned long long>(tests));
        }
        void clear() const
        {
            if (shown_) std::fputs("\r\033[K", stderr);
        }

    private:
        std::size_t all_;
        bool shown_;
        std::chrono::steady_clock::time_point last_;
    };

    static Expected<RunText> written(const std::string& to, const Problem& problem)
    {
        auto lowering = std::make_shared<Lowering>();
        lowering->problem = problem;
        lowering->fingerprint = Fingerprint({}, problem.pools, true);
        Run run;
        run.lowering = lowering;
        return runText(to, run, false);
    }

    InputOptions input_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::string when_;
    std::uint64_t tests_ = 0;
    bool keep_ = false;
};

} // namespace

std::unique_ptr<Command> reduceCommand()
{
    return std::make_unique<ReduceCommand>();
}

} // namespace stowage::cli
