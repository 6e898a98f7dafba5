// What statements of TIR touch, and what functions do with their parameters.
#pragma once

#include "plugins/tvm/tir_parser.h"
#include "plugins/tvm/tir_pools.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stowage::tvm {

/// What a parameter of a function is for its callers.
enum class Role : std::uint8_t { scalar, input, output, both };

[[nodiscard]] inline bool isRead(Role role)
{
    return role == Role::input || role == Role::both;
}
[[nodiscard]] inline bool isWritten(Role role)
{
    return role == Role::output || role == Role::both;
}

/// T.call_extern and its like: the function is named by a string.
[[nodiscard]] bool callsFunction(std::string_view callee);

/// The call inside T.evaluate(…), T.Evaluate(…), or the expression itself.
[[nodiscard]] const Expression& evaluated(const Expression& given);

/// The functions of a file by name, with the roles of their parameters.
class TirModule {
    using Kind = Expression::Kind;

public:
    /// Functions of one name: the first counts. Calls go by the attribute global_symbol, where it differs.
    explicit TirModule(const std::vector<PrimFunction>& functions);

    [[nodiscard]] const std::vector<Role>& roles(std::size_t function) const { return roles_[function]; }
    /// The one that is marked `runner_function`; npos without one.
    [[nodiscard]] std::size_t runner() const { return runner_; }
    /// The memories that functions take, where the text has been planned. They are no buffers, and their parameters are scalars.
    [[nodiscard]] const TirPools& pools() const { return pools_; }
    /// The function that a call names, and where its arguments begin; npos for an extern one.
    [[nodiscard]] std::size_t calleeOf(const Expression& call, std::size_t& first) const;
    /// What a name stands for when a statement gives it to something that is there: match_buffer, buffer_decl with data,
    /// address_of. Null when it does no such thing.
    [[nodiscard]] static const Expression* aliased(const Expression& call);

    /// The name that an expression is about: A of A, A.data, A[i], T.address_of(A[0]), T.tvm_access_ptr(…, A.data, …).
    template <typename Known>
    static std::string baseName(const Expression& given, Known known)
    {
        const Expression& expression = bare(given);
        switch (expression.kind) {
        case Kind::name: return known(expression.text) ? expression.text : std::string();
        case Kind::attribute:
        case Kind::subscript: return baseName(expression.operands[0], known);
        case Kind::call:
            for (std::size_t i = 1; i < expression.operands.size(); ++i)
                if (std::string name = baseName(expression.operands[i], known); !name.empty()) return name;
            return {};
        default: return {};
        }
    }

    /// Calls visit(name, written) for every name that may stand for a buffer, in a statement and what is inside it.
    template <typename Visit>
    void touches(const Statement& statement, Visit& visit) const
    {
        switch (statement.kind) {
        case Statement::Kind::assignment:
            for (const Expression& target : statement.targets) {
                if (target.kind != Kind::subscript) continue;
                const auto any = [](const std::string&) { return true; };
                if (const std::string name = baseName(target, any); !name.empty()) visit(name, true);
                for (std::size_t i = 1; i < target.operands.size(); ++i) reads(target.operands[i], visit);
            }
            reads(statement.value, visit);
            break;
        case Statement::Kind::expression: effects(evaluated(statement.value), visit); break;
        default: reads(statement.value, visit);
        }
        for (const auto* block : {&statement.body, &statement.otherwise})
            for (const Statement& inner : *block) touches(inner, visit);
    }

    template <typename Visit>
    void reads(const Expression& expression, Visit& visit) const
    {
        if (expression.kind == Kind::name) visit(expression.text, false);
        if (expression.kind == Kind::call &&
            (callsFunction(expression.callee()) || byName_.contains(std::string(expression.callee()))))
            return effects(expression, visit);
        for (const Expression& operand : expression.operands) reads(operand, visit);
        for (const auto& [key, value] : expression.keywords) reads(value, visit);
    }

    /// A statement that is a call.
    template <typename Visit>
    void effects(const Expression& call, Visit& visit) const
    {
        const auto any = [](const std::string& name) { return name != "T" && name != "tir" && name != "I"; };
        if (call.callee() == "store" || call.callee() == "buffer_store") {
            if (call.argument(0))
                if (const std::string name = baseName(*call.argument(0), any); !name.empty()) visit(name, true);
            for (std::size_t i = 2; i < call.operands.size(); ++i) reads(call.operands[i], visit);
            return;
        }
        std::size_t first = 0;
        const std::size_t callee = calleeOf(call, first);
        if (callee == std::string::npos && !callsFunction(call.callee())) {
            for (std::size_t i = 1; i < call.operands.size(); ++i) reads(call.operands[i], visit);
            return;
        }
        if (callee == std::string::npos) { // extern: the last one is written, as TVM's operators have it
            std::string last;
            for (std::size_t i = first; call.argument(i); ++i)
                if (const std::string name = baseName(*call.argument(i), any); !name.empty()) {
                    if (!last.empty()) visit(last, false);
                    last = name;
                }
            if (!last.empty()) visit(last, true);
            return;
        }
        const std::vector<Role>& roles = roles_[callee];
        for (std::size_t i = 0; i < roles.size() && call.argument(first + i); ++i) {
            const std::string name = baseName(*call.argument(first + i), any);
            if (name.empty() || roles[i] == Role::scalar) continue;
            if (isRead(roles[i])) visit(name, false);
            if (isWritten(roles[i])) visit(name, true);
        }
    }

private:
    void findRoles();
    bool findRoles(std::size_t f);

    const std::vector<PrimFunction>& sources_;
    std::unordered_map<std::string, std::size_t> byName_;
    std::size_t runner_ = std::string::npos;
    TirPools pools_;
    std::vector<std::vector<Role>> roles_; ///< by function, then parameter
};

} // namespace stowage::tvm
