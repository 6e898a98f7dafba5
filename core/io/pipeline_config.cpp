#include "core/io/pipeline_config.h"

#include "core/io/json_reader.h"
#include "core/ir/parsed_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace stowage::io {

namespace {

using namespace pipeline;

std::string_view typeName(JsonType type)
{
    switch (type) {
    case JsonType::object: return "an object";
    case JsonType::array: return "an array";
    case JsonType::string: return "a string";
    case JsonType::number: return "a number";
    case JsonType::boolean: return "true or false";
    case JsonType::null: break;
    }
    return "null";
}

enum class Found { shipped, document, neither };

bool isShippedSection(std::string_view key)
{
    return key == "module_connection" || key == "input_connection" || key == "param_connection";
}

/// Detects the form from the outermost fields.
Expected<Found> detect(std::string_view text, const std::string& file)
{
    JsonReader in(text, file);
    Found found = Found::neither;
    if (in.type() == JsonType::array) {
        found = Found::document;
        in.skip();
    } else {
        bool shipped = false;
        bool modules = false;
        in.object([&](std::string_view key) {
            shipped = shipped || isShippedSection(key);
            modules = modules || (!key.starts_with("x-") && (in.type() == JsonType::object || in.type() == JsonType::array));
            in.skip();
        });
        found = shipped ? Found::shipped : modules ? Found::document : Found::neither;
    }
    if (!in.finish()) return in.error();
    return found;
}

class ConfigReader {
public:
    ConfigReader(std::string_view text, const std::string& file, ConfigForm form)
        : in_(text, file), first_(form == ConfigForm::document ? 1 : 0)
    {
        result_.config.form = form;
    }

    Expected<ReadConfig> run()
    {
        if (first_ == 0)
            readShipped();
        else
            readDocument();
        if (!in_.finish()) return in_.error();
        return std::move(result_);
    }

private:
    [[nodiscard]] Place place()
    {
        const Position where = in_.position();
        return {where.line, where.column};
    }
    void add(FaultCode code, std::string interface, std::string detail)
    {
        result_.faults.push_back({code, module_, std::move(interface), std::move(detail), place()});
    }
    /// True if the current value has the type; otherwise skips it and adds a fault.
    bool is(JsonType type, std::string_view field)
    {
        if (in_.type() == type) return true;
        add(FaultCode::wrongType, std::string(field), std::string(typeName(type)));
        in_.skip();
        return false;
    }
    std::string text(std::string_view field) { return is(JsonType::string, field) ? std::string(in_.string()) : std::string(); }
    /// Reads an index, which the form counts from 0 or 1, and returns it counted from 0; no value if it is not an index.
    std::optional<std::int64_t> index(std::string_view field)
    {
        if (!is(JsonType::number, field)) return std::nullopt;
        return parseIndex(in_.raw(), field);
    }
    std::optional<std::int64_t> parseIndex(std::string_view digits, std::string_view field)
    {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
            add(FaultCode::wrongType, std::string(field), "an integer");
            return std::nullopt;
        }
        if (error == std::errc::result_out_of_range || value < first_ || value > maxIndex) {
            add(FaultCode::outOfRange, std::string(field), fmt::format("indices go from {} to {}", first_, maxIndex));
            return std::nullopt;
        }
        return value - first_;
    }
    void missing(std::string_view field) { add(FaultCode::missingSection, std::string(field), {}); }
    void unknown(std::string_view field)
    {
        add(FaultCode::unknownKey, std::string(field), {});
        in_.skip();
    }
    template <typename Element>
    void list(std::string_view field, Element&& element)
    {
        if (is(JsonType::array, field)) in_.array(element);
    }
    /// Reads an element that must be an object.
    template <typename Field>
    void fields(std::string_view what, Field&& field)
    {
        if (is(JsonType::object, what)) in_.object(field);
    }

    // --- the shipped form ------------------------------------------------------------------------------------------------

    void readShipped()
    {
        bool modules = false;
        in_.object([&](std::string_view key) {
            if (key == "param_connection")
                list(key, [&] { readParameter(); });
            else if (key == "input_connection")
                list(key, [&] { readInput(); });
            else if (key == "module_connection") {
                modules = true;
                list(key, [&] { readModule("module_connection"); });
            } else
                readOwn(key);
        });
        if (!modules) missing("module_connection");
    }

    void readParameter()
    {
        GlobalParameter parameter;
        parameter.place = place();
        bool named = false;
        std::optional<std::int64_t> module;
        bool hasModule = false;
        fields("param_connection", [&](std::string_view key) {
            if (key == "global_param_name") {
                parameter.name = text(key);
                named = true;
            } else if (key == "mod_idx") {
                module = index(key);
                hasModule = true;
            } else if (!key.starts_with("x-"))
                unknown(key);
        });
        if (!named) missing("global_param_name");
        if (!hasModule) missing("mod_idx");
        if (!named || !module) return;
        parameter.module = *module;
        result_.config.parameters.push_back(std::move(parameter));
    }

    void readInput()
    {
        GlobalInput input;
        input.place = place();
        bool named = false;
        bool bound = false;
        bool hasModule = false;
        std::optional<std::int64_t> module;
        fields("input_connection", [&](std::string_view key) {
            if (key == "global_interface_name") {
                input.name = text(key);
                named = true;
            } else if (key == "mod_idx") {
                module = index(key);
                hasModule = true;
            } else if (key == "module_interface_name") {
                input.input = text(key);
                bound = true;
            } else if (!key.starts_with("x-"))
                unknown(key);
        });
        if (!named) missing("global_interface_name");
        if (!hasModule) missing("mod_idx");
        if (!bound) missing("module_interface_name");
        if (!named || !bound || !module) return;
        input.module = *module;
        result_.config.inputs.push_back(std::move(input));
    }

    // --- both forms ------------------------------------------------------------------------------------------------------

    /// Reads a field of the file that belongs to Stowage, to another program ("x-…"), or is unknown.
    void readOwn(std::string_view key)
    {
        PipelineConfig& config = result_.config;
        if (key == "x-stowage") {
            fields(key, [&](std::string_view own) {
                if (own == "model")
                    config.model = text(own);
                else if (own == "planner")
                    config.planner = text(own);
                else if (own == "devices") {
                    if (is(JsonType::object, own)) config.devices = in_.raw();
                } else if (own == "chain") {
                    if (is(JsonType::boolean, own)) config.chain = in_.boolean();
                } else if (own == "input_connection") {
                    const auto saved = std::exchange(first_, 0);
                    list(own, [&] { readInput(); });
                    first_ = saved;
                } else if (own == "param_connection") {
                    const auto saved = std::exchange(first_, 0);
                    list(own, [&] { readParameter(); });
                    first_ = saved;
                } else if (!own.starts_with("x-"))
                    unknown(own);
            });
        } else if (key.starts_with("x-")) {
            std::string name(key);
            config.fields.emplace_back(std::move(name), std::string(in_.raw()));
        } else {
            unknown(key);
        }
    }

    void readStage(Module& module)
    {
        StageReference& stage = module.stage;
        fields("x-stowage", [&](std::string_view key) {
            if (key == "label")
                module.label = text(key);
            else if (key == "program")
                stage.program = text(key);
            else if (key == "device")
                stage.device = text(key);
            else if (key == "cost_us")
                stage.cost = microseconds(key);
            else if (key == "transfer_us")
                stage.transfer = microseconds(key);
            else if (key == "transfer_bytes") {
                const auto saved = std::exchange(first_, 0);
                if (is(JsonType::number, key)) {
                    if (const Bytes bytes = parsedNumber<Bytes>(in_.raw()).value_or(-1); bytes >= 0)
                        stage.transferBytes = bytes;
                    else
                        add(FaultCode::wrongType, std::string(key), "a number of bytes");
                }
                first_ = saved;
            } else if (!key.starts_with("x-"))
                unknown(key);
        });
    }

    std::optional<double> microseconds(std::string_view key)
    {
        if (!is(JsonType::number, key)) return std::nullopt;
        const double value = in_.number();
        if (value >= 0 && value <= maxMicroseconds) return value;
        add(FaultCode::outOfRange, std::string(key), fmt::format("a time is between 0 and {:.0e} µs", maxMicroseconds));
        return std::nullopt;
    }

    void readModule(std::string_view what)
    {
        Module module;
        module.place = place();
        module.label = std::move(label_);
        label_.clear();
        module_.reset();
        std::optional<std::int64_t> index;
        if (in_.type() != JsonType::object) {
            is(JsonType::object, what);
            return;
        }
        hasIndex_ = false;
        in_.object([&](std::string_view key) { moduleField(module, index, key); });
        if (!hasIndex_) missing(first_ == 0 ? "mod_idx" : "mod_indx");
        module_.reset();
        if (!index) return;
        module.index = *index;
        result_.config.modules.push_back(std::move(module));
    }

    void moduleField(Module& module, std::optional<std::int64_t>& index, std::string_view key)
    {
        const bool document = first_ == 1;
        if (key == (document ? "mod_indx" : "mod_idx")) {
            index = this->index(key);
            module_ = index;
            hasIndex_ = true;
        } else if (document && key == "pipeline") {
            fields(key, [&](std::string_view inner) {
                if (inner == "mod_indx" || inner == "output" || inner == "cpu_affinity" || inner.starts_with("x-"))
                    moduleField(module, index, inner);
                else
                    unknown(inner);
            });
        } else if (key == "output") {
            list(key, [&] { readOutput(module); });
        } else if (key == "cpu_affinity") {
            if (in_.type() == JsonType::null) {
                in_.skip();
                return;
            }
            module.cpuAffinity = text(key);
        } else if (key == "x-stowage") {
            readStage(module);
        } else if (key == "dev" && !document && in_.type() != JsonType::null && in_.type() != JsonType::object) {
            if (is(JsonType::string, key)) keep(module, key);
        } else if (key.starts_with("x-") ||
                   std::find(std::begin(keptModuleFields), std::end(keptModuleFields), key) != std::end(keptModuleFields)) {
            keep(module, key);
        } else {
            unknown(key);
        }
    }

    void keep(Module& module, std::string_view key)
    {
        std::string name(key);
        module.fields.emplace_back(std::move(name), std::string(in_.raw()));
    }

    void readOutput(Module& module)
    {
        ModuleOutput output;
        output.place = place();
        std::optional<std::int64_t> number;
        bool numbered = false;
        const bool document = first_ == 1;
        const std::string_view own = document ? "output_indx" : "output_idx";
        const std::string_view to = document ? "dependent" : "dependencies";
        fields("output", [&](std::string_view key) {
            if (key == own) {
                number = index(key);
                numbered = true;
            } else if (key == to) {
                list(key, [&] { readDependency(output); });
            } else if (!key.starts_with("x-")) {
                unknown(key);
            }
        });
        if (!numbered) missing(own);
        if (!number) return;
        output.index = *number;
        module.outputs.push_back(std::move(output));
    }

    void readDependency(ModuleOutput& output)
    {
        Dependency to;
        to.place = place();
        if (first_ == 1)
            readDocumentDependency(to, output);
        else
            readShippedDependency(to, output);
    }

    void readShippedDependency(Dependency& to, ModuleOutput& output)
    {
        std::optional<std::int64_t> module;
        bool hasModule = false;
        bool hasInput = false;
        bool hasGlobal = false;
        fields("dependencies", [&](std::string_view key) {
            if (key == "mod_idx") {
                hasModule = true;
                module = index(key);
            } else if (key == "input_name") {
                hasInput = true;
                to.input = text(key);
            } else if (key == "global_output_index") {
                hasGlobal = true;
                to.globalOutput = index(key);
            } else if (!key.starts_with("x-")) {
                unknown(key);
            }
        });
        if (hasGlobal && (hasModule || hasInput)) {
            add(FaultCode::wrongType, "dependencies", "either a module with an input or an output of the pipeline");
            return;
        }
        if (!hasGlobal && !hasModule) missing(hasInput ? "mod_idx" : "global_output_index");
        if (hasModule && !hasInput) missing("input_name");
        if (to.globalOutput || (module && hasInput)) {
            to.module = module.value_or(0);
            output.dependencies.push_back(std::move(to));
        }
    }

    /// Module 0 is the pipeline itself; the names of its inputs are numbers of outputs.
    void readDocumentDependency(Dependency& to, ModuleOutput& output)
    {
        std::optional<std::int64_t> module;
        bool hasModule = false;
        bool hasInput = false;
        fields("dependent", [&](std::string_view key) {
            if (key == "mod_indx") {
                hasModule = true;
                first_ = 0;
                module = index(key);
                first_ = 1;
            } else if (key == "input_name") {
                hasInput = true;
                to.input = in_.type() == JsonType::number ? std::string(in_.raw()) : text(key);
            } else if (!key.starts_with("x-")) {
                unknown(key);
            }
        });
        if (!hasModule) missing("mod_indx");
        if (!hasInput) missing("input_name");
        if (!module || !hasInput) return;
        if (*module == 0) {
            to.globalOutput = parseIndex(to.input, "input_name");
            if (!to.globalOutput) return;
            to.input.clear();
        } else {
            to.module = *module - 1;
        }
        output.dependencies.push_back(std::move(to));
    }

    // --- the document's form ----------------------------------------------------------------------------------------------

    void readDocument()
    {
        if (in_.type() == JsonType::array) {
            in_.array([&] { readModule("module"); });
        } else {
            in_.object([&](std::string_view key) {
                if (key.starts_with("x-"))
                    readOwn(key);
                else if (in_.type() == JsonType::array && (key == "modules" || key == "mod_config"))
                    in_.array([&] { readModule(key); });
                else {
                    label_ = key;
                    readModule(key);
                }
            });
        }
        if (result_.config.modules.empty() && result_.faults.empty()) missing("pipeline");
    }

    static constexpr double maxMicroseconds = 1e12;

    JsonReader in_;
    std::int64_t first_; ///< first index of the form, 0 or 1
    ReadConfig result_;
    std::optional<std::int64_t> module_; ///< that is being read
    bool hasIndex_ = false;
    std::string label_;
};

} // namespace

Expected<ReadConfig> readPipelineConfig(std::string_view text, const std::string& file)
{
    const auto found = detect(text, file);
    if (!found) return found.error();
    if (*found == Found::neither)
        return failure(Code::unknownFormat, "this is not a configuration of a pipeline", {file, 0, 0, -1},
                       "it has neither a module_connection nor modules with a pipeline section");
    return ConfigReader(text, file, *found == Found::shipped ? ConfigForm::shipped : ConfigForm::document).run();
}

} // namespace stowage::io
