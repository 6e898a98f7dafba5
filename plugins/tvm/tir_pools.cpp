#include "plugins/tvm/tir_pools.h"

#include "core/ir/checked.h"
#include "core/ir/parsed_number.h"
#include "plugins/tvm/tvm_types.h"

#include <algorithm>
#include <unordered_map>

namespace stowage::tvm {

namespace {

using Kind = Expression::Kind;

std::optional<std::int64_t> wholeNumber(const Expression* given)
{
    if (!given) return std::nullopt;
    const Expression& expression = bare(*given);
    if (expression.kind != Kind::number) return std::nullopt;
    const auto value = parsedNumber<std::int64_t>(expression.text);
    return value && *value >= 0 ? value : std::nullopt;
}

/// X of X and of X.data; null for anything else.
const Expression* nameOf(const Expression* given)
{
    if (!given) return nullptr;
    const Expression* expression = &bare(*given);
    if (expression->kind == Kind::attribute && expression->text == "data") expression = &expression->operands[0];
    return expression->kind == Kind::name ? expression : nullptr;
}

/// What is done with the parameters of all functions.
class PoolFinder {
public:
    PoolFinder(const std::vector<PrimFunction>& functions, const FindCallee& calleeOf)
        : functions_(functions), calleeOf_(calleeOf)
    {
        uses_.resize(functions.size());
        for (std::size_t f = 0; f < functions.size(); ++f) look(f);
    }

    TirPools run()
    {
        spread([](Use& a, Use& b) { // both ends of a call agree
            if (a.possible == b.possible) return false;
            a.possible = b.possible = false;
            return true;
        });
        spread([](Use& a, Use& b) {
            if (!a.possible || a.addressed == b.addressed) return false;
            a.addressed = b.addressed = true;
            return true;
        });
        return result();
    }

private:
    struct Use {
        bool possible = false;
        bool addressed = false;
        bool written = false;
        Pool pool; ///< what a buffer over it says
        std::vector<std::string> names;
    };
    struct Edge {
        std::size_t caller = 0, parameter = 0, callee = 0, argument = 0;
    };

    template <typename Step>
    void spread(Step step)
    {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Edge& e : edges_) changed |= step(uses_[e.caller][e.parameter], uses_[e.callee][e.argument]);
        }
    }

    void look(std::size_t f)
    {
        current_ = f;
        names_.clear();
        const auto& parameters = functions_[f].parameters;
        uses_[f].resize(std::max(uses_[f].size(), parameters.size()));
        for (std::size_t p = 0; p < parameters.size(); ++p) {
            Use& use = uses_[f][p];
            const std::string_view type = parameters[p].annotation.kind == Kind::none ? "handle" : last(parameters[p].annotation);
            use.possible = !refused(f, p) && (type == "handle" || type == "Ptr" || type.empty());
            use.pool.name = parameters[p].name;
            use.names.push_back(parameters[p].name);
            names_[parameters[p].name] = p;
        }
        walk(functions_[f].body);
    }

    /// "handle" of T.handle, T.handle("uint8"), ty.handle; "Ptr" of T.Ptr[T.uint8]; "?" for anything else.
    static std::string_view last(const Expression& annotation)
    {
        const Expression& type = bare(annotation);
        if (type.kind == Kind::attribute || type.kind == Kind::name)
            return type.text == "handle" ? std::string_view(type.text) : "?";
        if ((type.kind == Kind::call || type.kind == Kind::subscript) && type.operands[0].kind == Kind::attribute) {
            const std::string& text = type.operands[0].text;
            return text == "handle" || text == "Ptr" ? std::string_view(text) : "?";
        }
        return "?";
    }

    void walk(const std::vector<Statement>& block)
    {
        for (const Statement& statement : block) {
            one(statement);
            walk(statement.body);
            walk(statement.otherwise);
        }
    }

    void one(const Statement& statement)
    {
        const Expression& value = bare(statement.value);
        const Expression* name = boundName(statement);
        if (name && value.callee() == "match_buffer" && declared(value, name->text)) return;
        if (const auto address = boundAddress(statement)) {
            if (const auto found = names_.find(address->pool->text); found != names_.end()) {
                Use& use = uses_[current_][found->second];
                use.addressed = true;
                use.written |= !address->constant;
                for (const Expression* inside : {&value, &boundValue(value)}) // the other arguments of a declaration
                    for (std::size_t i = 1; i < inside->operands.size(); ++i)
                        if (!poolAddress(inside->operands[i]) && !poolAddress(*inside)) touched(inside->operands[i]);
                return;
            }
        }
        for (const Expression& target : statement.targets)
            if (target.kind != Kind::name) touched(target);
        touched(value);
    }

    /// x = T.match_buffer(parameter, [bytes], dtype="uint8", align=…). The alignment is that of the memory's beginning: offsets
    /// have their own.
    bool declared(const Expression& call, const std::string& name)
    {
        const Expression* parameter = nameOf(call.argument(0));
        const auto found = parameter ? names_.find(parameter->text) : names_.end();
        if (found == names_.end()) return false;
        const Expression* dtype = call.keyword("dtype") ? call.keyword("dtype") : call.argument(2);
        const Expression* shape = call.argument(1);
        if (textOf(dtype) != "uint8" || !shape || shape->kind != Kind::list || shape->operands.size() != 1) return false;
        Use& use = uses_[current_][found->second];
        use.pool.capacity = wholeNumber(&shape->operands[0]);
        use.names.push_back(name);
        names_[name] = found->second;
        return use.pool.capacity.has_value();
    }

    /// A memory that something else is done with is none.
    void touched(const Expression& expression)
    {
        if (expression.kind == Kind::name) {
            if (const auto found = names_.find(expression.text); found != names_.end())
                uses_[current_][found->second].possible = false;
            return;
        }
        std::size_t first = 0;
        const std::size_t callee = expression.kind == Kind::call ? calleeOf_(expression, first) : std::string::npos;
        for (std::size_t i = 0; i < expression.operands.size(); ++i) {
            const std::size_t argument = i - 1 - first;
            if (callee == std::string::npos || i < 1 + first || argument >= functions_[callee].parameters.size()) {
                touched(expression.operands[i]);
                continue;
            }
            const Expression* name = nameOf(&expression.operands[i]);
            const auto found = name ? names_.find(name->text) : names_.end();
            if (found != names_.end()) {
                edges_.push_back({current_, found->second, callee, argument});
                continue;
            }
            touched(expression.operands[i]);
            refuse(callee, argument); // what is handed in is something else
        }
        for (const auto& [key, value] : expression.keywords) touched(value);
    }

    void refuse(std::size_t f, std::size_t p)
    {
        if (uses_[f].size() > p) uses_[f][p].possible = false;
        if (refused_.size() <= f) refused_.resize(f + 1);
        if (refused_[f].size() <= p) refused_[f].resize(p + 1);
        refused_[f][p] = true;
    }
    bool refused(std::size_t f, std::size_t p) const { return f < refused_.size() && p < refused_[f].size() && refused_[f][p]; }

    TirPools result()
    {
        TirPools found;
        std::vector<std::vector<PoolId>> ids(functions_.size());
        for (std::size_t f = 0; f < functions_.size(); ++f) ids[f].assign(uses_[f].size(), none);
        std::vector<bool> handed; // by edge: the callee has it from the caller
        const auto add = [&](std::size_t f, std::size_t p) {
            Use& use = uses_[f][p];
            const auto same = std::find_if(found.pools.begin(), found.pools.end(),
                                           [&](const Pool& pool) { return pool.name == use.pool.name; });
            ids[f][p] = static_cast<PoolId>(same - found.pools.begin());
            if (same == found.pools.end()) found.pools.push_back(use.pool);
        };
        std::vector<std::vector<bool>> called(functions_.size());
        for (std::size_t f = 0; f < functions_.size(); ++f) called[f].resize(uses_[f].size());
        for (const Edge& e : edges_) called[e.callee][e.argument] = true;
        for (std::size_t f = 0; f < functions_.size(); ++f)
            for (std::size_t p = 0; p < uses_[f].size(); ++p)
                if (uses_[f][p].possible && uses_[f][p].addressed && !called[f][p]) add(f, p);
        for (bool changed = true; changed;) {
            changed = false;
            for (const Edge& e : edges_) {
                if (ids[e.caller][e.parameter] == none || ids[e.callee][e.argument] != none) continue;
                ids[e.callee][e.argument] = ids[e.caller][e.parameter];
                changed = true;
            }
        }
        std::vector<bool> written(found.pools.size());
        found.functions.resize(functions_.size());
        for (std::size_t f = 0; f < functions_.size(); ++f) {
            for (std::size_t p = 0; p < uses_[f].size(); ++p) {
                const PoolId id = ids[f][p];
                if (id == none) continue;
                const auto index = static_cast<std::size_t>(id);
                const Use& use = uses_[f][p];
                written[index] = written[index] || use.written;
                if (!found.pools[index].capacity) found.pools[index].capacity = use.pool.capacity;
                for (const std::string& name : use.names) found.functions[f].names.emplace_back(name, id);
            }
            found.functions[f].pools = std::move(ids[f]);
        }
        for (std::size_t p = 0; p < found.pools.size(); ++p)
            if (!written[p]) found.pools[p].kind = PoolKind::constant;
        return found;
    }

    const std::vector<PrimFunction>& functions_;
    const FindCallee& calleeOf_;
    std::vector<std::vector<Use>> uses_; ///< by function, then parameter
    std::vector<std::vector<bool>> refused_;
    std::vector<Edge> edges_;
    std::size_t current_ = 0;
    std::unordered_map<std::string, std::size_t> names_;
};

} // namespace

std::optional<PoolAddress> poolAddress(const Expression& given)
{
    const Expression& call = bare(given);
    PoolAddress address;
    if (call.callee() == "address_of") {
        const Expression* load = call.argument(0) ? &bare(*call.argument(0)) : nullptr;
        if (!load || load->kind != Kind::subscript || load->operands.size() != 2) return std::nullopt;
        address.pool = nameOf(&load->operands[0]);
        const auto offset = wholeNumber(&load->operands[1]);
        if (!address.pool || !offset) return std::nullopt;
        address.offset = *offset;
        return address;
    }
    if (call.callee() != "tvm_access_ptr" || !call.argument(4)) return std::nullopt;
    const Expression& type = bare(*call.argument(0));
    const auto element = elementBytes(type.callee() == "type_annotation" ? textOf(type.argument(0)) : textOf(&type));
    const auto offset = wholeNumber(call.argument(2));
    const auto extent = wholeNumber(call.argument(3));
    const auto mask = wholeNumber(call.argument(4));
    address.pool = nameOf(call.argument(1));
    if (!element || !offset || !extent || !mask || !address.pool) return std::nullopt;
    const auto from = checkedMultiply(*offset, *element);
    const auto bytes = checkedMultiply(*extent, *element);
    if (!from || !bytes || *from > maxBytes || *bytes > maxBytes) return std::nullopt;
    address.offset = *from;
    address.bytes = *bytes;
    address.constant = *mask == 1;
    return address;
}

const Expression& boundValue(const Expression& given)
{
    const Expression& call = bare(given);
    if (call.callee() != "LetStmt" && call.callee() != "let" && call.callee() != "Let") return call;
    if (call.callee() == "let" && call.operands.size() == 3 && nameOf(call.argument(0))) return bare(*call.argument(1));
    return call.argument(0) ? bare(*call.argument(0)) : call;
}

const Expression* boundName(const Statement& statement)
{
    if (!statement.targets.empty()) return statement.targets[0].kind == Kind::name ? &statement.targets[0] : nullptr;
    const Expression& call = bare(statement.value);
    return call.callee() == "let" && call.operands.size() == 3 ? nameOf(call.argument(0)) : nullptr;
}

std::optional<PoolAddress> boundAddress(const Statement& statement)
{
    if ((statement.kind != Statement::Kind::assignment && statement.kind != Statement::Kind::with) || !boundName(statement))
        return std::nullopt;
    const Expression& value = boundValue(statement.value);
    if (auto address = poolAddress(value)) return address;
    const Expression* data = value.callee() == "decl_buffer" || value.callee() == "buffer_decl" || value.callee() == "Buffer"
                                 ? value.keyword("data")
                                 : nullptr;
    return data ? poolAddress(*data) : std::nullopt;
}

PoolId TirPools::find(std::size_t function, const std::string& name) const
{
    if (function >= functions.size()) return none;
    for (const auto& [known, pool] : functions[function].names)
        if (known == name) return pool;
    return none;
}

TirPools findPools(const std::vector<PrimFunction>& functions, const FindCallee& calleeOf)
{
    return PoolFinder(functions, calleeOf).run();
}

} // namespace stowage::tvm
