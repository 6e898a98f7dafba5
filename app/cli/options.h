// The options that commands share: how an input is read, and how it is planned.
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

    /// Reads the input. An error goes to standard error, and nothing is returned; so do notes and warnings.
    [[nodiscard]] std::optional<Model> read(const Environment& environment) const { return read(environment, inputs_.front()); }
    [[nodiscard]] std::optional<Model> read(const Environment& environment, const std::string& path) const;
    /// The options of the import that count where the user names no value for them, once the importer is known.
    using Defaults = std::function<OptionValues(const Model& model)>;
    [[nodiscard]] std::optional<Model> read(const Environment& environment, const std::string& path,
                                            const Defaults& defaults) const;
    [[nodiscard]] const std::vector<std::string>& inputs() const { return inputs_; }
    /// `--importer`; empty: found by contents.
    [[nodiscard]] const std::string& importer() const { return importer_; }

private:
    void declareReading(Arguments& app);
    /// The importer to read `path` with: of several inputs `--importer` is for those with a suffix of its own, if there are any.
    [[nodiscard]] std::string importerOf(const Environment& environment, const std::string& path) const;

    std::vector<std::string> inputs_;
    std::vector<std::string> bindings_;
    std::vector<std::string> imports_;
    std::string function_;
    std::string importer_;
};

/// `--lower --target --capacity --pool --alignment`, and with a planner also `--planner --option --seed --threads --time-limit
/// --work-limit`.
class PlanningOptions {
public:
    enum Planner { onePlanner, manyPlanners, oneOrManyPlanners, noPlanner };
    void declare(Arguments& app, Planner planner);

    /// The request for one function of `model`. Errors: an option that does not apply to it.
    [[nodiscard]] Expected<PlanRequest> request(const Environment& environment, const Model& model,
                                                const std::string& function) const;
    [[nodiscard]] const std::string& planner() const { return planner_; }
    /// `--planners a,b,c|all`.
    [[nodiscard]] bool namesPlanners() const { return plannersNamed_; } ///< `--planners` was given
    /// Each may have options of its own after its name: "hivm:levels=document:attempts=20". Known planners only.
    [[nodiscard]] Expected<std::vector<std::string>> planners(const Session& session) const;
    /// "hivm:levels=document" -> "hivm".
    [[nodiscard]] static std::string nameIn(const std::string& spec) { return spec.substr(0, spec.find(':')); }
    /// Of `--option`, those that `planner` has; with several planners each takes what it knows. Then those after the name in
    /// `spec`.
    [[nodiscard]] OptionValues optionsOf(const PlannerInfo& planner, const std::string& spec = {}) const;
    /// Of `--option`, those that are one of `specs`; they are the planner's no more.
    [[nodiscard]] Expected<OptionValues> takeOptions(std::span<const OptionSpec> specs);
    /// The planner where none was named.
    void setDefaultPlanner(const std::string& name)
    {
        if (!plannerNamed_ && !name.empty()) planner_ = name;
    }
    /// An option of the lowering of programs, where `--lower` does not name it.
    void setDefaultLowering(const std::string& key, const std::string& value) { usualLowering_.emplace_back(key, value); }
    /// The alignment where none was given.
    void setDefaultAlignment(Bytes alignment)
    {
        if (alignment_.empty()) alignment_ = std::to_string(alignment);
    }
    /// The planners' steps are recorded.
    void keepSteps() { keepSteps_ = true; }
    [[nodiscard]] double timeLimit() const { return timeLimit_; }
    /// The diagnostics of a planner that are shown: the note that names the member of a portfolio is shown with `-v` only.
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
    std::vector<std::string> options_;
    std::uint64_t seed_ = 0;
    unsigned threads_ = PlanRequest{}.threads;
    double timeLimit_ = 0;
    std::uint64_t workLimit_ = 0;
    bool verbose_ = false;
    bool keepSteps_ = false;
};

/// "KEY=VALUE" in two; an error that names the option when there is no "=".
Expected<std::pair<std::string, std::string>> splitPair(const std::string& option, const std::string& text);

} // namespace stowage::cli
