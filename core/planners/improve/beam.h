// Fills a pool from below: a beam search over unfinished layouts.
#pragma once

#include "core/planners/improve/instance.h"
#include "core/planners/improve/slack_score.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace stowage::improve {

/// How one run of the beam goes.
struct BeamOptions {
    std::int32_t target = 1;   ///< height that prices are relative to, in units; a run also ends with higher layouts
    double softness = 0.01;    ///< see SlackScore
    std::int32_t width = 1;    ///< unfinished layouts that go on at each level
    std::int32_t branches = 6; ///< children of each of them
    double jitter = 0;         ///< random share of the change of price, in prices of slack 0
    std::uint64_t seed = 0;
    std::int32_t below = 0;          ///< only layouts lower than this are of use; what cannot become one is dropped
    std::function<bool()> stop = {}; ///< asked at each level; the run then ends without a layout
};

/// A state is an unfinished layout in which nothing is placed below something placed earlier. Each unplaced buffer has a release:
/// the lowest place above all placed neighbours that its alignment and the pins leave it. The section whose lowest release is
/// smallest is filled next, of several the one with the largest load unplaced (which gains 0.01 to 0.03 of the height on
/// `bench/tight` over the first one: a section with room to spare is not filled from the bottom by all means), by a buffer that
/// starts there before any other could end. States are compared at equal area placed (steps times bytes), as states with equal
/// counts of buffers are not alike; prices are those of SlackScore, the open place of a section being its lowest release.
class Beam {
public:
    /// `floors`: releases to begin with, by buffer, for what lies on top of something; empty: 0. `instance` outlives the beam.
    Beam(const Instance& instance, std::vector<std::int32_t> floors);
    explicit Beam(const Instance& instance) : Beam(instance, std::vector<std::int32_t>(instance.sizes.size(), 0)) {}

    /// The offsets of the lowest layout that the run found below `options.below`, in units. Deterministic in (instance, floors,
    /// options) unless stopped. Time: expansions, which are at most 3 n * width, times the sections that a buffer's neighbours
    /// reach. Memory 4 n + 20 sections bytes a state, at most 4 * branches * width states.
    [[nodiscard]] std::optional<std::vector<std::int32_t>> run(const BeamOptions& options);

    /// Table entries read so far, 1 to 3 ns each.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    /// The two unplaced buffers of lowest release in a section. `second` is `unknown` where only a lower bound of its release is
    /// known; `none` where there is no such buffer.
    struct Lowest {
        std::int32_t release, id, secondRelease, second;
    };
    static constexpr std::int32_t unknown = -2;
    static constexpr std::int32_t placed = std::int32_t{1} << 30; ///< release of what is placed

    struct State {
        std::vector<std::int32_t> release;   ///< by buffer
        std::vector<std::int32_t> remaining; ///< by section: load of unplaced buffers
        std::vector<Lowest> lowest;          ///< by section
        std::int64_t price = 0, area = 0;
        std::uint64_t hash = 0; ///< of the set placed
        std::int32_t left = 0;  ///< buffers unplaced
        std::int32_t height = 0;
        std::int32_t needed = 0; ///< no layout that this becomes is lower
        std::int32_t step = -1;  ///< last one, into steps_
        std::int32_t users = 0;  ///< children that wait for it, and itself while it is in use
    };
    struct Step {
        std::int32_t before, buffer, offset;
    };
    struct Child {
        std::int64_t price;
        State* parent;
        std::int32_t buffer, top;
        std::int64_t area;
        std::uint64_t hash;
    };
    using Level = std::vector<Child>;
    /// A candidate whose price is known in its own sections only.
    struct Draft {
        std::int64_t inside; ///< change of price in its own sections
        std::int64_t least;  ///< change of price with jitter if no other section changed: it is no smaller
        double jitter;       ///< random share of the change
        std::int32_t buffer, top;
    };

    void listCovers();
    void findReach();
    void findPins();
    [[nodiscard]] std::int32_t lowestPlace(std::int32_t buffer, std::int32_t from) const;
    [[nodiscard]] bool meet(std::int32_t a, std::int32_t b) const
    {
        if (!instance_.plain) return meetInSomeRange(a, b);
        const SectionRange *const ranges = instance_.ranges.data(), &x = ranges[a], &y = ranges[b]; // one for each buffer
        return x.begin < y.end && y.begin < x.end;
    }
    [[nodiscard]] bool meetInSomeRange(std::int32_t a, std::int32_t b) const;
    [[nodiscard]] std::span<const std::int32_t> covers(const std::vector<std::int32_t>& lists, std::int32_t section) const;

    State* take();
    void release(State* state);
    void cut(Level& level, std::size_t keep);
    void begin(State& state, const SlackScore& price);
    void scan(const State& state, std::int32_t section, std::int32_t bound, Lowest& lowest);
    void findSecond(State& state, std::int32_t section);
    std::int64_t changeInside(State& state, std::int32_t buffer, std::int32_t top, const SlackScore& price);
    std::int64_t changeBeside(State& state, std::int32_t buffer, std::int32_t top, const SlackScore& price, std::int64_t most);
    std::int64_t changeIn(State& state, std::int32_t buffer, std::int32_t section, std::int32_t top, const SlackScore& price);
    std::int32_t lowestApart(const State& state, std::int32_t buffer, std::int32_t section, std::int32_t most);
    void place(State& state, std::int32_t buffer, std::int32_t offset, const SlackScore& price);
    void renew(State& state, std::int32_t section, std::int32_t top, bool inside);
    [[nodiscard]] std::span<const std::int32_t> nextBuffers(const State& state);
    void listDrafts(State& state, const BeamOptions& options, std::int32_t below, const SlackScore& price, std::uint64_t& dice);
    void candidatesOf(State& state, const BeamOptions& options, std::int32_t below, const SlackScore& price, std::uint64_t& dice);
    [[nodiscard]] std::vector<std::int32_t> offsetsOf(const State& state) const;

    const Instance& instance_;
    std::vector<std::int32_t> floors_;
    std::vector<std::int32_t> coverBegin_;                 ///< into the lists below, by section
    std::vector<std::int32_t> byLength_, byEnd_, byBegin_; ///< buffers that cover a section: shortest, ending first, begun last
    std::vector<std::int32_t> endsByEnd_, beginsByBegin_;  ///< of the buffers in byEnd_ and byBegin_; only of a plain instance
    std::vector<std::int32_t> withoutSection_;
    std::vector<SectionRange> reach_; ///< by buffer: sections of it and of its neighbours
    std::vector<std::int64_t> areas_; ///< by buffer, > 0
    std::int64_t area_ = 0;
    std::vector<std::int32_t> loads_;                   ///< by section
    std::vector<std::vector<std::int32_t>> pinnedNear_; ///< by buffer, neighbours with pins, ascending; empty without pins
    std::vector<std::unique_ptr<State>> states_;
    std::vector<State*> unused_;
    std::vector<Step> steps_;
    std::vector<Draft> drafts_;     ///< of the state that is expanded, by `least`
    std::vector<Child> candidates_; ///< its children, by price
    std::vector<std::int32_t> next_;
    std::uint64_t work_ = 0;
};

} // namespace stowage::improve
