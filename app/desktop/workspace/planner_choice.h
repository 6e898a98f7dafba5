// The ticked planners, the planner whose options are shown, and the options and limits of plannings.
#pragma once

#include "app/session/session.h"

#include <QObject>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace stowage {

/// Ascend's planner for its kernels.
inline constexpr const char* kernelPlanner = "hivm";

/// Sets an option, or (without a value) removes it, so that its default applies. Keeps `values` sorted.
void assignOption(OptionValues& values, const std::string& name, const std::optional<std::string>& value);

class PlannerChoice : public QObject {
    Q_OBJECT

public:
    PlannerChoice(Session& session, QObject* parent);

    [[nodiscard]] bool ticked(const std::string& planner) const { return inFront().contains(planner); }
    [[nodiscard]] std::vector<std::string> tickedPlanners() const; ///< in the order of the registry
    /// Those that are ticked while `model` is in front: of a model that is not, the ones that it has brought, else the user's.
    [[nodiscard]] std::vector<std::string> tickedPlanners(int model) const;
    void setTicked(const std::string& planner, bool on);
    void setAllTicked(bool on);
    /// While `model` is in front, exactly these planners are ticked, and those of the user are for other models. What the user
    /// ticks or unticks meanwhile is for both. Emits no signal, because callers change more.
    void bring(int model, const std::vector<std::string>& planners) { brought_[model] = {planners.begin(), planners.end()}; }
    /// `successor` takes the place of `model`, with the planners that it has brought.
    void hand(int model, int successor);
    void forget(int model); ///< it is closed
    /// `id` comes to the front; 0: none. Ticks Ascend's planner for kernels, and unticks it for other models, until the user
    /// ticks or unticks it.
    void tickFor(int id, const Model* model);
    /// The planners that the user has ticked, without those that a model has brought, and without the one that `tickFor` has
    /// ticked: what settings and sessions save.
    [[nodiscard]] std::vector<std::string> chosenPlanners() const;
    /// Whether the user has ticked or unticked Ascend's planner, so that `tickFor` leaves it alone. Saved beside
    /// `chosenPlanners`. Ticking all planners in front of a kernel does not tick it for other models.
    [[nodiscard]] bool kernelTickSettled() const { return kernelTickSettled_; }
    /// Ticks exactly these planners, which `chosenPlanners` gave at another time; unknown ones are left out. Unless
    /// `settled` (by the user), `tickFor` goes on, also with a tick of Ascend's planner in a list that an earlier version saved.
    void restoreTicked(const std::vector<std::string>& planners, bool settled);

    [[nodiscard]] const std::string& focus() const { return focus_; } ///< planner whose options are shown
    void setFocus(const std::string& planner);
    /// The same without a signal, for callers that emit one later.
    void adoptFocus(const std::string& planner) { focus_ = planner; }

    [[nodiscard]] const OptionValues& options(const std::string& planner) const;
    [[nodiscard]] const std::map<std::string, OptionValues>& allOptions() const { return options_; }
    void applyOption(const std::string& planner, const std::string& name, const std::optional<std::string>& value);
    [[nodiscard]] double timeLimitSeconds() const { return timeLimit_; } ///< 0: none
    void setTimeLimitSeconds(double seconds);
    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    void setSeed(std::uint64_t seed);

    /// Replaces the state by that of a saved session; unknown planners and invalid options are left out.
    void restore(const std::vector<std::string>& ticked, bool settled,
                 const std::vector<std::pair<std::string, OptionValues>>& options, double timeLimitSeconds, std::uint64_t seed);

Q_SIGNALS:
    void changed();

private:
    void putTicked(const std::vector<std::string>& planners, bool settled);
    /// Those of `planners`, in the order of the registry.
    [[nodiscard]] std::vector<std::string> inOrder(const std::set<std::string>& planners) const;
    /// The planners that are ticked for the model in front, and for `model`.
    [[nodiscard]] const std::set<std::string>& inFront() const { return tickedFor(front_); }
    [[nodiscard]] const std::set<std::string>& tickedFor(int model) const;

    Session& session_;
    std::set<std::string> ticked_;                 ///< by the user, and perhaps by `tickFor`
    std::map<int, std::set<std::string>> brought_; ///< by model, of those that have brought planners
    int front_ = 0;                                ///< the model in front; 0: none
    bool kernelInFront_ = false;
    bool tickedForKernel_ = false;   ///< `tickFor` has ticked Ascend's planner
    bool kernelTickSettled_ = false; ///< the user has ticked or unticked it
    std::string focus_;
    std::map<std::string, OptionValues> options_;
    double timeLimit_ = 2;
    std::uint64_t seed_ = 0;
};

} // namespace stowage
