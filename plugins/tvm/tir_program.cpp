#include "plugins/tvm/tir_program.h"

#include "core/ir/unique_names.h"
#include "plugins/tvm/tir_module.h"
#include "plugins/tvm/tir_numbers.h"
#include "plugins/tvm/tir_unplanned.h"
#include "plugins/tvm/tvm_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace stowage::tvm {

namespace {

using Kind = Expression::Kind;

class Builder {
public:
    Builder(const std::vector<PrimFunction>& sources, const std::string& file, bool planIo)
        : sources_(sources), file_(file), planIo_(planIo), module_(sources)
    {
    }

    Expected<TirProgram> run()
    {
        nameFunctions();
        result_.program.pools = module_.pools().pools;
        for (std::size_t f = 0; f < sources_.size() && !failed_; ++f) buildFunction(f);
        if (!failed_) chooseEntry();
        if (failed_) return *std::move(error_);
        keepOutUnplaceable(result_, calls_, file_);
        finish();
        return std::move(result_);
    }

private:
    /// A name inside a function: a tensor, or nothing that is stored.
    struct Scope {
        std::unordered_map<std::string, TensorId> names;
    };

    Position place(const Place& where) const { return {file_, where.line, where.column, -1}; }
    void fail(Code code, std::string message, const Place& where, std::string remedy = {})
    {
        if (failed_) return;
        failed_ = true;
        error_ = failure(code, std::move(message), place(where), std::move(remedy));
    }

    Function& here() { return result_.program.functions[current_]; }
    Tensor& tensor(TensorId id) { return here().tensors[at(id)]; }

    // --- functions and what their parameters are ---------------------------------------------------------------------

    void nameFunctions()
    {
        std::unordered_set<std::string> names;
        for (std::size_t f = 0; f < sources_.size(); ++f) {
            Function& made = result_.program.functions.emplace_back();
            made.name = sources_[f].name;
            made.regions.emplace_back();
            if (!names.insert(made.name).second)
                return fail(Code::duplicateName, fmt::format("there are two functions named '{}'", made.name), sources_[f].where);
        }
    }

    // --- one function ------------------------------------------------------------------------------------------------

    void buildFunction(std::size_t f)
    {
        current_ = f;
        scope_ = {};
        tensorNames_ = {};
        opNames_ = {};
        written_.clear();
        latest_.clear();
        const PrimFunction& source = sources_[f];
        const std::vector<Role>& roles = module_.roles(f);
        std::vector<TensorId> ids(source.parameters.size(), none);
        for (std::size_t p = 0; p < source.parameters.size(); ++p) {
            if (roles[p] == Role::scalar) continue;
            const Parameter& parameter = source.parameters[p];
            const TensorId id =
                addTensor(parameter.name, isRead(roles[p]) ? TensorKind::input : TensorKind::output, parameter.where);
            ids[p] = scope_.names[parameter.name] = id;
            const Expression& type = bare(parameter.annotation); // T.Buffer((1, 4), "float32"), T.Buffer[(1, 4), "float32"]
            if (type.operands.size() >= 3 && (type.kind == Kind::call || type.kind == Kind::subscript) &&
                type.operands[0].text != "handle")
                setType(tensor(id), type.operands[1], textOf(&type.operands[2]), parameter.where);
            if (!isRead(roles[p])) continue;
            here().regions[0].inputs.push_back(id);
            written_.insert(id);
        }
        emit(source.body, 0, false);
        if (failed_) return;
        std::vector<TensorId> unwritten;
        for (std::size_t p = 0; p < ids.size(); ++p)
            if (isWritten(roles[p]) && !written_.contains(ids[p])) unwritten.push_back(ids[p]);
        begin(unwritten, 0, source.where);
        for (std::size_t p = 0; p < ids.size(); ++p)
            if (isWritten(roles[p])) here().regions[0].outputs.push_back(isRead(roles[p]) ? readOf(ids[p]) : ids[p]);
    }

    // --- versions: in a program every tensor is written once, so a later write makes a view of the same bytes ---------

    /// What is to be read of a tensor.
    TensorId readOf(TensorId root) const
    {
        const auto found = latest_.find(root);
        return found == latest_.end() ? root : found->second;
    }

    /// What is to be written for a tensor.
    TensorId writeOf(TensorId root, RegionId region)
    {
        if (written_.insert(root).second) return root;
        Tensor version = tensor(root);
        version.name = tensorNames_.numbered(version.name + '@');
        version.kind = TensorKind::intermediate;
        version.available = Availability::unknown;
        version.pools.clear();
        version.aliasOf = root;
        version.region = region;
        here().tensors.push_back(std::move(version));
        return latest_[root] = static_cast<TensorId>(here().tensors.size()) - 1;
    }

    /// Tensors that something is done with before anything is written to them, or in a loop only, begin in a step of their own.
    void begin(const std::vector<TensorId>& roots, RegionId region, const Place& where)
    {
        Op op;
        op.kind = "begin";
        for (const TensorId root : roots)
            if (!written_.contains(root) && tensor(root).kind != TensorKind::constant)
                op.outputs.push_back(writeOf(root, region));
        if (!op.outputs.empty()) addOp(std::move(op), region, "begin", where);
    }

    TensorId addTensor(const std::string& name, TensorKind kind, const Place& where)
    {
        Tensor made;
        made.name = tensorNames_.take(name);
        made.kind = kind;
        if (kind == TensorKind::constant) made.available = Availability::compileTime;
        made.where = place(where);
        here().tensors.push_back(std::move(made));
        return static_cast<TensorId>(here().tensors.size()) - 1;
    }

    void setType(Tensor& to, const Expression& shape, const std::string& dtype, const Place& where)
    {
        to.dtype = dtype;
        to.shape = extents(shape);
        to.bytes = tensorBytes(dtype, to.shape);
        const bool known = elementBytes(dtype).has_value() &&
                           std::none_of(to.shape.begin(), to.shape.end(), [](std::int64_t d) { return d < 0; });
        if (known && !to.bytes) fail(Code::tooLarge, fmt::format("'{}' is larger than 2^62 bytes", to.name), where);
    }

    TensorId find(const Expression& expression) const
    {
        const std::string name = TirModule::baseName(expression, [&](const std::string& n) { return scope_.names.contains(n); });
        const auto found = scope_.names.find(name);
        return found == scope_.names.end() ? none : found->second;
    }

    void setPools(Tensor& to, const Expression& call)
    {
        const auto take = [&](const Expression& list) {
            for (const Expression& pool : bare(list).kind == Kind::list ? bare(list).operands : std::vector<Expression>{list}) {
                if (bare(pool).kind == Kind::string)
                    addPool(bare(pool).text, to.kind);
                else if (!number(pool))
                    continue;
                to.pools.push_back(bare(pool).text);
            }
        };
        for (const char* key : {"pinned_memory", "candidate_memory_pools"}) {
            if (const Expression* given = call.keyword(key)) take(*given);
            const Expression* notes = call.keyword("annotations");
            if (!notes || notes->kind != Kind::dict) continue;
            for (std::size_t i = 0; i + 1 < notes->operands.size(); i += 2)
                if (notes->operands[i].text == key) take(notes->operands[i + 1]);
        }
    }

    /// A memory that something may lie in, as the text names it.
    void addPool(const std::string& name, TensorKind kind)
    {
        std::vector<Pool>& pools = result_.program.pools;
        if (name.empty() || std::any_of(pools.begin(), pools.end(), [&](const Pool& pool) { return pool.name == name; })) return;
        Pool& pool = pools.emplace_back();
        pool.name = name;
        if (kind == TensorKind::constant) pool.kind = PoolKind::constant;
    }

    /// A name for an address in a memory: a tensor that lies there. True when the statement was one.
    bool declarePlaced(const Statement& statement)
    {
        const auto address = boundAddress(statement);
        const PoolId pool = address ? module_.pools().find(current_, address->pool->text) : none;
        if (pool == none) return false;
        const Pool& memory = module_.pools().pools[at(pool)];
        const Expression& name = *boundName(statement);
        const bool constant = memory.kind == PoolKind::constant || address->constant;
        const TensorId id = addTensor(name.text, constant ? TensorKind::constant : TensorKind::intermediate, name.where);
        scope_.names[name.text] = id;
        Tensor& made = tensor(id);
        made.pools = {memory.name};
        made.pinnedOffset = address->offset;
        const Expression& value = boundValue(statement.value);
        if (value.callee() != "tvm_access_ptr" && value.callee() != "address_of") setDeclaredType(made, value, statement.where);
        if (address->bytes) {
            made.dtype.clear();
            made.shape.clear();
            made.bytes = address->bytes;
        }
        return true;
    }

    /// The type that T.decl_buffer(shape, dtype, …) gives.
    void setDeclaredType(Tensor& to, const Expression& call, const Place& where)
    {
        const Expression* shape = call.keyword("shape") ? call.keyword("shape") : call.argument(0);
        const Expression* dtype = call.keyword("dtype") ? call.keyword("dtype") : call.argument(1);
        if (shape) setType(to, *shape, dtype ? textOf(dtype) : "float32", where);
    }

    /// A statement that names something: true when it was one.
    bool declare(const Statement& statement, bool parallel)
    {
        const Expression& call = bare(statement.value);
        const std::string_view callee = call.callee();
        if (callee.empty()) return false;
        if (declarePlaced(statement)) return true;
        const Expression* target = statement.targets.empty() ? nullptr : &statement.targets[0];
        const bool named = target && target->kind == Kind::name;
        if (callee == "func_attr" || callee == "attr" || callee == "preflattened_buffer" || callee == "reads" ||
            callee == "writes" || callee == "where" || callee == "block_attr" || callee == "sblock_attr")
            return true;
        if (!named) return false;
        if (callee == "match_buffer") {
            const TensorId id = call.argument(0) ? find(*call.argument(0)) : none;
            if (id == none) return true;
            scope_.names[target->text] = id;
            const Expression* dtype = call.keyword("dtype") ? call.keyword("dtype") : call.argument(2);
            if (call.argument(1) && !tensor(id).bytes)
                setType(tensor(id), *call.argument(1), dtype ? textOf(dtype) : "float32", statement.where);
            return true;
        }
        if (const Expression* of = TirModule::aliased(call)) {
            if (const TensorId id = find(*of); id != none) {
                scope_.names[target->text] = id;
                if (tensor(id).pinnedOffset && !tensor(id).bytes) setDeclaredType(tensor(id), call, statement.where);
            }
            return true;
        }
        const bool buffer = callee == "buffer_decl" || callee == "decl_buffer";
        if (isAllocation(callee) || buffer || callee == "allocate_const") {
            const bool constant = callee == "allocate_const";
            const Expression* shape = constant ? call.argument(2) : call.argument(0);
            const Expression* dtype = call.keyword("dtype") ? call.keyword("dtype") : call.argument(1);
            if (const Expression* given = call.keyword(constant ? "extents" : "shape")) shape = given;
            const TensorId id =
                addTensor(target->text, constant ? TensorKind::constant : TensorKind::intermediate, target->where);
            scope_.names[target->text] = id;
            result_.allocations.push_back({current_, id, &call, target, statement.kind == Statement::Kind::with});
            Tensor& made = tensor(id);
            if (shape) setType(made, *shape, dtype ? textOf(dtype) : "float32", statement.where);
            setPools(made, call);
            if (parallel) {
                made.planned = false;
                result_.diagnostics.push_back(
                    warning(Code::parallelAllocation,
                            fmt::format("'{}' is allocated in a parallel loop, once for each of its threads: it is not planned",
                                        made.name),
                            place(statement.where)));
            }
            return true;
        }
        if (callee == "lookup_param") {
            scope_.names[target->text] = parameterTensor(textOf(call.argument(0)), statement.where);
            return true;
        }
        return false;
    }

    /// T.lookup_param("p0"): a constant of the whole model. Its size is found where it is handed on.
    TensorId parameterTensor(const std::string& name, const Place& where)
    {
        const std::string key = "lookup_param " + name;
        if (const auto known = scope_.names.find(key); known != scope_.names.end()) return known->second;
        return scope_.names[key] = addTensor(name.empty() ? "param" : name, TensorKind::constant, where);
    }

    /// Whether there is something inside that needs a step, a buffer or a function of its own.
    bool special(const std::vector<Statement>& block) const
    {
        return std::any_of(block.begin(), block.end(), [&](const Statement& statement) {
            const Expression& value = evaluated(statement.value);
            std::size_t first = 0;
            if (const auto address = boundAddress(statement);
                address && module_.pools().find(current_, address->pool->text) != none)
                return true;
            if (isAllocation(value.callee()) || value.callee() == "allocate_const" || value.callee() == "decl_buffer")
                return true;
            if (value.kind == Kind::call && module_.calleeOf(value, first) != std::string::npos) return true;
            return special(statement.body) || special(statement.otherwise);
        });
    }

    void emit(const std::vector<Statement>& block, RegionId region, bool parallel)
    {
        for (const Statement& statement : block) {
            if (failed_) return;
            switch (statement.kind) {
            case Statement::Kind::nothing: break;
            case Statement::Kind::with:
                if (!declare(statement, parallel)) emitReads(statement.value, "let", region, statement.where);
                emit(statement.body, region, parallel);
                break;
            case Statement::Kind::assignment:
            case Statement::Kind::expression:
                if (!declare(statement, parallel)) emitStatement(statement, region, parallel);
                break;
            case Statement::Kind::assertion: emitLeaf(statement, "assert", region); break;
            case Statement::Kind::condition:
                if (special(statement.body) || special(statement.otherwise)) {
                    emitReads(statement.value, "if", region, statement.where);
                    emit(statement.body, region, parallel);
                    emit(statement.otherwise, region, parallel);
                } else {
                    emitLeaf(statement, "if", region);
                }
                break;
            case Statement::Kind::loop:
            case Statement::Kind::whileLoop:
                if (special(statement.body))
                    emitLoop(statement, region, parallel);
                else
                    emitLeaf(statement, statement.kind == Statement::Kind::loop ? "for" : "while", region);
                break;
            }
        }
    }

    void emitStatement(const Statement& statement, RegionId region, bool parallel)
    {
        const Expression& call = evaluated(statement.value);
        std::size_t first = 0;
        const std::size_t callee = call.kind == Kind::call ? module_.calleeOf(call, first) : std::string::npos;
        if (callee != std::string::npos) return emitCall(call, callee, first, region, parallel);
        std::string kind = "store";
        if (callsFunction(call.callee())) {
            kind = textOf(call.argument(first - 1));
            if (kind.empty()) kind = call.callee();
        }
        emitLeaf(statement, kind, region);
    }

    OpId addOp(Op op, RegionId region, const std::string& name, const Place& where)
    {
        op.name = opNames_.take(name);
        op.parent = region;
        op.where = place(where);
        const auto id = static_cast<OpId>(here().ops.size());
        here().regions[at(region)].ops.push_back(id);
        here().ops.push_back(std::move(op));
        return id;
    }

    static void addOnce(std::vector<TensorId>& to, TensorId id)
    {
        if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
    }

    void emitLeaf(const Statement& statement, const std::string& kind, RegionId region)
    {
        Op op;
        op.kind = kind;
        const auto visit = [&](const std::string& name, bool write) {
            const auto found = scope_.names.find(name);
            if (found != scope_.names.end()) addOnce(write ? op.outputs : op.inputs, found->second);
        };
        nameInside(statement);
        lookupInside(statement.value);
        module_.touches(statement, visit);
        // What nobody has written yet is written here, whatever it looks like; what is written again is changed in place.
        std::erase_if(op.inputs, [&](TensorId id) {
            if (written_.contains(id) || tensor(id).kind == TensorKind::constant) return false;
            addOnce(op.outputs, id);
            return true;
        });
        std::erase_if(op.outputs, [&](TensorId id) { return tensor(id).kind == TensorKind::constant; });
        if (op.inputs.empty() && op.outputs.empty()) return;
        for (const TensorId id : op.outputs)
            if (written_.contains(id)) addOnce(op.inputs, id);
        for (TensorId& id : op.inputs) id = readOf(id);
        for (TensorId& id : op.outputs) id = writeOf(id, region);
        const std::string name = callsFunction(evaluated(statement.value).callee()) ? kind
                                 : op.outputs.empty()                               ? kind
                                                                                    : tensor(op.outputs.front()).name;
        addOp(std::move(op), region, name, statement.where);
    }

    /// An op for a value that is read before something else runs: a condition, the bounds of a loop, a scalar argument.
    void emitReads(const Expression& value, const std::string& kind, RegionId region, const Place& where)
    {
        Statement statement;
        statement.kind = Statement::Kind::assertion;
        statement.value = value;
        statement.where = where;
        emitLeaf(statement, kind, region);
    }

    /// Buffers that are declared over others somewhere inside a loop nest.
    void nameInside(const Statement& statement)
    {
        for (const auto* block : {&statement.body, &statement.otherwise})
            for (const Statement& inner : *block) {
                if (const Expression* of = TirModule::aliased(bare(inner.value));
                    of && !inner.targets.empty() && inner.targets[0].kind == Kind::name)
                    if (const TensorId id = find(*of); id != none) scope_.names[inner.targets[0].text] = id;
                nameInside(inner);
            }
    }

    void lookupInside(const Expression& expression)
    {
        if (expression.callee() == "lookup_param") parameterTensor(textOf(expression.argument(0)), expression.where);
        for (const Expression& operand : expression.operands) lookupInside(operand);
    }

    void emitCall(const Expression& call, std::size_t callee, std::size_t first, RegionId region, bool parallel)
    {
        const std::vector<Role>& roles = module_.roles(callee);
        Op op;
        op.kind = "call";
        op.control = Control::call;
        op.callee = static_cast<FunctionId>(callee);
        std::size_t given = 0;
        while (call.argument(first + given)) ++given;
        if (given < roles.size())
            return fail(
                Code::missingArgument,
                fmt::format("'{}' has {} parameters, and {} arguments are given", sources_[callee].name, roles.size(), given),
                call.where);
        for (std::size_t i = 0; i < roles.size(); ++i) {
            const Expression& argument = bare(*call.argument(first + i));
            if (roles[i] == Role::scalar) {
                emitReads(argument, "argument", region, argument.where);
                continue;
            }
            TensorId id = argument.callee() == "lookup_param" ? parameterTensor(textOf(argument.argument(0)), argument.where)
                                                              : find(argument);
            if (id == none)
                return fail(Code::unknownBuffer,
                            fmt::format("argument {} of '{}' is no buffer that is known here", i + 1, sources_[callee].name),
                            argument.where);
            if (isWritten(roles[i]) && tensor(id).kind == TensorKind::constant)
                return fail(Code::constantWritten,
                            fmt::format("argument {} of '{}' is a constant, and is written", i + 1, sources_[callee].name),
                            argument.where);
            if (isRead(roles[i])) begin({id}, region, argument.where);
            if (isRead(roles[i])) op.inputs.push_back(readOf(id));
            if (isWritten(roles[i])) op.outputs.push_back(id);
            uses_.push_back({current_, id, callee, i});
        }
        for (TensorId& id : op.outputs) id = writeOf(id, region);
        calls_.push_back({current_, callee, parallel});
        addOp(std::move(op), region, sources_[callee].name, call.where);
    }

    /// `parallel`: whether a loop around it is parallel, so that it runs several times at once.
    void emitLoop(const Statement& statement, RegionId region, bool parallel)
    {
        const Expression& range = bare(statement.value);
        Op op;
        op.kind = statement.kind == Statement::Kind::loop ? "for" : "while";
        op.control = Control::loop;
        if (statement.kind == Statement::Kind::loop) op.tripCount = tripCount(range);
        std::vector<TensorId> outer;
        const auto visit = [&](const std::string& name, bool) {
            if (const auto found = scope_.names.find(name); found != scope_.names.end()) addOnce(outer, found->second);
        };
        for (const Statement& inner : statement.body) nameInside(inner);
        module_.touches(statement, visit);
        begin(outer, region, statement.where);
        emitReads(statement.value, op.kind, region, statement.where);
        const auto outside = latest_;
        const OpId id = addOp(std::move(op), region, "loop", statement.where);
        const auto body = static_cast<RegionId>(here().regions.size());
        here().regions.push_back({RegionRole::body, id, {}, {}, {}});
        here().ops[at(id)].regions.push_back(body);
        const std::size_t before = here().tensors.size();
        emit(statement.body, body, parallel || range.callee() == "parallel");
        if (statement.kind == Statement::Kind::whileLoop) // before the next iteration
            emitReads(statement.value, "while", body, statement.where);
        for (std::size_t t = before; t < here().tensors.size(); ++t)
            if (here().tensors[t].region == 0 && here().tensors[t].kind == TensorKind::intermediate)
                here().tensors[t].region = body;
        latest_ = outside; // what is visible again
    }

    // --- the whole ---------------------------------------------------------------------------------------------------

    void chooseEntry()
    {
        std::vector<bool> called(sources_.size());
        for (const FunctionCall& call : calls_) called[call.callee] = true;
        std::size_t entry = module_.runner();
        for (std::size_t f = 0; f < sources_.size() && entry == std::string::npos; ++f)
            if (const std::string& name = sources_[f].name;
                name.ends_with("run_model") || name.ends_with("__tvm_main__") || name == "main")
                entry = f;
        for (std::size_t f = 0; f < sources_.size() && entry == std::string::npos; ++f)
            if (!called[f]) entry = f;
        if (entry == std::string::npos)
            return fail(Code::callCycle, "every function is called by another one", sources_[0].where);
        result_.program.entry = static_cast<FunctionId>(entry);
    }

    /// Sizes that only the called function knows; inputs and outputs left out, if asked for.
    void finish()
    {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Use& use : uses_) {
                Tensor& actual = result_.program.functions[use.function].tensors[at(use.tensor)];
                const Tensor* formal = parameterOf(use.callee, use.parameter);
                if (actual.bytes || !formal || !formal->bytes || !actual.shape.empty()) continue;
                actual.dtype = formal->dtype;
                actual.shape = formal->shape;
                actual.bytes = formal->bytes;
                changed = true;
            }
        }
        Function& main = result_.program.functions[static_cast<std::size_t>(result_.program.entry)];
        for (Function& function : result_.program.functions)
            for (Tensor& tensor : function.tensors)
                if (tensor.aliasOf != none && !tensor.bytes) tensor.bytes = function.tensors[at(tensor.aliasOf)].bytes;
        if (planIo_) return;
        for (const auto* list : {&main.regions[0].inputs, &main.regions[0].outputs})
            for (const TensorId id : *list) {
                main.tensors[at(id)].planned = false;
                if (const TensorId root = main.tensors[at(id)].aliasOf; root != none) main.tensors[at(root)].planned = false;
            }
    }

    const Tensor* parameterOf(std::size_t function, std::size_t parameter) const
    {
        const std::string& name = sources_[function].parameters[parameter].name;
        for (const Tensor& tensor : result_.program.functions[function].tensors)
            if (tensor.name == name) return &tensor;
        return nullptr;
    }

    struct Use {
        std::size_t function = 0;
        TensorId tensor = none;
        std::size_t callee = 0;
        std::size_t parameter = 0;
    };

    const std::vector<PrimFunction>& sources_;
    const std::string& file_;
    bool planIo_;
    TirProgram result_;
    TirModule module_;
    std::size_t current_ = 0;
    Scope scope_;
    UniqueNames tensorNames_, opNames_;
    std::unordered_set<TensorId> written_;
    std::unordered_map<TensorId, TensorId> latest_; ///< the view that the last write made, if it made one
    std::vector<Use> uses_;
    std::vector<FunctionCall> calls_;
    bool failed_ = false;
    std::optional<Error> error_;
};

} // namespace

Expected<TirProgram> buildProgram(const std::vector<PrimFunction>& functions, const std::string& file, bool planIo)
{
    return Builder(functions, file, planIo).run();
}

} // namespace stowage::tvm
