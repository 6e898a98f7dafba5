#include "plugins/tvm/tir_writer.h"

#include "core/ir/checked.h"
#include "plugins/tvm/tir_lexer.h"
#include "plugins/tvm/tir_module.h"
#include "plugins/tvm/tir_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_set>

namespace stowage::tvm {

namespace {

using Kind = Expression::Kind;

/// A memory that holds something, by the names that it has in the text.
struct Memory {
    std::string parameter; ///< "sram"
    std::string buffer;    ///< "sram_pool"
    Bytes size = 0;
    Bytes alignment = 1;
    bool constant = false;
};

/// Where a tensor of a function lies.
struct Spot {
    std::size_t memory = 0;
    Bytes offset = 0;

    friend bool operator==(const Spot&, const Spot&) = default;
};

class Writer {
public:
    explicit Writer(const RewriteRequest& request) : request_(request), text_(request.text) {}

    Expected<Rewritten> run()
    {
        auto parsed = parseTir(text_, request_.path);
        if (!parsed) return std::move(parsed).error();
        functions_ = *std::move(parsed);
        const bool planIo = std::any_of(request_.options.begin(), request_.options.end(),
                                        [](const auto& option) { return option.first == "io" && option.second == "included"; });
        auto built = buildProgram(functions_, request_.path, planIo);
        if (!built) return std::move(built).error();
        program_ = *std::move(built);
        module_.emplace(functions_);
        if (!module_->pools().pools.empty()) {
            Rewritten same{std::string(text_), {}};
            same.diagnostics.push_back({Severity::note,
                                        Code::plannedAlready,
                                        "the functions take pools already: the file is given back as it is",
                                        {request_.path, 0, 0, -1},
                                        {}});
            return same;
        }
        chooseNames();
        for (const PlannedFunction& planned : request_.planned)
            if (!take(planned)) return *std::move(error_);
        if (!everyCallerIsPlanned()) return *std::move(error_);
        for (std::size_t f = 0; f < functions_.size(); ++f)
            if (memories_[f] && !rewriteFunction(f)) return *std::move(error_);
        return apply();
    }

private:
    struct Edit {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::string text;
    };

    bool fail(Code code, std::string message, const Place& where, std::string remedy = {})
    {
        error_ = failure(code, std::move(message), {request_.path, where.line, where.column, -1}, std::move(remedy));
        return false;
    }

    // --- names -------------------------------------------------------------------------------------------------------

    /// All names of the text, so that a new one is new; and what T is called.
    void chooseNames()
    {
        static constexpr std::array<std::string_view, 35> keywords{
            "False",  "None",     "True", "and",    "as",      "assert", "async",  "await",  "break", "class",  "continue", "def",
            "del",    "elif",     "else", "except", "finally", "for",    "from",   "global", "if",    "import", "in",       "is",
            "lambda", "nonlocal", "not",  "or",     "pass",    "raise",  "return", "try",    "while", "with",   "yield"};
        for (const std::string_view keyword : keywords) taken_.emplace(keyword);
        if (const auto tokens = tokenize(text_, request_.path))
            for (const Token& token : *tokens)
                if (token.kind == TokenKind::name) taken_.emplace(token.text);
        memories_.resize(functions_.size());
        places_.resize(functions_.size());
        for (const Allocation& allocation : program_.allocations) {
            const Expression& callee = allocation.call->operands[0];
            const std::string_view spelled = text_.substr(callee.where.byte, callee.end - callee.where.byte);
            if (const auto dot = spelled.rfind('.'); dot != std::string_view::npos) {
                prefix_ = spelled.substr(0, dot + 1);
                return;
            }
        }
    }

    /// `wanted` as a name of Python that nothing in the text has.
    std::string newName(std::string_view wanted, std::string_view otherwise)
    {
        std::string name;
        for (const char c : wanted) {
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            const bool digit = c >= '0' && c <= '9';
            name += letter || (digit && !name.empty()) ? c : '_';
        }
        if (taken_.contains(name)) name += otherwise;
        const std::string base = name;
        for (int copy = 2; !taken_.insert(name).second; ++copy) name = fmt::format("{}_{}", base, copy);
        return name;
    }

    /// The names of a pool are the same in all functions.
    std::size_t memoryOf(const Pool& pool)
    {
        const auto [found, added] = byName_.emplace(pool.name, all_.size());
        if (!added) return found->second;
        Memory& memory = all_.emplace_back();
        memory.parameter = newName(pool.name, "_memory");
        memory.buffer = newName(memory.parameter + "_pool", "_2");
        memory.constant = pool.kind == PoolKind::constant;
        if (memory.parameter != pool.name)
            said_.push_back({Severity::note,
                             Code::poolRenamed,
                             fmt::format("the pool '{}' is called '{}' in the text", pool.name, memory.parameter),
                             {request_.path, 0, 0, -1},
                             {}});
        return found->second;
    }

    // --- the plan ----------------------------------------------------------------------------------------------------

    /// The memories of one plan, the functions that it reaches, and where their tensors lie.
    bool take(const PlannedFunction& planned)
    {
        const Problem& problem = planned.lowering.problem;
        std::vector<std::size_t> memoryOfPool(problem.pools.size());
        std::vector<std::size_t> mine;
        for (std::size_t p = 0; p < problem.pools.size(); ++p) {
            const auto id = static_cast<PoolId>(p);
            const auto holds = [&](const Placement& placement) { return placement.pool == id; };
            if (std::none_of(planned.plan.placements.begin(), planned.plan.placements.end(), holds)) continue;
            memoryOfPool[p] = memoryOf(problem.pools[p]);
            mine.push_back(memoryOfPool[p]);
            Memory& memory = all_[memoryOfPool[p]];
            memory.size = std::max(memory.size, planned.plan.poolSize(problem, id));
            for (std::size_t b = 0; b < problem.buffers.size(); ++b)
                if (holds(planned.plan.placements[b]))
                    memory.alignment = checkedLcm(memory.alignment, problem.effectiveAlignment(problem.buffers[b], id))
                                           .value_or(memory.alignment);
        }
        // Constants first, then workspaces, as the design document of TVM's planner has them.
        std::stable_partition(mine.begin(), mine.end(), [this](std::size_t m) { return all_[m].constant; });
        std::vector<bool> reached(functions_.size());
        for (const FunctionInstance& instance : planned.lowering.instances) {
            const std::size_t f = at(instance.function);
            if (memories_[f] && !reached[f])
                return fail(Code::plannedTwice,
                            fmt::format("'{}' is reached from two functions that are planned apart", functions_[f].name),
                            functions_[f].where, remedyOfSharing(f));
            reached[f] = true;
            memories_[f] = mine;
            places_[f].resize(instance.bindings.size());
            for (const Allocation& allocation : program_.allocations) {
                if (allocation.function != f) continue;
                const TensorBinding& binding = instance.bindings[at(allocation.tensor)];
                if (binding.buffer == none) continue;
                const Placement& placement = planned.plan.placements[at(binding.buffer)];
                const std::string& name = request_.program.functions[f].tensors[at(allocation.tensor)].name;
                if (placement.rotating() || !binding.first.empty() || binding.distance != 0)
                    return fail(Code::rotating,
                                fmt::format("'{}' rotates between several offsets, which one offset cannot express", name),
                                allocation.call->where, "plan with --lower loops=conservative");
                const Spot place{memoryOfPool[at(placement.pool)], placement.offset + binding.delta};
                std::optional<Spot>& known = places_[f][at(allocation.tensor)];
                if (known && *known != place)
                    return fail(Code::severalPlaces,
                                fmt::format("'{}' lies elsewhere in each call of '{}'", name, functions_[f].name),
                                allocation.call->where);
                known = place;
            }
        }
        return true;
    }

    /// The call of a function that no plan reaches would lack the memories that the plan of another one adds.
    bool everyCallerIsPlanned()
    {
        bool planned = true;
        for (std::size_t f = 0; f < functions_.size() && planned; ++f)
            if (!memories_[f])
                eachCall(functions_[f].body, [&](const Expression& call, std::size_t, std::size_t callee) {
                    if (planned)
                        planned = fail(Code::notSupported,
                                       fmt::format("'{}' calls '{}', which takes pools of a plan that does not reach '{}'",
                                                   functions_[f].name, functions_[callee].name, functions_[f].name),
                                       call.where, remedyOfSharing(callee));
                });
        return planned;
    }

    std::string remedyOfSharing(std::size_t callee) const
    {
        return fmt::format(
            "give each of the two callers a copy of '{}', or plan a function that reaches both with --function NAME",
            functions_[callee].name);
    }

    /// Calls visit(call, index of its first argument, callee) for each call of a function that takes memories.
    template <typename Visit>
    void eachCall(const std::vector<Statement>& block, const Visit& visit) const
    {
        for (const Statement& statement : block) {
            for (const Expression& target : statement.targets) eachCall(target, visit);
            eachCall(statement.value, visit);
            eachCall(statement.body, visit);
            eachCall(statement.otherwise, visit);
        }
    }

    template <typename Visit>
    void eachCall(const Expression& expression, const Visit& visit) const
    {
        std::size_t first = 0;
        const std::size_t callee = expression.kind == Kind::call ? module_->calleeOf(expression, first) : std::string::npos;
        if (callee != std::string::npos && memories_[callee] && !memories_[callee]->empty()) visit(expression, first, callee);
        for (const Expression& operand : expression.operands) eachCall(operand, visit);
        for (const auto& [key, value] : expression.keywords) eachCall(value, visit);
    }

    // --- the text ----------------------------------------------------------------------------------------------------

    void insert(std::size_t where, std::string text) { edits_.push_back({where, where, std::move(text)}); }
    void replace(std::size_t begin, std::size_t end, std::string text) { edits_.push_back({begin, end, std::move(text)}); }
    std::string_view spelled(const Expression& expression) const
    {
        return text_.substr(expression.where.byte, expression.end - expression.where.byte);
    }

    bool rewriteFunction(std::size_t f)
    {
        const PrimFunction& function = functions_[f];
        if (!memories_[f]->empty()) {
            if (!function.indentedBody)
                return fail(Code::bodyOnTheLine, fmt::format("the body of '{}' stands on the line of its def", function.name),
                            function.where, "put it on a line of its own");
            takeMemories(f);
        }
        for (const Allocation& allocation : program_.allocations)
            if (allocation.function == f && places_[f][at(allocation.tensor)])
                replaceAllocation(allocation, *places_[f][at(allocation.tensor)]);
        handOn(function.body);
        return true;
    }

    void takeMemories(std::size_t f)
    {
        const PrimFunction& function = functions_[f];
        std::string parameters;
        for (const std::size_t m : *memories_[f])
            parameters += fmt::format("{}{}: {}handle(\"uint8\")", parameters.empty() ? "" : ", ", all_[m].parameter, prefix_);
        if (function.parameters.empty())
            insert(function.parametersEnd, parameters);
        else
            insert(function.parameters.back().end, ", " + parameters);

        const auto line = text_.rfind('\n', function.bodyBegin) + 1; // 0 in the first line
        const std::string_view indentation = text_.substr(line, function.bodyBegin - line);
        std::string buffers;
        for (const std::size_t m : *memories_[f])
            buffers += fmt::format("{} = {}match_buffer({}, [{}], dtype=\"uint8\", strides=[1], elem_offset=0, align={})\n{}",
                                   all_[m].buffer, prefix_, all_[m].parameter, all_[m].size, all_[m].alignment, indentation);
        insert(function.bodyBegin, buffers);
    }

    std::string address(const Spot& place, Bytes bytes) const
    {
        const Memory& memory = all_[place.memory];
        return fmt::format("{}tvm_access_ptr({}type_annotation(\"uint8\"), {}.data, {}, {}, {}, dtype=\"handle\")", prefix_,
                           prefix_, memory.buffer, place.offset, bytes, memory.constant ? 1 : 3);
    }

    void replaceAllocation(const Allocation& allocation, const Spot& place)
    {
        const Expression& call = *allocation.call;
        const Tensor& tensor = request_.program.functions[allocation.function].tensors[at(allocation.tensor)];
        const std::string where = address(place, tensor.bytes.value_or(0));
        const std::string_view callee = call.callee();
        if (callee != "allocate" && callee != "allocate_const") { // a buffer stays one
            const Expression& name = call.operands[0];
            const std::string_view spelling = spelled(name);
            const auto dot = spelling.rfind('.');
            replace(name.where.byte, name.end,
                    std::string(spelling.substr(0, dot == std::string_view::npos ? 0 : dot + 1)) + "decl_buffer");
            std::size_t last = call.operands.back().end;
            for (const auto& [key, value] : call.keywords) last = std::max(last, value.end);
            insert(last, (call.operands.size() == 1 && call.keywords.empty() ? "(data=" : ", data=") + where);
            return;
        }
        if (all_[place.memory].constant) ++constants_;
        const Expression* dtype = call.keyword("dtype") ? call.keyword("dtype") : call.argument(1);
        const Expression* scope = call.keyword("scope")  ? call.keyword("scope")
                                  : callee == "allocate" ? call.argument(2)
                                                         : nullptr;
        std::string type = prefix_ + "handle";
        if (dtype)
            type += fmt::format("({}{}{})", spelled(*dtype), scope ? ", " : "", scope ? spelled(*scope) : std::string_view());
        if (allocation.with) return replace(call.where.byte, call.end, fmt::format("{}LetStmt({}, {})", prefix_, where, type));
        // The pointer keeps its type as an annotation, unless it has one; Python allows none where several names get the value.
        const std::size_t after = allocation.target->end;
        const std::string_view between = text_.substr(after, call.where.byte - after);
        if (between.find(':') == std::string_view::npos && std::count(between.begin(), between.end(), '=') == 1)
            insert(after, ": " + type);
        replace(call.where.byte, call.end, where);
    }

    /// Passes memories on to the functions that take them.
    void handOn(const std::vector<Statement>& block)
    {
        eachCall(block, [this](const Expression& call, std::size_t first, std::size_t callee) {
            std::string given;
            for (const std::size_t m : *memories_[callee])
                given += fmt::format("{}{}.data", given.empty() ? "" : ", ", all_[m].buffer);
            const std::size_t last = first + functions_[callee].parameters.size();
            if (last == 0)
                insert(call.end - 1, given); // f()
            else if (last < call.operands.size())
                insert(call.operands[last].end, ", " + given);
        });
    }

    Rewritten apply()
    {
        std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
        Rewritten result;
        result.diagnostics = std::move(said_);
        if (constants_ > 0)
            result.diagnostics.push_back(
                {Severity::note,
                 Code::constantData,
                 fmt::format("the data of {} constants is no longer in the text: it is handed in through the pools for constants",
                             constants_),
                 {request_.path, 0, 0, -1},
                 {}});
        std::size_t done = 0;
        for (const Edit& edit : edits_) {
            if (edit.begin < done) continue; // inside something that is gone
            result.text.append(text_.substr(done, edit.begin - done));
            result.text += edit.text;
            done = edit.end;
        }
        result.text.append(text_.substr(done));
        return result;
    }

    const RewriteRequest& request_;
    std::string_view text_;
    std::vector<PrimFunction> functions_;
    TirProgram program_;
    std::optional<TirModule> module_;
    std::string prefix_ = "T."; ///< what TIR's names begin with
    std::unordered_set<std::string> taken_;
    std::vector<Memory> all_;
    std::map<std::string, std::size_t, std::less<>> byName_;
    std::vector<std::optional<std::vector<std::size_t>>> memories_; ///< by function; nothing where no plan reaches
    std::vector<std::vector<std::optional<Spot>>> places_;          ///< by function, then tensor
    std::vector<Edit> edits_;
    Diagnostics said_;
    std::size_t constants_ = 0;
    std::optional<Error> error_;
};

} // namespace

Expected<Rewritten> TirRewriter::rewrite(const RewriteRequest& request) const
{
    return Writer(request).run();
}

} // namespace stowage::tvm
