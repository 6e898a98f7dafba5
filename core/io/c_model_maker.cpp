#include "core/io/c_model_maker.h"

#include "core/io/c_constants.h"
#include "core/io/c_names.h"
#include "core/io/c_refusal.h"
#include "core/io/c_views.h"
#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace stowage::io {

namespace {

class Maker {
public:
    explicit Maker(const CSourceModel& source)
        : source_(source), run_(*source.run), problem_(source.run->problem()), views_(run_, model_)
    {
    }

    Expected<CModel> run()
    {
        model_.name = names_.global("model", source_.name);
        model_.macro = "TVM_" + toCMacro(source_.name);
        for (const char* taken :
             {"inputs", "outputs", "context", "workspaces", "parameters", "tensors", "devices", "status", "memcpy"})
            names_.reserve(taken);
        for (const char* taken : {"ALL", "ALL_WORKSPACES", "ALL_PARAMETERS"}) macros_.reserve(taken);
        if (auto error = whyNotWritten(source_.name, run_)) return *std::move(error);
        makePools();
        makeBuffers();
        if (auto error = packConstants(source_, model_)) return *std::move(error);
        for (const CPool& pool : model_.pools)
            if (pool.packed || !pool.application)
                if (auto error = whyNoArray(source_.name, problem_.pools[at(pool.id)].name, pool.alignment))
                    return *std::move(error);
        if (run_.program)
            fromProgram();
        else
            fromProblem();
        if (failed_) return *std::move(failed_);
        for (const CNames* names : {&names_, &macros_, &members_, &opNames_})
            model_.diagnostics.insert(model_.diagnostics.end(), names->clashes().begin(), names->clashes().end());
        return std::move(model_);
    }

private:
    void makePools()
    {
        for (std::size_t p = 0; p < problem_.pools.size(); ++p) {
            const Pool& pool = problem_.pools[p];
            CPool made;
            made.id = static_cast<PoolId>(p);
            made.name = names_.unique("pool", pool.name);
            const char* kind = pool.kind == PoolKind::constant     ? "PARAMETER"
                               : pool.kind == PoolKind::persistent ? "PERSISTENT"
                                                                   : "WORKSPACE";
            const std::string macro = fmt::format("{}_{}_BUFFER", poolMacros_.unique("pool", pool.name), kind);
            macros_.reserve(macro);
            made.macro = fmt::format("{}_{}", model_.macro, macro);
            made.kind = pool.kind;
            made.size = run_.plan.poolSize(problem_, made.id);
            made.application = !(pool.internal || (source_.internalWorkspaces && pool.kind == PoolKind::workspace));
            model_.pools.push_back(std::move(made));
        }
    }

    void makeBuffers()
    {
        model_.bufferMacros.resize(problem_.buffers.size());
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            const Placement& placement = run_.plan.placements[b];
            if (!placement.placed()) continue;
            model_.bufferMacros[b] = fmt::format("{}_{}", model_.macro, macros_.unique("buffer", problem_.buffers[b].name));
            CPool& pool = model_.pools[at(placement.pool)];
            const Bytes alignment = problem_.effectiveAlignment(problem_.buffers[b], placement.pool);
            pool.alignment = checkedLcm(pool.alignment, alignment).value_or(pool.alignment);
        }
    }

    [[nodiscard]] bool placed(BufferId buffer) const { return buffer != none && run_.plan.placements[at(buffer)].placed(); }

    [[nodiscard]] std::string address(BufferId buffer, Bytes delta) const
    {
        const CPool& pool = model_.pools[at(run_.plan.placements[at(buffer)].pool)];
        std::string text = fmt::format("{} + {}_OFFSET", pool.name, model_.bufferMacros[at(buffer)]);
        if (delta != 0) text += fmt::format(" + {}", delta);
        return text;
    }

    void fromProblem()
    {
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            const Buffer& buffer = problem_.buffers[b];
            if (buffer.kind != BufferKind::input && buffer.kind != BufferKind::output) continue;
            CTensor tensor;
            tensor.name = members_.unique("buffer", buffer.name);
            tensor.size = buffer.size;
            tensor.buffer = static_cast<BufferId>(b);
            (buffer.kind == BufferKind::input ? model_.inputs : model_.outputs).push_back(std::move(tensor));
        }
        leaveOrder({CObstacle::Kind::noOps});
    }

    void leaveOrder(const CObstacle& obstacle)
    {
        model_.diagnostics.push_back(
            {Severity::note,
             Code::orderLeftOut,
             fmt::format("{}: {}_main, which calls the operators, is left to the application", toText(obstacle), model_.name),
             {},
             {}});
    }

    const Function& function(std::int32_t instance) const
    {
        return run_.program->functions[at(run_.lowering->instances[at(instance)].function)];
    }

    void fromProgram()
    {
        const auto& instances = run_.lowering->instances;
        const Function& entry = function(0);
        for (const TensorId id : entry.body().inputs) addArgument(entry, id, model_.inputs, false);
        for (const TensorId id : entry.body().outputs) addArgument(entry, id, model_.outputs, true);
        for (std::size_t i = 0; i < instances.size(); ++i)
            for (const Op& op : function(static_cast<std::int32_t>(i)).ops) {
                if (!op.device.empty() &&
                    std::find(model_.devices.begin(), model_.devices.end(), toCName(op.device)) == model_.devices.end())
                    model_.devices.push_back(toCName(op.device));
            }
        for (std::size_t i = 1; i < instances.size(); ++i)
            callees_[{instances[i].caller, instances[i].callSite}] = static_cast<std::int32_t>(i);
        state_.emplace(run_, model_.lines, views_.active());
        addRegion(0, 0, 0);
        handOut(entry);
        if (!obstacle_) obstacle_ = views_.obstacle();
        model_.ordered = !obstacle_;
        for (const BufferId buffer : views_.tables())
            model_.tables.push_back({fmt::format("{}_views_{}", model_.name, buffer), buffer});
        if (model_.ordered) return state_->declare();
        for (const CTensor& output : model_.outputs)
            if (output.handedOut)
                failed_ = failure(Code::rotating,
                                  fmt::format("{}: where the output '{}' lies turns out when the model runs, and the function "
                                              "that runs it cannot be written: {}",
                                              source_.name, output.comment, toText(*obstacle_)),
                                  {}, "plan with --lower loops=conservative");
        model_.lines.clear();
        model_.operators.clear();
        model_.tensors.clear();
        leaveOrder(*obstacle_);
    }

    /// Marks outputs that the entry point cannot copy, because their addresses depend on the run.
    void handOut(const Function& entry)
    {
        for (std::size_t i = 0; i < model_.outputs.size(); ++i) {
            if (!model_.outputs[i].handedOut) continue;
            const std::string from = addressOf(0, entry.body().outputs[i]);
            const std::string to = "outputs->" + model_.outputs[i].name;
            line(0, fmt::format("if ({0} != NULL && {0} != {1}) memcpy({0}, {1}, {2});", to, from, model_.outputs[i].size));
        }
    }

    // --- the lines of the function that calls the operators, region by region -----------------------------------------------

    /// Notes that the function cannot be generated; keeps the first reason.
    void giveUp(const Op& op, CObstacle::Kind kind)
    {
        if (!obstacle_) obstacle_ = CObstacle{kind, op.name, op.kind};
    }

    [[nodiscard]] OpId idOf(std::int32_t instance, const Op& op) const
    {
        return static_cast<OpId>(&op - function(instance).ops.data());
    }

    void line(int depth, std::string text) { model_.lines.push_back({depth, std::nullopt, std::move(text)}); }

    // Recursion follows the nesting of regions and calls, which the verifier bounds.
    void addRegion(std::int32_t instance, RegionId region, int depth)
    {
        for (const OpId id : function(instance).regions[at(region)].ops) {
            if (failed_ || obstacle_) return;
            const Op& op = function(instance).ops[at(id)];
            switch (op.control) {
            case Control::leaf: addCall(instance, op, depth); break;
            case Control::call: addCallee(instance, id, op, depth); break;
            case Control::branch: addBranch(instance, op, depth); break;
            case Control::loop: addLoop(instance, op, depth); break;
            case Control::exit: addExit(instance, op, depth); break;
            }
        }
    }

    void addCallee(std::int32_t instance, OpId id, const Op& op, int depth)
    {
        const std::int32_t callee = callees_.at({instance, id});
        addRegion(callee, 0, depth);
        std::vector<Move> moves;
        const Region& body = function(callee).body();
        for (std::size_t i = 0; i < std::min(body.outputs.size(), op.outputs.size()); ++i)
            addMove(moves, op, {callee, body.outputs[i]}, {instance, op.outputs[i]});
        writeMoves(std::move(moves), op, depth);
    }

    /// Runs the branch with the number in the first input. A truth value selects the first branch if it is true, as IF in TFLite
    /// and ONNX; a number beyond the last branch selects the last.
    void addBranch(std::int32_t instance, const Op& op, int depth)
    {
        const Tensor& selector = function(instance).tensors[at(op.inputs.front())];
        const Bytes width = selector.bytes.value_or(0);
        const std::string_view type = selector.dtype;
        const bool truth = op.regions.size() == 2 &&
                           (type == "bool" || type == "BOOL" || type == "i1" || type == "pred" || op.traits.choosesByTruth);
        if (!truth && width != 1 && width != 2 && width != 4 && width != 8) return giveUp(op, CObstacle::Kind::noNumber);
        model_.selects = model_.selects || !truth;
        const std::string chosen = addressOf(instance, op.inputs.front());
        if (truth)
            line(depth, fmt::format("if (*({}) != 0) {{ /* {} */", chosen, toCName(op.name)));
        else
            line(depth,
                 fmt::format("switch (tvm_select({}, {}, {})) {{ /* {} */", chosen, width, op.regions.size(), toCName(op.name)));
        for (std::size_t r = 0; r < op.regions.size(); ++r) {
            if (truth && r == 1) line(depth, "} else {");
            if (!truth) line(depth, r + 1 == op.regions.size() ? "default: {" : fmt::format("case {}: {{", r));
            const Region& branch = function(instance).regions[at(op.regions[r])];
            std::vector<Move> in, out;
            for (std::size_t i = 0; i < branch.inputs.size() && i + 1 < op.inputs.size(); ++i)
                bind(in, op, instance, branch.inputs[i], op.inputs[i + 1]);
            for (const RegionId other : op.regions)
                if (other != op.regions[r]) state_->skipRegion(instance, other, depth + 1);
            writeMoves(std::move(in), op, depth + 1);
            addRegion(instance, op.regions[r], depth + 1);
            state_->chose(instance, idOf(instance, op), r, depth + 1);
            moment_ = {};
            moment_.chosen[{instance, idOf(instance, op)}] = r;
            for (std::size_t i = 0; i < std::min(branch.outputs.size(), op.outputs.size()); ++i)
                addMove(out, op, {instance, branch.outputs[i]}, {instance, op.outputs[i]});
            moment_ = {};
            writeMoves(std::move(out), op, depth + 1);
            if (!truth) line(depth + 1, "break;");
            if (!truth) line(depth, "}");
        }
        line(depth, "}");
    }

    void addLoop(std::int32_t instance, const Op& op, int depth)
    {
        const Function& in = function(instance);
        const Region& body = in.regions[at(op.regions.back())];
        const bool tested = op.regions.size() == 2;
        if (!tested && !op.tripCount) return giveUp(op, CObstacle::Kind::endlessLoop);
        if (body.inputs.size() > op.inputs.size()) return giveUp(op, CObstacle::Kind::madeInputs);
        const bool never = op.tripCount && *op.tripCount == 0;
        const std::string counter = fmt::format("loop_{}", ++loops_);
        line(depth, fmt::format("{{ /* {} */", toCName(op.name)));
        if (!never) line(depth + 1, fmt::format("uint64_t {} = 0;", counter));
        const LoopId loop = state_->loopOf(instance, idOf(instance, op));
        state_->begin(loop, "0", depth + 1);
        if (!exitsOf(in, op).empty()) state_->chose(instance, idOf(instance, op), 0, depth + 1);
        moment_ = {};
        moment_.current[loop] = 0;
        std::vector<Move> first;
        for (std::size_t i = 0; i < body.inputs.size(); ++i) {
            const bool carried = std::any_of(op.carries.begin(), op.carries.end(),
                                             [&](const Carry& c) { return c.to == body.inputs[i] && c.from != c.to; });
            if (!carried && in.tensors[at(body.inputs[i])].bytes != in.tensors[at(op.inputs[i])].bytes)
                return giveUp(op, CObstacle::Kind::pieces);
            if (carried)
                addMove(first, op, {instance, op.inputs[i]}, {instance, body.inputs[i]});
            else
                bind(first, op, instance, body.inputs[i], op.inputs[i]);
        }
        writeMoves(std::move(first), op, depth + 1);
        std::vector<Move> carried, last;
        const std::pair self{instance, idOf(instance, op)};
        moment_.ran[loop] = 0;
        moment_.chosen[self] = 0;
        for (std::size_t i = 0; i < std::min(body.outputs.size(), op.outputs.size()); ++i)
            for (const Carry& carry : op.carries)
                if (carry.from == body.outputs[i]) addMove(last, op, {instance, carry.to}, {instance, op.outputs[i]});
        moment_ = {};
        if (never) {
            state_->ended(loop, {}, depth + 1);
            writeMoves(std::move(last), op, depth + 1);
            return line(depth, "}");
        }
        line(depth + 1, op.tripCount ? fmt::format("for (; {0} < {1}u; ++{0}) {{", counter, *op.tripCount)
                                     : fmt::format("for (;; ++{}) {{", counter));
        state_->begin(loop, counter, depth + 2);
        if (tested) {
            const Region& condition = in.regions[at(op.regions.front())];
            std::vector<Move> given;
            for (std::size_t i = 0; i < condition.inputs.size(); ++i)
                bind(given, op, instance, condition.inputs[i], i < body.inputs.size() ? body.inputs[i] : op.inputs[i]);
            writeMoves(std::move(given), op, depth + 2);
            addRegion(instance, op.regions.front(), depth + 2);
            line(depth + 2, fmt::format("if (*({}) == 0) break;", addressOf(instance, condition.outputs.front())));
        }
        counters_.push_back(counter);
        addRegion(instance, op.regions.back(), depth + 2);
        counters_.pop_back();
        moment_.chosen[self] = 0;
        nextOf_ = loop;
        for (const Carry& carry : op.carries)
            if (carry.from != carry.to) addMove(carried, op, {instance, carry.from}, {instance, carry.to});
        for (std::size_t i = 0; i < std::min(body.outputs.size(), op.outputs.size()); ++i)
            addMove(carried, op, {instance, body.outputs[i]}, {instance, op.outputs[i]}, counter);
        nextOf_ = none;
        moment_ = {};
        writeMoves(std::move(carried), op, depth + 2);
        line(depth + 1, "}");
        state_->ended(loop, counter, depth + 1);
        if (!last.empty() && tested) { // without an iteration, a carried result has its initial value
            line(depth + 1, fmt::format("if ({} == 0) {{", counter));
            writeMoves(std::move(last), op, depth + 2);
            line(depth + 1, "}");
        }
        line(depth, "}");
    }

    /// Leaves the loop if its condition is true.
    void addExit(std::int32_t instance, const Op& op, int depth)
    {
        const Function& in = function(instance);
        const Region& condition = in.regions[at(op.regions.front())];
        std::vector<Move> given, results;
        for (std::size_t i = 0; i < condition.inputs.size(); ++i) bind(given, op, instance, condition.inputs[i], op.inputs[i]);
        writeMoves(std::move(given), op, depth);
        addRegion(instance, op.regions.front(), depth);
        line(depth, fmt::format("if (*({}) != 0) {{ /* {} */", addressOf(instance, condition.outputs.front()), toCName(op.name)));
        const OpId holder = in.regions[at(op.parent)].owner;
        const std::vector<OpId> exits = exitsOf(in, in.ops[at(holder)]);
        const auto choice =
            static_cast<std::size_t>(std::find(exits.begin(), exits.end(), idOf(instance, op)) - exits.begin()) + 1;
        state_->chose(instance, holder, choice, depth + 1);
        moment_.chosen[{instance, holder}] = choice;
        for (const Carry& carry : op.carries) addMove(results, op, {instance, carry.from}, {instance, carry.to});
        moment_ = {};
        writeMoves(std::move(results), op, depth + 1);
        line(depth + 1, fmt::format("++{};", counters_.back())); // this iteration counts as executed
        line(depth + 1, "break;");
        line(depth, "}");
    }

    using Where = std::pair<std::int32_t, TensorId>; ///< instance, tensor

    /// Bytes of a pool; no pool: memory of the application.
    struct Extent {
        PoolId pool = none;
        Bytes begin = 0;
        Bytes end = 0;
    };

    [[nodiscard]] Extent extentOf(const Where& where)
    {
        const TensorBinding& binding = run_.lowering->instances[at(where.first)].bindings[at(where.second)];
        if (!placed(binding.buffer)) return {};
        if (views_.varies(binding)) {
            Extent all;
            views_.extent(binding, tensorAt(where).bytes.value_or(0), all.pool, all.begin, all.end);
            if (all.pool == none && !obstacle_) obstacle_ = CObstacle{CObstacle::Kind::severalPools, tensorAt(where).name};
            return all;
        }
        const Placement& placement = run_.plan.placements[at(binding.buffer)];
        const Bytes begin = placement.offset + binding.delta;
        return {placement.pool, begin, begin + tensorAt(where).bytes.value_or(0)};
    }

    struct Move {
        std::string to;   ///< address
        std::string from; ///< address
        std::string part; ///< added to `to`: offset of the slice of this iteration
        Bytes bytes = 0;
        Extent target; ///< bytes that all iterations write
        Extent source;

        /// True if `other` reads bytes that this move writes.
        [[nodiscard]] bool spoils(const Move& other) const
        {
            if (target.pool == none || other.source.pool == none) return to == other.from;
            return target.pool == other.source.pool && target.begin < other.source.end && other.source.begin < target.end;
        }
    };

    [[nodiscard]] const Tensor& tensorAt(const Where& where) const { return function(where.first).tensors[at(where.second)]; }

    /// Adds a copy from one tensor to another, unless they have the same address. `counter` of a loop: a larger result takes the
    /// slices one after the other.
    void addMove(std::vector<Move>& moves, const Op& op, const Where& from, const Where& to, const std::string& counter = {})
    {
        const std::string source = addressOf(from.first, from.second);
        moment_.nextOf = nextOf_;
        Move move{addressOf(to.first, to.second), source, {}, 0, extentOf(to), extentOf(from)};
        moment_.nextOf = none;
        const Bytes piece = tensorAt(from).bytes.value_or(0);
        const Bytes whole = tensorAt(to).bytes.value_or(0);
        if (!counter.empty() && piece > 0 && whole / 2 >= piece)
            move.part = fmt::format(" + ({} % {}u) * {}u", counter, whole / piece, piece);
        else if (move.to == move.from)
            return;
        move.bytes = std::min(piece, whole);
        if (!tensorAt(from).bytes || !tensorAt(to).bytes) return giveUp(op, CObstacle::Kind::unknownSize);
        if (move.bytes > 0) moves.push_back(std::move(move));
    }

    /// Connects the input of a region with the tensor passed to it: a copy if the input has its own address, otherwise the same
    /// address.
    void bind(std::vector<Move>& moves, const Op& op, std::int32_t instance, TensorId inner, TensorId outer)
    {
        if (placed(run_.lowering->instances[at(instance)].bindings[at(inner)].buffer))
            return addMove(moves, op, {instance, outer}, {instance, inner});
        standsFor_[{instance, inner}] = addressOf(instance, outer);
    }

    /// Writes moves as if they were simultaneous: bytes that another move still reads are written after it.
    void writeMoves(std::vector<Move> moves, const Op& op, int depth)
    {
        while (!moves.empty()) {
            const auto ready = std::find_if(moves.begin(), moves.end(), [&](const Move& move) {
                return std::none_of(moves.begin(), moves.end(),
                                    [&](const Move& other) { return &other != &move && move.spoils(other); });
            });
            if (ready == moves.end()) return giveUp(op, CObstacle::Kind::exchange);
            line(depth, fmt::format("memmove({}{}, {}, {});", ready->to, ready->part, ready->from, ready->bytes));
            moves.erase(ready);
        }
    }

    void addArgument(const Function& entry, TensorId id, std::vector<CTensor>& to, bool writable)
    {
        const Tensor& tensor = entry.tensors[at(id)];
        const TensorBinding& binding = run_.lowering->instances[0].bindings[at(id)];
        CTensor made;
        made.name = members_.unique(writable ? "output" : "input", tensor.name);
        made.size = tensor.bytes.value_or(0);
        made.writable = writable;
        made.comment = tensor.name;
        if (placed(binding.buffer)) {
            made.buffer = binding.buffer;
            made.delta = binding.delta;
            made.handedOut = writable && views_.varies(binding);
        } else {
            arguments_.push_back({id, writable, fmt::format("{}->{}", writable ? "outputs" : "inputs", made.name)});
        }
        to.push_back(std::move(made));
    }

    void addCall(std::int32_t instance, const Op& op, int depth)
    {
        const Function& in = function(instance);
        CCall call;
        call.op = operatorOf(in, op);
        for (const TensorId id : op.inputs)
            if (id != none) call.arguments.push_back(addressOf(instance, id));
        for (const auto* list : {&op.outputs, &op.temps})
            for (const TensorId id : *list) call.arguments.push_back(addressOf(instance, id));
        if (!op.device.empty()) call.device = "devices->" + toCName(op.device);
        model_.lines.push_back({depth, std::move(call), {}});
    }

    std::size_t operatorOf(const Function& in, const Op& op)
    {
        const bool entry = &in == &function(0);
        const std::string full = entry ? op.name : fmt::format("{}/{}", in.name, op.name);
        const std::string name = fmt::format("{}_op_{}", model_.name, opNames_.unique("operator", full));
        const auto [found, added] = operators_.emplace(name, model_.operators.size());
        if (!added) return found->second;
        COperator made;
        made.name = name;
        made.inputs =
            static_cast<std::size_t>(std::count_if(op.inputs.begin(), op.inputs.end(), [](TensorId id) { return id != none; }));
        made.outputs = op.outputs.size() + op.temps.size();
        made.comment = op.kind.empty() ? full : fmt::format("{} ({})", full, op.kind);
        model_.operators.push_back(std::move(made));
        return model_.operators.size() - 1;
    }

    /// The address of a tensor: in its pool, or in memory of the application.
    std::string addressOf(std::int32_t instance, TensorId id)
    {
        const FunctionInstance& here = run_.lowering->instances[at(instance)];
        const TensorBinding& binding = here.bindings[at(id)];
        if (const auto found = standsFor_.find({instance, id}); found != standsFor_.end()) return found->second;
        if (placed(binding.buffer)) {
            if (views_.varies(binding)) return views_.address(binding, moment_);
            return address(binding.buffer, binding.delta);
        }
        const Function& in = function(instance);
        const Tensor& tensor = in.tensors[at(id)];
        if (tensor.aliasOf != none) {
            const std::string whole = addressOf(instance, tensor.aliasOf);
            return tensor.aliasOffset == 0 ? whole : fmt::format("{} + {}", whole, tensor.aliasOffset);
        }
        // A callee's inputs and outputs are its caller's tensors.
        if (instance != 0) {
            const Op& site = function(here.caller).ops[at(here.callSite)];
            for (const auto& [mine, theirs] :
                 {std::pair(&in.body().inputs, &site.inputs), std::pair(&in.body().outputs, &site.outputs)})
                for (std::size_t i = 0; i < std::min(mine->size(), theirs->size()); ++i)
                    if ((*mine)[i] == id) return addressOf(here.caller, (*theirs)[i]);
        } else {
            for (const Argument& argument : arguments_)
                if (argument.tensor == id) return argument.expression;
        }
        return unplanned(in, tensor, instance == 0);
    }

    std::string unplanned(const Function& in, const Tensor& tensor, bool entry)
    {
        const std::string full = entry ? tensor.name : fmt::format("{}/{}", in.name, tensor.name);
        const std::string name = members_.unique("tensor", full);
        const auto data = source_.constants.find(full);
        const bool known = tensor.kind == TensorKind::constant && data != source_.constants.end();
        if (tensors_.insert(name).second) {
            CTensor made;
            made.name = name;
            made.size = tensor.bytes.value_or(0);
            made.comment = full;
            made.writable = tensor.kind != TensorKind::constant;
            if (known) made.data = &data->second;
            if (known && static_cast<Bytes>(data->second.size()) != made.size)
                failed_ = failure(Code::constantSize, fmt::format("constant '{}' has {} bytes, and the data given for it {}",
                                                                  full, made.size, data->second.size()));
            model_.tensors.push_back(std::move(made));
        }
        return known ? fmt::format("{}_data_{}", model_.name, name) : fmt::format("tensors->{}", name);
    }

    struct Argument {
        TensorId tensor = none;
        bool writable = false;
        std::string expression;
    };

    const CSourceModel& source_;
    const Run& run_;
    const Problem& problem_;
    CModel model_;
    CNames names_; ///< of variables
    CNames members_;
    CNames opNames_;
    CNames macros_{CNames::Case::capitals};
    CNames poolMacros_{CNames::Case::capitals};
    std::unordered_map<std::string, std::size_t> operators_;        ///< index into the model's operators by name
    std::unordered_set<std::string> tensors_;                       ///< names of the model's tensors
    std::vector<Argument> arguments_;                               ///< arguments of the entry function that are not planned
    std::map<std::pair<std::int32_t, OpId>, std::int32_t> callees_; ///< instance by instance and op that calls it
    /// Addresses of inputs of regions without an address of their own.
    std::map<std::pair<std::int32_t, TensorId>, std::string> standsFor_;
    CViews views_;
    std::optional<CLoopState> state_;
    std::vector<std::string> counters_; ///< of the loops around the current line
    CMoment moment_;                    ///< iterations and choices known at the current line
    LoopId nextOf_ = none;              ///< loop into whose next iteration values are moved
    std::optional<CObstacle> obstacle_; ///< why the function that calls the operators cannot be generated; no value: it can
    int loops_ = 0;
    std::optional<Error> failed_;
};

} // namespace

Expected<CModel> makeCModel(const CSourceModel& source)
{
    return Maker(source).run();
}

} // namespace stowage::io
