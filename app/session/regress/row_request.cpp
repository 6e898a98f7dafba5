#include "app/session/regress/row_request.h"

#include "app/session/native_path.h"
#include "app/session/planner_spec.h"
#include "app/session/targets.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace stowage {

std::string pathFrom(const std::string& folder, const std::string& path)
{
    if (path == "-" && folder.empty()) return "./-";
    return path.starts_with('/') ? path : folder + path;
}

std::optional<Error> refuseFifo(const std::string& path)
{
    std::error_code ignored; // of a file that is not there: whoever opens it says so
    const auto status = std::filesystem::status(path, ignored);
    if (!is_fifo(status) && !is_socket(status) && !is_character_file(status)) return std::nullopt;
    return failure(Code::cannotOpen, "this is not a regular file", {path, 0, 0, -1}, "name a file");
}

Expected<Model> openModel(const Session& session, const std::string& folder, const SuiteRow& row, const std::stop_token& cancel)
{
    const std::string path = pathFrom(folder, row.model);
    if (auto error = refuseFifo(path)) return *std::move(error);
    OpenOptions options;
    options.importer = QString::fromStdString(row.importer);
    options.function = QString::fromStdString(row.function);
    options.bindings = row.bindings;
    options.importOptions = row.importOptions;
    return session.read(pathFromNative(path), options, cancel);
}

bool sameInput(const SuiteRow& a, const SuiteRow& b)
{
    return a.model == b.model && a.function == b.function && a.importer == b.importer && a.bindings == b.bindings &&
           a.importOptions == b.importOptions;
}

Expected<Target> targetOf(const Session& session, const std::string& folder, const std::string& name)
{
    const std::string file = pathFrom(folder, name);
    std::error_code absent;
    return session.target(pathFromNative(std::filesystem::is_regular_file(file, absent) ? file : name));
}

Expected<PlanRequest> requestOf(const Session& session, const std::string& folder, const SuiteRow& row, const Model& model)
{
    const PlannerSpec spec = plannerSpec(row.planner);
    const auto planner = session.planners().require(spec.name);
    if (!planner) return planner.error();
    if (auto error = checkOptions((*planner)->info(), spec.options)) return *std::move(error);

    PlanRequest request;
    request.planner = spec.name;
    request.options = spec.options;
    request.lowering = row.lowering;
    if (row.alignment) request.alignment = *row.alignment;
    request.seed = row.seed;
    request.workLimit = row.workLimit;
    request.timeLimitSeconds = row.timeLimit;
    if (row.target.empty()) return request;
    auto target = targetOf(session, folder, row.target);
    if (!target) return std::move(target).error();
    if (!suits(*target, model))
        return failure(Code::targetWithoutMemories, fmt::format("target {} lacks pools that {} names", row.target, row.model), {},
                       "choose a target that has them");
    request.target = *std::move(target);
    return request;
}

} // namespace stowage
