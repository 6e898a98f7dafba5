// The expected contents of a tensor's bytes.
#pragma once

#include "core/exec/pattern.h"

#include <utility>
#include <vector>

namespace stowage::executing {

/// Bytes [begin, end) hold the stamp's stream from position `from` on.
struct Segment {
    Bytes begin = 0;
    Bytes end = 0;
    Stamp stamp = 0;
    Bytes from = 0;
};

/// Expected contents as segments, ascending and disjoint; bytes outside all segments are undefined. Most values have one segment;
/// writes through views make more.
class Value {
public:
    /// The segments inside [begin, end), with positions counted from `begin`.
    [[nodiscard]] Value slice(Bytes begin, Bytes end) const;
    /// Replaces the contents of [begin, end) by the segments of `with`, moved to `begin`. Bytes that they do not cover become
    /// undefined.
    void replace(Bytes begin, Bytes end, const Value& with);
    /// Replaces the contents of [begin, end) by a new write.
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
    /// Makes [begin, end) undefined; returns the index at which segments for it have to be inserted.
    std::size_t cut(Bytes begin, Bytes end);

    std::vector<Segment> segments_;
};

} // namespace stowage::executing
