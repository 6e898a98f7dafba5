// Lowers each input once for all planners with the same lowering options. A comparison of eight planners lowers once, and their
// runs share one problem, so that a selection survives a change of planner.
#pragma once

#include "app/session/model.h"

#include <cstdint>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <variant>

namespace stowage {

/// An input with the function that is planned.
struct Entry {
    std::shared_ptr<const Program> program; ///< null for a problem
    std::shared_ptr<const Problem> problem;
};

/// The function of `model` that a request names (by default the model's entry), as the entry of a program of its own.
Expected<Entry> entryOf(const Model& model, const std::string& function);

/// Whether both programs have the same contents, whichever of their functions is the entry.
[[nodiscard]] bool sameBesidesEntry(const Program& a, const Program& b);

/// Keeps the most recent lowerings. Thread-safe; two threads that ask for the same one wait for one computation.
class LoweringCache {
public:
    using Result = Expected<std::shared_ptr<const Lowering>>;

    struct Answer {
        Result lowering;
        std::shared_ptr<const Program> program; ///< the program whose entry was lowered; null for a problem
    };
    Answer get(const Model& model, const std::string& function, const LowerOptions& options);
    /// Drops the lowerings of a closed model.
    void forget(const Model& model);

private:
    struct Slot {
        std::shared_ptr<const void> content; ///< the model's program or problem
        std::string function;
        LowerOptions options;
        std::shared_future<Answer> answer;
    };
    static Answer compute(const Model& model, const std::string& function, const LowerOptions& options);

    static constexpr std::size_t capacity = 8;
    std::mutex mutex_;
    std::list<Slot> slots_; ///< most recently used first
};

} // namespace stowage
