#include "plugins/tvm/graph_importer.h"

#include "core/io/json_reader.h"
#include "core/io/op_kinds.h"
#include "core/ir/checked.h"
#include "core/ir/unique_names.h"
#include "core/ir/verify.h"
#include "plugins/tvm/tvm_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace stowage::tvm {

namespace {

constexpr std::int64_t maxOutputs = 1 << 20;

/// A node and an output of it.
struct Entry {
    std::int64_t node = 0;
    std::int64_t index = 0;
    std::size_t offset = 0; ///< in the text
};

struct Node {
    std::string op;
    std::string name;
    std::string function; ///< what a "tvm_op" calls
    std::vector<Entry> inputs;
    std::int64_t outputs = 1;
    std::size_t offset = 0;
};

struct Graph {
    std::vector<Node> nodes;
    std::vector<Entry> heads;
    std::vector<Entry> arguments;                  ///< nodes only
    std::vector<std::int64_t> rows;                ///< by node: the number of its first entry
    std::vector<std::vector<std::int64_t>> shapes; ///< by entry
    std::vector<std::string> types;
    std::vector<std::int64_t> storages;
    std::vector<std::int64_t> devices; ///< types, as DLPack numbers them
    std::vector<std::string> scopes;   ///< "global", "global.texture"; empty: "global"
    std::size_t attributesAt = 0;
};

/// "p" and digits: what TVM calls the parameters of a graph that it has simplified.
bool isParameterName(std::string_view name)
{
    return name.size() > 1 && name[0] == 'p' &&
           std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The name that TVM gives to a type of devices. Numbers that meant another type in older versions have no name.
std::string deviceName(std::int64_t type)
{
    switch (type) {
    case 1: return "cpu";
    case 2: return "cuda";
    case 3: return "cuda_host";
    case 4: return "opencl";
    case 7: return "vulkan";
    case 8: return "metal";
    case 9: return "vpi";
    case 10: return "rocm";
    case 12: return "ext_dev";
    case 15: return "webgpu";
    case 16: return "hexagon";
    default: return fmt::format("device{}", type);
    }
}

class Reader {
public:
    Reader(const ImportRequest& request, bool parametersAreInputs, bool planIo)
        : in_(request.bytes, request.path), path_(request.path), parametersAreInputs_(parametersAreInputs), planIo_(planIo)
    {
    }

    Expected<Imported> run()
    {
        read();
        if (!in_.finish()) return in_.error();
        checkGraph();
        if (in_.ok()) build();
        if (!in_.ok()) return in_.error();
        for (Diagnostic& finding : verify(program_))
            if (finding.severity == Severity::error) return std::move(finding);
        Imported imported;
        if (!plan_.offsets.empty()) imported.plans.push_back(std::move(plan_));
        io::stateTraits(program_);
        imported.content = std::move(program_);
        imported.diagnostics = std::move(diagnostics_);
        return imported;
    }

private:
    Function& main() { return program_.functions.front(); }
    const Function& main() const { return program_.functions.front(); }

    void read()
    {
        in_.object({"nodes", "arg_nodes", "heads", "node_row_ptr", "attrs"}, [&](std::string_view key) {
            if (key == "nodes")
                in_.array([&] { readNode(); });
            else if (key == "arg_nodes")
                in_.array([&] {
                    const std::size_t offset = in_.offset();
                    graph_.arguments.push_back({in_.integer(0), 0, offset});
                });
            else if (key == "heads")
                in_.array([&] { graph_.heads.push_back(readEntry()); });
            else if (key == "node_row_ptr")
                in_.array([&] { graph_.rows.push_back(in_.integer(0)); });
            else if (key == "attrs")
                readAttributes();
            else
                in_.skip();
        });
    }

    /// [node, index, version]
    Entry readEntry()
    {
        Entry entry{0, 0, in_.offset()};
        int part = 0;
        in_.array([&] {
            const std::int64_t value = in_.integer(0);
            if (part == 0) entry.node = value;
            if (part == 1) entry.index = value;
            ++part;
        });
        if (in_.ok() && part < 2) in_.failAt(entry.offset, Code::badValue, "an input is a node and the number of its output");
        return entry;
    }

    void readNode()
    {
        Node node;
        node.offset = in_.offset();
        in_.object({"op", "name"}, [&](std::string_view key) {
            if (key == "op")
                in_.read(node.op);
            else if (key == "name")
                in_.read(node.name);
            else if (key == "inputs")
                in_.array([&] { node.inputs.push_back(readEntry()); });
            else if (key == "attrs" || key == "attr" || key == "param")
                in_.object([&](std::string_view attribute) {
                    if (attribute == "func_name")
                        in_.read(node.function);
                    else if (attribute == "num_outputs" && in_.type() == io::JsonType::string) {
                        const std::size_t offset = in_.offset();
                        const std::string_view text = in_.string();
                        std::int64_t count = 0;
                        const auto digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
                        if (digits && !text.empty() && text.size() < 10) count = std::stoll(std::string(text));
                        if (count < 1 || count > maxOutputs)
                            in_.failAt(offset, Code::badValue, fmt::format("'{}' is no number of outputs", text));
                        node.outputs = count;
                    } else
                        in_.skip();
                });
            else
                in_.skip();
        });
        graph_.nodes.push_back(std::move(node));
    }

    /// ["list_shape", [[1, 3], …]]: the second element counts.
    template <typename Element>
    void readList(Element element)
    {
        int part = 0;
        in_.array([&] {
            if (part++ == 1)
                in_.array(element);
            else
                in_.skip();
        });
    }

    void readAttributes()
    {
        graph_.attributesAt = in_.offset();
        in_.object({"shape", "dltype"}, [&](std::string_view key) {
            if (key == "shape")
                readList([&] {
                    graph_.shapes.emplace_back();
                    in_.array([&] { graph_.shapes.back().push_back(in_.integer(-1, maxBytes)); });
                });
            else if (key == "dltype")
                readList([&] { graph_.types.emplace_back(in_.string()); });
            else if (key == "storage_id")
                readList([&] { graph_.storages.push_back(in_.integer(-1)); });
            else if (key == "device_index")
                readList([&] { graph_.devices.push_back(in_.integer(-1)); });
            else if (key == "storage_scope")
                readList([&] { graph_.scopes.emplace_back(in_.string()); });
            else
                in_.skip();
        });
    }

    [[nodiscard]] std::int64_t entries() const { return graph_.rows.empty() ? 0 : graph_.rows.back(); }
    [[nodiscard]] std::int64_t number(const Entry& entry) const { return graph_.rows[at(entry.node)] + entry.index; }

    void checkGraph()
    {
        const auto count = static_cast<std::int64_t>(graph_.nodes.size());
        if (static_cast<std::int64_t>(graph_.rows.size()) != count + 1)
            return in_.failAt(0, Code::badValue,
                              fmt::format("'node_row_ptr' has {} numbers, and there are {} nodes: one more was expected",
                                          graph_.rows.size(), count));
        for (std::int64_t n = 0; n < count; ++n) {
            const Node& node = graph_.nodes[at(n)];
            if (graph_.rows[0] != 0 || graph_.rows[at(n) + 1] - graph_.rows[at(n)] != node.outputs)
                return in_.failAt(node.offset, Code::badValue,
                                  fmt::format("node '{}' has {} outputs, and 'node_row_ptr' gives it {}", node.name, node.outputs,
                                              graph_.rows[at(n) + 1] - graph_.rows[at(n)]));
            for (const Entry& input : node.inputs)
                if (!exists(input, n))
                    return in_.failAt(input.offset, Code::badValue,
                                      fmt::format("node '{}' reads an entry that no node before it makes", node.name));
        }
        for (const Entry& head : graph_.heads)
            if (!exists(head, count)) return in_.failAt(head.offset, Code::badValue, "a head is no entry of the graph");
        for (const Entry& argument : graph_.arguments)
            if (argument.node >= count || graph_.nodes[at(argument.node)].op != "null")
                return in_.failAt(argument.offset, Code::badValue, "an argument is no node of kind 'null'");
        const auto lengths = [&](std::size_t length, const char* what) {
            if (in_.ok() && static_cast<std::int64_t>(length) != entries())
                in_.failAt(graph_.attributesAt, Code::badValue,
                           fmt::format("'{}' has {} elements, and the graph {} entries", what, length, entries()));
        };
        lengths(graph_.shapes.size(), "shape");
        lengths(graph_.types.size(), "dltype");
        if (!graph_.storages.empty()) lengths(graph_.storages.size(), "storage_id");
        if (!graph_.devices.empty()) lengths(graph_.devices.size(), "device_index");
        if (!graph_.scopes.empty()) lengths(graph_.scopes.size(), "storage_scope");
    }

    [[nodiscard]] bool exists(const Entry& entry, std::int64_t before) const
    {
        return entry.node < before && entry.index < graph_.nodes[at(entry.node)].outputs;
    }

    std::string unique(const std::string& name)
    {
        const std::string first = name.empty() ? "unnamed" : name;
        return names_.insert(first) ? first : names_.numbered(name + '#');
    }

    Position place(std::size_t offset) const
    {
        Position position = in_.positionAt(offset);
        position.file = path_;
        return position;
    }

    void build()
    {
        program_.name = std::filesystem::path(path_).stem().string();
        program_.functions.emplace_back().name = "main";
        main().regions.emplace_back();
        std::unordered_set<std::int64_t> arguments;
        for (const Entry& argument : graph_.arguments) arguments.insert(argument.node);
        std::size_t parameters = 0;
        for (std::int64_t n = 0; n < static_cast<std::int64_t>(graph_.nodes.size()); ++n) {
            const Node& node = graph_.nodes[at(n)];
            if (node.op != "null") {
                addOp(n, node);
                continue;
            }
            const bool constant = !arguments.contains(n) || (isParameterName(node.name) && !parametersAreInputs_);
            const TensorId id = addTensor(n, 0, node.name, constant ? TensorKind::constant : TensorKind::input);
            if (constant)
                ++parameters;
            else
                main().regions[0].inputs.push_back(id);
        }
        for (const Entry& head : graph_.heads) {
            const auto id = static_cast<TensorId>(number(head));
            Tensor& tensor = main().tensors[at(id)];
            if (tensor.kind == TensorKind::intermediate) tensor.kind = TensorKind::output;
            auto& outputs = main().regions[0].outputs;
            if (std::find(outputs.begin(), outputs.end(), id) == outputs.end()) outputs.push_back(id);
        }
        if (!planIo_)
            for (const auto* list : {&main().regions[0].inputs, &main().regions[0].outputs})
                for (const TensorId id : *list) main().tensors[at(id)].planned = false;
        if (parameters > 0) noteParameters(parameters);
        keepOutOtherScopes();
        separateDevices();
        storagePlan();
    }

    /// -1 if the file does not tell.
    std::int64_t deviceOf(std::size_t entry) const { return graph_.devices.empty() ? -1 : graph_.devices[entry]; }
    std::string_view scopeOf(std::size_t entry) const
    {
        return graph_.scopes.empty() || graph_.scopes[entry].empty() ? std::string_view("global") : graph_.scopes[entry];
    }
    bool inOneMemory(TensorId a, TensorId b) const
    {
        return deviceOf(at(a)) == deviceOf(at(b)) && scopeOf(at(a)) == scopeOf(at(b));
    }
    /// Whether the entry takes bytes of a workspace.
    bool isPlanned(std::size_t entry) const
    {
        const Tensor& tensor = main().tensors[entry];
        return tensor.planned && tensor.kind != TensorKind::constant;
    }

    /// TVM places other scopes in memories of the hardware, as a texture of OpenCL.
    void keepOutOtherScopes()
    {
        std::map<std::string_view, std::vector<std::size_t>> found;
        for (std::size_t entry = 0; entry < main().tensors.size(); ++entry)
            if (isPlanned(entry) && scopeOf(entry) != "global") found[scopeOf(entry)].push_back(entry);
        for (const auto& [scope, entries] : found) {
            for (const std::size_t entry : entries) main().tensors[entry].planned = false;
            diagnostics_.push_back(
                {Severity::note,
                 Code::notSupported,
                 entries.size() == 1
                     ? fmt::format("1 tensor of scope '{}' is not planned: the scope is a memory of its own", scope)
                     : fmt::format("{} tensors of scope '{}' are not planned: the scope is a memory of its own", entries.size(),
                                   scope),
                 main().tensors[entries.front()].where,
                 {}});
        }
    }

    /// Devices share no bytes: if there are several, each has a pool.
    void separateDevices()
    {
        std::set<std::int64_t> devices;
        for (std::size_t entry = 0; entry < main().tensors.size(); ++entry)
            if (isPlanned(entry)) devices.insert(deviceOf(entry));
        if (devices.size() < 2) return;
        for (const std::int64_t device : devices) program_.pools.emplace_back().name = deviceName(device);
        for (std::size_t entry = 0; entry < main().tensors.size(); ++entry)
            if (isPlanned(entry) && main().tensors[entry].aliasOf == none)
                main().tensors[entry].pools = {deviceName(deviceOf(entry))};
    }

    void noteParameters(std::size_t count)
    {
        Diagnostic told;
        told.severity = Severity::note;
        told.code = Code::parameters;
        told.message = fmt::format("{} arguments are taken for parameters, by their names: they are constants", count);
        told.remedy = "--import params=inputs takes them for inputs";
        diagnostics_.push_back(std::move(told));
    }

    /// Tensors are numbered as entries are.
    TensorId addTensor(std::int64_t node, std::int64_t index, const std::string& name, TensorKind kind)
    {
        const auto entry = at(graph_.rows[at(node)] + index);
        Tensor tensor;
        tensor.name = unique(name);
        tensor.kind = kind;
        if (kind == TensorKind::constant) tensor.available = Availability::compileTime;
        tensor.dtype = graph_.types[entry];
        tensor.shape = graph_.shapes[entry];
        tensor.bytes = tensorBytes(tensor.dtype, tensor.shape);
        tensor.where = place(graph_.nodes[at(node)].offset);
        main().tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(main().tensors.size()) - 1;
    }

    void addOp(std::int64_t n, const Node& node)
    {
        Op op;
        op.name = node.name.empty() ? fmt::format("node{}", n) : node.name;
        if (!opNames_.insert(op.name)) op.name = opNames_.numbered(node.name + '#');
        op.kind = node.function.empty() ? node.op : node.function;
        op.where = place(node.offset);
        for (const Entry& input : node.inputs) op.inputs.push_back(static_cast<TensorId>(number(input)));
        for (std::int64_t i = 0; i < node.outputs; ++i) {
            const TensorId id =
                addTensor(n, i, node.outputs == 1 ? node.name : fmt::format("{}:{}", node.name, i), TensorKind::intermediate);
            op.outputs.push_back(id);
            if (node.function != "__nop" || op.inputs.empty()) continue;
            const Tensor& viewed = main().tensors[at(op.inputs[0])];
            Tensor& view = main().tensors[at(id)];
            if (!viewed.bytes || !view.bytes || *view.bytes > *viewed.bytes || !inOneMemory(op.inputs[0], id)) continue;
            op.traits = io::traitsOfKind("reshape"); // it moves no byte
            if (viewed.kind != TensorKind::constant) view.aliasOf = op.inputs[0];
        }
        main().regions[0].ops.push_back(static_cast<OpId>(main().ops.size()));
        main().ops.push_back(std::move(op));
    }

    void storagePlan()
    {
        if (graph_.storages.empty()) return;
        struct Storage {
            Bytes size = 0;
            Bytes alignment = 1; ///< of the elements: TVM allocates each storage by itself, so that it begins at a multiple of it
            Bytes offset = 0;
        };
        std::map<std::pair<std::int64_t, std::int64_t>, Storage> storages; // by device and id
        const auto counts = [&](std::size_t entry) {
            return graph_.storages[entry] >= 0 && isPlanned(entry) && main().tensors[entry].bytes;
        };
        const auto keyOf = [&](std::size_t entry) { return std::pair(deviceOf(entry), graph_.storages[entry]); };
        for (std::size_t entry = 0; entry < graph_.storages.size(); ++entry)
            if (counts(entry)) {
                Storage& storage = storages[keyOf(entry)];
                storage.size = std::max(storage.size, *main().tensors[entry].bytes);
                const Bytes element = std::max<Bytes>(1, tensorBytes(main().tensors[entry].dtype, {}).value_or(1));
                storage.alignment = checkedLcm(storage.alignment, element).value_or(storage.alignment);
            }
        std::map<std::int64_t, Bytes> ends; // by device
        for (auto& [key, storage] : storages) {
            Bytes& end = ends[key.first];
            if (storage.alignment > maxBytes - end) return;
            storage.offset = alignUp(end, storage.alignment);
            const auto sum = checkedAdd(storage.offset, storage.size);
            if (!sum || *sum > maxBytes) return;
            end = *sum;
        }
        plan_.name = "storage ids";
        for (std::size_t entry = 0; entry < graph_.storages.size(); ++entry)
            if (counts(entry)) plan_.offsets.push_back({0, static_cast<TensorId>(entry), storages[keyOf(entry)].offset});
    }

    io::JsonReader in_;
    std::string path_;
    bool parametersAreInputs_;
    bool planIo_;
    Graph graph_;
    Program program_;
    FilePlan plan_;
    Diagnostics diagnostics_;
    UniqueNames names_, opNames_;
};

} // namespace

GraphImporter::GraphImporter() : info_{"tvm-graph", "TVM graph executor JSON", {"json"}, {}}
// its options are in the metadata, which the host reads before it loads anything
{
}

int GraphImporter::claims(std::string_view head, std::string_view) const
{
    const auto first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || head[first] != '{') return 0;
    if (head.find("\"node_row_ptr\"") != std::string_view::npos) return 95;
    // A long graph shows its first nodes only.
    const std::string_view begin = head.substr(first, 400);
    return begin.find("\"nodes\"") != std::string_view::npos && begin.find("\"op\"") != std::string_view::npos ? 80 : 0;
}

Expected<Imported> GraphImporter::import(const ImportRequest& request) const
{
    bool parametersAreInputs = false;
    bool planIo = true;
    for (const auto& [key, value] : request.options) {
        const auto wrong = [&option = key, &given = value, &request](const char* choices) {
            return failure(Code::badOption, fmt::format("{} cannot be \"{}\"", option, given), {request.path, 0, 0, -1}, choices);
        };
        if (key == "params") {
            if (value != "constants" && value != "inputs") return wrong("choose constants or inputs");
            parametersAreInputs = value == "inputs";
        } else if (key == "io") {
            if (value != "included" && value != "excluded") return wrong("choose included or excluded");
            planIo = value == "included";
        } else {
            return failure(Code::unknownOption, fmt::format("the importer has no option \"{}\"", key), {request.path, 0, 0, -1},
                           "its options are params and io");
        }
    }
    return Reader(request, parametersAreInputs, planIo).run();
}

} // namespace stowage::tvm
