// Divides a sweep over time into blocks.
#pragma once

#include "core/ir/sorted_by.h"
#include "core/ir/types.h"

#include <span>
#include <vector>

namespace stowage {

/// Divides the steps into blocks, and lists for each block the intervals that begin before its end and do not end before its
/// begin.
///
/// Few intervals are in use at one step: of a million buffers of a network, some dozens. A structure over all intervals misses
/// the cache with every change; one over a block's members stays in the cache. In each block except the last, at least as many
/// intervals begin as are taken over from the block before. Hence all blocks except the last have at most 2n members together,
/// whatever the lifetimes, and the last has at most n. O(n), plus the sorting.
class TimeBlocks {
public:
    /// `live(i)`: the interval of number i < `count`; not empty.
    template <typename Live>
    TimeBlocks(std::size_t count, Live live)
        : byBegin_(sortedBy(count, [&](std::size_t i) { return live(i).begin; })),
          byEnd_(sortedBy(count, [&](std::size_t i) { return live(i).end; })),
          lives_(count)
    {
        for (std::size_t i = 0; i < count; ++i) lives_[i] = live(i);
    }

    /// Goes to the next block; false after the last block.
    bool next()
    {
        if (begun_ == byBegin_.size()) return false;
        ending_ = ended_;
        const Step from = lives_[byBegin_[begun_]].begin;
        std::erase_if(members_, [&](std::uint32_t i) { return lives_[i].end < from; });
        carried_ = members_.size();
        std::size_t last = std::min(byBegin_.size(), begun_ + std::max(smallest, carried_));
        while (last < byBegin_.size() && lives_[byBegin_[last]].begin == lives_[byBegin_[last - 1]].begin) ++last;
        for (; begun_ < last; ++begun_) members_.push_back(byBegin_[begun_]);
        if (begun_ == byBegin_.size()) {
            ended_ = byEnd_.size();
        } else {
            const Step to = lives_[byBegin_[begun_]].begin;
            while (ended_ < byEnd_.size() && lives_[byEnd_[ended_]].end < to) ++ended_;
        }
        return true;
    }

    /// The intervals that begin before the block, then those that begin in it, ascending by begin. Some of the former may end at
    /// the begin of the block.
    [[nodiscard]] std::span<const std::uint32_t> members() const { return members_; }
    /// Number of members that begin before the block.
    [[nodiscard]] std::size_t carried() const { return carried_; }
    /// Intervals that end in the block, ascending by end; all are members.
    [[nodiscard]] std::span<const std::uint32_t> ending() const { return std::span(byEnd_).subspan(ending_, ended_ - ending_); }

private:
    static constexpr std::size_t smallest = 128; ///< minimum number of intervals that begin in a block

    std::vector<std::uint32_t> byBegin_, byEnd_;
    std::vector<Interval> lives_;
    std::vector<std::uint32_t> members_;
    std::size_t carried_ = 0;
    std::size_t begun_ = 0;              ///< into byBegin_
    std::size_t ending_ = 0, ended_ = 0; ///< into byEnd_
};

} // namespace stowage
