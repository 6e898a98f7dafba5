// The filter of buffers as a value, its evaluation, and its text form.
#pragma once

#include "core/ir/problem.h"
#include "core/ir/types.h"
#include "core/plan/run.h"

#include <QString>

#include <optional>
#include <vector>

namespace stowage {

/// The filter: buffers that pass it are shown in full, the others are dimmed in every view. Every part is optional.
struct BufferFilter {
    QString text;                                         ///< words that a name contains, each in any place, or /regex/
    std::optional<Bytes> minimumSize, maximumSize;        ///< both inclusive
    std::optional<Interval> steps;                        ///< live in at least one of these steps
    std::optional<Step> minimumLifetime, maximumLifetime; ///< see `lifetime`; both inclusive

    friend bool operator==(const BufferFilter&, const BufferFilter&) = default;
    [[nodiscard]] bool active() const
    {
        return !text.isEmpty() || minimumSize || maximumSize || steps || minimumLifetime || maximumLifetime;
    }
};

/// A filter applied to the buffers of one problem.
struct BufferMask {
    std::vector<bool> shown; ///< by buffer id
    std::size_t count = 0;   ///< count of shown buffers
};

/// Count of steps in which a buffer is live, without gaps.
[[nodiscard]] Step lifetime(const Buffer& buffer);

/// Applies `filter`. An invalid regular expression matches nothing. O(buffers + ranges); on all cores for large problems.
[[nodiscard]] BufferMask applyFilter(const Problem& problem, const BufferFilter& filter);

/// The parsed text of the search field.
struct SearchQuery {
    BufferFilter filter;
    std::optional<Bytes> address; ///< `0x…`: only buffers with this byte, in any of their slots
    QString error;                ///< words that could not be parsed; empty: none

    [[nodiscard]] bool empty() const { return !filter.active() && !address && error.isEmpty(); }
};

/// The buffers that match a query.
struct SearchHits {
    std::vector<BufferId> buffers; ///< the first ones, by id
    std::size_t count = 0;         ///< count of all that match
};
/// At most `limit` of the buffers that pass the filter of `query`, and that contain its address if it has one. None for an empty
/// query, and for one with an error. O(buffers + ranges).
[[nodiscard]] SearchHits findBuffers(const Run& run, const SearchQuery& query, std::size_t limit);

/// Reads words separated by spaces: `size>1K`, `size<=64KiB`, `life>=10`, `step:23`, `step:10-20` (first and last), `0x1f40`,
/// `/regex/`; a name contains all other words. Of two words of the same kind the later one replaces the earlier one.
[[nodiscard]] SearchQuery parseSearch(const QString& text);

/// The filter as text of the search field, to show and edit it.
[[nodiscard]] QString toSearchText(const BufferFilter& filter);

} // namespace stowage
