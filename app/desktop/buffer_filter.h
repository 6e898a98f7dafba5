// Which buffers are shown in full: the filter as a value, its evaluation, and the text that it is typed as.
#pragma once

#include "core/ir/problem.h"
#include "core/ir/types.h"
#include "core/plan/run.h"

#include <QString>

#include <optional>
#include <vector>

namespace stowage {

/// Which buffers are shown in full; the others are dimmed in every view. Every part is optional.
struct BufferFilter {
    QString text;                                         ///< part of a name, or /regex/
    std::optional<Bytes> minimumSize, maximumSize;        ///< both inclusive
    std::optional<Interval> steps;                        ///< live in one of these
    std::optional<Step> minimumLifetime, maximumLifetime; ///< steps that it is live in, gaps not counted; both inclusive

    friend bool operator==(const BufferFilter&, const BufferFilter&) = default;
    [[nodiscard]] bool active() const
    {
        return !text.isEmpty() || minimumSize || maximumSize || steps || minimumLifetime || maximumLifetime;
    }
};

/// A filter applied to the buffers of one problem.
struct BufferMask {
    std::vector<bool> shown; ///< by buffer id
    std::size_t count = 0;   ///< how many are shown
};

/// Steps that a buffer is live in, gaps not counted.
[[nodiscard]] Step lifetime(const Buffer& buffer);

/// Applies `filter`. A text that is no valid regular expression matches nothing. O(buffers + ranges); all cores share the names
/// of large problems.
[[nodiscard]] BufferMask applyFilter(const Problem& problem, const BufferFilter& filter);

/// What was typed into the search field.
struct SearchQuery {
    BufferFilter filter;
    std::optional<Bytes> address; ///< `0x…`: the buffer that holds this byte is meant
    QString error;                ///< what could not be understood; empty when all was

    [[nodiscard]] bool empty() const { return !filter.active() && !address && error.isEmpty(); }
};

/// The buffers that a query means.
struct SearchHits {
    std::vector<BufferId> buffers; ///< the first ones, by id
    std::size_t count = 0;         ///< of all
};
/// At most `limit` of the buffers that pass the filter of `query`, and hold its address where it has one. None for an empty query
/// and for one that was not understood. O(buffers + ranges).
[[nodiscard]] SearchHits findBuffers(const Run& run, const SearchQuery& query, std::size_t limit);

/// Reads words separated by spaces: `size>1K`, `size<=64KiB`, `life>=10`, `step:23`, `step:10-20` (first and last), `0x1f40`,
/// `/regex/`; whatever is left over is part of a name. A later word of the same kind replaces an earlier one.
[[nodiscard]] SearchQuery parseSearch(const QString& text);

/// The filter in the search field's own words, so that it can be shown and edited again.
[[nodiscard]] QString toSearchText(const BufferFilter& filter);

} // namespace stowage
