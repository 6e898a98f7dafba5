// Problems whose optimum is known because they were made from a layout without waste.
#pragma once

#include "core/ir/problem.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace stowage::test {

/// A rectangle of `steps` x `bytes` cut into pieces, each a buffer: so the optimum is `bytes`, with no slack anywhere.
class Cutter {
public:
    Cutter(Step steps, Bytes bytes, std::uint64_t seed) : random_(seed) { pieces_.push_back({0, steps, 0, bytes}); }
    enum class Kind { guillotine, pinwheel, aligned, doubleBuffered };
    /// The pieces as buffers in random order. `aligned`: about half of them have to lie at a multiple of a power of two that
    /// their place in the rectangle is a multiple of. `doubleBuffered`: a third are one of two slots that rotate with a loop over
    /// all steps, each half as high.
    Problem problem(std::size_t count, Kind kind)
    {
        for (int attempts = 0; pieces_.size() < count && attempts < 1'000'000; ++attempts) {
            const std::size_t k = random_() % pieces_.size();
            if (kind == Kind::pinwheel && random_() % 2 == 0)
                pinwheel(k);
            else
                guillotine(k);
        }
        Problem problem;
        problem.pools.emplace_back().name = "arena";
        if (kind == Kind::doubleBuffered) {
            problem.loops.emplace_back().name = "loop";
            for (const Piece& piece : pieces_) problem.loops[0].live.end = std::max(problem.loops[0].live.end, piece.end);
        }
        std::shuffle(pieces_.begin(), pieces_.end(), random_);
        for (const Piece& piece : pieces_) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = std::to_string(problem.buffers.size());
            buffer.size = piece.high - piece.low;
            buffer.live = {{piece.begin, piece.end}};
            if (kind == Kind::aligned && random_() % 2 == 0)
                buffer.alignment = piece.low == 0 ? 4096 : std::min<Bytes>(4096, piece.low & -piece.low);
            if (kind != Kind::doubleBuffered || buffer.size % 2 != 0 || random_() % 3 != 0) continue;
            buffer.size /= 2;
            buffer.slots = 2;
            buffer.loop = 0;
        }
        return problem;
    }

private:
    struct Piece {
        Step begin, end;
        Bytes low, high;
    };
    std::int64_t inside(std::int64_t low, std::int64_t high) // strictly
    {
        return low + 1 + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low - 1));
    }
    void guillotine(std::size_t k)
    {
        Piece a = pieces_[k], b = a;
        if (random_() % 2 == 0) {
            if (a.end - a.begin < 2) return;
            a.end = b.begin = inside(a.begin, a.end);
        } else {
            if (a.high - a.low < 2) return;
            a.high = b.low = inside(a.low, a.high);
        }
        pieces_[k] = a;
        pieces_.push_back(b);
    }
    /// Five pieces around a middle one, which no straight cut parts.
    void pinwheel(std::size_t k)
    {
        const Piece p = pieces_[k];
        if (p.end - p.begin < 3 || p.high - p.low < 3) return;
        const Step t1 = inside(p.begin, p.end - 1), t2 = inside(t1, p.end);
        const Bytes y1 = inside(p.low, p.high - 1), y2 = inside(y1, p.high);
        pieces_[k] = {p.begin, t2, p.low, y1};
        pieces_.push_back({t2, p.end, p.low, y2});
        pieces_.push_back({t1, p.end, y2, p.high});
        pieces_.push_back({p.begin, t1, y1, p.high});
        pieces_.push_back({t1, t2, y1, y2});
    }
    std::vector<Piece> pieces_;
    std::mt19937_64 random_;
};

} // namespace stowage::test
