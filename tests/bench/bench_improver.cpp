// How near the improver comes to known optima: a table of ratios by instance, of `auto` and of the improver alone.
//
//     bench_improver [--seconds S | --auto-work N] [--work N] [--threads N] [--seed N] [--shared DIR] [NAME …]
//
// For each instance of bench/tight, MiniMalloc's set and bench/idealloc whose file name contains a NAME (all without one): size
// and ratio to the optimum (the number after ".opt" in the file name, else the lower bound) of `auto` within S seconds (10) or
// with a work limit of N / buffers, and of the improver from the quick heuristics' plan with N table entries read (1e9). Figures
// by work are the same on every machine and for any number of threads. CPU seconds, of all threads.
#include "core/io/text.h"
#include "core/plan/report.h"
#include "core/planners/auto.h"
#include "core/planners/exact/refine.h"
#include "core/planners/improve/improver.h"
#include "tests/bench/shared_folder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace stowage;

namespace {

struct Settings {
    double seconds = 10;
    double autoWork = 0; ///< 0: `seconds` count
    std::uint64_t work = 1'000'000'000;
    unsigned threads = 1;
    std::uint64_t seed = 0;
    std::string shared = bench::sharedFolder();
    std::vector<std::string> names;
};

double cpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::optional<Problem> read(const std::filesystem::path& path)
{
    std::ifstream in(path);
    if (!in) return std::nullopt;
    std::stringstream text;
    text << in.rdbuf();
    auto problem = io::readProblemCsv(text.str(), path.string());
    if (!problem) return std::nullopt;
    return std::move(problem->value);
}

void show(const char* what, const Problem& problem, const Plan& plan, Bytes optimum, double seconds)
{
    if (!check(problem, plan).valid()) std::printf(" INVALID PLAN");
    const Bytes size = plan.poolSize(problem, 0);
    std::printf("  %s %12lld %.4f %6.1f s", what, static_cast<long long>(size),
                static_cast<double>(size) / static_cast<double>(optimum), seconds);
}

void measure(const Settings& settings, const std::filesystem::path& path)
{
    const auto problem = read(path);
    if (!problem) return std::printf("cannot read %s\n", path.c_str()), void();
    PlanContext context;
    if (settings.autoWork > 0)
        context.workLimit = 1 + static_cast<std::uint64_t>(
                                    settings.autoWork / static_cast<double>(std::max<std::size_t>(1, problem->buffers.size())));
    else
        context.deadline =
            std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(settings.seconds * 1000));
    context.threads = settings.threads;
    context.seed = settings.seed;
    double before = cpuSeconds();
    const auto plan = autoPlanner()->plan(*problem, {}, context);
    const auto start = exact::bestOfHeuristics(*problem, {});
    if (!plan || !start) return std::printf("no plan for %s\n", path.c_str()), void();
    const double autoSeconds = cpuSeconds() - before;

    const std::string name = path.filename().string();
    const auto given = name.find(".opt");
    const Bytes optimum =
        given == std::string::npos ? lowerBound(*problem, *plan, 0).bytes : std::atoll(name.c_str() + given + 4);
    std::printf("%-32s %5zu", name.c_str(), problem->buffers.size());
    show("auto", *problem, *plan, optimum, autoSeconds);
    before = cpuSeconds();
    improve::Improver improver(*problem, *start, settings.seed);
    improver.run(
        settings.work, settings.threads, [] { return false; }, [] {});
    show("improver", *problem, improver.plan(), optimum, cpuSeconds() - before);
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main(int count, char** values)
{
    Settings settings;
    for (int k = 1; k < count; ++k) {
        const std::string word = values[k];
        const char* const value = k + 1 < count ? values[k + 1] : "";
        if (word == "--seconds")
            settings.seconds = std::atof(value), ++k;
        else if (word == "--auto-work")
            settings.autoWork = std::atof(value), ++k;
        else if (word == "--work")
            settings.work = static_cast<std::uint64_t>(std::atof(value)), ++k;
        else if (word == "--threads")
            settings.threads = static_cast<unsigned>(std::atoi(value)), ++k;
        else if (word == "--seed")
            settings.seed = static_cast<std::uint64_t>(std::atoll(value)), ++k;
        else if (word == "--shared")
            settings.shared = value, ++k;
        else
            settings.names.push_back(word);
    }
    std::vector<std::filesystem::path> paths;
    for (const char* folder : {"tight", "minimalloc", "idealloc"}) {
        std::error_code absent;
        for (const auto& entry : std::filesystem::directory_iterator(settings.shared + "/bench/" + folder, absent)) {
            const std::string name = entry.path().filename().string();
            const auto named = [&](const std::string& part) { return name.find(part) != std::string::npos; };
            if (entry.path().extension() == ".csv" && name != "input.12.csv" &&
                (settings.names.empty() || std::any_of(settings.names.begin(), settings.names.end(), named)))
                paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) measure(settings, path);
    return paths.empty() ? 2 : 0;
}
