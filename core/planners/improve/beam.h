// A beam search over partial layouts, which fills a pool from the bottom up.
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

/// The parameters of one run of the beam search.
struct BeamOptions {
    std::int32_t target = 1;   ///< height that prices are relative to, in units; the result may be higher
    double softness = 0.01;    ///< see SlackScore
    std::int32_t width = 1;    ///< partial layouts kept at each level
    std::int32_t branches = 6; ///< children of each partial layout
    double jitter = 0;         ///< random addition to the change of price, in units of the price of slack 0
    std::uint64_t seed = 0;
    std::int32_t below = 0; ///< only layouts lower than this count, in units; partial layouts that cannot become one are dropped
    std::function<bool()> stop = {}; ///< asked at each level; true ends the run without a layout
};

/// A state is a partial layout. No buffer is placed below a neighbour that was placed earlier. Each unplaced buffer has a
/// release: the lowest offset above all placed neighbours that its alignment and the pins permit.
///
/// The section with the smallest release is filled next; of several, the one with the largest unplaced load. On `bench/tight`
/// this tie rule lowers the height by 1 to 3 percent compared with the first section, because sections with spare space are not
/// filled from the bottom. The section is filled by a buffer that begins there before any other buffer could end.
///
/// States are compared at equal placed area (sections times bytes), because states with equal numbers of buffers are not
/// comparable. Prices are those of SlackScore; the open place of a section is its lowest release.
class Beam {
public:
    /// `floors`: initial releases by buffer, for buffers that lie above fixed ones; empty: 0. `instance` must outlive the beam.
    Beam(const Instance& instance, std::vector<std::int32_t> floors);
    explicit Beam(const Instance& instance) : Beam(instance, std::vector<std::int32_t>(instance.sizes.size(), 0)) {}

    /// The offsets, in units, of the lowest layout found below `options.below`; no value if none was found. Deterministic in
    /// (instance, floors, options) unless stopped. Time: at most 3 n * width expansions, each times the sections that the
    /// neighbours of a buffer cover. Memory: 4 n + 20 sections bytes for each state, at most 4 * branches * width states.
    [[nodiscard]] std::optional<std::vector<std::int32_t>> run(const BeamOptions& options);

    /// Number of table entries read so far; each takes 1 to 3 ns.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    /// The two unplaced buffers with the lowest releases in a section. `second` is `unknown` if only a lower bound of its release
    /// is known; `none` if there is no second buffer.
    struct Lowest {
        std::int32_t release, id, secondRelease, second;
    };
    static constexpr std::int32_t unknown = -2;
    static constexpr std::int32_t placed = std::int32_t{1} << 30; ///< release of placed buffers

    struct State {
        std::vector<std::int32_t> release;   ///< by buffer
        std::vector<std::int32_t> remaining; ///< by section: load of unplaced buffers
        std::vector<Lowest> lowest;          ///< by section
        std::int64_t price = 0, area = 0;
        std::uint64_t hash = 0; ///< of the set of placed buffers
        std::int32_t left = 0;  ///< number of unplaced buffers
        std::int32_t height = 0;
        std::int32_t needed = 0; ///< lower bound of the height of all layouts that extend this state
        std::int32_t step = -1;  ///< last placement, into steps_
        std::int32_t users = 0;  ///< reference count: pending children, and 1 while the state is in use
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
    /// A candidate whose change of price is known only for its own sections.
    struct Draft {
        std::int64_t inside;    ///< change of price in its own sections
        std::int64_t minChange; ///< lower bound of the change of price, jitter included: its value if no other section changed
        double jitter;          ///< random part of the change
        std::int32_t buffer, top;
    };

    void listCovers();
    void findReach();
    void findPins();
    [[nodiscard]] std::int32_t lowestPlace(std::int32_t buffer, std::int32_t from) const;
    [[nodiscard]] bool meet(std::int32_t a, std::int32_t b) const
    {
        if (!instance_.plain) return meetInSomeRange(a, b);
        const SectionRange *const ranges = instance_.ranges.data(), &x = ranges[a], &y = ranges[b]; // one range for each buffer
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
    std::int64_t changeBeside(State& state, std::int32_t buffer, std::int32_t top, const SlackScore& price,
                              std::int64_t maxChange);
    std::int64_t changeIn(State& state, std::int32_t buffer, std::int32_t section, std::int32_t top, const SlackScore& price);
    std::int32_t lowestApart(const State& state, std::int32_t buffer, std::int32_t section, std::int32_t lowest);
    void place(State& state, std::int32_t buffer, std::int32_t offset, const SlackScore& price);
    void renew(State& state, std::int32_t section, std::int32_t top, bool inside);
    [[nodiscard]] std::span<const std::int32_t> nextBuffers(const State& state);
    void listDrafts(State& state, const BeamOptions& options, std::int32_t below, const SlackScore& price, std::uint64_t& dice);
    void candidatesOf(State& state, const BeamOptions& options, std::int32_t below, const SlackScore& price, std::uint64_t& dice);
    [[nodiscard]] std::vector<std::int32_t> offsetsOf(const State& state) const;

    const Instance& instance_;
    std::vector<std::int32_t> floors_;
    std::vector<std::int32_t> coverBegin_; ///< into the lists below, by section
    /// Buffers of each section: by length, by end, by begin (latest first).
    std::vector<std::int32_t> byLength_, byEnd_, byBegin_;
    /// Ends and begins of the buffers in byEnd_ and byBegin_; only for a plain instance.
    std::vector<std::int32_t> endsByEnd_, beginsByBegin_;
    std::vector<std::int32_t> withoutSection_;
    std::vector<SectionRange> reach_; ///< by buffer: sections covered by it and its neighbours
    std::vector<std::int64_t> areas_; ///< by buffer, > 0
    std::int64_t area_ = 0;
    std::vector<std::int32_t> loads_;                   ///< by section
    std::vector<std::vector<std::int32_t>> pinnedNear_; ///< by buffer: its pinned neighbours, ascending; empty without pins
    std::vector<std::unique_ptr<State>> states_;
    std::vector<State*> unused_;
    std::vector<Step> steps_;
    std::vector<Draft> drafts_;     ///< of the state that is expanded, ordered by `minChange`
    std::vector<Child> candidates_; ///< children of that state, ordered by price
    std::vector<std::int32_t> next_;
    std::uint64_t work_ = 0;
};

} // namespace stowage::improve
