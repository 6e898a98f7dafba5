#include "plugins/hivm/plan_writer.h"

#include "core/ir/kernel_marks.h"
#include "plugins/hivm/operands.h"
#include "plugins/hivm/ops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace stowage::hivm {

namespace {

struct Edit {
    std::size_t begin = 0;
    std::size_t end = 0; ///< what stands in [begin, end) goes
    std::string text;    ///< and this comes
};

/// Where a tensor of a planned function lies; empty when it is not planned.
std::vector<Bytes> placesOf(const WrittenFunction& planned, std::size_t tensor)
{
    const TensorBinding& binding = planned.lowering->instances.front().bindings[tensor];
    if (binding.buffer == none) return {};
    const Placement& placement = planned.plan->placements[at(binding.buffer)];
    if (!placement.placed()) return {};
    if (placement.offsets.empty()) return {placement.offset + binding.delta};
    std::vector<Bytes> offsets;
    for (const Bytes offset : placement.offsets) offsets.push_back(offset + binding.delta);
    return offsets;
}

/// Addresses of the tightly coupled buffers by number, where a function of the core that has the memory is planned.
using Coupled = std::map<std::string, std::vector<Bytes>, std::less<>>;

Coupled coupledPlaces(const Program& program, std::span<const WrittenFunction> planned)
{
    Coupled places;
    for (const WrittenFunction& each : planned) {
        const std::vector<Tensor>& tensors = program.functions[at(each.function)].tensors;
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            const std::string* number = attribute(tensors[t].attributes, marks::coupled);
            if (!number || !attribute(tensors[t].attributes, marks::coupledOwner)) continue;
            if (std::vector<Bytes> offsets = placesOf(each, t); !offsets.empty()) places.emplace(*number, std::move(offsets));
        }
    }
    return places;
}

class FunctionWriter {
public:
    FunctionWriter(std::string_view text, const Function& function, const WrittenFunction& planned, const Coupled& coupled,
                   WorkspaceForm form, std::vector<Edit>& edits)
        : text_(text), function_(function), planned_(planned), coupled_(coupled), form_(form), edits_(edits)
    {
    }

    /// The first allocation that was not found; null when all were.
    const Tensor* write(const Operation& source)
    {
        for (std::size_t t = 0; t < function_.tensors.size(); ++t) {
            const Tensor& tensor = function_.tensors[t];
            if (tensor.planned && tensor.aliasOf == none && !offsetsOf(t).empty())
                byPlace_[{tensor.where.line, tensor.where.column}] = t;
        }
        collectNames(source);
        visit(source.regions.front(), nullptr);
        writeConstants(source);
        writeWorkspaces(source);
        return byPlace_.empty() ? nullptr : &function_.tensors[byPlace_.begin()->second];
    }

private:
    void collectNames(const Operation& operation)
    {
        for (const Result& result : operation.results) names_.emplace(result.name);
        for (const Token& token : operation.header)
            if (token.kind == TokenKind::value) names_.emplace(token.text);
        for (const SyntaxRegion& region : operation.regions)
            for (const Block& block : region.blocks) {
                for (const Argument& argument : block.arguments) names_.emplace(argument.name);
                for (const Operation& inner : block.operations) collectNames(inner);
            }
    }

    std::vector<Bytes> offsetsOf(std::size_t tensor) const
    {
        std::vector<Bytes> offsets = placesOf(planned_, tensor);
        const auto& attributes = function_.tensors[tensor].attributes;
        const std::string* number = attribute(attributes, marks::coupled);
        if (offsets.empty() || !number || !attribute(attributes, marks::coupledPartner)) return offsets;
        const auto owner = coupled_.find(*number); // the memory is the other core's, and so is the address
        return owner == coupled_.end() ? offsets : owner->second;
    }

    /// "%c0_i64, %c98304_i64", or "%c0, %c98304" of type index.
    std::string constants(const std::vector<Bytes>& offsets, bool index)
    {
        std::string list;
        for (const Bytes offset : offsets) {
            auto [found, fresh] = constants_.try_emplace({offset, index});
            if (fresh) {
                const std::string base = index ? fmt::format("%c{}", offset) : fmt::format("%c{}_i64", offset);
                found->second = base;
                for (int number = 0; names_.contains(found->second); ++number) found->second = fmt::format("{}_{}", base, number);
                names_.insert(found->second);
                order_.emplace_back(offset, index);
            }
            list += fmt::format("{}{}", list.empty() ? "" : ", ", found->second);
        }
        return list;
    }

    void visit(const SyntaxRegion& region, const Operation* loopFront)
    {
        for (const Block& block : region.blocks)
            for (const Operation& operation : block.operations) {
                const OpRole role = roleOf(operation.kind, false);
                if (role == OpRole::alloc || role == OpRole::workspace || role == OpRole::pointerCast)
                    place(operation, role, loopFront);
                const bool loops = role == OpRole::loop || role == OpRole::whileLoop;
                for (const SyntaxRegion& inner : operation.regions) {
                    const bool holds = loops && !inner.blocks.empty() && !inner.blocks.front().operations.empty();
                    visit(inner, holds ? &inner.blocks.front().operations.front() : loopFront);
                }
            }
    }

    void place(const Operation& operation, OpRole role, const Operation* loopFront)
    {
        const auto found = byPlace_.find({static_cast<std::int32_t>(operation.line), columnOf(text_, operation.kindOffset)});
        if (found == byPlace_.end()) return;
        const Tensor& tensor = function_.tensors[found->second];
        const std::vector<Bytes> offsets = offsetsOf(found->second);
        byPlace_.erase(found);
        // A pointer_cast takes 64-bit integers, an offset in a workspace is an index.
        const std::string list = constants(offsets, role == OpRole::workspace && form_ == WorkspaceForm::offset);
        const Header header(text_, operation);
        const auto& tokens = header.tokens();
        if (role == OpRole::pointerCast) {
            const std::size_t end = header.skip(0);
            edits_.push_back({tokens.front().offset, tokens[end - 1].endOffset(), "(" + list + ")"});
            return;
        }
        if (role == OpRole::workspace) return placeInWorkspace(operation, header, list);
        std::size_t colon = 0;
        while (colon < tokens.size() && !tokens[colon].is(":")) colon = header.skip(colon);
        if (colon == tokens.size()) return;
        const std::string cast = fmt::format("hivm.hir.pointer_cast({}) ", list);
        if (tensor.multiBuffer > 1 && offsets.size() > 1 && loopFront && loopFront != &operation) {
            const std::string_view rest = text_.substr(tokens[colon].offset, operation.end - tokens[colon].offset);
            const std::string_view result = text_.substr(operation.begin, operation.kindOffset - operation.begin);
            edits_.push_back(
                {loopFront->begin, loopFront->begin, fmt::format("{}{}{}\n{}", result, cast, rest, indentOf(loopFront->begin))});
            remove(operation);
        } else {
            edits_.push_back({operation.kindOffset, tokens[colon].offset, cast});
        }
    }

    void placeInWorkspace(const Operation& operation, const Header& header, const std::string& list)
    {
        const auto& tokens = header.tokens();
        const std::size_t from = header.keywordAt("from");
        const std::size_t to = header.keywordAt("to");
        if (form_ == WorkspaceForm::document && to + 1 < tokens.size()) {
            edits_.push_back({operation.kindOffset, tokens[to + 1].offset, fmt::format("hivm.hir.pointer_cast({}) : ", list)});
        } else if (const std::size_t offset = header.keywordAt("offset"); offset + 2 < tokens.size()) {
            edits_.push_back(
                {tokens[offset].offset, tokens[header.skip(offset + 2) - 1].endOffset(), fmt::format("offset = [{}]", list)});
        } else if (from + 1 < tokens.size()) {
            edits_.push_back({tokens[from + 1].endOffset(), tokens[from + 1].endOffset(), fmt::format(" offset = [{}]", list)});
        }
    }

    /// Blanks between the line's begin and `offset`.
    std::string indentOf(std::size_t offset) const
    {
        std::size_t begin = offset;
        while (begin > 0 && (text_[begin - 1] == ' ' || text_[begin - 1] == '\t')) --begin;
        return std::string(text_.substr(begin, offset - begin));
    }

    /// A statement goes with its line where it has that for itself.
    void remove(const Operation& operation)
    {
        std::size_t begin = operation.begin;
        std::size_t end = operation.end;
        while (begin > 0 && (text_[begin - 1] == ' ' || text_[begin - 1] == '\t')) --begin;
        const bool first = begin == 0 || text_[begin - 1] == '\n';
        while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t' || text_[end] == '\r')) ++end;
        if (first && end < text_.size() && text_[end] == '\n')
            edits_.push_back({begin, end + 1, {}});
        else
            edits_.push_back({operation.begin, operation.end, {}});
    }

    void writeConstants(const Operation& source)
    {
        if (order_.empty() || source.regions.front().blocks.front().operations.empty()) return;
        const std::size_t front = source.regions.front().blocks.front().operations.front().begin;
        std::string lines;
        for (const auto& constant : order_)
            lines += fmt::format("{} = arith.constant {} : {}\n{}", constants_[constant], constant.first,
                                 constant.second ? "index" : "i64", indentOf(front));
        edits_.insert(edits_.begin(), {front, front, std::move(lines)}); // before whatever else comes there
    }

    void writeWorkspaces(const Operation& source)
    {
        std::string list;
        const Problem& problem = planned_.lowering->problem;
        for (std::size_t p = 0; p < problem.pools.size(); ++p) {
            constexpr std::string_view prefix = "workspace:";
            const Bytes size = planned_.plan->poolSize(problem, static_cast<PoolId>(p));
            if (problem.pools[p].name.starts_with(prefix) && size > 0)
                list +=
                    fmt::format("{}{} = {} : i64", list.empty() ? "" : ", ", problem.pools[p].name.substr(prefix.size()), size);
        }
        if (list.empty()) return;
        const std::string attribute = fmt::format("WorkspaceSize = {{{}}}", list);
        const Header header(text_, source);
        const auto& tokens = header.tokens();
        const std::size_t keyword = header.keywordAt("attributes");
        if (keyword + 1 < tokens.size() && tokens[keyword + 1].is("{")) {
            for (std::size_t i = keyword + 2; i + 2 < tokens.size() && i < header.skip(keyword + 1); ++i)
                if (tokens[i].is("WorkspaceSize")) {
                    edits_.push_back({tokens[i].offset, tokens[header.skip(i + 2) - 1].endOffset(), attribute});
                    return;
                }
            const bool empty = keyword + 2 < tokens.size() && tokens[keyword + 2].is("}");
            edits_.push_back({tokens[keyword + 1].endOffset(), tokens[keyword + 1].endOffset(), attribute + (empty ? "" : ", ")});
        } else {
            const std::size_t open = source.regions.front().open;
            edits_.push_back({open, open, fmt::format("attributes {{{}}} ", attribute)});
        }
    }

    std::string_view text_;
    const Function& function_;
    const WrittenFunction& planned_;
    const Coupled& coupled_;
    WorkspaceForm form_;
    std::vector<Edit>& edits_;
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> byPlace_; ///< tensors by line and column
    std::unordered_set<std::string> names_;                                ///< of all values
    using Constant = std::pair<Bytes, bool>;                               ///< value, and whether it is an index
    std::map<Constant, std::string> constants_;                            ///< names
    std::vector<Constant> order_;                                          ///< as they are needed
};

void collect(const std::vector<Operation>& operations, std::vector<const Operation*>& functions)
{
    for (const Operation& operation : operations) {
        if (operation.kind == "func.func") {
            if (!operation.regions.empty()) functions.push_back(&operation);
            continue;
        }
        for (const SyntaxRegion& region : operation.regions)
            for (const Block& block : region.blocks) collect(block.operations, functions);
    }
}

} // namespace

Expected<std::string> writePlan(std::string_view text, const std::string& file, const Program& program,
                                std::span<const WrittenFunction> planned, WorkspaceForm form)
{
    const auto chunks = parseSyntax(text, file);
    if (!chunks) return chunks.error();
    std::vector<const Operation*> functions;
    for (const Chunk& chunk : *chunks) collect(chunk.operations, functions);
    const auto changed = [&](const Position& where) {
        return failure(Code::fileChanged, "the text is not the one that was planned", where, "plan it again");
    };
    if (functions.size() != program.functions.size()) return changed({file, 0, 0, -1});
    std::vector<Edit> edits;
    Coupled coupled;
    if (std::all_of(planned.begin(), planned.end(), [&](const WrittenFunction& each) {
            return each.function >= 0 && at(each.function) < program.functions.size();
        }))
        coupled = coupledPlaces(program, planned);
    for (const WrittenFunction& each : planned) {
        if (each.function < 0 || at(each.function) >= functions.size()) return changed({file, 0, 0, -1});
        std::vector<Edit> own;
        if (const Tensor* missing = FunctionWriter(text, program.functions[at(each.function)], each, coupled, form, own)
                                        .write(*functions[at(each.function)]))
            return changed(missing->where);
        edits.insert(edits.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
    }
    std::stable_sort(edits.begin(), edits.end(),
                     [](const Edit& a, const Edit& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
    std::string written;
    std::size_t done = 0;
    for (const Edit& edit : edits) {
        written += text.substr(done, edit.begin - done);
        written += edit.text;
        done = edit.end;
    }
    written += text.substr(done);
    return written;
}

} // namespace stowage::hivm
