// A buffer from named fields: `Buffer` keeps its fields in groups, which designated initializers do not reach.
#pragma once

#include "core/ir/problem.h"

namespace stowage::test {

/// The fields of a `Buffer` that tests set, in one list.
struct BufferFields {
    std::string name;
    Bytes size = 0;
    Bytes alignment = 1;
    std::vector<Interval> live = {};
    std::vector<Window> windows = {};
    std::vector<Carried> carried = {};
    std::vector<Early> early = {};
    std::vector<BufferId> conflicts = {};
    std::vector<PoolId> pools = {};
    std::optional<Bytes> pin = {};
    BufferKind kind = BufferKind::intermediate;
    std::int32_t slots = 1;
    LoopId loop = none;
    bool unique = false;
    std::vector<BufferId> mayShare = {};
};

inline Buffer bufferOf(const BufferFields& fields)
{
    Buffer buffer;
    buffer.name = fields.name;
    buffer.size = fields.size;
    buffer.alignment = fields.alignment;
    buffer.live = fields.live;
    buffer.windows = fields.windows;
    buffer.carried = fields.carried;
    buffer.early = fields.early;
    buffer.conflicts = fields.conflicts;
    buffer.pools = fields.pools;
    buffer.pin = fields.pin;
    buffer.kind = fields.kind;
    buffer.slots = fields.slots;
    buffer.loop = fields.loop;
    buffer.unique = fields.unique;
    buffer.mayShare = fields.mayShare;
    return buffer;
}

} // namespace stowage::test
