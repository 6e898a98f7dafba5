#include "app/canvas/pictures/fold/fold_scene.h"

#include "app/canvas/axis/colouring.h"
#include "app/canvas/pictures/graph/graph_fold.h"
#include "core/ir/dtype.h"
#include "core/passes/fold_traits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

namespace stowage {

namespace {

constexpr std::size_t maxDrawn = 150;
constexpr std::size_t maxSampled = 5000;
constexpr double columnGap = 72;
constexpr std::array columnAspects{0.3, 0.45, 0.7, 1.0, 1.4, 2.0, 2.8}; ///< that are tried

/// Lays one column out.
std::optional<Error> layOutColumn(const FunctionFold& fold, FoldColumn& column, const std::stop_token& stop)
{
    if (column.nodes.empty()) return std::nullopt;
    for (FoldNode& node : column.nodes) {
        node.tagged = node.tagged && node.op != none && keptConstant(fold.ops[std::size_t(node.op)]);
        column.spec.nodes.push_back(
            {foldBoxWidth, node.op == none ? foldPillHeight : foldBoxHeight + (node.tagged ? foldTagHeight : 0)});
    }
    std::set<std::pair<std::int32_t, std::int32_t>> known;
    std::erase_if(column.spec.edges, [&](const GraphEdge& edge) { return !known.emplace(edge.from, edge.to).second; });
    auto layout = layoutGraph(column.spec, stop);
    if (!layout) return layout.error();
    column.layout = *std::move(layout);
    return std::nullopt;
}

OpId makerOf(const Function& function, TensorId tensor)
{
    for (std::size_t i = 0; i < function.ops.size(); ++i)
        if (std::ranges::find(function.ops[i].outputs, tensor) != function.ops[i].outputs.end()) return OpId(i);
    return none;
}

/// Ops of the column with the edges between them. `kept`: folded tensors that ops of the column read become nodes.
FoldColumn columnOf(const Function& function, const FunctionFold& fold, const std::vector<OpId>& ops, const std::set<OpId>& drawn,
                    bool changed, bool kept)
{
    FoldColumn column;
    std::map<TensorId, std::int32_t> makers;
    for (const OpId op : ops) {
        if (!drawn.contains(op)) continue;
        for (const TensorId made : function.ops[std::size_t(op)].outputs) makers[made] = std::int32_t(column.nodes.size());
        column.nodes.push_back({op, none, 0, 0, kept || !changed, op});
    }
    const std::size_t own = column.nodes.size();
    for (std::size_t i = 0; i < own; ++i) {
        const OpId op = column.nodes[i].op;
        for (TensorId read : changed ? inputsAfter(function, fold, op) : function.ops[std::size_t(op)].inputs) {
            // The expanding op gives, after the chain that it was moved after, what the chain's last op has given before.
            if (kept)
                for (const Postponed& move : fold.postponed)
                    if (move.expanding != op && std::ranges::find(function.ops[std::size_t(move.chain.back())].outputs, read) !=
                                                    function.ops[std::size_t(move.chain.back())].outputs.end())
                        read = function.ops[std::size_t(move.expanding)].outputs.front();
            auto maker = makers.find(read);
            if (maker == makers.end() && kept) {
                const auto tensor = std::ranges::find(fold.folded, read, &FoldedTensor::tensor);
                if (tensor == fold.folded.end()) continue;
                maker = makers.emplace(read, std::int32_t(column.nodes.size())).first;
                column.nodes.push_back({none, tensor->id, 0, 0, false, makerOf(function, tensor->tensor)});
            }
            if (maker != makers.end()) column.spec.edges.push_back({maker->second, std::int32_t(i)});
        }
    }
    // Folded tensors that the entry only returns.
    if (kept)
        for (const FoldedTensor& tensor : fold.folded)
            if (tensor.entryReads && !makers.contains(tensor.tensor))
                column.nodes.push_back({none, tensor.id, 0, 0, false, makerOf(function, tensor.tensor)});
    return column;
}

/// The ops to draw: all, or of many those that tell of folding.
std::set<OpId> drawnOps(const Function& function, const FunctionFold& fold)
{
    std::set<OpId> drawn;
    for (std::size_t i = 0; i < function.ops.size(); ++i) drawn.insert(OpId(i));
    if (drawn.size() <= maxDrawn) return drawn;
    drawn.clear();
    std::set<TensorId> constants;
    for (std::size_t i = 0; i < function.ops.size() && drawn.size() < maxDrawn; ++i) {
        const OpFold& op = fold.ops[i];
        const bool tells = op.folded() || (keptConstant(op) && op.reason != FoldReason::noRoot);
        const bool reads = std::ranges::any_of(function.ops[i].inputs, [&](TensorId id) { return constants.contains(id); });
        if (!tells && !reads) continue;
        drawn.insert(OpId(i));
        if (tells) constants.insert(function.ops[i].outputs.begin(), function.ops[i].outputs.end());
    }
    return drawn;
}

/// By buffer of `run` the class of its op kind in the colouring of `like`; the last one for kinds that `like` has not.
std::vector<std::uint8_t> coloursAs(const Run& like, const Run& run)
{
    const Colouring wanted = colouring(like, ColourBy::opKind);
    const Categories own = categories(run, ColourBy::opKind);
    std::vector<std::uint8_t> classes;
    for (const std::string& name : own.names) {
        const auto found = std::ranges::find(wanted.classes, name, &ColourClass::name);
        classes.push_back(found == wanted.classes.end() ? colourClasses - 1 : std::uint8_t(found - wanted.classes.begin()));
    }
    std::vector<std::uint8_t> colours;
    for (const std::int32_t of : own.of) colours.push_back(classes[std::size_t(of)]);
    return colours;
}

std::optional<FoldArena> arenaOf(const Run& like, const std::shared_ptr<const Program>& program, FunctionId function,
                                 std::string& planner, const std::stop_token& stop)
{
    const auto planned = planLike(like, program, function, stop);
    if (!planned) return std::nullopt;
    const Run& run = **planned;
    planner = run.plan.planner;
    FoldArena arena;
    arena.size = arenaBytes(run);
    arena.steps = Step(run.lowering->steps.size());
    const Problem& problem = run.problem();
    const std::vector<std::uint8_t> colours = coloursAs(like, run);
    std::vector<Bytes> base(problem.pools.size());
    Bytes next = 0;
    for (const PoolReport& pool : run.report.pools) {
        base[std::size_t(pool.pool)] = next;
        if (problem.pools[std::size_t(pool.pool)].kind == PoolKind::workspace) next += pool.size;
    }
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const Buffer& buffer = problem.buffers[b];
        const Placement& placement = run.plan.placements[b];
        if (!placement.placed() || problem.pools[std::size_t(placement.pool)].kind != PoolKind::workspace) continue;
        for (const Interval& live : buffer.live) {
            arena.boxes.push_back(
                {live, base[std::size_t(placement.pool)] + placement.offset, buffer.size, buffer.name, true, colours[b]});
            arena.steps = std::max(arena.steps, live.end);
        }
    }
    return arena;
}

std::vector<FoldRoot> rootsOf(const Function& function, const FunctionFold& fold)
{
    std::vector<FoldRoot> roots;
    const auto add = [&](TensorId id, bool argument) {
        const Tensor& tensor = function.tensors[std::size_t(id)];
        roots.push_back({tensor.name, fold.tensors[std::size_t(id)], tensor.bytes.value_or(0), argument});
    };
    std::set<TensorId> arguments;
    for (const TensorId id : function.body().inputs)
        if (arguments.insert(id).second) add(id, true);
    for (std::size_t i = 0; i < function.tensors.size(); ++i)
        if (function.tensors[i].kind == TensorKind::constant && !arguments.contains(TensorId(i))) add(TensorId(i), false);
    for (std::size_t i = 0; i < function.ops.size(); ++i) {
        if (fold.ops[i].reason != FoldReason::literal || function.ops[i].outputs.empty()) continue;
        const TensorId made = function.ops[i].outputs.front();
        if (!attribute(function.tensors[std::size_t(made)].attributes, scalarAttribute)) add(made, false);
    }
    return roots;
}

/// What the first runs fold with the cache that was asked for.
void simulate(FoldSheet& sheet)
{
    const FunctionFold& fold = sheet.split().fold;
    if (sheet.asked.cacheShare > 0)
        sheet.cacheCapacity = Bytes(double(fold.persistentBytes) * std::min(1.0, sheet.asked.cacheShare));
    FoldRequest request;
    request.options = sheet.asked.options;
    request.cacheCapacity = sheet.cacheCapacity;
    sheet.hits.assign(fold.folded.size(), 0);
    sheet.keeps.assign(fold.folded.size(), true);
    const std::vector<io::FoldRuns> simulated = simulateRuns(sheet.folded, request);
    for (const Execution& run : simulated.front().executions) {
        std::vector<std::int64_t> made = run.foldedNow;
        std::ranges::sort(made);
        for (const FoldedTensor& tensor : fold.folded)
            if (!std::ranges::binary_search(made, tensor.id)) ++sheet.hits[std::size_t(tensor.id)];
        sheet.keeps.assign(fold.folded.size(), true);
        for (const std::int64_t id : run.notKept) sheet.keeps[std::size_t(id)] = false;
        sheet.runs.push_back({run, refoldBytes(sheet.folded, sheet.split(), made)});
    }
}

} // namespace

void FoldColumns::arrange(double aspect)
{
    const std::array all{&before, &once, &after};
    std::array<GraphLayout, 3> placed;
    double largest = 0;
    inRows = false;
    boxWidth = foldBoxWidth;
    boxHeight = foldBoxHeight;
    for (const double each : columnAspects) {
        std::array<GraphLayout, 3> tried;
        double wide = 2 * columnGap, high = 1;
        for (std::size_t i = 0; i < all.size(); ++i) {
            tried[i] = foldGraph(all[i]->spec, all[i]->layout, each);
            wide += std::max(tried[i].width, foldBoxWidth);
            high = std::max(high, tried[i].height);
        }
        const double scale = std::min(aspect / wide, 1 / high);
        if (scale <= largest) continue;
        largest = scale;
        placed = std::move(tried);
        width = wide;
        height = high;
    }
    double left = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        FoldColumn& column = *all[i];
        const double down = (height - placed[i].height) / 2;
        column.left = left;
        column.width = std::max(placed[i].width, foldBoxWidth);
        for (std::size_t n = 0; n < column.nodes.size(); ++n) {
            column.nodes[n].x = left + placed[i].centres[n].x - column.spec.nodes[n].width / 2;
            column.nodes[n].y = down + placed[i].centres[n].y - column.spec.nodes[n].height / 2;
        }
        column.curves = std::move(placed[i].curves);
        for (GraphCurve& curve : column.curves)
            for (GraphPoint& point : curve.points) point.x += left, point.y += down;
        left += column.width + columnGap;
    }
}

namespace {

constexpr double rowGap = 8, rowColumnGap = 56;       ///< between rows, and between columns
constexpr double firstRowLane = 10, nextRowLane = 7;  ///< left of the boxes
constexpr double narrowestRow = 120, widestRow = 320; ///< boxes
constexpr double straightAt = 24;                     ///< from the left end of a box to the edge below it

/// A curve of straight pieces.
GraphCurve polyline(std::initializer_list<GraphPoint> points)
{
    GraphCurve curve;
    for (const GraphPoint& end : points) {
        if (!curve.points.empty()) {
            const GraphPoint start = curve.points.back();
            curve.points.push_back({start.x + (end.x - start.x) / 3, start.y + (end.y - start.y) / 3});
            curve.points.push_back({start.x + 2 * (end.x - start.x) / 3, start.y + 2 * (end.y - start.y) / 3});
        }
        curve.points.push_back(end);
    }
    return curve;
}

/// Rows [first, last] that edges of one box take in their lane.
struct RowLane {
    std::size_t first = 0, last = 0, lane = 0;
};

/// The lanes of a column by the node that edges come from; edges that lead straight down to the next box have none.
std::map<std::int32_t, RowLane> rowLanes(const FoldColumn& column, const std::vector<std::size_t>& rows,
                                         const std::vector<bool>& straight)
{
    std::map<std::int32_t, RowLane> lanes;
    for (std::size_t e = 0; e < column.spec.edges.size(); ++e) {
        if (straight[e]) continue;
        const auto [from, to] = column.spec.edges[e];
        const std::size_t a = rows[std::size_t(from)], b = rows[std::size_t(to)];
        RowLane& lane = lanes.try_emplace(from, RowLane{a, a, 0}).first->second;
        lane.first = std::min(lane.first, b);
        lane.last = std::max(lane.last, b);
    }
    std::vector<RowLane*> order; // the shortest next to the boxes
    for (auto& [from, lane] : lanes) order.push_back(&lane);
    std::ranges::stable_sort(order, {}, [](const RowLane* lane) { return lane->last - lane->first; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto meets = [&](std::size_t number) {
            return std::any_of(order.begin(), order.begin() + std::ptrdiff_t(i), [&](const RowLane* other) {
                return other->lane == number && other->first <= order[i]->last && order[i]->first <= other->last;
            });
        };
        while (meets(order[i]->lane)) ++order[i]->lane;
    }
    return lanes;
}

} // namespace

void FoldColumns::arrangeInRows(double aspect)
{
    const std::array all{&before, &once, &after};
    inRows = true;
    boxHeight = foldRowHeight;
    // By op, in their order; a second box of one column in the same row gets a row of its own.
    using Row = std::pair<OpId, std::size_t>;
    std::map<Row, std::size_t> numbers;
    std::array<std::vector<Row>, 3> rowOf;
    for (std::size_t c = 0; c < all.size(); ++c) {
        std::map<OpId, std::size_t> used;
        for (const FoldNode& node : all[c]->nodes) numbers[rowOf[c].emplace_back(node.row, used[node.row]++)] = 0;
    }
    std::size_t count = 0;
    for (auto& [row, number] : numbers) number = count++;
    height = std::max(1.0, double(count) * (boxHeight + rowGap) - rowGap);

    std::array<std::vector<std::size_t>, 3> rows;
    std::array<std::vector<bool>, 3> straight;
    std::array<std::map<std::int32_t, RowLane>, 3> lanes;
    std::array<double, 3> channels{};
    double taken = 2 * rowColumnGap;
    for (std::size_t c = 0; c < all.size(); ++c) {
        const FoldColumn& column = *all[c];
        for (const Row& row : rowOf[c]) rows[c].push_back(numbers.at(row));
        for (const auto& [from, to] : column.spec.edges) {
            const std::size_t a = rows[c][std::size_t(from)], b = rows[c][std::size_t(to)];
            straight[c].push_back(a < b && std::ranges::none_of(rows[c], [&](std::size_t row) { return a < row && row < b; }));
        }
        lanes[c] = rowLanes(column, rows[c], straight[c]);
        std::size_t most = 0;
        for (const auto& [from, lane] : lanes[c]) most = std::max(most, lane.lane + 1);
        channels[c] = most == 0 ? 0 : firstRowLane + double(most) * nextRowLane;
        taken += channels[c];
    }
    boxWidth = std::clamp((aspect * height - taken) / 3, narrowestRow, widestRow);
    double left = 0;
    for (std::size_t c = 0; c < all.size(); ++c) {
        FoldColumn& column = *all[c];
        column.left = left;
        column.width = channels[c] + boxWidth;
        const double x = left + channels[c];
        const auto top = [&](std::int32_t node) { return double(rows[c][std::size_t(node)]) * (boxHeight + rowGap); };
        for (std::size_t n = 0; n < column.nodes.size(); ++n) {
            column.nodes[n].x = x;
            column.nodes[n].y = top(std::int32_t(n));
        }
        column.curves.clear();
        for (std::size_t e = 0; e < column.spec.edges.size(); ++e) {
            const auto [from, to] = column.spec.edges[e];
            if (straight[c][e]) {
                column.curves.push_back(polyline({{x + straightAt, top(from) + boxHeight}, {x + straightAt, top(to)}}));
                continue;
            }
            const double out = top(from) + boxHeight * 0.72, in = top(to) + boxHeight * 0.36;
            const double lane = x - firstRowLane - double(lanes[c].at(from).lane) * nextRowLane;
            column.curves.push_back(polyline({{x, out}, {lane, out}, {lane, in}, {x, in}}));
        }
        left += column.width + rowColumnGap;
    }
    width = left - rowColumnGap;
}

bool keptConstant(const OpFold& op)
{
    const bool constant = op.level == ConstLevel::compileTime || op.level == ConstLevel::runTime;
    return constant && !op.folded() && op.reason != FoldReason::literal && op.reason != FoldReason::postponed &&
           op.reason != FoldReason::unused;
}

std::string shortReason(const OpFold& op)
{
    switch (op.reason) {
    case FoldReason::noRoot: return "no root tensor";
    case FoldReason::grows:
        return op.rootBytes > 0 ? fmt::format("grows {:.3g}x", double(op.resultBytes) / double(op.rootBytes)) : "grows";
    case FoldReason::operandNotFolded: return "operand not folded";
    case FoldReason::controlFlow: return "control flow";
    case FoldReason::notCovered: return "dialect not covered";
    case FoldReason::notPure: return "has effects";
    case FoldReason::unknownSize: return "size not known";
    default: return std::string(toText(op.reason));
    }
}

Expected<FoldSheet> makeFoldSheet(const Run& run, const FoldAsked& asked, const std::stop_token& stop)
{
    const FunctionId only[] = {run.lowering->instances.front().function};
    auto folded = foldProgram(*run.program, only, asked.options);
    if (!folded) return folded.error();
    FoldSheet sheet;
    sheet.asked = asked;
    sheet.folded = *std::move(folded);
    const Function& original = sheet.function();
    const FunctionFold& fold = sheet.split().fold;
    if (std::ranges::none_of(fold.ops, [](const OpFold& op) { return op.folded() || keptConstant(op); }))
        return failure(Code::emptyGraph, "No op works on constant tensors only: there is nothing to fold.");

    const std::set<OpId> drawn = drawnOps(original, fold);
    sheet.leftOut = original.ops.size() - drawn.size();
    std::vector<OpId> all, once;
    for (std::size_t i = 0; i < original.ops.size(); ++i) all.push_back(OpId(i));
    for (const FoldPlace place : {FoldPlace::compileTimeFold, FoldPlace::runTimeFold})
        for (const OpId op : opsIn(original, fold, place))
            if (std::ranges::find(once, op) == once.end() && (sheet.leftOut == 0 || fold.ops[std::size_t(op)].folded()))
                once.push_back(op);
    FoldColumns& columns = sheet.columns;
    columns.before = columnOf(original, fold, all, drawn, false, false);
    columns.once = columnOf(original, fold, once, drawn, true, false);
    columns.after = columnOf(original, fold, opsIn(original, fold, FoldPlace::entry), drawn, true, true);
    for (FoldColumn* column : {&columns.before, &columns.once, &columns.after})
        if (auto error = layOutColumn(fold, *column, stop)) return *error;

    if (original.ops.size() <= maxSampled)
        for (const double threshold : foldThresholds) {
            FoldOptions other = asked.options;
            other.threshold = threshold;
            const auto sample = foldProgram(*run.program, only, other);
            if (stop.stop_requested() || !sample) break;
            const SplitFunction& split = sample->functions.front();
            sheet.samples.push_back({threshold, split.costs.savedBytes(), split.fold.persistentBytes, split.costs.savedOps()});
        }
    if (sheet.samples.size() < foldThresholds.size()) sheet.samples.clear();
    const auto planned = std::make_shared<const FoldedProgram>(sheet.folded);
    const FunctionId entry = sheet.split().entry;
    sheet.arenaBefore = arenaOf(run, {planned, &planned->before}, entry, sheet.planner, stop);
    sheet.arenaAfter = arenaOf(run, {planned, &planned->program}, entry, sheet.planner, stop);
    for (const FunctionId id : {sheet.split().compileTimeFold, sheet.split().runTimeFold})
        if (id != none)
            if (const auto arena = arenaOf(run, {planned, &planned->program}, id, sheet.planner, stop))
                sheet.arenaOnce = std::max(sheet.arenaOnce, arena->size);
    sheet.roots = rootsOf(original, fold);
    simulate(sheet);
    return sheet;
}

} // namespace stowage
