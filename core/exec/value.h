// The expected contents of a tensor's bytes.
#pragma once

#include "core/exec/pattern.h"

#include <utility>
#include <vector>

namespace stowage::executing {

/// Bytes [begin, end) hold the stamp's stream from `from` on.
struct Segment {
    Bytes begin = 0;
    Bytes end = 0;
    Stamp stamp = 0;
    Bytes from = 0;
};

/// Expected contents, piece by piece, ascending; what no piece covers was never written. Mostly a single piece: more come from
/// writing through views.
class Value {
public:
    /// The pieces inside [begin, end), counted from `begin`.
    [[nodiscard]] Value slice(Bytes begin, Bytes end) const;
    /// Puts another value's pieces at `begin`, over what was in [begin, end); what they do not cover holds nothing then.
    void replace(Bytes begin, Bytes end, const Value& with);
    /// One write of [begin, end).
    void write(Bytes begin, Bytes end, Stamp stamp);
    void clear() { segments_.clear(); }

    [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
    /// Requires ascending segments that do not overlap.
    [[nodiscard]] static Value of(std::vector<Segment> segments)
    {
        Value value;
        value.segments_ = std::move(segments);
        return value;
    }

private:
    /// Empties [begin, end); returns where pieces for it go in the list.
    std::size_t cut(Bytes begin, Bytes end);

    std::vector<Segment> segments_;
};

} // namespace stowage::executing
