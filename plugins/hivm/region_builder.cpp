// Ops that hold regions, and what flows into them and out.
#include "core/ir/kernel_marks.h"
#include "plugins/hivm/function_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::hivm {

namespace {

constexpr int maxHops = 64;                 ///< of following one value
constexpr std::int64_t maxWork = 1'000'000; ///< of following values in one function

bool isTerminator(const Operation& op)
{
    return roleOf(op.kind, false) == OpRole::terminator;
}

/// The names of a loop's carried values inside and outside.
std::vector<std::pair<std::string_view, std::string_view>> carriedBy(const Operation& source, const Header& header)
{
    if (source.kind == "scf.while") return header.assignments("");
    return header.has("shared_outs") ? header.assignments("shared_outs") : header.assignments("iter_args");
}

} // namespace

// --- following values ------------------------------------------------------------------------------------------------------

std::pair<const Operation*, std::size_t> FunctionBuilder::definition(const SyntaxRegion& region, std::string_view name)
{
    const auto [known, fresh] = definitions_.try_emplace(&region);
    if (fresh)
        for (const Block& block : region.blocks)
            for (const Operation& operation : block.operations) {
                std::size_t index = 0;
                for (const Result& result : operation.results) {
                    known->second.emplace(result.name, std::pair(&operation, index));
                    index += static_cast<std::size_t>(result.count);
                }
            }
    std::size_t number = 0;
    if (const std::size_t hash = name.find('#'); hash != std::string_view::npos) {
        for (const char digit : name.substr(hash + 1))
            number = std::min<std::size_t>(number * 10 + static_cast<std::size_t>(digit - '0'), 1U << 20U);
        name = name.substr(0, hash);
    }
    const auto found = known->second.find(name);
    if (found == known->second.end()) return {nullptr, 0};
    return {found->second.first, found->second.second + number};
}

/// The name of what a region hands out at a position; empty when it hands out nothing there.
std::string_view FunctionBuilder::handedOut(const SyntaxRegion& region, std::size_t position) const
{
    if (region.blocks.empty() || region.blocks.back().operations.empty()) return {};
    const Operation& last = region.blocks.back().operations.back();
    if (!isTerminator(last)) return {};
    std::vector<std::string_view> values = Header(text_, last).values();
    if (last.kind == "scf.condition") ++position;
    return position < values.size() ? values[position] : std::string_view();
}

std::string_view FunctionBuilder::resolve(const SyntaxRegion& region, std::string_view name, int depth)
{
    for (int step = 0; step < maxHops; ++step) {
        if (name.empty() || ++work_ > maxWork || depth > maxHops) return {};
        const auto [defined, index] = definition(region, name);
        if (!defined) return name;
        const Header header(text_, *defined);
        const OpRole role = roleOf(defined->kind, header.has("ins") || header.has("outs"));
        const std::vector<std::string_view> values = header.values();
        if (role == OpRole::view && !values.empty()) {
            name = values.front();
        } else if (role == OpRole::destination) {
            const std::vector<Operand> outputs = header.group("outs");
            if (index >= outputs.size()) return {};
            name = outputs[index].name;
        } else if (role == OpRole::insert && values.size() > 1) {
            name = values[1];
        } else if (role == OpRole::loop || role == OpRole::whileLoop) {
            const auto carried = carriedBy(*defined, header);
            if (index >= carried.size() || !staysInPlace(*defined, carried[index].first, carried[index].second, index, depth + 1))
                return {};
            name = carried[index].second;
        } else if ((role == OpRole::branch || role == OpRole::once) && !defined->regions.empty()) {
            const std::string_view first =
                resolve(defined->regions.front(), handedOut(defined->regions.front(), index), depth + 1);
            for (const SyntaxRegion& other : defined->regions)
                if (resolve(other, handedOut(other, index), depth + 1) != first) return {};
            if (first.empty()) return {};
            name = first;
        } else {
            return {};
        }
    }
    return {};
}

/// Does a carried value never leave its place: is what an iteration hands to the next one what it was given, or what the loop was
/// given?
bool FunctionBuilder::staysInPlace(const Operation& source, std::string_view inner, std::string_view init, std::size_t position,
                                   int depth)
{
    if (source.regions.empty()) return false;
    std::string_view last = resolve(source.regions.back(), handedOut(source.regions.back(), position), depth);
    if (source.kind == "scf.while" && source.regions.size() == 2) {
        const SyntaxRegion& after = source.regions.back();
        const auto& arguments = after.blocks.front().arguments;
        const auto passed =
            std::find_if(arguments.begin(), arguments.end(), [&](const Argument& argument) { return argument.name == last; });
        if (passed != arguments.end())
            last = resolve(source.regions.front(),
                           handedOut(source.regions.front(), static_cast<std::size_t>(passed - arguments.begin())), depth);
    }
    return !last.empty() && (last == inner || last == init);
}

bool FunctionBuilder::isVisible(TensorId id) const
{
    const RegionId home = function_.tensors[at(id)].region;
    for (RegionId region = region_; region != none;) {
        if (region == home) return true;
        const OpId owner = function_.regions[at(region)].owner;
        region = owner == none ? none : function_.ops[at(owner)].parent;
    }
    return false;
}

/// What flows between regions is a whole buffer, or a value of its own.
TensorId FunctionBuilder::wholeOf(TensorId id) const
{
    const Tensor& tensor = function_.tensors[at(id)];
    return tensor.aliasOf != none && tensor.aliasOffset != 0 ? rootOf(id) : id;
}

TensorId FunctionBuilder::selector()
{
    if (selector_ != none) return selector_;
    const RegionId inside = region_;
    region_ = 0;
    Type type;
    type.element = "i1";
    selector_ = addTensor("(condition)", type, 0);
    region_ = inside;
    tensor(selector_).kind = TensorKind::constant;
    tensor(selector_).bytes = 1;
    tensor(selector_).where = {};
    return selector_;
}

void FunctionBuilder::resultOf(const Operation& source, std::size_t index, Value value)
{
    const std::string name = resultName(source, index);
    for (const Result& result : source.results)
        if (result.name == name) return define(result.name, std::move(value));
    define(*names_.insert(name).first, std::move(value));
}

// --- regions ---------------------------------------------------------------------------------------------------------------

/// A region's end counts as an op also where the text leaves it out.
void FunctionBuilder::endRegion(const SyntaxRegion& region, std::string_view kind)
{
    if (!region.blocks.empty() && !region.blocks.back().operations.empty() &&
        isTerminator(region.blocks.back().operations.back()))
        return;
    Operation implicit;
    implicit.kind = kind;
    implicit.begin = implicit.kindOffset = implicit.end = region.close;
    implicit.line = static_cast<std::uint32_t>(function_.ops.empty() ? 1 : std::max(1, function_.ops.back().where.line));
    const OpId id = addOp(implicit);
    op(id).where = {file_, 0, 0, -1};
    ends_.values.clear();
}

bool FunctionBuilder::body(const SyntaxRegion& region, RegionId id, Ends& ends, const Operation& source)
{
    const RegionId around = region_;
    region_ = id;
    ends_.values.clear();
    const bool done = visitBlocks(region);
    if (done)
        endRegion(region, source.kind == "scope.scope"        ? "scope.return"
                          : source.kind.starts_with("affine") ? "affine.yield"
                                                              : "scf.yield");
    region_ = around;
    ends = std::move(ends_);
    ends_.values.clear();
    return done;
}

/// Iterations, where the bounds and the step are constants.
std::optional<std::int64_t> FunctionBuilder::tripCount(const Header& header) const
{
    const std::vector<std::string_view> values = header.outerValues(); // %i = %from to %to step %by
    if (values.size() < 4 || !header.has("to") || !header.has("step")) return std::nullopt;
    std::int64_t number[3] = {0, 0, 0};
    for (std::size_t i = 0; i < 3; ++i) {
        const Value* value = lookUp(values[i + 1]);
        if (!value || !value->constant) return std::nullopt;
        number[i] = *value->constant;
    }
    constexpr std::int64_t sane = std::int64_t{1} << 40;
    for (const std::int64_t each : number)
        if (each > sane || each < -sane) return std::nullopt;
    if (number[2] <= 0) return std::nullopt;
    return number[1] <= number[0] ? 0 : (number[1] - number[0] + number[2] - 1) / number[2];
}

/// What a loop is handed and hands on as another buffer, and nothing has been written to yet: an op before the loop gives it a
/// value, whichever, and writes nothing.
void FunctionBuilder::giveUndefined(const Operation& source, const Header& header)
{
    const auto carried = carriedBy(source, header);
    for (std::size_t k = 0; k < carried.size(); ++k) {
        const TensorId init = tensorOf(carried[k].second);
        if (init == none || written_.contains(rootOf(init)) || !tensor(rootOf(init)).planned ||
            staysInPlace(source, carried[k].first, carried[k].second, k, 0))
            continue;
        Operation undefined;
        undefined.kind = "undefined";
        undefined.kindOffset = source.kindOffset;
        undefined.line = source.line;
        const OpId id = addOp(undefined);
        addMark(op(id), marks::chooses);
        write(id, init);
    }
}

bool FunctionBuilder::loop(const Operation& source, const Header& header)
{
    giveUndefined(source, header);
    const OpId id = addOp(source, Control::loop);
    const RegionId inside = addRegion(id, RegionRole::body);
    op(id).tripCount = tripCount(header);
    if (source.regions.empty()) return fail(source.kindOffset, Code::syntax, fmt::format("'{}' has no body", source.kind));
    scopes_.emplace_back();
    const auto& tokens = header.tokens();
    if (!tokens.empty()) // what counts the iterations
        for (std::size_t i = 0; i < header.skip(0); ++i)
            if (tokens[i].kind == TokenKind::value) define(tokens[i].text, {});
    const auto carried = carriedBy(source, header);
    struct Carried {
        TensorId init = none;
        TensorId inner = none; ///< none: stays in its place
        Type type;
    };
    std::vector<Carried> all;
    for (std::size_t k = 0; k < carried.size(); ++k) {
        const Value* outer = lookUp(carried[k].second);
        Carried each;
        if (outer) {
            each.type = outer->type;
            each.init = outer->tensor;
        }
        Value value{each.init, each.type, std::nullopt};
        if (each.init != none && written_.contains(rootOf(each.init)) &&
            !staysInPlace(source, carried[k].first, carried[k].second, k, 0)) {
            const RegionId around = std::exchange(region_, inside);
            each.inner =
                addTensor(carried[k].first, each.type, static_cast<std::uint32_t>(carried[k].first.data() - text_.data()));
            region_ = around;
            tensor(each.inner).where.line = static_cast<std::int32_t>(source.line);
            output_[at(each.inner)] = true;
            written_.insert(each.inner);
            op(id).inputs.push_back(wholeOf(each.init));
            function_.regions[at(inside)].inputs.push_back(each.inner);
            value.tensor = each.inner;
        }
        define(carried[k].first, std::move(value));
        all.push_back(std::move(each));
    }
    Ends ends;
    if (!body(source.regions.front(), inside, ends, source)) return false;
    scopes_.pop_back();
    for (std::size_t k = 0; k < all.size(); ++k) {
        Value result{all[k].init, all[k].type, std::nullopt};
        const TensorId next = k < ends.values.size() ? ends.values[k] : none;
        if (all[k].inner != none && next != none && written_.contains(rootOf(next))) {
            const TensorId from = wholeOf(next);
            result.tensor = addTensor(resultName(source, k), all[k].type, source.begin);
            tensor(result.tensor).where.line = static_cast<std::int32_t>(source.line);
            output_[at(result.tensor)] = true;
            if (written_.insert(result.tensor).second) log_.push_back(result.tensor);
            op(id).outputs.push_back(result.tensor);
            function_.regions[at(inside)].outputs.push_back(from);
            op(id).carries.push_back({from, all[k].inner});
        }
        resultOf(source, k, std::move(result));
    }
    return true;
}

/// Before and after are one body, in this order: the compiler numbers them so, and a value that the condition passes on is
/// the same in both.
bool FunctionBuilder::whileLoop(const Operation& source, const Header& header)
{
    giveUndefined(source, header);
    const OpId id = addOp(source, Control::loop);
    addMark(op(id), marks::linksAtEnd);
    const RegionId inside = addRegion(id, RegionRole::body);
    if (source.regions.size() != 2) return fail(source.kindOffset, Code::syntax, "'scf.while' needs two regions");
    scopes_.emplace_back();
    const auto carried = carriedBy(source, header);
    std::vector<TensorId> inits;
    std::vector<TensorId> inner;
    for (std::size_t k = 0; k < carried.size(); ++k) {
        const Value* outer = lookUp(carried[k].second);
        Value value = outer ? *outer : Value{};
        value.constant.reset();
        inits.push_back(value.tensor);
        inner.push_back(none);
        if (value.tensor != none && written_.contains(rootOf(value.tensor)) &&
            !staysInPlace(source, carried[k].first, carried[k].second, k, 0)) {
            const RegionId around = std::exchange(region_, inside);
            const TensorId init = value.tensor;
            value.tensor = inner.back() = addTensor(carried[k].first, value.type, source.begin);
            region_ = around;
            output_[at(value.tensor)] = true;
            written_.insert(value.tensor);
            op(id).inputs.push_back(wholeOf(init));
            function_.regions[at(inside)].inputs.push_back(value.tensor);
        }
        define(carried[k].first, std::move(value));
    }
    const RegionId around = std::exchange(region_, inside);
    ends_.values.clear();
    bool done = visitBlocks(source.regions.front());
    if (done) endRegion(source.regions.front(), "scf.condition");
    const std::vector<TensorId> passed = std::exchange(ends_.values, {});
    if (!source.regions.back().blocks.empty()) {
        const auto& arguments = source.regions.back().blocks.front().arguments;
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            Value value;
            value.type = parseType(arguments[k].type);
            if (k < passed.size()) value.tensor = passed[k];
            define(arguments[k].name, std::move(value));
        }
    }
    done = done && visitBlocks(source.regions.back());
    if (done) endRegion(source.regions.back(), "scf.yield");
    region_ = around;
    if (!done) return false;
    const std::vector<TensorId> next = std::exchange(ends_.values, {});
    scopes_.pop_back();
    for (std::size_t k = 0; k < passed.size(); ++k) {
        Value result;
        if (passed[k] != none) {
            result.type.kind = Type::Kind::memref;
            result.type.element = tensor(passed[k]).dtype;
            result.type.shape = tensor(passed[k]).shape;
            result.tensor = passed[k];
            if (!isVisible(passed[k]) && written_.contains(rootOf(passed[k]))) {
                const TensorId from = wholeOf(passed[k]);
                result.tensor = addTensor(resultName(source, k), result.type, source.begin);
                output_[at(result.tensor)] = true;
                written_.insert(result.tensor);
                op(id).outputs.push_back(result.tensor);
                function_.regions[at(inside)].outputs.push_back(from);
            }
        }
        resultOf(source, k, std::move(result));
    }
    for (std::size_t k = 0; k < inner.size(); ++k) {
        if (inner[k] == none || k >= next.size() || next[k] == none || !written_.contains(rootOf(next[k]))) continue;
        const TensorId from = wholeOf(next[k]);
        function_.regions[at(inside)].outputs.push_back(from);
        op(id).carries.push_back({from, inner[k]});
    }
    return true;
}

/// Results of a branch: what all regions hand out where that is one buffer, else a value of its own.
void FunctionBuilder::handOut(const Operation& source, OpId id, const std::vector<RegionId>& regions,
                              const std::vector<Ends>& ends)
{
    std::size_t count = 0;
    for (const Result& result : source.results) count += static_cast<std::size_t>(result.count);
    const std::vector<std::string_view> types = Header(text_, source).resultTypes();
    for (std::size_t k = 0; k < count; ++k) {
        Value result;
        if (k < types.size()) result.type = parseType(types[k]);
        bool all = !ends.empty();
        bool one = all;
        for (const Ends& each : ends) {
            const TensorId value = k < each.values.size() ? each.values[k] : none;
            all = all && value != none && written_.contains(rootOf(value));
            one = one && value != none && rootOf(value) == rootOf(ends.front().values[k]);
            if (value != none) result.tensor = value;
        }
        if (all && !(one && isVisible(rootOf(result.tensor)))) {
            result.tensor = addTensor(resultName(source, k), result.type, source.begin);
            tensor(result.tensor).where.line = static_cast<std::int32_t>(source.line);
            output_[at(result.tensor)] = true;
            if (written_.insert(result.tensor).second) log_.push_back(result.tensor);
            op(id).outputs.push_back(result.tensor);
            for (std::size_t r = 0; r < regions.size(); ++r)
                function_.regions[at(regions[r])].outputs.push_back(wholeOf(ends[r].values[k]));
        } else if (result.tensor != none && !isVisible(result.tensor)) {
            result.tensor = isVisible(rootOf(result.tensor)) ? rootOf(result.tensor) : none;
        }
        resultOf(source, k, std::move(result));
    }
}

bool FunctionBuilder::branch(const Operation& source, const Header&)
{
    const OpId id = addOp(source, Control::branch);
    const TensorId condition = selector();
    op(id).inputs.push_back(condition);
    if (source.regions.empty()) return fail(source.kindOffset, Code::syntax, fmt::format("'{}' has no region", source.kind));
    // An `if` without an else has an empty branch there.
    const bool lacksElse = source.regions.size() == 1 && source.kind != "scf.index_switch";
    std::vector<RegionId> regions(lacksElse ? 2 : source.regions.size());
    for (RegionId& each : regions) each = addRegion(id, RegionRole::branch);
    std::vector<Ends> ends(regions.size());
    const auto before = static_cast<std::ptrdiff_t>(log_.size());
    auto last = before; // where the region before this one began to write
    for (std::size_t r = 0; r < source.regions.size(); ++r) {
        for (auto each = log_.begin() + last; each != log_.end(); ++each)
            written_.erase(*each); // a branch sees nothing of what another one wrote
        last = static_cast<std::ptrdiff_t>(log_.size());
        scopes_.emplace_back();
        if (!body(source.regions[r], regions[r], ends[r], source)) return false;
        scopes_.pop_back();
    }
    written_.insert(log_.begin() + before, log_.end());
    if (!lacksElse) handOut(source, id, regions, ends);
    return true;
}

/// A region that runs once is a case with one branch.
bool FunctionBuilder::once(const Operation& source, const Header&)
{
    const OpId id = addOp(source, Control::branch);
    const TensorId condition = selector();
    op(id).inputs.push_back(condition);
    const std::vector<RegionId> regions{addRegion(id, RegionRole::branch)};
    if (source.regions.empty()) return fail(source.kindOffset, Code::syntax, fmt::format("'{}' has no region", source.kind));
    std::vector<Ends> ends(1);
    scopes_.emplace_back();
    if (!body(source.regions.front(), regions[0], ends[0], source)) return false;
    scopes_.pop_back();
    handOut(source, id, regions, ends);
    return true;
}

} // namespace stowage::hivm
