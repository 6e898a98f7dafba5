#include "plugins/tflite/open_dimensions.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace stowage::tflite {
namespace {

constexpr std::string_view batch = "batch";
constexpr std::size_t shownNames = 6;

/// The binding that a dimension takes: "tensor:axis" before "tensor" (when it is the only one) before "batch".
class BindingTable {
public:
    explicit BindingTable(const Bindings& bindings)
    {
        for (const auto& [name, extent] : bindings) table_[name] = {extent, false};
    }

    std::optional<std::int64_t> find(const TensorInfo& tensor, Index axis)
    {
        if (table_.empty()) return std::nullopt;
        if (const auto extent = use(tensor.name + ':' + std::to_string(axis))) return extent;
        if (tensor.dynamicAxes.size() == 1) {
            if (const auto extent = use(tensor.name)) return extent;
        }
        return axis == 0 ? use(std::string(batch)) : std::nullopt;
    }

    /// A binding that no dimension took.
    [[nodiscard]] const std::string* unused() const
    {
        const auto found = std::find_if(table_.begin(), table_.end(), [](const auto& entry) { return !entry.second.used; });
        return found == table_.end() ? nullptr : &found->first;
    }

private:
    struct Binding {
        std::int64_t extent = 0;
        bool used = false;
    };

    std::optional<std::int64_t> use(const std::string& name)
    {
        const auto found = table_.find(name);
        if (found == table_.end()) return std::nullopt;
        found->second.used = true;
        return found->second.extent;
    }

    std::map<std::string, Binding> table_;
};

std::string bindingName(const TensorInfo& tensor, Index axis)
{
    return tensor.dynamicAxes.size() == 1 ? tensor.name : tensor.name + ':' + std::to_string(axis);
}

/// What can be bound, for messages: the open dimensions of the main graph's inputs, or of other tensors where the inputs have
/// none.
std::string choices(const Model& model)
{
    std::vector<std::string> names;
    bool anyBatch = false;
    const Subgraph& main = model.subgraphs.front();
    const auto add = [&](const TensorInfo& tensor) {
        for (const Index axis : tensor.dynamicAxes) {
            anyBatch = anyBatch || axis == 0;
            if (names.size() < shownNames) names.push_back(bindingName(tensor, axis));
        }
    };
    for (const Index input : main.inputs) add(main.tensors[static_cast<std::size_t>(input)]);
    if (names.empty()) std::for_each(main.tensors.begin(), main.tensors.end(), add);
    if (names.empty()) return "No dimension of this model is open.";
    std::string text = anyBatch ? "Names: batch" : "Names:";
    for (const std::string& name : names) text += (text.back() == ':' ? " " : ", ") + name;
    return text + ".";
}

} // namespace

std::optional<Error> bindOpenDimensions(Model& model, const Bindings& bindings)
{
    for (const auto& [name, extent] : bindings) {
        if (extent < 1)
            return failure(Code::badBinding, "'" + name + "' is bound to " + std::to_string(extent), {model.file},
                           "Bind it to 1 or more.");
    }
    BindingTable table(bindings);
    for (Subgraph& subgraph : model.subgraphs) {
        for (TensorInfo& tensor : subgraph.tensors) {
            for (const Index axis : tensor.dynamicAxes) {
                if (const auto extent = table.find(tensor, axis)) tensor.shape[static_cast<std::size_t>(axis)] = *extent;
            }
        }
    }
    if (const std::string* name = table.unused())
        return failure(Code::unknownBinding, "no open dimension is called '" + *name + "'", {model.file}, choices(model));
    return std::nullopt;
}

void noteAssumptions(const Model& model, const Bindings& bindings, Diagnostics& diagnostics)
{
    BindingTable table(bindings);
    const Subgraph& main = model.subgraphs.front();
    std::string assumed;
    std::size_t count = 0;
    for (const Index input : main.inputs) {
        const TensorInfo& tensor = main.tensors[static_cast<std::size_t>(input)];
        for (const Index axis : tensor.dynamicAxes) {
            const std::int64_t extent = tensor.shape[static_cast<std::size_t>(axis)];
            if (extent < 0 || table.find(tensor, axis)) continue;
            if (++count > shownNames) continue;
            assumed += (assumed.empty() ? "" : ", ") + ("axis " + std::to_string(axis) + " of '" + tensor.name) + "' as " +
                       std::to_string(extent);
        }
    }
    if (count == 0) return;
    if (count > shownNames) assumed += ", and " + std::to_string(count - shownNames) + " more";
    Diagnostic note = failure(Code::assumedSize, "the model leaves dimensions open; taken as in the file: " + assumed,
                              {model.file}, "To plan for other sizes, bind them (--bind NAME=N). " + choices(model));
    note.severity = Severity::note;
    diagnostics.push_back(std::move(note));
}

std::vector<FreeDimension> openDimensions(const Model& model, const Bindings& bindings)
{
    std::vector<FreeDimension> open;
    BindingTable table(bindings);
    const Subgraph& main = model.subgraphs.front();
    for (const Index input : main.inputs) {
        const TensorInfo& tensor = main.tensors[static_cast<std::size_t>(input)];
        for (const Index axis : tensor.dynamicAxes) {
            const std::int64_t extent = tensor.shape[static_cast<std::size_t>(axis)];
            if (table.find(tensor, axis)) continue;
            const std::string name = bindingName(tensor, axis);
            const auto same = [&](const FreeDimension& known) { return known.name == name; };
            if (std::none_of(open.begin(), open.end(), same)) open.push_back({name, std::max<std::int64_t>(extent, 0)});
        }
    }
    return open;
}

} // namespace stowage::tflite
