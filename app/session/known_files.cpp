#include "app/session/known_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace stowage {

namespace {

struct Kind {
    std::string_view format; ///< between "stowage." and "/"
    std::string_view name;
    std::string_view remedy;
};

constexpr Kind kinds[] = {
    {"plan", "a plan", "open its model first, and then the plan; 'stowage-cli check MODEL PLAN' judges it"},
    {"suite", "a suite of regressions", "'stowage-cli regress' runs it, and the window opens it as a file that ends with .json"},
    {"baseline", "the baseline of a suite", "'stowage-cli regress' compares its suite with it: open the suite"},
    {"sweep", "the specification of a sweep", "'stowage-cli sweep' runs it"},
    {"sweep-run", "the result of a run of a sweep", "'stowage-cli merge' makes a table of the folder that it lies in"},
    {"sweep-list", "the list of a sweep", "'stowage-cli merge' makes a table of the folder that it lies in"},
    {"target", "a target", "open a model, and choose the file as its target (--target FILE)"},
    {"devices", "a set of devices",
     "open a model, and choose the file in Pipeline ('stowage-cli pipeline split --devices FILE')"},
    {"costs", "measured costs of ops", "'stowage-cli pipeline split --costs FILE' uses them"},
    {"session", "a session", "the window opens it as a file that ends with .stow"},
    {"pipeline-run", "a run of a pipeline", "open its model, and show the run in Pipeline (Measured run)"},
};

} // namespace

std::optional<Error> notAModel(std::string_view head, const std::string& path)
{
    const auto names = [head](std::string_view field) { return head.find(field) != std::string_view::npos; };
    if (names("\"pipeline\"") && names("\"mod_indx\"")) // in the form of the design document; the shipped form has an importer
        return failure(Code::notAModel, "this is the configuration of a pipeline, without the programs of its stages",
                       {path, 0, 0, -1},
                       "'stowage-cli pipeline config check' judges it; 'pipeline split -o' writes one that opens as a model");
    if (names("\"argv\"") && names("\"protocol\""))
        return failure(
            Code::notAModel, "this is the manifest of a plug-in, not a model", {path, 0, 0, -1},
            "--plugin-dir FOLDER adds the folder of a plug-in, and Plug-ins… in the window shows what is found; open a model");
    constexpr std::string_view sign = "\"stowage.";
    const auto begin = head.find(sign);
    if (begin == std::string_view::npos) return std::nullopt;
    const std::string_view rest = head.substr(begin + sign.size());
    const std::string_view format = rest.substr(0, rest.find_first_of("/\""));
    const auto* const known = std::ranges::find(kinds, format, &Kind::format);
    if (known == std::end(kinds))
        return failure(Code::notAModel, fmt::format("this is a result of Stowage (stowage.{}), not a model", format),
                       {path, 0, 0, -1}, "open the model that it is about");
    return failure(format == "plan" ? Code::planAlone : Code::notAModel, fmt::format("this is {}, not a model", known->name),
                   {path, 0, 0, -1}, std::string(known->remedy));
}

} // namespace stowage
