#include "plugins/hivm/memory_info.h"

#include "core/io/json_reader.h"
#include "core/ir/checked.h"
#include "core/ir/limits.h"
#include "plugins/hivm/scopes.h"
#include "plugins/hivm/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

namespace stowage::hivm {

namespace {

constexpr Step maxSteps = Step{1} << 20;

/// loc("file.mlir":13:12)
void readLocation(std::string_view text, MemoryInfoEntry& entry)
{
    const std::size_t open = text.find('"');
    const std::size_t close = text.rfind('"');
    if (open == std::string_view::npos || close <= open) return;
    entry.file = text.substr(open + 1, close - open - 1);
    const char* at = text.data() + close + 1;
    const char* const end = text.data() + text.size();
    for (std::int32_t* number : {&entry.line, &entry.column}) {
        if (at == end || *at != ':') return;
        const auto [next, error] = std::from_chars(at + 1, end, *number);
        if (error != std::errc()) return;
        at = next;
    }
}

void readEntry(io::JsonReader& in, MemoryInfoEntry& entry)
{
    in.object({"buffer", "extent", "life_time_in_ir", "offset"}, [&](std::string_view key) {
        if (key == "buffer")
            in.read(entry.buffer);
        else if (key == "extent")
            in.read(entry.bits, 0, maxBytes);
        else if (key == "is_tmpbuf")
            in.read(entry.scratch);
        else if (key == "source_location")
            readLocation(in.string(), entry);
        else if (key == "life_time_in_ir") {
            std::vector<Step> life;
            in.array([&] { life.push_back(in.integer(0, maxSteps)); });
            if (life.size() == 2 && life[0] <= life[1])
                std::tie(entry.gen, entry.kill) = std::pair(life[0], life[1]);
            else
                in.fail(Code::badValue, "a lifetime is two numbers, first and last");
        } else if (key == "offset") {
            in.array([&] { entry.offsets.push_back(in.integer(0, maxBytes)); });
            if (in.ok() && (entry.offsets.empty() || entry.offsets.size() > static_cast<std::size_t>(maxSlots)))
                in.fail(Code::badValue, fmt::format("a buffer has {} offsets", entry.offsets.size()));
        } else
            in.skip();
    });
}

} // namespace

Expected<MemoryInfo> readMemoryInfo(std::string_view text, const std::string& file)
{
    MemoryInfo info;
    io::JsonReader in(text, file);
    in.object({"Record"}, [&](std::string_view key) {
        if (key == "Header") {
            in.object([&](std::string_view field) {
                if (field == "KernelName")
                    in.read(info.kernel);
                else
                    in.skip();
            });
        } else if (key == "Record") {
            in.array([&] {
                std::string scope;
                std::vector<MemoryInfoEntry> entries;
                in.object([&](std::string_view field) {
                    if (field == "scope")
                        in.read(scope);
                    else if (field == "error_info") {
                        std::string error;
                        in.read(error);
                        if (!error.empty()) info.errors.push_back(std::move(error));
                    } else if (field == "memory_info_array")
                        in.array([&] { readEntry(in, entries.emplace_back()); });
                    else
                        in.skip();
                });
                std::set<std::tuple<std::string, std::string, std::int32_t, std::int32_t>> seen;
                for (MemoryInfoEntry& entry : entries) {
                    entry.scope = scope;
                    if (seen.emplace(entry.buffer, entry.file, entry.line, entry.column).second)
                        info.entries.push_back(std::move(entry));
                }
            });
        } else
            in.skip();
    });
    if (!in.finish()) return in.error();
    if (info.kernel.empty()) info.kernel = "kernel";
    return info;
}

std::optional<FilePlan> planFor(const MemoryInfo& info, const Program& program)
{
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
        const Function& function = program.functions[f];
        if (function.name != info.kernel) continue;
        std::map<std::int32_t, TensorId> byLine;
        for (std::size_t t = 0; t < function.tensors.size(); ++t)
            if (const Tensor& tensor = function.tensors[t]; tensor.planned && tensor.aliasOf == none)
                byLine.emplace(tensor.where.line, static_cast<TensorId>(t));
        FilePlan plan{"memory_info.json", {}};
        for (const MemoryInfoEntry& entry : info.entries) {
            const auto found = byLine.find(entry.line);
            if (found == byLine.end()) continue;
            FilePlan::Offset offset{static_cast<FunctionId>(f), found->second, entry.offsets.front(), {}};
            if (entry.offsets.size() > 1) offset.offsets = entry.offsets;
            plan.offsets.push_back(std::move(offset));
        }
        if (!plan.offsets.empty()) return plan;
    }
    return std::nullopt;
}

Imported programOf(const MemoryInfo& info, const std::string& file)
{
    Imported made;
    Program program;
    program.name = info.kernel;
    program.pools = scopesOf({});
    program.lowering = {{"order", "hivm"}, {"inplace", "off"}};
    Function& function = program.functions.emplace_back();
    function.name = info.kernel;
    function.regions.emplace_back();

    // What lies in one place for one time is one buffer: the compiler lists everything that was merged into it.
    std::map<std::tuple<std::string, std::vector<Bytes>, Step, Step>, std::vector<const MemoryInfoEntry*>> places;
    Step last = 0;
    bool rotates = false;
    for (const MemoryInfoEntry& entry : info.entries) {
        places[{entry.scope, entry.offsets, entry.gen, entry.kill}].push_back(&entry);
        last = std::max(last, entry.kill);
        rotates = rotates || entry.offsets.size() > 1;
    }
    rotates = rotates &&
              std::none_of(info.entries.begin(), info.entries.end(), [](const MemoryInfoEntry& entry) { return entry.gen == 0; });
    // Slots rotate with a loop that the file does not name: one around everything, whose begin is number 0.
    RegionId region = 0;
    if (rotates) {
        function.regions.push_back({RegionRole::body, 0, {}, {}, {}});
        region = 1;
        Op loop;
        loop.name = loop.kind = "loop";
        loop.control = Control::loop;
        loop.regions = {1};
        function.ops.push_back(std::move(loop));
        function.regions[0].ops = {0};
    }
    for (Step step = rotates ? 1 : 0; step <= last; ++step) {
        Op op;
        op.name = fmt::format("op {}", step);
        op.parent = region;
        function.regions[static_cast<std::size_t>(region)].ops.push_back(static_cast<OpId>(function.ops.size()));
        function.ops.push_back(std::move(op));
    }
    FilePlan plan{"memory_info.json", {}};
    std::map<std::string, int> names;
    const auto add = [&](const MemoryInfoEntry& entry, TensorId slot) {
        Tensor tensor;
        const std::size_t equals = entry.buffer.find(" =");
        tensor.name = equals == std::string::npos || equals == 0 ? fmt::format("{}:{}", entry.scope, entry.line)
                                                                 : entry.buffer.substr(0, equals);
        if (const int count = ++names[tensor.name]; count > 1)
            tensor.name = fmt::format("{} ({})", tensor.name, fmt::format("{}, {}", entry.scope, count));
        const std::size_t colon = entry.buffer.rfind(" : ");
        const Type type = colon == std::string::npos ? Type{} : parseType(std::string_view(entry.buffer).substr(colon + 3));
        tensor.dtype = type.shaped() ? type.element : "";
        tensor.shape = type.shape;
        tensor.bytes = (entry.bits + 7) / 8;
        tensor.aliasOf = slot;
        tensor.region = region;
        tensor.where = {entry.file.empty() ? file : entry.file, entry.line, entry.column, -1};
        if (slot == none) {
            tensor.pools = {entry.scope};
            tensor.multiBuffer = static_cast<std::int32_t>(entry.offsets.size());
            tensor.attributes.emplace_back("pointer-cast", "");
        }
        function.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(function.tensors.size()) - 1;
    };
    for (auto& [key, entries] : places) {
        std::sort(entries.begin(), entries.end(),
                  [](const auto* a, const auto* b) { return std::tie(a->line, a->column) < std::tie(b->line, b->column); });
        const auto largest =
            std::max_element(entries.begin(), entries.end(), [](const auto* a, const auto* b) { return a->bits < b->bits; });
        std::rotate(entries.begin(), largest, largest + 1);
        const MemoryInfoEntry& first = *entries.front();
        const TensorId slot = add(first, none);
        for (std::size_t i = 1; i < entries.size(); ++i) add(*entries[i], slot);
        function.ops[static_cast<std::size_t>(first.gen)].outputs.push_back(slot);
        if (first.kill > first.gen) function.ops[static_cast<std::size_t>(first.kill)].inputs.push_back(slot);
        FilePlan::Offset offset{0, slot, first.offsets.front(), {}};
        if (first.offsets.size() > 1) offset.offsets = first.offsets;
        plan.offsets.push_back(std::move(offset));
    }
    for (const std::string& error : info.errors)
        made.diagnostics.push_back(warning(Code::compilerError, error, {file, 0, 0, -1}));
    made.content = std::move(program);
    if (!plan.offsets.empty()) made.plans.push_back(std::move(plan));
    return made;
}

} // namespace stowage::hivm
