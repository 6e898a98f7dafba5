// The common options of commands: for reading an input, and for planning it.
#pragma once

#include "app/cli/command.h"
#include "app/cli/memory_flags.h"
#include "app/session/targets.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage::cli {

/// `INPUT --bind --import --function --importer`.
class InputOptions {
public:
    void declare(Arguments& app);
    /// For commands with several inputs.
    void declareMany(Arguments& app);

    /// Reads the input. Notes, warnings and errors go to standard error; no value on an error.
    [[nodiscard]] std::optional<Model> read(const Environment& environment) const { return read(environment, inputs_.front()); }
    [[nodiscard]] std::optional<Model> read(const Environment& environment, const std::string& path) const;
    /// Gives default values of import options, which depend on the importer.
    using Defaults = std::function<OptionValues(const Model& model)>;
    [[nodiscard]] std::optional<Model> read(const Environment& environment, const std::string& path,
                                            const Defaults& defaults) const;
    /// The same for the contents of `path`, such as those of a pipe, which can be read only once.
    [[nodiscard]] std::optional<Model> readText(const Environment& environment, const std::string& path,
                                                const std::string& text) const;
    [[nodiscard]] const std::vector<std::string>& inputs() const { return inputs_; }
    /// `--importer`; empty: detected from the contents.
    [[nodiscard]] const std::string& importer() const { return importer_; }
    /// `--function`; empty: not given.
    [[nodiscard]] const std::string& function() const { return function_; }
    /// The first of `--bind`, `--import` and `--importer` that was given; empty if none was.
    [[nodiscard]] const std::string& givenForReading() const { return givenForReading_; }

private:
    void declareReading(Arguments& app);
    /// No value on an error, which goes to standard error.
    [[nodiscard]] std::optional<OpenOptions> openOptions(const Environment& environment, const std::string& path) const;
    /// The importer for `path`. With several inputs, `--importer` applies only to those with one of its suffixes, if there are
    /// any.
    [[nodiscard]] std::string importerOf(const Environment& environment, const std::string& path) const;

    std::vector<std::string> inputs_;
    std::vector<std::string> bindings_;
    std::vector<std::string> imports_;
    std::string function_;
    std::string importer_;
    std::string givenForReading_;
};

/// `--lower --target --capacity --pool --alignment`, and with a planner also `--planner --option --seed --threads --time-limit
/// --work-limit`.
class PlanningOptions {
public:
    enum Planner { onePlanner, manyPlanners, oneOrManyPlanners, noPlanner };
    void declare(Arguments& app, Planner planner);

    /// The request for one function of `model`. Errors: an option that does not apply.
    [[nodiscard]] Expected<PlanRequest> request(const Environment& environment, const Model& model,
                                                const std::string& function) const;
    [[nodiscard]] const std::string& planner() const { return planner_; }
    [[nodiscard]] bool namesPlanner() const { return plannerNamed_; }   ///< `--planner` was given
    [[nodiscard]] bool namesPlanners() const { return plannersNamed_; } ///< `--planners` was given
    /// The first option of this class that was given, in the order of --help; empty if none was. `--verbose` does not count.
    [[nodiscard]] const std::string& given() const { return given_; }
    /// The same among the options that only a planner uses, from `--planner` to `--work-limit`.
    [[nodiscard]] const std::string& givenForPlanner() const { return givenForPlanner_; }
    /// The planners of `--planners`. Each may have options after its name: "hivm:levels=document:attempts=20". Errors: unknown
    /// planners.
    [[nodiscard]] Expected<std::vector<std::string>> planners(const Session& session) const;
    /// "hivm:levels=document" -> "hivm".
    [[nodiscard]] static std::string nameIn(const std::string& spec) { return spec.substr(0, spec.find(':')); }
    /// The options of `--option` that `planner` has (with several planners, each takes its own), then those after the name in
    /// `spec`.
    [[nodiscard]] OptionValues optionsOf(const PlannerInfo& planner, const std::string& spec = {}) const;
    /// Removes the options of `specs` from those of `--option`, and returns them.
    [[nodiscard]] Expected<OptionValues> takeOptions(std::span<const OptionSpec> specs);
    /// Sets the planner to use if none is named.
    void setDefaultPlanner(const std::string& name)
    {
        if (!plannerNamed_ && !name.empty()) planner_ = name;
    }
    /// Sets the default of an option of the lowering of programs.
    void setDefaultLowering(const std::string& key, const std::string& value) { usualLowering_.emplace_back(key, value); }
    /// Sets the alignment to use if none is given.
    void setDefaultAlignment(Bytes alignment)
    {
        if (alignment_.empty()) alignment_ = std::to_string(alignment);
    }
    /// Records the steps of planners.
    void keepSteps() { keepSteps_ = true; }
    [[nodiscard]] double timeLimit() const { return timeLimit_; }
    /// The diagnostics of a planner to show: the note that names the member of a portfolio is shown only with `-v`.
    [[nodiscard]] Diagnostics worthTelling(const Diagnostics& diagnostics) const;

private:
    std::vector<std::string> lower_;
    OptionValues usualLowering_;
    std::string target_;
    std::string capacity_;
    std::vector<std::string> pools_;
    MemoryFlags memories_;
    std::string alignment_; ///< empty: not given
    std::string planner_ = "auto";
    std::string planners_ = "all";
    bool plannersNamed_ = false;
    bool plannerNamed_ = false;
    std::string given_;
    std::string givenForPlanner_;
    std::vector<std::string> options_;
    std::uint64_t seed_ = 0;
    unsigned threads_ = PlanRequest{}.threads;
    double timeLimit_ = 0;
    std::uint64_t workLimit_ = 0;
    bool verbose_ = false;
    bool keepSteps_ = false;
};

/// Splits "KEY=VALUE". Error, which names the option: there is no "=".
Expected<std::pair<std::string, std::string>> splitPair(const std::string& option, const std::string& text);

} // namespace stowage::cli
