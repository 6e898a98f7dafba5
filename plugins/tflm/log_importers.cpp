#include "plugins/tflm/log_importers.h"

#include "plugins/tflm/tflm_log.h"
#include "plugins/tflm/vela_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace stowage::tflm {

namespace {

constexpr Bytes logAlignment = 16; ///< of both tools

Problem withPool(std::string name, std::string pool)
{
    Problem problem;
    problem.name = std::move(name);
    problem.pools.emplace_back();
    problem.pools.back().name = std::move(pool);
    problem.pools.back().alignment = logAlignment;
    return problem;
}

/// A memory of which only the total is known.
Problem totalAlone(std::string name, std::string pool, Bytes bytes)
{
    Problem problem = withPool(std::move(name), std::move(pool));
    Buffer& all = problem.buffers.emplace_back();
    all.name = "total";
    all.size = bytes;
    all.live = {{0, 1}};
    return problem;
}

std::optional<Error> noOptions(const ImportRequest& request)
{
    if (request.options.empty()) return std::nullopt;
    return failure(Code::unknownOption, fmt::format("the importer has no option \"{}\"", request.options.front().first),
                   {request.path}, "leave it out");
}

Diagnostic totalsOnly(const std::string& file, const char* remedy)
{
    Diagnostic told = warning(Code::notPlaced, "the file tells totals only: no buffer, no time, no offset", {file}, remedy);
    told.severity = Severity::note;
    return told;
}

} // namespace

TflmLogImporter::TflmLogImporter() : info_{"tflm-log", "TensorFlow Lite Micro log", {"log", "txt"}, {}} {}

int TflmLogImporter::claims(std::string_view head, std::string_view) const
{
    return claimsRuntimeLog(head);
}

Expected<Imported> TflmLogImporter::import(const ImportRequest& request) const
{
    if (auto error = noOptions(request)) return *std::move(error);
    const auto log = readRuntimeLog(request.bytes, request.path);
    if (!log) return log.error();
    Imported imported;
    FilePlan plan;
    plan.name = "tflm";
    for (const auto& [name, bytes] : {std::pair("head", log->head), std::pair("tail", log->tail), std::pair("total", log->total)})
        if (bytes) plan.figures.emplace_back(name, *bytes);
    if (log->buffers.empty()) {
        const Bytes head = log->head.value_or(log->total.value_or(0));
        imported.content = std::vector<NamedProblem>{{"arena", totalAlone("arena", "arena", head)}};
        plan.sizes = {{"arena", head}};
        imported.diagnostics.push_back(
            totalsOnly(request.path, "build the runtime with TF_LITE_SHOW_MEMORY_USE to see its plan, too"));
    } else {
        Problem problem = withPool("arena", "arena");
        Bytes top = 0;
        for (std::size_t i = 0; i < log->buffers.size(); ++i) {
            const PlannedBuffer& from = log->buffers[i];
            Buffer buffer;
            buffer.name = fmt::format("id{}", i);
            buffer.size = from.size;
            buffer.alignment = logAlignment;
            buffer.live = {{from.first, from.last + 1}};
            problem.buffers.push_back(std::move(buffer));
            plan.offsets.push_back({none, static_cast<TensorId>(i), from.offset});
            top = std::max(top, from.offset + from.size);
        }
        plan.sizes = {{"arena", std::max(top, log->head.value_or(0))}};
        imported.content = std::vector<NamedProblem>{{"arena", std::move(problem)}};
        if (log->plans > 1) {
            Diagnostic told =
                warning(Code::planAmongInputs, fmt::format("the log has {} plans: the last one is read", log->plans),
                        {request.path, log->buffers.front().line, 0, -1});
            told.severity = Severity::note;
            imported.diagnostics.push_back(std::move(told));
        }
    }
    imported.plans.push_back(std::move(plan));
    return imported;
}

VelaLogImporter::VelaLogImporter() : info_{"vela-log", "Vela allocation log or summary", {"log", "txt", "csv"}, {}} {}

int VelaLogImporter::claims(std::string_view head, std::string_view) const
{
    return claimsVelaLog(head);
}

Expected<Imported> VelaLogImporter::import(const ImportRequest& request) const
{
    if (auto error = noOptions(request)) return *std::move(error);
    Imported imported;
    std::vector<NamedProblem> problems;
    if (isVelaSummary(request.bytes)) {
        const auto totals = readVelaSummary(request.bytes, request.path);
        if (!totals) return totals.error();
        for (const auto& [memory, bytes] : *totals) {
            FilePlan& plan = imported.plans.emplace_back();
            plan.name = "vela";
            plan.problem = static_cast<std::int32_t>(problems.size());
            plan.sizes = {{memory, bytes}};
            plan.figures = {{"memory_used", bytes}};
            problems.push_back({memory, totalAlone(memory, memory, bytes)});
        }
        imported.diagnostics.push_back(totalsOnly(request.path, "run Vela with --verbose-allocation to see its plan"));
        imported.content = std::move(problems);
        return imported;
    }
    const auto tables = readVelaLog(request.bytes, request.path);
    if (!tables) return tables.error();
    for (const VelaTable& table : *tables) {
        Problem problem = withPool(table.name, table.memory);
        FilePlan& plan = imported.plans.emplace_back();
        plan.name = "vela";
        plan.problem = static_cast<std::int32_t>(problems.size());
        std::set<std::string> names;
        Bytes top = 0;
        for (std::size_t i = 0; i < table.buffers.size(); ++i) {
            const VelaBuffer& from = table.buffers[i];
            Buffer buffer;
            buffer.name = from.name;
            while (!names.insert(buffer.name).second) buffer.name += fmt::format(" @{}", from.line);
            buffer.size = from.size;
            buffer.alignment = from.address % logAlignment == 0 ? logAlignment : 1;
            buffer.live = {{from.first, from.last + 1}};
            problem.buffers.push_back(std::move(buffer));
            plan.offsets.push_back({none, static_cast<TensorId>(i), from.address});
            top = std::max(top, from.address + from.size);
        }
        plan.sizes = {{table.memory, std::max(top, table.peak.value_or(0))}};
        if (table.peak) plan.figures = {{"peak_memory_usage", *table.peak}};
        problems.push_back({table.name, std::move(problem)});
    }
    imported.content = std::move(problems);
    return imported;
}

} // namespace stowage::tflm
