#include "plugins/hivm/function_builder.h"

#include "core/ir/kernel_marks.h"
#include "core/ir/limits.h"
#include "core/ir/parsed_number.h"
#include "plugins/hivm/in_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace stowage::hivm {

namespace {

/// True for an inline broadcast or transpose that does something: "[]" does not.
bool given(const std::vector<Attribute>& attributes, std::string_view name)
{
    const std::string* value = attribute(attributes, name);
    return value && *value != "[]";
}

} // namespace

// --- ops -------------------------------------------------------------------------------------------------------------------

bool FunctionBuilder::build(const Operation& source)
{
    const auto& tokens = source.header;
    std::size_t i = 0;
    while (i < tokens.size() && tokens[i].kind != TokenKind::symbol) ++i;
    Header header(text_, source);
    for (std::size_t t = 0; t + 2 < tokens.size(); ++t) {
        if (tokens[t].is("#hivm.vf_mode") && tokens[t + 1].is("<")) vfMode_ = tokens[t + 2].text;
        if (tokens[t].is("#hivm.func_core_type") && tokens[t + 1].is("<")) coreType_ = tokens[t + 2].text;
    }
    scopes_.emplace_back();
    function_.regions.emplace_back();
    if (i + 1 < tokens.size() && tokens[i + 1].is("(")) {
        const std::size_t end = header.skip(i + 1);
        for (const Argument& argument : parseArguments(text_, tokens, i + 2, end - 1)) {
            Value value;
            value.type = parseType(argument.type);
            if (value.type.shaped()) {
                value.tensor =
                    addTensor(argument.name, value.type, static_cast<std::uint32_t>(argument.name.data() - text_.data()));
                tensor(value.tensor).kind = TensorKind::input;
                tensor(value.tensor).where.line = static_cast<std::int32_t>(source.line);
                output_[at(value.tensor)] = true;
                written_.insert(value.tensor);
                function_.regions[0].inputs.push_back(value.tensor);
            }
            define(argument.name, std::move(value));
        }
    }
    noteUses(source);
    if (!visitBlocks(source.regions.front())) return false;
    return true;
}

/// Names that are used elsewhere than as scratch. Marks are no uses.
void FunctionBuilder::noteUses(const Operation& source)
{
    if (source.kind != "annotation.mark") {
        const Header header(text_, source);
        const std::size_t temps = header.keywordAt("temp_buffer");
        const std::size_t end = temps < source.header.size() ? header.skip(temps + 1) : temps;
        for (std::size_t i = 0; i < source.header.size(); ++i)
            if (source.header[i].kind == TokenKind::value && (i < temps || i >= end)) notScratch_.insert(source.header[i].text);
    }
    for (const SyntaxRegion& region : source.regions)
        for (const Block& block : region.blocks)
            for (const Operation& inner : block.operations) noteUses(inner);
}

/// All blocks of a region, one after the other. What a later block is handed is one of the values that branches give it.
bool FunctionBuilder::visitBlocks(const SyntaxRegion& region)
{
    for (std::size_t b = 1; b < region.blocks.size(); ++b)
        for (const Argument& argument : region.blocks[b].arguments) {
            Value value;
            value.type = parseType(argument.type);
            if (value.type.shaped())
                value.tensor =
                    addTensor(argument.name, value.type, static_cast<std::uint32_t>(argument.name.data() - text_.data()));
            define(argument.name, std::move(value));
        }
    const auto around = std::pair(blocks_, block_);
    blocks_ = &region;
    bool done = true;
    for (block_ = 0; done && block_ < region.blocks.size(); ++block_)
        for (const Operation& operation : region.blocks[block_].operations)
            if (!(done = visit(operation))) break;
    std::tie(blocks_, block_) = around;
    return done;
}

/// "cf.cond_br %c, ^bb1(%a : T), ^bb2"
bool FunctionBuilder::jump(const Operation& source, const Header& header)
{
    const OpId id = addOp(source);
    addMark(op(id), marks::chooses);
    const auto& tokens = header.tokens();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind != TokenKind::block) continue;
        const auto& blocks = blocks_->blocks;
        const auto target =
            std::find_if(blocks.begin(), blocks.end(), [&](const Block& block) { return block.label == tokens[i].text; });
        if (target == blocks.end())
            return fail(tokens[i].offset, Code::unknownBlock, fmt::format("there is no block {}", tokens[i].text));
        if (target - blocks.begin() <= static_cast<std::ptrdiff_t>(block_))
            return fail(tokens[i].offset, Code::notAvailable, "a branch leads backwards: loops made of branches are not read",
                        "raise them to scf.while first");
        if (i + 1 >= tokens.size() || !tokens[i + 1].is("(")) continue;
        const std::size_t end = header.skip(i + 1);
        std::size_t position = 0;
        for (std::size_t k = i + 2; k < end && !tokens[k].is(":"); ++k) {
            if (tokens[k].kind != TokenKind::value || position >= target->arguments.size()) continue;
            const TensorId to = tensorOf(target->arguments[position++].name);
            const TensorId handed = tensorOf(tokens[k].text);
            if (handed == none || to == none) continue;
            if (written_.contains(rootOf(handed))) read(id, handed);
            writeOne(id, to);
            if (!mayBe(to, handed, tokens[k].offset)) return false;
        }
    }
    return true;
}

bool FunctionBuilder::visit(const Operation& source)
{
    const Header header(text_, source);
    if (source.kind == "arith.constant") {
        constant(source, header);
        return true;
    }
    const OpRole role = roleOf(source.kind, header.has("ins") || header.has("outs"));
    const bool visitsRegions =
        role == OpRole::loop || role == OpRole::whileLoop || role == OpRole::branch || role == OpRole::once;
    if (!visitsRegions)
        for (const SyntaxRegion& region : source.regions)
            for (const Block& block : region.blocks)
                for (const Operation& inner : block.operations)
                    if (!leavesAlone(source, inner)) return false;
    switch (role) {
    case OpRole::alloc: return alloc(source, header);
    case OpRole::workspace: return workspace(source, header);
    case OpRole::pointerCast: return pointerCast(source, header);
    case OpRole::mark: mark(source, header); return true;
    case OpRole::view: view(source, header); return true;
    case OpRole::select: return select(source, header);
    case OpRole::destination: return destination(source, header);
    case OpRole::loop: return loop(source, header);
    case OpRole::whileLoop: return whileLoop(source, header);
    case OpRole::branch: return branch(source, header);
    case OpRole::once: return once(source, header);
    case OpRole::jump: return jump(source, header);
    case OpRole::unknown: return unknown(source, header);
    case OpRole::terminator:
    case OpRole::plain:
    case OpRole::neutral:
    case OpRole::load:
    case OpRole::store:
    case OpRole::write:
    case OpRole::writeFirst:
    case OpRole::copyTo:
    case OpRole::insert:
    case OpRole::call: return access(source, header, role);
    }
    return true;
}

void FunctionBuilder::constant(const Operation& source, const Header& header)
{
    addOp(source);
    Value value;
    for (const Token& token : header.tokens())
        if (token.kind == TokenKind::number && !value.constant) value.constant = parsedNumber<std::int64_t>(token.text);
    if (!source.results.empty()) define(source.results.front().name, std::move(value));
}

/// The result of an op that declares memory, as a tensor.
Value FunctionBuilder::declare(const Operation& source, const Header& header)
{
    Value value;
    value.type = parseType(header.lastShapedType());
    value.tensor = addTensor(source.results.front().name, value.type, source.kindOffset);
    tensor(value.tensor).where.line = static_cast<std::int32_t>(source.line);
    return value;
}

bool FunctionBuilder::alloc(const Operation& source, const Header& header)
{
    addOp(source);
    if (source.results.empty()) return true;
    Value value = declare(source, header);
    Tensor& made = tensor(value.tensor);
    made.planned = value.type.space != "gm";
    if (value.type.local()) {
        made.pools = {value.type.space};
        if (!value.type.isStatic())
            return fail(source.kindOffset, Code::dynamicShape,
                        fmt::format("'{}' has no static shape: {}", made.name, header.lastShapedType()),
                        "give it a static upper bound first (the compiler's alloc-size passes do that)");
        if (!elementBits(value.type.element))
            return fail(source.kindOffset, Code::unknownType,
                        fmt::format("the element type '{}' of '{}' is not known", value.type.element, made.name));
        if (!made.bytes) return fail(source.kindOffset, Code::tooLarge, fmt::format("'{}' has more than 2^62 bytes", made.name));
        if (vfMode_ == "SIMT" || vfMode_ == "MIX") made.attributes.emplace_back(marks::vectorMode, vfMode_);
    }
    define(source.results.front().name, std::move(value));
    return true;
}

/// "from %arg1 offset = [%c] : from memref<?xi8> to memref<65536xi8>"
bool FunctionBuilder::workspace(const Operation& source, const Header& header)
{
    addOp(source);
    if (source.results.empty()) return true;
    Value value = declare(source, header);
    Tensor& made = tensor(value.tensor);
    made.planned = true;
    if (!made.bytes)
        return fail(source.kindOffset, Code::dynamicShape,
                    fmt::format("the workspace '{}' has no static size: {}", made.name, header.lastShapedType()),
                    "give it a static shape");
    std::string_view argument;
    std::vector<std::int64_t> offsets;
    const auto& tokens = header.tokens();
    for (std::size_t i = 0; i + 1 < tokens.size(); i = header.skip(i)) {
        if (tokens[i].is("from") && tokens[i + 1].kind == TokenKind::value && argument.empty()) argument = tokens[i + 1].text;
        if (!tokens[i].is("offset") || !tokens[i + 1].is("=")) continue;
        for (std::size_t k = i + 2; k < header.skip(i + 2); ++k)
            if (const Value* offset = tokens[k].kind == TokenKind::value ? lookUp(tokens[k].text) : nullptr;
                offset && offset->constant)
                offsets.push_back(*offset->constant);
    }
    if (argument.starts_with('%')) argument.remove_prefix(1);
    made.pools = {fmt::format("workspace:{}", argument)};
    made.attributes.emplace_back(marks::workspaceArgument, argument);
    if (!offsets.empty()) {
        made.attributes.emplace_back(marks::placed, fmt::format("{}", fmt::join(offsets, ",")));
        place(value.tensor, offsets);
    }
    define(source.results.front().name, std::move(value));
    return true;
}

bool FunctionBuilder::pointerCast(const Operation& source, const Header& header)
{
    addOp(source);
    if (source.results.empty()) return true;
    Value value = declare(source, header);
    Tensor& made = tensor(value.tensor);
    std::vector<std::int64_t> offsets;
    bool all = true;
    const auto& tokens = header.tokens();
    const std::size_t end = !tokens.empty() && tokens.front().is("(") ? header.skip(0) : 0;
    for (std::size_t i = 1; i + 1 < end; ++i) {
        if (tokens[i].kind != TokenKind::value) continue;
        const Value* offset = lookUp(tokens[i].text);
        if (offset && offset->constant && *offset->constant >= 0)
            offsets.push_back(*offset->constant);
        else
            all = false;
    }
    made.attributes.emplace_back(marks::placed, all ? fmt::format("{}", fmt::join(offsets, ",")) : std::string());
    if (!all || offsets.empty() || !made.bytes || offsets.size() > static_cast<std::size_t>(maxSlots)) {
        diagnostics_.push_back(warning(
            Code::noPlace, fmt::format("the address of '{}' is no constant, or its size is not known: it is left out", made.name),
            made.where));
    } else {
        made.planned = true;
        made.pools = {value.type.local() ? value.type.space : "workspace:gm"};
        place(value.tensor, offsets);
    }
    define(source.results.front().name, std::move(value));
    return true;
}

void FunctionBuilder::place(TensorId id, const std::vector<std::int64_t>& offsets)
{
    if (offsets.size() > 1) tensor(id).multiBuffer = static_cast<std::int32_t>(offsets.size());
    FilePlan::Offset where{none, id, offsets.front(), {}};
    if (offsets.size() > 1) where.offsets = offsets;
    offsets_.push_back(std::move(where));
}

/// "annotation.mark %x {hivm.multi_buffer = 2 : i32} : T"
void FunctionBuilder::mark(const Operation& source, const Header& header)
{
    const OpId id = addOp(source);
    const std::vector<std::string_view> values = header.values();
    const TensorId marked = values.empty() ? none : tensorOf(values.front());
    if (marked == none) return;
    const TensorId root = rootOf(marked);
    for (const auto& [name, value] : header.attributes()) {
        Tensor& to = tensor(root);
        std::string_view key;
        if (name == "hivm.multi_buffer") {
            const auto count =
                parsedNumber<std::int64_t>(std::string_view(value).substr(0, value.find_first_not_of("0123456789")));
            if (count && *count >= 1 && *count <= maxSlots && !attribute(to.attributes, marks::placed))
                to.multiBuffer = static_cast<std::int32_t>(*count);
        } else if (name == "mem_unique" || name == "hivm.mem_unique") {
            key = marks::unique;
        } else if (name == "hivm.preload_local_buffer") {
            key = marks::preload;
        } else if (name == "hivm.tightly_coupled_buffer") {
            key = marks::coupled;
        }
        if (key.empty() || attribute(to.attributes, key)) continue;
        const std::size_t open = value.find('<');
        to.attributes.emplace_back(key, key == marks::coupled && open != std::string::npos
                                            ? value.substr(open + 1, value.find('>') - open - 1)
                                            : std::string());
        if (key == marks::coupled) markCore(to);
    }
    const std::vector<Attribute> said = header.attributes();
    const std::string* effects = attribute(said, "effects");
    const bool byOtherCore = (effects && effects->find("write") != std::string::npos) ||
                             attribute(tensor(root).attributes, marks::coupledOwner) != nullptr;
    if (byOtherCore && !temps_.contains(root))
        write(id, marked);
    else if (written_.contains(root) && !temps_.contains(root))
        read(id, marked); // a use like any other
}

/// Whose memory a coupled buffer lies in: that of the core that runs the function, or that of the other one.
void FunctionBuilder::markCore(Tensor& coupled) const
{
    const std::string_view space = coupled.pools.empty() ? std::string_view() : coupled.pools.front();
    const bool vector = coreType_ == "AIV", cube = coreType_ == "AIC";
    if ((vector && space == "ub") || (cube && space == "cbuf"))
        coupled.attributes.emplace_back(marks::coupledOwner, "");
    else if ((vector && space == "cbuf") || (cube && space == "ub"))
        coupled.attributes.emplace_back(marks::coupledPartner, "");
}

void FunctionBuilder::view(const Operation& source, const Header& header)
{
    const OpId id = addOp(source);
    const std::vector<std::string_view> values = header.values();
    const TensorId viewed = values.empty() ? none : tensorOf(values.front());
    if (source.results.empty()) return;
    Value value;
    value.type = parseType(header.lastShapedType());
    if (viewed == none) {
        makeResults(source, header, id);
        return;
    }
    const Value* from = lookUp(values.front());
    if (source.kind.starts_with("bufferization.") && value.type.kind == Type::Kind::memref &&
        source.kind == "bufferization.to_tensor")
        value.type.kind = Type::Kind::tensor;
    if (value.type.space.empty()) value.type.space = from->type.space;
    const bool part = !(value.type.isStatic() && tensor(viewed).bytes == value.type.bytes()) || !value.type.contiguous;
    value.tensor = addView(source.results.front().name, viewed, value.type, source.kindOffset, part);
    tensor(value.tensor).where.line = static_cast<std::int32_t>(source.line);
    for (const Result& result : source.results) define(result.name, value);
}

bool FunctionBuilder::select(const Operation& source, const Header& header)
{
    const OpId id = addOp(source);
    const std::vector<std::string_view> values = header.values();
    const std::string_view shaped = header.lastShapedType();
    if (shaped.empty() || values.size() < 3) {
        makeResults(source, header, id);
        return true;
    }
    addMark(op(id), marks::chooses);
    if (source.results.empty()) return true;
    Value value;
    value.type = parseType(shaped);
    value.tensor = addTensor(source.results.front().name, value.type, source.begin);
    for (std::size_t i = 1; i < 3; ++i) {
        const TensorId chosen = tensorOf(values[i]);
        if (chosen == none) continue;
        if (written_.contains(rootOf(chosen))) read(id, chosen);
        if (!mayBe(value.tensor, chosen, source.kindOffset)) return false;
    }
    writeOne(id, value.tensor);
    define(source.results.front().name, std::move(value));
    return true;
}

/// ins(…) outs(…) temp_buffer(…) [key = value]* [-> T]
bool FunctionBuilder::destination(const Operation& source, const Header& header)
{
    const OpId id = addOp(source);
    const std::vector<Operand> inputs = header.group("ins");
    const std::vector<Operand> outputs = header.group("outs");
    const std::vector<Operand> temps = header.group("temp_buffer");
    std::unordered_set<std::string_view> known;
    const auto typesOf = [&](const std::vector<Operand>& operands) {
        std::vector<Type> types;
        for (const Operand& operand : operands) {
            known.insert(operand.name);
            const Value* value = lookUp(operand.name);
            types.push_back(!operand.type.empty() ? parseType(operand.type) : value ? value->type : Type{});
        }
        return types;
    };
    std::vector<Type> inputTypes = typesOf(inputs);
    std::vector<Type> outputTypes = typesOf(outputs);
    typesOf(temps);
    const auto fill = [&](std::vector<Type>& types, const std::vector<Operand>& operands) { // a cast may have lost the space
        for (std::size_t i = 0; i < types.size(); ++i)
            if (const Value* value = lookUp(operands[i].name); value && value->tensor != none && types[i].space.empty())
                types[i].space = value->type.space;
    };
    fill(inputTypes, inputs);
    fill(outputTypes, outputs);
    std::vector<TensorId> readFrom;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        readFrom.push_back(inputTypes[i].shaped() ? tensorOf(inputs[i].name) : none);
        read(id, readFrom.back());
    }
    std::string compare;
    for (auto& [key, value] : header.attributes()) {
        if (key == "compare_mode") compare = value;
        op(id).attributes.emplace_back(std::move(key), std::move(value));
    }
    if (source.kind == "hivm.hir.load") addMark(op(id), marks::load);
    if (source.kind == "hivm.hir.store") addMark(op(id), marks::store);
    op(id).pipe = pipeOf(source.kind, inputTypes, outputTypes, compare);
    std::vector<TensorId> written;
    for (const Operand& output : outputs) {
        written.push_back(write(id, tensorOf(output.name)));
    }
    for (const Operand& temp : temps) {
        const TensorId scratch = tensorOf(temp.name);
        if (scratch == none) continue;
        if (auto& its = tensor(rootOf(scratch)).attributes; !attribute(its, marks::scratch)) its.emplace_back(marks::scratch, "");
        // Scratch of one op only, and nothing but that, is scratch in a program, too; else it is written like an output.
        if (tensor(scratch).aliasOf == none && !notScratch_.contains(temp.name)) {
            op(id).temps.push_back(scratch);
            temps_.insert(scratch);
            written_.insert(scratch);
        } else {
            write(id, scratch);
        }
    }
    // A tensor that results is what was written.
    const std::vector<std::string_view> types = header.resultTypes();
    std::size_t index = 0;
    for (const Result& result : source.results)
        for (std::int32_t k = 0; k < result.count; ++k, ++index) {
            Value value;
            if (index < types.size()) value.type = parseType(types[index]);
            if (index < written.size()) value.tensor = written[index];
            const std::string name = resultName(source, index);
            define(result.count == 1 ? result.name : std::string_view(*names_.insert(name).first), std::move(value));
        }
    // Other operands (flags, sizes) are scalars; a buffer among them is read.
    for (const std::string_view name : header.values())
        if (!known.contains(name)) read(id, tensorOf(name));
    constexpr std::string_view dialect = "hivm.hir.";
    InPlaceOp rules{source.kind.starts_with(dialect) ? source.kind.substr(dialect.size()) : std::string_view(),
                    std::move(inputTypes),
                    std::move(outputTypes),
                    temps.size(),
                    given(op(id).attributes, "broadcast"),
                    given(op(id).attributes, "transpose")};
    if (allowedByIsa(rules)) addMark(op(id), marks::inPlaceByIsa);
    for (std::size_t o = 0; o < written.size(); ++o)
        for (std::size_t i = 0; i < readFrom.size(); ++i) {
            const auto& reads = op(id).inputs;
            if (written[o] == none || std::find(reads.begin(), reads.end(), readFrom[i]) == reads.end() ||
                rootOf(readFrom[i]) == rootOf(written[o]) || !mayWriteOver(rules, o, i))
                continue;
            auto& pairs = op(id).inPlace;
            if (const InPlace pair{readFrom[i], written[o]}; std::find(pairs.begin(), pairs.end(), pair) == pairs.end())
                pairs.push_back(pair);
        }
    return true;
}

/// Ops that read, write or hand out what they name.
bool FunctionBuilder::access(const Operation& source, const Header& header, OpRole role)
{
    const OpId id = addOp(source);
    std::vector<TensorId> tensors;
    const bool indexed = role == OpRole::load || role == OpRole::store;
    const std::vector<std::string_view> names = indexed ? header.outerValues() : header.values();
    for (const std::string_view name : names)
        if (const TensorId found = tensorOf(name); found != none) tensors.push_back(found);
    if (indexed) op(id).pipe = "S";
    const TensorId last = tensors.empty() ? none : tensors.back();
    switch (role) {
    case OpRole::store:
    case OpRole::write:
        for (std::size_t i = 0; i + 1 < tensors.size(); ++i) read(id, tensors[i]);
        write(id, last);
        break;
    case OpRole::writeFirst:
        for (std::size_t i = 1; i < tensors.size(); ++i) read(id, tensors[i]);
        if (!tensors.empty()) write(id, tensors.front());
        break;
    case OpRole::copyTo:
    case OpRole::insert:
        if (!tensors.empty()) read(id, tensors.front());
        if (tensors.size() > 1) write(id, tensors[1]);
        if (role == OpRole::insert && !source.results.empty() && !tensors.empty()) {
            Value value;
            value.type = parseType(header.lastShapedType());
            value.tensor = tensors.size() > 1 ? tensors[1] : tensors.front();
            define(source.results.front().name, std::move(value));
            return true;
        }
        break;
    case OpRole::call:
        for (const TensorId each : tensors)
            if (written_.contains(rootOf(each))) read(id, each);
        for (const TensorId each : tensors) write(id, each);
        break;
    case OpRole::terminator: {
        ends_.values.clear();
        std::vector<std::string_view> handed = header.values();
        if (source.kind == "scf.condition" && !handed.empty()) handed.erase(handed.begin());
        for (const std::string_view name : handed) ends_.values.push_back(tensorOf(name));
        break;
    }
    case OpRole::neutral:
        for (const TensorId each : tensors)
            if (written_.contains(rootOf(each)) && source.kind != "memref.dealloc") read(id, each);
        break;
    default:
        for (const TensorId each : tensors) read(id, each);
    }
    makeResults(source, header, id);
    return true;
}

/// Kept as an op without effect, unless a buffer is at stake.
bool FunctionBuilder::unknown(const Operation& source, const Header& header)
{
    const OpId id = addOp(source);
    for (const Token& token : source.header)
        if (const Tensor* touched = localBuffer(token))
            return fail(source.kindOffset, Code::unknownOp,
                        fmt::format("'{}' is not known, and touches the local buffer '{}'", source.kind, touched->name),
                        "what it reads and writes cannot be told; write it with ins(…) and outs(…)");
    makeResults(source, header, id);
    return true;
}

/// The planned buffer that a token names or is a view of; null for others.
const Tensor* FunctionBuilder::localBuffer(const Token& token)
{
    const TensorId named = token.kind == TokenKind::value ? tensorOf(token.text) : none;
    return named != none && tensor(rootOf(named)).planned ? &tensor(rootOf(named)) : nullptr;
}

/// Ops in the regions of `source` that are not visited: an error where `inner`, or an op inside it, touches or allocates a local
/// buffer.
bool FunctionBuilder::leavesAlone(const Operation& source, const Operation& inner)
{
    const auto refuse = [&](std::string_view does, std::string_view buffer) {
        return fail(inner.kindOffset, Code::unknownOp,
                    fmt::format("'{}' {} the local buffer '{}' in a region of '{}', which is not read", inner.kind, does, buffer,
                                source.kind),
                    "lower the op around it to scf.for, scf.while, scf.if or scf.index_switch first");
    };
    const OpRole role = roleOf(inner.kind, false);
    const bool declares = role == OpRole::workspace || role == OpRole::pointerCast ||
                          (role == OpRole::alloc && parseType(Header(text_, inner).lastShapedType()).space != "gm");
    if (declares) return refuse("allocates", inner.results.empty() ? std::string_view() : inner.results.front().name);
    for (const Token& token : inner.header)
        if (const Tensor* touched = localBuffer(token)) return refuse("touches", touched->name);
    for (const SyntaxRegion& region : inner.regions)
        for (const Block& block : region.blocks)
            for (const Operation& each : block.operations)
                if (!leavesAlone(source, each)) return false;
    return true;
}

} // namespace stowage::hivm
