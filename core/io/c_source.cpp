// Writes the text of the C files. c_model_maker.cpp makes their contents.
#include "core/io/c_source.h"

#include "core/io/c_model_maker.h"
#include "core/io/c_names.h"
#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace stowage::io {

namespace {

constexpr Bytes maxPacked = Bytes{64} << 20; ///< bytes of one array; compilers take minutes for larger ones

/// Its guard does not begin with "TVM": a model called "model" has the guard TVM_MODEL_H.
constexpr std::string_view runtimeHeader = R"(/* What the generated models have in common. Written by Stowage. */
#ifndef STOWAGE_TVM_MODEL_H
#define STOWAGE_TVM_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TVM_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define TVM_SECTION(name) __attribute__((section(name)))
#else
#define TVM_ALIGNED(bytes)
#define TVM_SECTION(name)
#endif

/* What an entry point returns when a pointer that it needs is null. */
#define TVM_MISSING_POINTER (-1)

/* What the application hands to a model besides inputs and outputs. Only what the model needs is looked at. */
typedef struct TVMContext {
    const void* workspaces;
    const void* parameters;
    const void* devices;
    const void* tensors;
} TVMContext;

typedef struct TVMModel {
    const char* name;
    int32_t (*entrypoint)(const void* inputs, const void* outputs, const TVMContext* context);
} TVMModel;

static inline void TVMSetWorkspaces(TVMContext* context, const void* workspaces) { context->workspaces = workspaces; }
static inline void TVMSetParameters(TVMContext* context, const void* parameters) { context->parameters = parameters; }
static inline void TVMSetDevices(TVMContext* context, const void* devices) { context->devices = devices; }
static inline void TVMSetTensors(TVMContext* context, const void* tensors) { context->tensors = tensors; }

/* Runs a model once. 0, TVM_MISSING_POINTER, or what the first operator that failed returned. */
static inline int32_t TVMExecute(const TVMModel* model, const void* inputs, const void* outputs, const TVMContext* context)
{
    return model->entrypoint(inputs, outputs, context);
}

#ifdef __cplusplus
}
#endif

#endif
)";

std::string arrayLength(const std::string& macro)
{
    return fmt::format("{0} > 0 ? {0} : 1", macro);
}

struct Parameter {
    std::string type;
    std::string name;
};

/// The parameters of the function that calls the operators.
std::vector<Parameter> mainParameters(const CModel& model)
{
    std::vector<Parameter> parameters;
    parameters.push_back({fmt::format("const TVMInputs_{}*", model.name), "inputs"});
    parameters.push_back({fmt::format("const TVMOutputs_{}*", model.name), "outputs"});
    for (const CPool& pool : model.pools)
        parameters.push_back({pool.kind == PoolKind::constant ? "const uint8_t*" : "uint8_t*", pool.name});
    if (!model.tensors.empty()) parameters.push_back({fmt::format("const TVMTensors_{}*", model.name), "tensors"});
    if (!model.devices.empty()) parameters.push_back({fmt::format("const TVMDevices_{}*", model.name), "devices"});
    return parameters;
}

std::string mainSignature(const CModel& model)
{
    std::string text = fmt::format("int32_t {}_main(", model.name);
    const auto parameters = mainParameters(model);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        text += fmt::format("{}\n    {} {}", i == 0 ? "" : ",", parameters[i].type, parameters[i].name);
    return text + ")";
}

/// C function: the number of the branch that a tensor selects, in native byte order; the last branch for a number out of range.
constexpr std::string_view selection = R"(static int tvm_select(const uint8_t* at, size_t size, int branches)
{
    int8_t number8 = 0;
    int16_t number16 = 0;
    int32_t number32 = 0;
    int64_t number = 0;
    switch (size) {
    case 1: memcpy(&number8, at, 1); number = number8; break;
    case 2: memcpy(&number16, at, 2); number = number16; break;
    case 4: memcpy(&number32, at, 4); number = number32; break;
    default: memcpy(&number, at, 8); break;
    }
    return number < 0 || number >= branches ? branches - 1 : (int)number;
}

)";

class Header {
public:
    Header(const CSourceModel& source, const CModel& model) : source_(source), model_(model), problem_(source.run->problem()) {}

    std::string run()
    {
        const std::string guard = model_.macro + "_H";
        text_ = fmt::format(
            "/* Model '{}': where its buffers lie, as planned by {}. Written by Stowage. */\n#ifndef {}\n#define {}\n\n"
            "#include \"tvm_model.h\"\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n",
            toCComment(source_.name), toCComment(source_.run->plan.planner), guard, guard);
        pools();
        buffers();
        structs();
        operators();
        text_ += fmt::format("extern const TVMModel {};\n\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n", model_.name);
        return std::move(text_);
    }

private:
    void pools()
    {
        text_ += "/* Bytes that the model needs in each memory, and what its address is a multiple of. */\n";
        Bytes workspaces = 0, parameters = 0;
        for (const CPool& pool : model_.pools) {
            text_ += fmt::format("#define {0}_SIZE {1}\n#define {0}_ALIGNMENT {2}\n", pool.macro, pool.size, pool.alignment);
            (pool.kind == PoolKind::constant ? parameters : workspaces) += pool.size;
        }
        text_ +=
            fmt::format("/* All of them together. */\n#define {0}_ALL_WORKSPACES_SIZE {1}\n#define {0}_ALL_PARAMETERS_SIZE {2}\n"
                        "#define {0}_ALL_SIZE {3}\n\n",
                        model_.macro, workspaces, parameters, workspaces + parameters);
    }

    void buffers()
    {
        for (const CPool& pool : model_.pools) {
            bool first = true;
            for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
                const Placement& placement = source_.run->plan.placements[b];
                if (placement.pool != pool.id) continue;
                if (first)
                    text_ += fmt::format("/* Buffers in {}: where they begin, and how long they are. */\n",
                                         toCComment(problem_.pools[static_cast<std::size_t>(pool.id)].name));
                first = false;
                const std::string& macro = model_.bufferMacros[b];
                text_ += fmt::format("#define {0}_OFFSET {1}\n#define {0}_SIZE {2}\n", macro, placement.offset,
                                     problem_.buffers[b].size);
                for (std::size_t copy = 0; copy < placement.offsets.size(); ++copy)
                    text_ += fmt::format("#define {}_OFFSET_{} {}\n", macro, copy, placement.offsets[copy]);
            }
            if (!first) text_ += "\n";
        }
    }

    void structure(const std::string& name, const std::string& what, const std::vector<std::string>& members)
    {
        text_ += fmt::format("/* {} */\ntypedef struct {{\n", what);
        for (const std::string& member : members) text_ += fmt::format("    {}\n", member);
        if (members.empty()) text_ += "    uint8_t* unused; /* there are none */\n";
        text_ += fmt::format("}} TVM{}_{};\n\n", name, model_.name);
    }

    static std::string member(const CTensor& tensor)
    {
        const std::string size =
            tensor.size > 0 ? fmt::format("{} bytes", tensor.size) : std::string("as long as it is when the model runs");
        return fmt::format("{}uint8_t* {}; /* {}: {} */", tensor.writable ? "" : "const ", tensor.name,
                           toCComment(tensor.comment), size);
    }

    void structs()
    {
        std::vector<std::string> workspaces, parameters, inputs, outputs, tensors, devices;
        for (const CPool& pool : model_.pools) {
            if (!pool.application) continue;
            if (pool.kind == PoolKind::constant)
                parameters.push_back(fmt::format("const uint8_t* {};", pool.name));
            else
                workspaces.push_back(fmt::format("uint8_t* {};", pool.name));
        }
        for (const CTensor& tensor : model_.inputs) inputs.push_back(member(tensor));
        for (const CTensor& tensor : model_.outputs) outputs.push_back(member(tensor));
        for (const CTensor& tensor : model_.tensors)
            if (!tensor.data) tensors.push_back(member(tensor));
        for (const std::string& device : model_.devices) devices.push_back(fmt::format("void* {};", device));
        if (!workspaces.empty()) structure("Workspaces", "Memories that the application hands in.", workspaces);
        if (!parameters.empty()) structure("Parameters", "Memories with constants.", parameters);
        structure("Inputs", "Null where a planned input is in its pool already.", inputs);
        structure("Outputs", "Null where a planned output may stay in its pool.", outputs);
        if (!model_.tensors.empty()) structure("Tensors", "What is not planned: the application holds it.", tensors);
        if (!devices.empty()) structure("Devices", "Handles that operators on these devices are given.", devices);
        for (const CPool& pool : model_.pools)
            if (pool.packed)
                text_ += fmt::format("/* The constants of {0} as they lie there. To name a section define {1}_SECTION. */\n"
                                     "extern const uint8_t {2}_parameters_{0}[{3}];\n\n",
                                     pool.name, pool.macro, model_.name, arrayLength(pool.macro + "_SIZE"));
    }

    void operators()
    {
        if (!model_.ordered) {
            text_ += fmt::format("/* Calls the operators in order. It is the application's. */\n{};\n\n", mainSignature(model_));
            return;
        }
        if (!model_.operators.empty())
            text_ += "/* The operators, which a library or the application has: inputs, outputs and temporaries, the device. 0 "
                     "when all is well. */\n";
        for (const COperator& op : model_.operators) {
            text_ += fmt::format("int32_t {}(", op.name);
            std::string separator;
            for (std::size_t i = 0; i < op.inputs; ++i, separator = ", ")
                text_ += fmt::format("{}const uint8_t* input{}", separator, i);
            for (std::size_t i = 0; i < op.outputs; ++i, separator = ", ")
                text_ += fmt::format("{}uint8_t* output{}", separator, i);
            text_ += fmt::format("{}void* device); /* {} */\n", separator, toCComment(op.comment));
        }
        if (!model_.operators.empty()) text_ += "\n";
    }

    const CSourceModel& source_;
    const CModel& model_;
    const Problem& problem_;
    std::string text_;
};

class Body {
public:
    Body(const CSourceModel& source, const CModel& model) : source_(source), model_(model), problem_(source.run->problem()) {}

    std::string run()
    {
        text_ = fmt::format("/* Model '{}'. Written by Stowage. */\n#include \"{}.h\"\n\n#include <string.h>\n\n",
                            toCComment(source_.name), model_.name);
        arrays();
        if (model_.ordered) main();
        entry();
        return std::move(text_);
    }

private:
    static void bytes(std::string& text, const std::vector<std::uint8_t>& data)
    {
        for (std::size_t i = 0; i < data.size(); ++i) text += fmt::format("{}{}", i % 20 == 0 ? "\n    " : " ", data[i]) + ",";
        if (data.empty()) text += " 0";
    }

    void arrays()
    {
        for (const CPool& pool : model_.pools) {
            const std::string length = arrayLength(pool.macro + "_SIZE");
            if (pool.packed) {
                std::vector<std::uint8_t> data(static_cast<std::size_t>(pool.size));
                for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
                    const Placement& placement = source_.run->plan.placements[b];
                    if (placement.pool != pool.id) continue;
                    const auto& from = source_.constants.at(problem_.buffers[b].name);
                    std::copy(from.begin(), from.end(), data.begin() + placement.offset);
                }
                text_ += fmt::format("#ifdef {0}_SECTION\nTVM_SECTION({0}_SECTION)\n#endif\nTVM_ALIGNED({0}_ALIGNMENT) const "
                                     "uint8_t {1}_parameters_{2}[{3}] = {{",
                                     pool.macro, model_.name, pool.name, length);
                bytes(text_, data);
                text_ += "\n};\n\n";
            } else if (!pool.application) {
                text_ += fmt::format("#ifdef {0}_SECTION\nTVM_SECTION({0}_SECTION)\n#endif\nTVM_ALIGNED({0}_ALIGNMENT) static "
                                     "{4}uint8_t {1}_memory_{2}[{3}];\n\n",
                                     pool.macro, model_.name, pool.name, length, pool.kind == PoolKind::constant ? "const " : "");
            }
        }
        for (const CTensor& tensor : model_.tensors) {
            if (!tensor.data) continue;
            text_ += fmt::format("TVM_ALIGNED(16) static const uint8_t {}_data_{}[{}] = {{", model_.name, tensor.name,
                                 std::max<Bytes>(1, tensor.size));
            bytes(text_, *tensor.data);
            text_ += "\n};\n\n";
        }
    }

    void main()
    {
        if (model_.selects) text_ += selection;
        for (const CTable& table : model_.tables) {
            const RareList<Bytes>& offsets = source_.run->plan.placements[static_cast<std::size_t>(table.buffer)].offsets;
            text_ += fmt::format("/* Where '{}' lies, iteration by iteration. */\nstatic const size_t {}[{}] = {{",
                                 toCComment(problem_.buffers[static_cast<std::size_t>(table.buffer)].name), table.name,
                                 offsets.size());
            for (std::size_t i = 0; i < offsets.size(); ++i)
                text_ += fmt::format("{} {}_OFFSET_{}", i == 0 ? "" : ",",
                                     model_.bufferMacros[static_cast<std::size_t>(table.buffer)], i);
            text_ += " };\n\n";
        }
        text_ += "static " + mainSignature(model_) + "\n{\n    int32_t status = 0;\n";
        for (const Parameter& parameter : mainParameters(model_)) text_ += fmt::format("    (void){};\n", parameter.name);
        for (const CLine& line : model_.lines) {
            const std::string indentation(static_cast<std::size_t>(line.depth + 1) * 4, ' ');
            if (!line.call) {
                text_ += fmt::format("{}{}\n", indentation, line.text);
                continue;
            }
            text_ += fmt::format("{}status = {}(", indentation, model_.operators[line.call->op].name);
            for (const std::string& argument : line.call->arguments) text_ += argument + ", ";
            text_ += fmt::format("{});\n{}if (status != 0) return status;\n",
                                 line.call->device.empty() ? "NULL" : line.call->device, indentation);
        }
        text_ += "    return status;\n}\n\n";
    }

    /// True if the application provides a pool of this kind.
    [[nodiscard]] bool handedIn(bool constant) const
    {
        return std::any_of(model_.pools.begin(), model_.pools.end(),
                           [&](const CPool& pool) { return pool.application && (pool.kind == PoolKind::constant) == constant; });
    }

    void take(const char* type, const char* member)
    {
        text_ += fmt::format("    if (context == NULL || context->{1} == NULL) return TVM_MISSING_POINTER;\n"
                             "    const TVM{0}_{2}* {1} = (const TVM{0}_{2}*)context->{1};\n",
                             type, member, model_.name);
    }

    [[nodiscard]] std::string place(const CTensor& tensor) const
    {
        const Placement& placement = source_.run->plan.placements[static_cast<std::size_t>(tensor.buffer)];
        return fmt::format("{} + {}_OFFSET{}", model_.pools[static_cast<std::size_t>(placement.pool)].name,
                           model_.bufferMacros[static_cast<std::size_t>(tensor.buffer)],
                           tensor.delta == 0 ? "" : fmt::format(" + {}", tensor.delta));
    }

    void entry()
    {
        const std::string& name = model_.name;
        text_ += fmt::format(
            "static int32_t {}_entrypoint(const void* given_inputs, const void* given_outputs, const TVMContext* context)\n{{\n",
            name);
        text_ += fmt::format("    const TVMInputs_{0}* inputs = (const TVMInputs_{0}*)given_inputs;\n    const TVMOutputs_{0}* "
                             "outputs = (const TVMOutputs_{0}*)given_outputs;\n",
                             name);
        text_ += "    int32_t status = 0;\n    (void)context;\n    if (inputs == NULL || outputs == NULL) return "
                 "TVM_MISSING_POINTER;\n";
        if (handedIn(false)) take("Workspaces", "workspaces");
        if (handedIn(true)) take("Parameters", "parameters");
        const bool tensors = std::any_of(model_.tensors.begin(), model_.tensors.end(), [](const CTensor& t) { return !t.data; });
        if (tensors)
            take("Tensors", "tensors");
        else if (!model_.tensors.empty())
            text_ += fmt::format("    const TVMTensors_{}* tensors = NULL;\n", name);
        if (!model_.devices.empty()) take("Devices", "devices");
        for (const CPool& pool : model_.pools) {
            const bool constant = pool.kind == PoolKind::constant;
            const char* type = constant ? "const uint8_t*" : "uint8_t*";
            if (!pool.application) {
                text_ += fmt::format("    {} {} = {}_{}_{};\n", type, pool.name, name, pool.packed ? "parameters" : "memory",
                                     pool.name);
                continue;
            }
            text_ += fmt::format("    {} {} = {}->{};\n", type, pool.name, constant ? "parameters" : "workspaces", pool.name);
            if (pool.size > 0) text_ += fmt::format("    if ({} == NULL) return TVM_MISSING_POINTER;\n", pool.name);
        }
        for (const CTensor& tensor : model_.inputs) {
            if (tensor.buffer == none)
                text_ += fmt::format("    if (inputs->{} == NULL) return TVM_MISSING_POINTER;\n", tensor.name);
            else
                text_ += fmt::format("    if (inputs->{0} != NULL && inputs->{0} != {1}) memcpy({1}, inputs->{0}, {2});\n",
                                     tensor.name, place(tensor), tensor.size);
        }
        for (const CTensor& tensor : model_.outputs)
            if (tensor.buffer == none)
                text_ += fmt::format("    if (outputs->{} == NULL) return TVM_MISSING_POINTER;\n", tensor.name);
        for (const CTensor& tensor : model_.tensors)
            if (!tensor.data) text_ += fmt::format("    if (tensors->{} == NULL) return TVM_MISSING_POINTER;\n", tensor.name);
        text_ += fmt::format("    status = {}_main(", name);
        const auto parameters = mainParameters(model_);
        for (std::size_t i = 0; i < parameters.size(); ++i) text_ += (i == 0 ? "" : ", ") + parameters[i].name;
        text_ += ");\n    if (status != 0) return status;\n";
        for (const CTensor& tensor : model_.outputs)
            if (tensor.buffer != none && !tensor.handedOut)
                text_ += fmt::format("    if (outputs->{0} != NULL && outputs->{0} != {1}) memcpy(outputs->{0}, {1}, {2});\n",
                                     tensor.name, place(tensor), tensor.size);
        text_ += fmt::format("    return 0;\n}}\n\nconst TVMModel {0} = {{\n    \"{0}\",\n    {0}_entrypoint,\n}};\n", name);
    }

    const CSourceModel& source_;
    const CModel& model_;
    const Problem& problem_;
    std::string text_;
};

/// The header with the sizes of pools that several models use: each is large enough for any of them, because they do not run at
/// the same time.
std::string commonHeader(std::span<const CModel> models, std::span<const CSourceModel> sources)
{
    std::string text = "/* Memories that several models share, one running after the other: as much as the largest of them "
                       "needs. Written by Stowage. */\n"
                       "#ifndef STOWAGE_TVM_MODELS_H\n#define STOWAGE_TVM_MODELS_H\n\n";
    for (const CModel& model : models) text += fmt::format("#include \"{}.h\"\n", model.name);
    struct Shared {
        std::string name;
        Bytes size = 0;
        Bytes alignment = 1;
        std::vector<std::string> users;
    };
    std::vector<Shared> all;
    for (std::size_t m = 0; m < models.size(); ++m)
        for (const CPool& pool : models[m].pools) {
            if (!pool.application || pool.kind != PoolKind::workspace)
                continue; // constant and persistent pools belong to one model
            const std::string& name = sources[m].run->problem().pools[static_cast<std::size_t>(pool.id)].name;
            auto found = std::find_if(all.begin(), all.end(), [&](const Shared& shared) { return shared.name == name; });
            if (found == all.end()) found = all.insert(all.end(), {name, 0, 1, {}});
            found->size = std::max(found->size, pool.size);
            found->alignment = checkedLcm(found->alignment, pool.alignment).value_or(found->alignment);
            found->users.push_back(models[m].name);
        }
    CNames macros(CNames::Case::capitals);
    for (const Shared& shared : all) {
        const std::string macro = fmt::format("TVM_MODELS_COMMON_{}_WORKSPACE_BUFFER", macros.unique("pool", shared.name));
        std::string users;
        for (const std::string& user : shared.users) users += (users.empty() ? "" : ", ") + user;
        text += fmt::format("\n/* {}: {} */\n#define {}_SIZE {}\n#define {}_ALIGNMENT {}\n", toCComment(shared.name), users,
                            macro, shared.size, macro, shared.alignment);
    }
    return text + "\n#endif\n";
}

} // namespace

Expected<CSource> writeCSource(std::span<const CSourceModel> models)
{
    CSource result;
    std::vector<CModel> made;
    std::unordered_set<std::string> names{"tvm_model", "tvm_models"};
    for (const CSourceModel& source : models) {
        auto model = makeCModel(source);
        if (!model) return std::move(model).error();
        if (!names.insert(model->name).second)
            return failure(Code::nameClash, fmt::format("two models would be called '{}' in C", model->name), {},
                           "rename one of the files");
        for (const CPool& pool : model->pools)
            if (pool.packed && pool.size > maxPacked)
                return failure(Code::tooLarge,
                               fmt::format("{}: {} bytes of constants are too many for a C source", source.name, pool.size), {},
                               "leave their data out, and place them by the linker");
        // Headers of several models are included together: a buffer "n/x" of "m" and a buffer "x" of "m_n" would clash.
        std::vector<std::string> mine = model->bufferMacros;
        for (const CPool& pool : model->pools) mine.push_back(pool.macro);
        for (const COperator& op : model->operators) mine.push_back(op.name);
        for (const std::string& name : mine)
            if (!name.empty() && !names.insert(name).second)
                return failure(Code::nameClash, fmt::format("two models would both define '{}'", name), {},
                               "rename one of the files");
        result.diagnostics.insert(result.diagnostics.end(), model->diagnostics.begin(), model->diagnostics.end());
        made.push_back(*std::move(model));
    }
    result.files.push_back({"tvm_model.h", std::string(runtimeHeader)});
    for (std::size_t m = 0; m < made.size(); ++m) {
        result.files.push_back({made[m].name + ".h", Header(models[m], made[m]).run()});
        result.files.push_back({made[m].name + ".c", Body(models[m], made[m]).run()});
    }
    if (made.size() > 1) result.files.push_back({"tvm_models.h", commonHeader(made, models)});
    return result;
}

} // namespace stowage::io
