#include "plugins/dumps/memory_profile.h"

#include "core/io/json_reader.h"
#include "core/ir/checked.h"
#include "plugins/dumps/problem_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace stowage::dumps {

namespace {

constexpr std::size_t maxEvents = 20'000'000;

struct Event {
    std::int64_t process = 0;
    Step step = 0;
    Bytes offset = 0; ///< or the sum of the sizes before it in its step
    Bytes size = 0;
    std::uint32_t name = 0; ///< into the names
};

struct Profile {
    std::vector<Event> events;
    std::vector<std::string> names;
    std::map<std::int64_t, std::string> processes; ///< names of those that have one
    bool onnxruntime = false;
};

class ProfileReader {
public:
    ProfileReader(std::string_view text, const std::string& file) : in_(text, file) {}

    Expected<Profile> run()
    {
        profile_.onnxruntime = in_.type() == io::JsonType::array;
        if (profile_.onnxruntime)
            in_.array([&] { event(); });
        else
            in_.object({"traceEvents"}, [&](std::string_view key) {
                if (key == "traceEvents")
                    in_.array([&] { event(); });
                else
                    in_.skip();
            });
        if (!in_.finish()) return in_.error();
        return std::move(profile_);
    }

private:
    void event()
    {
        Event event;
        std::string_view phase, name, processName;
        bool placed = false;
        in_.object([&](std::string_view key) {
            if (key == "ph")
                phase = in_.string();
            else if (key == "name")
                name = in_.string();
            else if (key == "pid")
                event.process = wholeNumber();
            else if (key == "tid")
                event.step = wholeNumber();
            else if (key == "ts")
                event.offset = wholeNumber(), placed = true;
            else if (key == "dur")
                event.size = wholeNumber();
            else if (key == "args" && in_.type() == io::JsonType::object)
                in_.object([&](std::string_view inner) {
                    if (inner == "name" && in_.type() == io::JsonType::string)
                        processName = in_.string();
                    else
                        in_.skip();
                });
            else
                in_.skip();
        });
        if (!in_.ok()) return;
        if (phase == "M" && name == "process_name") profile_.processes[event.process] = processName.substr(0, maxNameLength);
        if (phase != "X" || !placed || name == "Summary" || event.size == 0) return;
        if (profile_.events.size() >= maxEvents)
            return in_.fail(Code::tooLarge, fmt::format("more than {} events", maxEvents), "Record fewer steps.");
        const auto [found, added] =
            numbers_.emplace(name.substr(0, maxNameLength), static_cast<std::uint32_t>(profile_.names.size()));
        if (added) profile_.names.push_back(found->first);
        event.name = found->second;
        profile_.events.push_back(event);
    }

    /// Numbers of such files are whole, but may be written as 3.0.
    std::int64_t wholeNumber()
    {
        const double value = in_.number();
        if (value >= 0 && value <= static_cast<double>(maxBytes / 2) &&
            value == static_cast<double>(static_cast<std::int64_t>(value)))
            return static_cast<std::int64_t>(value);
        in_.fail(Code::outOfRange, fmt::format("{} is not a whole number from 0 to 2^61", value));
        return 0;
    }

    io::JsonReader in_;
    Profile profile_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

/// Every `ts` is what the events before it in its memory and step have together: no offsets were recorded.
bool sumsOnly(const std::vector<Event>& events)
{
    std::map<std::pair<std::int64_t, Step>, Bytes> sums;
    for (const Event& event : events) {
        Bytes& sum = sums[{event.process, event.step}];
        if (event.offset != sum) return false;
        sum = std::min(maxBytes / 2, sum + event.size);
    }
    return true;
}

/// Consecutive steps in which a memory holds the same thing at the same place.
struct Run {
    Event first;
    Step end = 0;
};

/// Ordered by memory, then by first step, then as they came.
std::vector<Run> runsOf(const std::vector<Event>& events, bool offsets)
{
    std::vector<std::uint32_t> order(events.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    const auto thing = [&](const Event& e) { return std::tuple(e.process, e.name, offsets ? e.offset : 0, e.size); };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(thing(events[a]), events[a].step) < std::tuple(thing(events[b]), events[b].step);
    });
    std::vector<std::pair<std::uint32_t, Run>> runs; // with the place of the first event
    for (const std::uint32_t i : order) {
        const Event& event = events[i];
        if (!runs.empty() && thing(runs.back().second.first) == thing(event) && runs.back().second.end >= event.step)
            runs.back().second.end = event.step + 1; // also when it is told twice in a step
        else
            runs.push_back({i, {event, event.step + 1}});
    }
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.second.first.process, a.second.first.step, a.first) <
               std::tuple(b.second.first.process, b.second.first.step, b.first);
    });
    std::vector<Run> made;
    made.reserve(runs.size());
    for (const auto& [place, run] : runs) made.push_back(run);
    return made;
}

} // namespace

int MemoryProfileImporter::claims(std::string_view head, std::string_view path) const
{
    const auto first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string_view::npos) return 0;
    const bool events = head.find("\"ph\"") != std::string_view::npos;
    if (head[first] == '{' && events && head.find("\"traceEvents\"") != std::string_view::npos)
        return head.find("memory_allocation") != std::string_view::npos ? 95 : 0;
    const auto name = path.substr(path.rfind('/') + 1);
    if (head[first] == '[' && events && head.find("\"pid\"") != std::string_view::npos)
        return name.starts_with("memory_profile") ? 95 : head.find("\"process_name\"") != std::string_view::npos ? 60 : 0;
    return 0;
}

Expected<Imported> MemoryProfileImporter::import(const ImportRequest& request) const
{
    if (auto error = refuseOptions(request)) return *std::move(error);
    auto profile = ProfileReader(request.bytes, request.path).run();
    if (!profile) return std::move(profile).error();
    if (profile->events.empty())
        return failure(Code::nothingToPlan, "the profile has no event of a tensor (phase X, with ts and dur)", {request.path},
                       "Open a memory profile; a trace of times has none.");
    const bool offsets = profile->onnxruntime || !sumsOnly(profile->events);
    Imported imported;
    std::map<std::int64_t, std::size_t> problemOf; // by process; of ExecuTorch all are in one
    std::vector<ProblemMaker> makers;
    std::vector<FilePlan> plans;
    const std::string stem = stemOf(request.path, ".json");
    for (const Run& run : runsOf(profile->events, offsets)) {
        const std::int64_t process = run.first.process;
        const auto named = profile->processes.find(process);
        const std::string own = named != profile->processes.end() && !named->second.empty() ? named->second
                                : profile->onnxruntime                                      ? fmt::format("process{}", process)
                                                                                            : fmt::format("arena{}", process);
        const auto [found, added] = problemOf.emplace(profile->onnxruntime ? process : 0, makers.size());
        if (added) {
            std::string name = profile->onnxruntime ? own : stem;
            const auto taken = [&](ProblemMaker& maker) { return maker.problem().name == name; };
            if (std::any_of(makers.begin(), makers.end(), taken)) name += fmt::format("#{}", process);
            makers.emplace_back(std::move(name));
            plans.emplace_back().name = profile->onnxruntime ? "onnxruntime" : "executorch";
            plans.back().problem = static_cast<std::int32_t>(found->second);
        }
        ProblemMaker& maker = makers[found->second];
        maker.add(profile->names[run.first.name], run.first.size, {run.first.step, run.end}, maker.pool(own));
        plans[found->second].offsets.push_back({none, maker.last(), run.first.offset});
    }
    if (offsets) {
        imported.plans = std::move(plans);
    } else {
        Diagnostic told = warning(Code::noPlan, "the profile has no offsets: lifetimes were read, and no plan", {request.path},
                                  "Record it with enable_memory_offsets=True to compare the plan.");
        told.severity = Severity::note;
        imported.diagnostics.push_back(std::move(told));
    }
    std::vector<NamedProblem> problems;
    for (ProblemMaker& maker : makers) problems.push_back(std::move(maker).take());
    imported.content = std::move(problems);
    return imported;
}

} // namespace stowage::dumps
