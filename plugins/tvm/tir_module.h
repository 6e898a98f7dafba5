// Names of buffers that statements of TIR read and write, and the roles of functions' parameters.
#pragma once

#include "plugins/tvm/tir_parser.h"
#include "plugins/tvm/tir_pools.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stowage::tvm {

/// Use of a parameter by its function. `scalar`: not a buffer.
enum class Role : std::uint8_t { scalar, input, output, both };

[[nodiscard]] inline bool isRead(Role role)
{
    return role == Role::input || role == Role::both;
}
[[nodiscard]] inline bool isWritten(Role role)
{
    return role == Role::output || role == Role::both;
}

/// Whether it is T.call_extern or a similar function, which takes the name of the called function as a string.
[[nodiscard]] bool callsFunction(std::string_view callee);

/// The argument of T.evaluate(…) or T.Evaluate(…); otherwise the expression itself.
[[nodiscard]] const Expression& evaluated(const Expression& given);

/// The functions of a file by name, with the roles of their parameters.
class TirModule {
    using Kind = Expression::Kind;

public:
    /// Of several functions with one name the first counts. A function's attribute global_symbol, if it has one, is its name in
    /// calls.
    explicit TirModule(const std::vector<PrimFunction>& functions);

    [[nodiscard]] const std::vector<Role>& roles(std::size_t function) const { return roles_[function]; }
    /// The function that is marked `runner_function`; npos if there is none.
    [[nodiscard]] std::size_t runner() const { return runner_; }
    /// The pools that functions take as parameters, if the text has been planned. They are not buffers, and their parameters have
    /// the role `scalar`.
    [[nodiscard]] const TirPools& pools() const { return pools_; }
    /// The function that a call names; sets `first` to the index of its first argument. npos for a function outside the module.
    [[nodiscard]] std::size_t calleeOf(const Expression& call, std::size_t& first) const;
    /// The existing buffer that a call gives a further name to: match_buffer, buffer_decl with data, address_of. Null for other
    /// calls.
    [[nodiscard]] static const Expression* aliased(const Expression& call);

    /// The name of the buffer that an expression refers to: A in A, A.data, A[i], T.address_of(A[0]), T.tvm_access_ptr(…, A.data,
    /// …). Empty if there is none that `known` accepts.
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

    /// Calls visit(name, written) for every name in a statement, and in the statements inside it, that may stand for a buffer.
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

    /// The same for a statement that is a call.
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
        if (callee == std::string::npos) { // outside the module: the last argument is written, as in TVM's operators
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
            const Expression& argument = *call.argument(first + i);
            if (roles[i] == Role::scalar) reads(argument, visit);
            const std::string name = baseName(argument, any);
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
