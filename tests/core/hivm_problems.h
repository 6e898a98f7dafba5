// Ascend problems written by hand: the kernels of which the compiler's own addresses are known, and the levels' example.
#pragma once

#include "core/io/pool_json.h"
#include "core/ir/problem.h"

#include <string>
#include <vector>

namespace stowage::test {

/// One memory, as the compiler sees it.
inline Pool scope(std::string name, Bytes capacity, Bytes alignment = 32)
{
    Pool pool;
    pool.core = io::coreMemoryNamed(name);
    pool.name = std::move(name);
    pool.capacity = capacity;
    pool.alignment = alignment;
    return pool;
}

inline constexpr Bytes unifiedBuffer = 196608; ///< of Ascend910B: 192 KB

/// A row of the compiler's `memory_info`: first and last op inclusive, bytes of one slot.
struct Row {
    std::string name;
    Step first = 0;
    Step last = 0;
    Bytes bytes = 0;
    std::int32_t slots = 1;
    bool dma = false;
    bool inLoop = true;
    std::vector<Bytes> offsets; ///< what the compiler chose
};

/// The rows as a problem with one loop over [begin, end), in the order given.
inline Problem fromRows(const std::vector<Row>& rows, Interval loop, Pool pool)
{
    Problem problem;
    problem.axis = Axis::hivm;
    problem.pools.push_back(std::move(pool));
    if (!loop.empty()) problem.loops.push_back({"j", none, loop, 16});
    for (const Row& row : rows) {
        Buffer buffer;
        buffer.name = row.name;
        buffer.size = row.bytes;
        buffer.alignment = problem.pools.front().alignment;
        buffer.live = {{row.first, row.last + 1}};
        buffer.slots = row.slots;
        buffer.dma = row.dma;
        buffer.loop = row.inLoop && !loop.empty() ? 0 : none;
        problem.buffers.push_back(std::move(buffer));
    }
    checkAndRepair(problem);
    return problem;
}

/// flash_attention_vector with `rows` query rows, merged in place as the compiler merges it; offsets for 48 and 56 rows.
inline std::vector<Row> flashAttentionVector(Bytes rows)
{
    const Bytes column = rows * 4;       // rows x 1 x f32
    const Bytes scores = rows * 256 * 4; // rows x 256 x f32
    const Bytes half = rows * 128 * 4;   // rows x 128 x f32, or rows x 256 x f16
    const Bytes broadcast = rows * 8 * 4;
    std::vector<Row> table{
        {"m_run", 7, 53, column, 1, false, false, {147456}},    {"l_run", 9, 56, column, 1, false, false, {147648}},
        {"acc", 11, 58, half, 1, false, false, {147840}},       {"s", 15, 34, scores, 2, true, true, {0, 49152}},
        {"m_cur", 20, 44, column, 1, false, true, {172416}},    {"red0", 20, 20, half, 1, false, true, {98304, 122880}},
        {"brc0", 25, 25, broadcast, 1, false, true, {172608}},  {"p16", 30, 31, half, 2, true, true, {98304, 122880}},
        {"l_cur", 34, 43, column, 1, false, true, {172608}},    {"red1", 34, 34, half, 1, false, true, {98304, 122880}},
        {"m_diff", 36, 50, column, 1, false, true, {172800}},   {"l_scaled", 40, 42, column, 1, false, true, {172992}},
        {"pv", 47, 51, half, 2, true, true, {0, 49152}},        {"acc_scaled", 50, 51, half, 1, false, true, {98304, 122880}},
        {"brc1", 50, 50, broadcast, 1, false, true, {172992}},  {"brc2", 56, 56, broadcast, 1, false, false, {172416}},
        {"out16", 58, 59, rows * 128 * 2, 1, true, false, {0}},
    };
    if (rows == 56) {
        const std::vector<std::vector<Bytes>> offsets{{172032},   {172256},         {172480}, {0, 57344}, {201152}, {114688},
                                                      {114688},   {114688, 143360}, {114688}, {114912},   {57344},  {0},
                                                      {0, 28672}, {57568},          {86240},  {0},        {0}};
        for (std::size_t i = 0; i < table.size(); ++i) table[i].offsets = offsets[i];
    }
    return table;
}
inline constexpr Interval flashLoop{14, 53};

/// layer_norm_4x3072.
inline std::vector<Row> layerNorm()
{
    return {
        {"gamma", 6, 8, 6144, 1, true, false, {0}},
        {"gamma32", 8, 54, 12288, 1, false, false, {110592}},
        {"beta", 10, 12, 6144, 1, true, false, {6144}},
        {"beta32", 12, 54, 12288, 1, false, false, {122880}},
        {"x16", 18, 20, 24576, 2, true, true, {12288, 36864}},
        {"x32", 20, 51, 49152, 1, false, true, {135168}},
        {"sum", 23, 28, 16, 1, false, true, {184320}},
        {"red0", 23, 23, 24576, 1, false, true, {12288, 36864}},
        {"brc0", 28, 28, 256, 1, false, true, {184352}},
        {"sq", 30, 33, 49152, 1, false, true, {0}},
        {"varsum", 33, 42, 16, 1, false, true, {184320}},
        {"red1", 33, 33, 24576, 1, false, true, {61440, 86016}},
        {"brc1", 42, 42, 256, 1, false, true, {184352}},
        {"y16", 51, 52, 24576, 2, true, true, {61440, 86016}},
    };
}
inline constexpr Interval layerNormLoop{15, 54};

/// The document's example of the levels, in one loop: op1 touches A, op2 B, op3 C, op4 D; A and D double-buffered for DMA, `slot`
/// bytes a slot, B and C single, for vector ops; in 96 KB.
inline Problem levelsExample(Bytes slot, Bytes b, Bytes c)
{
    return fromRows(
        {
            {"A", 10, 10, slot, 2, true, true, {}},
            {"B", 11, 11, b, 1, false, true, {}},
            {"C", 12, 12, c, 1, false, true, {}},
            {"D", 13, 13, slot, 2, true, true, {}},
        },
        {9, 14}, scope("ub", 96 * 1024));
}

} // namespace stowage::test
