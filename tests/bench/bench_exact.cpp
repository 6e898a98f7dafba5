// The figures by which planners are compared: MiniMalloc's instances at their capacity and at the smallest size, idealloc's large
// ones. CPU seconds of this process.
//
//     bench_exact [--seconds S] [--threads N] [--minimalloc PATH] [--shared DIR] [fit|smallest|peers|large …]
//
// Without --seconds each part takes the time of the figures to reach: 60 s for the smallest sizes, 2 s beside other planners, 5 s
// for the large ones.
//
// MiniMalloc's seconds in the table were measured on another machine; with --minimalloc its binary runs here, in turn with ours.
#include "core/io/text.h"
#include "core/plan/report.h"
#include "core/planners/auto.h"
#include "core/planners/climb/hill_climb.h"
#include "core/planners/exact/exact.h"
#include "core/planners/greedy/boxing.h"
#include "core/planners/greedy/greedy_by_size.h"
#include "tests/bench/shared_folder.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

using namespace stowage;

namespace {

struct Settings {
    double seconds = 0; ///< 0: those of each part
    unsigned threads = 1;
    [[nodiscard]] double secondsOr(double own) const { return seconds > 0 ? seconds : own; }
    std::string minimalloc;
    std::string shared = bench::sharedFolder();
};

struct Published {
    char letter;
    double minimallocSeconds; ///< CPU, another machine
    Bytes bound;              ///< most bytes live at one step
    Bytes toReach;            ///< smallest size known
};
constexpr Published minimallocSet[] = {
    {'A', 3.72, 1048576, 1048576}, {'B', 2.82, 1048576, 1048576}, {'C', 0.50, 1039360, 1039360}, {'D', 2.09, 986112, 1007616},
    {'E', 2.65, 1048576, 1048576}, {'F', 3.73, 1048576, 1048576}, {'G', 0.82, 1048576, 1048576}, {'H', 1.25, 1048576, 1048576},
    {'I', 2.62, 1048576, 1048576}, {'J', 0.67, 989184, 1032192},  {'K', 0.40, 1048576, 1048576}};

double cpuSeconds(int who)
{
    rusage usage{};
    getrusage(who, &usage);
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::optional<Problem> read(const std::string& path)
{
    std::ifstream in(path);
    if (!in) return std::nullopt;
    std::stringstream text;
    text << in.rdbuf();
    auto problem = io::readProblemCsv(text.str(), path);
    if (!problem) return std::nullopt;
    return std::move(problem->value);
}

std::string pathOf(const Settings& settings, char letter)
{
    return settings.shared + "/bench/minimalloc/" + letter + ".1048576.csv";
}

/// CPU seconds that the binary takes for one instance at 1 MiB; below 0 when it fails.
double runMinimalloc(const Settings& settings, const std::string& input)
{
    const double before = cpuSeconds(RUSAGE_CHILDREN);
    const pid_t child = fork();
    if (child == 0) {
        const std::string in = "--input=" + input;
        execl(settings.minimalloc.c_str(), settings.minimalloc.c_str(), "--capacity=1048576", in.c_str(), "--output=/dev/null",
              static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 127) return -1;
    return cpuSeconds(RUSAGE_CHILDREN) - before;
}

struct Timed {
    Plan plan;
    Report report;
    double seconds = 0;
};

std::optional<Timed> run(const Planner& planner, const Problem& problem, const OptionValues& options, double limit,
                         unsigned threads = 1)
{
    PlanContext context;
    context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(limit * 1000));
    context.workLimit = std::uint64_t{1} << 60;
    context.threads = threads;
    const double before = cpuSeconds(RUSAGE_SELF);
    auto plan = planner.plan(problem, options, context);
    const double seconds = cpuSeconds(RUSAGE_SELF) - before;
    if (!plan) {
        std::printf("%s\n", plan.error().message.c_str());
        return std::nullopt;
    }
    Timed timed{*std::move(plan), {}, seconds};
    timed.report = evaluate(problem, timed.plan);
    if (!timed.report.verdict.valid()) std::printf("INVALID PLAN\n");
    return timed;
}

void fit(const Settings& settings)
{
    std::printf("\nA to K at 1048576: exact, goal=fit. Best of 3.\n%-9s %10s %10s %12s %s\n", "instance", "seconds", "nodes",
                "MiniMalloc", settings.minimalloc.empty() ? "(seconds of another machine)  ratio" : "(here)  ratio");
    double logSum = 0;
    int count = 0;
    for (const Published& row : minimallocSet) {
        const std::string path = pathOf(settings, row.letter);
        auto problem = read(path);
        if (!problem) return std::printf("no %s\n", path.c_str()), void();
        problem->pools[0].capacity = 1048576;
        double seconds = 1e9, theirs = settings.minimalloc.empty() ? row.minimallocSeconds : 1e9;
        std::uint64_t nodes = 0;
        for (int round = 0; round < 3; ++round) {
            const auto timed = run(*exactPlanner(), *problem, {{"goal", "fit"}}, 60);
            if (!timed || timed->report.pools[0].size > 1048576)
                return std::printf("%c: no plan that fits\n", row.letter), void();
            seconds = std::min(seconds, timed->seconds);
            nodes = timed->plan.work;
            if (!settings.minimalloc.empty()) theirs = std::min(theirs, runMinimalloc(settings, path));
        }
        if (theirs < 0) return std::printf("cannot run %s\n", settings.minimalloc.c_str()), void();
        std::printf("%-9c %10.4f %10llu %12.2f  %.0f\n", row.letter, seconds, static_cast<unsigned long long>(nodes), theirs,
                    theirs / seconds);
        logSum += std::log(theirs / seconds);
        ++count;
    }
    std::printf("geometric mean of the ratios: %.0f\n", std::exp(logSum / count));
}

void smallest(const Settings& settings)
{
    std::printf("\nA to K, smallest size in %.0f s: exact\n%-9s %10s %10s %10s %10s %9s %s\n", settings.secondsOr(60), "instance",
                "size", "bound", "max live", "to reach", "seconds", "status");
    for (const Published& row : minimallocSet) {
        const auto problem = read(pathOf(settings, row.letter));
        if (!problem) return std::printf("no %s\n", pathOf(settings, row.letter).c_str()), void();
        const auto timed = run(*exactPlanner(), *problem, {}, settings.secondsOr(60), settings.threads);
        if (!timed) return;
        Bytes bound = timed->report.pools[0].lowerBound;
        for (const Certificate& claim : timed->plan.claims)
            if (const auto* search = std::get_if<SearchCertificate>(&claim)) bound = std::max(bound, search->bytes);
        std::printf("%-9c %10lld %10lld %10lld %10lld %9.3f %s\n", row.letter,
                    static_cast<long long>(timed->report.pools[0].size), static_cast<long long>(bound),
                    static_cast<long long>(row.bound), static_cast<long long>(row.toReach), timed->seconds,
                    std::string(toText(timed->report.status)).c_str());
    }
}

void peers(const Settings& settings)
{
    struct Peer {
        std::shared_ptr<const Planner> planner;
        double published; ///< geometric mean of another implementation on these instances (solver.md); 0: none
    };
    const Peer all[] = {{hillClimb(), 1.23}, {greedyBySize(), 1.36}, {boxing(), 1.34}, {autoPlanner(), 0}};
    std::printf("\nA to K, size / most bytes live: auto in %.0f s beside others\n%-9s", settings.secondsOr(2), "instance");
    for (const Peer& peer : all) std::printf(" %15s", peer.planner->info().name.c_str());
    std::printf("   seconds of auto\n");
    double logSums[std::size(all)] = {};
    for (const Published& row : minimallocSet) {
        const auto problem = read(pathOf(settings, row.letter));
        if (!problem) return std::printf("no %s\n", pathOf(settings, row.letter).c_str()), void();
        std::printf("%-9c", row.letter);
        double seconds = 0;
        for (std::size_t k = 0; k < std::size(all); ++k) {
            const auto timed = run(*all[k].planner, *problem, {}, settings.secondsOr(2), settings.threads);
            if (!timed) return;
            const double ratio = static_cast<double>(timed->report.pools[0].size) / static_cast<double>(row.bound);
            logSums[k] += std::log(ratio) / static_cast<double>(std::size(minimallocSet));
            seconds = timed->seconds;
            std::printf(" %15.4f", ratio);
        }
        std::printf(" %9.3f\n", seconds);
    }
    std::printf("%-9s", "mean");
    for (const double logSum : logSums) std::printf(" %15.4f", std::exp(logSum));
    std::printf("\n%-9s", "published");
    for (const Peer& peer : all) peer.published > 0 ? std::printf(" %15.2f", peer.published) : std::printf("%16s", "-");
    std::printf("   (of TVM's hill climb, TFLite's greedy, idealloc)\n");
}

void large(const Settings& settings)
{
    struct Row {
        const char* file;
        double idealloc; ///< size / bound, of its authors' paper, in up to 15 s on another machine; 0: not given
    };
    std::printf("\nidealloc's instances: auto in %.0f s\n%-22s %8s %16s %9s %9s %9s %9s %9s\n", settings.secondsOr(5), "instance",
                "buffers", "size", "/ bound", "seconds", "boxing", "seconds", "idealloc");
    for (const Row& row : {Row{"somas_resnet50", 1.0064}, Row{"somas_pangu_2.6B", 1.026}, Row{"iopddl_G_1", 0},
                           Row{"iopddl_S_1", 1.029}, Row{"iopddl_Y_1", 1.0036}}) {
        const auto problem = read(settings.shared + "/bench/idealloc/" + row.file + ".csv");
        if (!problem) return std::printf("no %s\n", row.file), void();
        const auto timed = run(*autoPlanner(), *problem, {}, settings.secondsOr(5), settings.threads);
        if (!timed) return;
        const auto boxed = run(*boxing(), *problem, {}, settings.secondsOr(5));
        if (!boxed) return;
        const PoolReport& pool = timed->report.pools[0];
        std::printf("%-22s %8zu %16lld %9.5f %9.3f %9.5f %9.3f", row.file, problem->buffers.size(),
                    static_cast<long long>(pool.size), 1.0 + pool.gap(), timed->seconds, 1.0 + boxed->report.pools[0].gap(),
                    boxed->seconds);
        std::printf(row.idealloc > 0 ? " %9.4f\n" : "         -\n", row.idealloc);
    }
}

} // namespace

int main(int argc, char** argv)
{
    Settings settings;
    std::set<std::string> parts;
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        if (k + 1 < argc && word == "--seconds")
            settings.seconds = std::atof(argv[++k]);
        else if (k + 1 < argc && word == "--threads")
            settings.threads = static_cast<unsigned>(std::max(1, std::atoi(argv[++k])));
        else if (k + 1 < argc && word == "--minimalloc")
            settings.minimalloc = argv[++k];
        else if (k + 1 < argc && word == "--shared")
            settings.shared = argv[++k];
        else if (word == "fit" || word == "smallest" || word == "peers" || word == "large")
            parts.insert(word);
        else {
            std::fprintf(
                stderr,
                "usage: %s [--seconds S] [--threads N] [--minimalloc PATH] [--shared DIR] [fit|smallest|peers|large ...]\n",
                argv[0]);
            return 2;
        }
    }
    const std::pair<const char*, void (*)(const Settings&)> all[] = {
        {"fit", fit}, {"smallest", smallest}, {"peers", peers}, {"large", large}};
    for (const auto& [name, part] : all)
        if (parts.empty() || parts.contains(name)) part(settings);
}
