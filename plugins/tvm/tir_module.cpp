#include "plugins/tvm/tir_module.h"

#include "plugins/tvm/tvm_types.h"

namespace stowage::tvm {

using Kind = Expression::Kind;

namespace {

/// T.int32 and its like.
bool isScalar(const Parameter& parameter)
{
    const std::string type = parameter.annotation.path();
    const auto dot = type.rfind('.');
    const std::string last = dot == std::string::npos ? type : type.substr(dot + 1);
    return elementBytes(last).has_value() && last != "handle";
}

} // namespace

bool callsFunction(std::string_view callee)
{
    return callee == "call_extern" || callee == "call_packed" || callee == "call_cpacked" || callee == "tvm_call_cpacked" ||
           callee == "tvm_call_packed" || callee == "call_packed_lowered" || callee == "call_cpacked_lowered";
}

const Expression& evaluated(const Expression& given)
{
    const Expression& expression = bare(given);
    if ((expression.callee() == "evaluate" || expression.callee() == "Evaluate") && expression.argument(0))
        return bare(*expression.argument(0));
    return expression;
}

TirModule::TirModule(const std::vector<PrimFunction>& functions) : sources_(functions)
{
    for (std::size_t f = 0; f < sources_.size(); ++f) byName_.emplace(sources_[f].name, f);
    // Calls go by the global symbol, where it differs.
    for (std::size_t f = 0; f < sources_.size(); ++f)
        for (const Statement& statement : sources_[f].body) {
            const Expression& call = bare(statement.value);
            if (call.callee() != "func_attr" || !call.argument(0)) continue;
            const std::vector<Expression>& pairs = call.argument(0)->operands;
            for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
                if (pairs[i].text == "global_symbol") byName_.emplace(pairs[i + 1].text, f);
                if (pairs[i].text == "runner_function" && bare(pairs[i + 1]).text != "False" && bare(pairs[i + 1]).text != "0")
                    runner_ = f;
            }
        }
    pools_ = findPools(sources_, [this](const Expression& call, std::size_t& first) { return calleeOf(call, first); });
    findRoles();
}

std::size_t TirModule::calleeOf(const Expression& call, std::size_t& first) const
{
    if (!callsFunction(call.callee())) {
        first = 0;
        const auto direct =
            call.kind == Kind::call ? byName_.find(std::string(call.callee())) : byName_.end(); // Module.f(…), f(…)
        return direct == byName_.end() ? std::string::npos : direct->second;
    }
    first = 1;
    std::string name = textOf(call.argument(0));
    // Newer versions say the type first.
    if (call.argument(1) && bare(*call.argument(1)).kind == Kind::string && elementBytes(name)) {
        name = textOf(call.argument(1));
        first = 2;
    }
    const auto found = byName_.find(name);
    return found == byName_.end() ? std::string::npos : found->second;
}

const Expression* TirModule::aliased(const Expression& call)
{
    const std::string_view callee = call.callee();
    if (callee == "match_buffer" || callee == "preflattened_buffer") return call.argument(0);
    if (callee == "buffer_decl" || callee == "decl_buffer" || callee == "Buffer") return call.keyword("data");
    if (callee == "address_of" || callee == "reinterpret") return call.operands.empty() ? nullptr : &call.operands.back();
    return nullptr;
}

/// Read, written or both: what is found inside, and what called functions do, until nothing changes (or, in a cycle of calls,
/// long enough).
void TirModule::findRoles()
{
    roles_.resize(sources_.size());
    for (std::size_t f = 0; f < sources_.size(); ++f)
        for (std::size_t p = 0; p < sources_[f].parameters.size(); ++p)
            roles_[f].push_back(isScalar(sources_[f].parameters[p]) || pools_.functions[f].pools[p] != none ? Role::scalar
                                                                                                            : Role::input);
    std::size_t rounds = 0;
    for (bool changed = true; changed && rounds < sources_.size() + 2; ++rounds) {
        changed = false;
        for (std::size_t f = 0; f < sources_.size(); ++f) changed |= findRoles(f);
    }
}

bool TirModule::findRoles(std::size_t f)
{
    const PrimFunction& source = sources_[f];
    std::unordered_map<std::string, std::size_t> parameters; // by name, also by the names of match_buffer
    for (std::size_t p = 0; p < source.parameters.size(); ++p) parameters.emplace(source.parameters[p].name, p);
    std::vector<bool> read(source.parameters.size()), written(source.parameters.size());
    const auto visit = [&](const std::string& name, bool write) {
        const auto found = parameters.find(name);
        if (found == parameters.end()) return;
        (write ? written : read)[found->second] = true;
    };
    const auto walk = [&](const auto& self, const std::vector<Statement>& block) -> void {
        for (const Statement& statement : block) {
            const Expression& value = bare(statement.value);
            const Expression* of = statement.kind == Statement::Kind::assignment || statement.kind == Statement::Kind::with
                                       ? aliased(value)
                                       : nullptr;
            const auto known = [&](const std::string& name) { return parameters.contains(name); };
            if (of && !statement.targets.empty() && statement.targets[0].kind == Kind::name) {
                if (const std::string base = baseName(*of, known); !base.empty())
                    parameters[statement.targets[0].text] = parameters[base];
                if (statement.kind == Statement::Kind::assignment) continue;
            }
            if (value.callee() == "preflattened_buffer") continue;
            if (statement.body.empty() && statement.otherwise.empty()) {
                touches(statement, visit);
                continue;
            }
            reads(statement.value, visit);
            self(self, statement.body);
            self(self, statement.otherwise);
        }
    };
    walk(walk, source.body);
    bool changed = false;
    for (std::size_t p = 0; p < source.parameters.size(); ++p) {
        Role& role = roles_[f][p];
        if (role == Role::scalar) continue;
        const Role now = written[p] ? (read[p] ? Role::both : Role::output) : Role::input;
        changed |= now != role;
        role = now;
    }
    return changed;
}

} // namespace stowage::tvm
