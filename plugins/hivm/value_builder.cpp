// Names, tensors and what is known to be written.
#include "plugins/hivm/function_builder.h"

#include "core/ir/kernel_marks.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::hivm {

namespace {

constexpr std::int64_t maxChosen = 1'000'000; ///< pairs of a value and what it may be, in one function

/// "hivm.hir.load" -> "load", "memref.copy" -> "copy".
std::string_view shortName(std::string_view kind)
{
    const std::size_t dot = kind.rfind('.');
    return dot == std::string_view::npos ? kind : kind.substr(dot + 1);
}

} // namespace

// --- names -----------------------------------------------------------------------------------------------------------------

bool FunctionBuilder::fail(std::uint32_t offset, Code code, std::string message, std::string remedy)
{
    if (!error_) error_ = failure(code, std::move(message), positionOf(text_, file_, offset), std::move(remedy));
    return false;
}

/// A place without counting lines from the begin of the text: ops know theirs, and columns are near.
Position FunctionBuilder::placeOf(std::uint32_t offset)
{
    return {file_, 0, columnOf(text_, offset), -1};
}

TensorId FunctionBuilder::addTensor(std::string_view name, const Type& type, std::uint32_t offset)
{
    Tensor made;
    made.name = name;
    if (std::int32_t& count = tensorNames_[made.name]; ++count > 1) {
        std::int32_t number = count;
        while (tensorNames_.contains(fmt::format("{}~{}", name, number))) ++number;
        count = number;
        made.name = fmt::format("{}~{}", name, number);
        tensorNames_.emplace(made.name, 1);
    }
    made.dtype = type.element;
    made.shape = type.shape;
    made.bytes = type.bytes();
    made.planned = false;
    made.region = region_;
    made.where = placeOf(offset);
    function_.tensors.push_back(std::move(made));
    output_.push_back(false);
    return static_cast<TensorId>(function_.tensors.size()) - 1;
}

TensorId FunctionBuilder::rootOf(TensorId id) const
{
    while (function_.tensors[at(id)].aliasOf != none) id = function_.tensors[at(id)].aliasOf;
    return id;
}

/// `part`: the view may begin anywhere in what it views, so it stands for all of it.
TensorId FunctionBuilder::addView(std::string_view name, TensorId of, const Type& type, std::uint32_t offset, bool part)
{
    const TensorId id = addTensor(name, type, offset);
    const TensorId root = rootOf(of);
    Tensor& made = tensor(id);
    made.aliasOf = root;
    const auto whole = tensor(root).bytes;
    if (part || !type.contiguous || !made.bytes || (whole && *made.bytes > *whole)) made.bytes = whole;
    return id;
}

OpId FunctionBuilder::addOp(const Operation& source, Control control)
{
    const auto id = static_cast<OpId>(function_.ops.size());
    Op made;
    made.kind = source.kind;
    made.control = control;
    made.parent = region_;
    made.where = placeOf(source.kindOffset);
    made.where.line = static_cast<std::int32_t>(source.line);
    std::string name = source.results.empty() ? fmt::format("{}:{}", shortName(source.kind), source.line)
                                              : std::string(source.results.front().name);
    std::int32_t& count = opNames_[name];
    made.name = ++count > 1 ? fmt::format("{}~{}", name, count) : name;
    while (count > 1 && !opNames_.emplace(made.name, 1).second) made.name = fmt::format("{}~{}", name, ++count);
    function_.ops.push_back(std::move(made));
    function_.regions[at(region_)].ops.push_back(id);
    return id;
}

RegionId FunctionBuilder::addRegion(OpId owner, RegionRole role)
{
    function_.regions.push_back({role, owner, {}, {}, {}});
    const auto id = static_cast<RegionId>(function_.regions.size()) - 1;
    op(owner).regions.push_back(id);
    return id;
}

void FunctionBuilder::define(std::string_view name, Value value)
{
    scopes_.back().insert_or_assign(name, std::move(value));
}

const Value* FunctionBuilder::lookUp(std::string_view name) const
{
    if (name.ends_with("#0")) {
        if (const Value* plain = lookUp(name.substr(0, name.size() - 2))) return plain;
    }
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (const auto found = scope->find(name); found != scope->end()) return &found->second;
    return nullptr;
}

TensorId FunctionBuilder::tensorOf(std::string_view name) const
{
    const Value* value = lookUp(name);
    return value ? value->tensor : none;
}

/// "%0#1" of "%0:2 =", "%b" of "%a, %b =".
std::string FunctionBuilder::resultName(const Operation& source, std::size_t index)
{
    for (const Result& result : source.results) {
        if (index < static_cast<std::size_t>(result.count))
            return result.count == 1 ? std::string(result.name) : fmt::format("{}#{}", result.name, index);
        index -= static_cast<std::size_t>(result.count);
    }
    return {};
}

// --- reading and writing ---------------------------------------------------------------------------------------------------

void FunctionBuilder::addMark(Op& op, std::string_view mark)
{
    if (!attribute(op.attributes, mark)) op.attributes.emplace_back(mark, "");
}

/// `chosen` may be `source`, or what that may be: a program says so by names, and ops touch all of them with it.
bool FunctionBuilder::mayBe(TensorId chosen, TensorId source, std::uint32_t offset)
{
    chosen = rootOf(chosen);
    source = rootOf(source);
    const auto further = choices_.find(source);
    const std::vector<TensorId> sources = further != choices_.end() ? further->second : std::vector<TensorId>{source};
    auto& all = choices_[chosen];
    for (const TensorId each : sources) {
        if (each == chosen || tensor(each).kind == TensorKind::input || std::find(all.begin(), all.end(), each) != all.end())
            continue;
        if (++work_ > maxChosen)
            return fail(offset, Code::tooLarge,
                        fmt::format("more than {} values that may be others by way of selects", maxChosen), "split the function");
        all.push_back(each);
        auto& its = tensor(chosen).attributes;
        const auto known = std::find_if(its.begin(), its.end(), [](const Attribute& one) { return one.first == marks::mayBe; });
        if (known == its.end())
            its.emplace_back(marks::mayBe, tensor(each).name);
        else
            known->second += " " + tensor(each).name;
    }
    return true;
}

/// What holds nothing yet is not read: the compiler lets that be where a loop writes it later.
void FunctionBuilder::read(OpId id, TensorId what)
{
    if (what == none) return;
    readOne(id, what);
    if (const auto found = choices_.find(rootOf(what)); found != choices_.end())
        for (const TensorId source : found->second) readOne(id, source);
}

void FunctionBuilder::readOne(OpId id, TensorId what)
{
    if (!written_.contains(rootOf(what))) {
        const Tensor& root = tensor(rootOf(what));
        if (root.planned && unread_.insert(root.name).second)
            diagnostics_.push_back(
                warning(Code::readFirst,
                        fmt::format("'{}' reads '{}' before its first write in the text", op(id).name, root.name), op(id).where));
        return;
    }
    auto& inputs = op(id).inputs;
    if (std::find(inputs.begin(), inputs.end(), what) == inputs.end()) inputs.push_back(what);
}

/// The tensor that is written: a view of `what` where that holds something already.
TensorId FunctionBuilder::write(OpId id, TensorId what)
{
    if (what == none) return none;
    const TensorId target = writeOne(id, what);
    if (const auto found = choices_.find(rootOf(what)); found != choices_.end())
        for (const TensorId source : found->second) writeOne(id, source);
    return target;
}

TensorId FunctionBuilder::writeOne(OpId id, TensorId what)
{
    TensorId target = what;
    if (output_[at(target)]) {
        const Tensor& viewed = tensor(what);
        Type type;
        type.kind = Type::Kind::memref;
        type.element = viewed.dtype;
        type.shape = viewed.shape;
        const auto bytes = viewed.bytes;
        const auto attributes = viewed.attributes;
        std::string name = tensor(what).name;
        if (const std::size_t dot = name.rfind(".v"); dot != std::string::npos && tensor(what).aliasOf != none) name.resize(dot);
        std::int32_t& latest = versions_[name];
        latest = std::max(latest + 1, 2);
        while (tensorNames_.contains(fmt::format("{}.v{}", name, latest))) ++latest;
        name = fmt::format("{}.v{}", name, latest);
        target = addView(name, what, type, 0, false);
        tensor(target).bytes = bytes;
        tensor(target).attributes = attributes;
        tensor(target).where = op(id).where;
    }
    if (std::find(op(id).outputs.begin(), op(id).outputs.end(), target) != op(id).outputs.end()) return target;
    output_[at(target)] = true;
    op(id).outputs.push_back(target);
    if (written_.insert(rootOf(target)).second) log_.push_back(rootOf(target));
    return target;
}

/// Results that nothing better is known of: tensors of their own, written by the op; the rest are scalars.
void FunctionBuilder::makeResults(const Operation& source, const Header& header, OpId id)
{
    std::vector<std::string_view> types = header.resultTypes();
    if (types.empty()) types = header.types();
    std::size_t count = 0;
    for (const Result& result : source.results) count += static_cast<std::size_t>(result.count);
    for (std::size_t i = 0; i < count; ++i) {
        Value value;
        if (!types.empty()) value.type = parseType(types[std::min(i, types.size() - 1)]);
        const std::string name = resultName(source, i);
        if (value.type.shaped()) {
            value.tensor = addTensor(name, value.type, source.begin);
            write(id, value.tensor);
        }
        // names of results live in the text: "%0" and "%0#1" are found there
        const Result& first = source.results.front();
        if (source.results.size() == 1 && first.count == 1)
            define(first.name, std::move(value));
        else if (source.results.size() > 1 && i < source.results.size())
            define(source.results[i].name, std::move(value));
        else
            define(*names_.insert(name).first, std::move(value));
    }
}

} // namespace stowage::hivm
