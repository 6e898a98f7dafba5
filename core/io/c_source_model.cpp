#include "core/io/c_source_model.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::io {

namespace {

std::size_t at(Id id) { return static_cast<std::size_t>(id); }

class Maker {
public:
    explicit Maker(const CSourceModel& source) : source_(source), run_(*source.run), problem_(source.run->problem()) {}

    Expected<CModel> run()
    {
        model_.name = toCName(source_.name);
        model_.macro = "TVM_" + toCMacro(source_.name);
        names_.reserve(model_.name);
        for (const char* taken : {"inputs", "outputs", "context", "workspaces", "parameters", "tensors", "devices", "status", "memcpy"})
            names_.reserve(taken);
        for (const char* taken : {"ALL", "ALL_WORKSPACES", "ALL_PARAMETERS"}) macros_.reserve(taken);
        if (auto error = judge()) return *std::move(error);
        makePools();
        makeBuffers();
        if (auto error = makePacked()) return *std::move(error);
        if (run_.program) fromProgram();
        else fromProblem();
        if (failed_) return *std::move(failed_);
        for (const CNames* names : {&names_, &macros_, &members_, &opNames_})
            model_.diagnostics.insert(model_.diagnostics.end(), names->clashes().begin(), names->clashes().end());
        return std::move(model_);
    }

private:
    std::optional<Error> judge() const
    {
        for (const Violation& violation : run_.report.verdict.violations)
            if (violation.kind != ViolationKind::overCapacity)
                return failure("invalid-plan", fmt::format("{}: {}", source_.name, describe(problem_, violation)), {},
                               "plan it with another planner");
        return std::nullopt;
    }

    void makePools()
    {
        for (std::size_t p = 0; p < problem_.pools.size(); ++p) {
            const Pool& pool = problem_.pools[p];
            CPool made;
            made.id = static_cast<PoolId>(p);
            made.name = names_.unique("pool", pool.name);
            const char* kind = pool.kind == PoolKind::constant ? "PARAMETER" : pool.kind == PoolKind::persistent ? "PERSISTENT" : "WORKSPACE";
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

    /// Constant pools of which every byte is known are written out.
    std::optional<Error> makePacked()
    {
        for (CPool& pool : model_.pools) {
            if (pool.kind != PoolKind::constant || pool.size == 0) continue;
            std::size_t known = 0, all = 0;
            for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
                if (run_.plan.placements[b].pool != pool.id) continue;
                ++all;
                const auto data = source_.constants.find(problem_.buffers[b].name);
                if (data == source_.constants.end()) continue;
                ++known;
                if (static_cast<Bytes>(data->second.size()) > problem_.buffers[b].size)
                    return failure("constant-size", fmt::format("constant '{}' has {} bytes, and the data given for it {}", problem_.buffers[b].name,
                                                                problem_.buffers[b].size, data->second.size()));
            }
            pool.packed = known == all;
            if (known > 0 && known < all)
                model_.diagnostics.push_back(warning("constants-missing", fmt::format("the data of {} of {} constants in {} is not known: the application fills it",
                                                                                      all - known, all, problem_.pools[at(pool.id)].name)));
        }
        return std::nullopt;
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
        leaveOrder("the input is a problem, which has no ops");
    }

    void leaveOrder(std::string_view why)
    {
        model_.diagnostics.push_back({Severity::note, "order-left-out",
                                      fmt::format("{}: {}_main, which calls the operators, is left to the application", why, model_.name), {}, {}});
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
        std::string control;
        for (std::size_t i = 0; i < instances.size(); ++i)
            for (const Op& op : function(static_cast<std::int32_t>(i)).ops) {
                if (op.control == Control::loop) control = "a loop";
                if (op.control == Control::branch) control = "a branch";
                if (!op.device.empty() && std::find(model_.devices.begin(), model_.devices.end(), toCName(op.device)) == model_.devices.end())
                    model_.devices.push_back(toCName(op.device));
            }
        if (!control.empty()) return leaveOrder("the program has " + control);
        model_.ordered = true;
        const std::vector<StepInfo>& steps = run_.lowering->steps;
        for (std::size_t s = 1; s < steps.size() && !failed_; ++s)
            if (steps[s].op != none) addCall(steps[s]);
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
        } else {
            arguments_.push_back({id, writable, fmt::format("{}->{}", writable ? "outputs" : "inputs", made.name)});
        }
        to.push_back(std::move(made));
    }

    void addCall(const StepInfo& step)
    {
        const Function& in = function(step.instance);
        const Op& op = in.ops[at(step.op)];
        if (op.control != Control::leaf) return; // a call without any step of its own
        CCall call;
        call.op = operatorOf(in, op);
        for (const TensorId id : op.inputs)
            if (id != none) call.arguments.push_back(addressOf(step.instance, id));
        for (const auto* list : {&op.outputs, &op.temps})
            for (const TensorId id : *list) call.arguments.push_back(addressOf(step.instance, id));
        if (!op.device.empty()) call.device = "devices->" + toCName(op.device);
        model_.calls.push_back(std::move(call));
    }

    std::size_t operatorOf(const Function& in, const Op& op)
    {
        const bool entry = &in == &function(0);
        const std::string full = entry ? op.name : fmt::format("{}/{}", in.name, op.name);
        const std::string name = fmt::format("{}_op_{}", model_.name, opNames_.unique("operator", full));
        const auto found = std::find_if(model_.operators.begin(), model_.operators.end(), [&](const COperator& known) { return known.name == name; });
        if (found != model_.operators.end()) return static_cast<std::size_t>(found - model_.operators.begin());
        COperator made;
        made.name = name;
        made.inputs = static_cast<std::size_t>(std::count_if(op.inputs.begin(), op.inputs.end(), [](TensorId id) { return id != none; }));
        made.outputs = op.outputs.size() + op.temps.size();
        made.comment = op.kind.empty() ? full : fmt::format("{} ({})", full, op.kind);
        model_.operators.push_back(std::move(made));
        return model_.operators.size() - 1;
    }

    /// Where a tensor lies: in its pool, or where the application has it.
    std::string addressOf(std::int32_t instance, TensorId id)
    {
        const FunctionInstance& here = run_.lowering->instances[at(instance)];
        const TensorBinding& binding = here.bindings[at(id)];
        if (placed(binding.buffer)) {
            if (run_.plan.placements[at(binding.buffer)].rotating())
                failed_ = failure("rotating-offset", fmt::format("'{}' rotates between several offsets, and there is no loop to rotate with",
                                                                 problem_.buffers[at(binding.buffer)].name));
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
            for (const auto& [mine, theirs] : {std::pair(&in.body().inputs, &site.inputs), std::pair(&in.body().outputs, &site.outputs)})
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
        const auto same = [&](const CTensor& other) { return other.name == name; };
        if (std::none_of(model_.tensors.begin(), model_.tensors.end(), same)) {
            CTensor made;
            made.name = name;
            made.size = tensor.bytes.value_or(0);
            made.comment = full;
            made.writable = tensor.kind != TensorKind::constant;
            if (known) made.data = &data->second;
            if (known && static_cast<Bytes>(data->second.size()) != made.size)
                failed_ = failure("constant-size", fmt::format("constant '{}' has {} bytes, and the data given for it {}", full, made.size, data->second.size()));
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
    std::vector<Argument> arguments_; ///< of the entry, that are not planned
    std::optional<Error> failed_;
};

} // namespace

Expected<CModel> makeCModel(const CSourceModel& source) { return Maker(source).run(); }

} // namespace stowage::io
