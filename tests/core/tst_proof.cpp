// Logs of searches: genuine ones are accepted, and no log of something that does fit is.
#include "core/plan/check.h"
#include "core/plan/proof/check_proof.h"
#include "core/plan/report.h"
#include "core/planners/exact/exact.h"
#include "core/planners/exact/infeasible_set.h"
#include "core/planners/exact/pool_search.h"
#include "core/planners/exact/proof.h"
#include "core/planners/registry.h"
#include "tests/support/buffer_of.h"
#include "tests/support/instrumented.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QtTest/QTest>

#include <algorithm>
#include <numeric>

using namespace stowage;

namespace {

std::vector<test::Features> kinds()
{
    return {{.name = "plain"},
            {.name = "alignment", .alignment = true},
            {.name = "gaps", .gaps = true},
            {.name = "pins", .pins = true},
            {.name = "conflicts", .conflicts = true},
            {.name = "slots", .slots = true},
            {.name = "dag", .dag = true},
            {.name = "unique", .unique = true},
            {.name = "windows", .gaps = true, .windows = true},
            {.name = "windows, alignment, pins, slots", .alignment = true, .windows = true, .pins = true, .slots = true}};
}

std::vector<BufferId> allOf(const Problem& problem)
{
    std::vector<BufferId> all(problem.buffers.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// The smallest size, proved by the search; nothing where no layout exists or the limit came first.
std::optional<Bytes> smallest(const Problem& problem, const std::vector<BufferId>& members)
{
    exact::PoolLayout layout;
    exact::PoolLimits limits;
    limits.nodes = 50'000;
    const auto nodes = exact::minimisePool(problem, 0, members, nullptr, limits, layout);
    if (!nodes || !layout.closed()) return std::nullopt;
    return layout.size;
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

/// What a loop is given for a first iteration that may not be, and what the loop made instead: one place does for both.
Problem givenAndMade()
{
    Problem problem;
    problem.pools.push_back({.name = "p", .capacity = 8});
    problem.loops.push_back({"loop", none, {2, 6}, {}});
    problem.buffers.push_back(
        test::bufferOf({.name = "given", .size = 8, .live = {{0, 1}, {6, 8}}, .early = {{{6, 8}, {0, 0}}}}));
    problem.buffers.push_back(test::bufferOf({.name = "made", .size = 8, .live = {{5, 8}}, .loop = 0}));
    return problem;
}

} // namespace

class TestProof : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void genuineLogsAreAccepted_data()
    {
        QTest::addColumn<int>("kind");
        const auto all = kinds();
        for (std::size_t k = 0; k < all.size(); ++k) QTest::addRow("%s", all[k].name.c_str()) << static_cast<int>(k);
    }
    void genuineLogsAreAccepted()
    {
        QFETCH(int, kind);
        int long_ = 0, checked = 0, tooLong = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(250U); ++seed) {
            const Problem problem = test::randomProblem(kinds()[static_cast<std::size_t>(kind)], seed, kind < 8 ? 12 : 8);
            const auto size = smallest(problem, allOf(problem));
            if (!size || *size == 0) continue;
            for (const Bytes capacity : {*size - 1, *size / 2}) {
                const auto log = exact::writeProof(problem, 0, capacity, 200'000);
                if (!log) { // without its memory the search may need too long
                    QCOMPARE(log.error().code, Code::noProof);
                    ++tooLong;
                    continue;
                }
                const auto proved = checkProof(problem, *log);
                QVERIFY2(proved, proved ? "" : (std::to_string(seed) + ": " + proved.error().message).c_str());
                QCOMPARE(proved->capacity, capacity);
                ++checked;
                long_ += proved->steps > 8;
            }
        }
        QVERIFY2(checked > test::randomCases(150) && tooLong < 5,
                 qPrintable(QStringLiteral("%1 checked, %2 too long").arg(checked).arg(tooLong)));
        // Alignment, gaps, pins and explicit conflicts make sizes above the most live bytes; the others are refuted at once.
        if ((kind >= 1 && kind <= 4) || kind >= 8) QVERIFY2(long_ > test::randomCases(5), qPrintable(QString::number(long_)));
    }

    // The smallest size itself can be had, so nothing that claims otherwise may pass, whatever its lines say.
    void noLogOfWhatFitsIsAccepted_data() { genuineLogsAreAccepted_data(); }
    void noLogOfWhatFitsIsAccepted()
    {
        QFETCH(int, kind);
        test::Random random(7 + stowage::test::seedShift());
        int tampered = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(150U); ++seed) {
            const Problem problem = test::randomProblem(kinds()[static_cast<std::size_t>(kind)], seed, kind < 8 ? 12 : 8);
            const auto size = smallest(problem, allOf(problem));
            if (!size || *size == 0) continue;
            const auto log = exact::writeProof(problem, 0, *size - 1, 200'000);
            if (!log) continue;
            std::vector<std::string> genuine = linesOf(*log);
            genuine[2] = "capacity " + std::to_string(*size);
            QVERIFY(!checkProof(problem, joined(genuine)));
            for (int trial = 0; trial < 60; ++trial) {
                std::vector<std::string> lines = genuine;
                for (std::int64_t changes = random(1, 4); changes > 0; --changes) {
                    const auto at = static_cast<std::size_t>(random(4, static_cast<std::int64_t>(lines.size())));
                    const auto position = lines.begin() + static_cast<std::ptrdiff_t>(at);
                    const std::string number = std::to_string(random(0, 13));
                    const std::string sides =
                        std::string(1, "/\\"[random(0, 1)]) + ' ' + number + ' ' + std::to_string(random(0, 13)) + " 0";
                    switch (genuine[0].starts_with("stowage-pair") ? random(1, 5) : random(0, 4)) {
                    case 5: lines.insert(position, sides); break;
                    case 0: lines.insert(position, "^ " + number); break;
                    case 1: lines.insert(position, "# " + number); break;
                    case 2: lines.insert(position, std::string(1, "?=-"[random(0, 2)]) + " " + number); break;
                    case 3: lines.insert(position, "! " + number + " " + std::to_string(random(0, 13))); break;
                    default:
                        if (at < lines.size()) lines.erase(position);
                    }
                }
                QVERIFY2(!checkProof(problem, joined(lines)), joined(lines).c_str());
                ++tampered;
            }
        }
        QVERIFY(tampered > test::randomCases(3000));
    }

    void brokenLogsAreRefused()
    {
        Problem problem;
        problem.pools.emplace_back().name = "p";
        // Two pairs that want to be at the bottom at different times: 5 live at most, 6 needed.
        const std::tuple<Step, Step, Bytes> rows[] = {{0, 2, 3}, {1, 4, 2}, {3, 6, 3}, {5, 8, 2}, {7, 9, 3}, {1, 8, 1}};
        for (const auto& [begin, end, size] : rows) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = std::to_string(problem.buffers.size());
            buffer.live = {{begin, end}};
            buffer.size = size;
        }
        const auto size = smallest(problem, allOf(problem));
        QVERIFY(size);
        const auto log = exact::writeProof(problem, 0, *size - 1, 100'000);
        QVERIFY(log);
        QVERIFY(checkProof(problem, *log));
        for (const char* bad :
             {"", "stowage-proof 2\n", "stowage-proof 1\npool q\n", "stowage-proof 1\npool p\ncapacity x\n",
              "stowage-proof 1\npool p\ncapacity 3\ncopies 5\n", "stowage-proof 1\npool p\ncapacity 3\ncopies 6\n",
              "stowage-proof 1\npool p\ncapacity 3\ncopies 6\n? 99\n", "stowage-proof 1\npool p\ncapacity 3\ncopies 6\n? -1\n",
              "stowage-proof 1\npool p\ncapacity 3\ncopies 6\n@ 1 2\n^ 1\n", "stowage-proof 1\npool p\ncapacity 3\ncopies 6\n%\n",
              "stowage-proof 1\npool p\ncapacity 99999999999999999999\ncopies 6\n"})
            QVERIFY2(!checkProof(problem, bad), bad);
        // Cut off, and with something behind its end.
        const std::vector<std::string> lines = linesOf(*log);
        QVERIFY(!checkProof(problem, joined({lines.begin(), lines.end() - 1})));
        QVERIFY(!checkProof(problem, *log + "? 0\n"));
        // Of another problem.
        Problem other = problem;
        other.buffers.pop_back();
        QVERIFY(!checkProof(other, *log));
        const auto fits = exact::writeProof(problem, 0, *size, 100'000);
        QVERIFY(!fits);
    }

    // One place does for both, and no log of either kind says otherwise.
    void whatIsLiveInEarlyIterationsOnlyProvesNothing()
    {
        Problem problem = givenAndMade();
        QVERIFY(checkAndRepair(problem).empty());
        Plan together;
        together.placements.resize(2);
        for (Placement& placement : together.placements) placement.pool = 0;
        const Verdict verdict = check(problem, together);
        QVERIFY2(verdict.valid() && !verdict.overCapacity,
                 verdict.valid() ? "" : describe(problem, verdict.violations.front()).c_str());
        const std::string pair = "stowage-pair-proof 1\npool p\ncapacity 8\ncopies 2\n";
        for (const std::string& log : {std::string("stowage-pool-proof 1\n# 0 6\n"), pair + "# 6\n", pair + "/ 0 1 0\n"})
            QVERIFY2(!checkProof(problem, log), log.c_str());
        const auto blames = [&] {
            const auto plan = PlannerRegistry::builtIn().find("exact")->plan(problem, {{"goal", "fit"}}, {});
            return !plan ||
                   std::ranges::any_of(plan->diagnostics, [](const Diagnostic& d) { return d.code == Code::infeasibleSet; });
        };
        QVERIFY(!blames());
        // Live there always, it is in the way.
        problem.buffers.front().early.clear();
        QVERIFY(blames());
        QVERIFY(!check(problem, together).valid());
        for (const std::string& log : {std::string("stowage-pool-proof 1\n# 0 6\n"), pair + "# 6\n", pair + "/ 0 1 0\n"}) {
            const auto checked = checkProof(problem, log);
            QVERIFY2(checked, checked ? "" : checked.error().message.c_str());
        }
    }

    // The same of the third kind of log, which is of whole buffers.
    void earlyRangesInALogOfWholeBuffers()
    {
        Problem problem = givenAndMade();
        QVERIFY(checkAndRepair(problem).empty());
        for (const char* line : {"# 6\n", "? 0\n^ 1\n*\n"}) {
            const auto checked = checkProof(problem, std::string("stowage-proof 1\npool p\ncapacity 8\ncopies 2\n") + line);
            QVERIFY2(!checked, line);
        }
    }

    // In its first iteration it is in front of the loop, in its last behind it, and at different offsets.
    void whatRotatesAndIsLiveInFrontOfItsLoop()
    {
        Problem problem;
        problem.pools.emplace_back().name = "p";
        problem.pools.front().capacity = 2;
        problem.loops.push_back({"loop", none, {2, 6}, 2});
        const auto add = [&](const char* name, Interval live, std::optional<Bytes> pin) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = name;
            buffer.size = 1;
            buffer.live = {live};
            buffer.pin = pin;
        };
        add("turns", {0, 8}, {});
        problem.buffers.back().loop = 0;
        add("low", {0, 1}, 0);
        add("high", {7, 8}, 1);
        QVERIFY(checkAndRepair(problem).empty());
        Plan plan;
        plan.placements.resize(3);
        for (Placement& placement : plan.placements) placement.pool = 0;
        plan.placements[0].offset = 1;
        plan.placements[0].offsets = {1, 0};
        plan.placements[0].rotations = {{.loop = 0, .period = 2}};
        plan.placements[2].offset = 1;
        const Verdict verdict = check(problem, plan);
        QVERIFY2(verdict.valid() && !verdict.overCapacity,
                 verdict.valid() ? "" : describe(problem, verdict.violations.front()).c_str());
        QVERIFY(!checkProof(problem, "stowage-proof 1\npool p\ncapacity 2\ncopies 3\n^ 0\n"));
        const auto planned = PlannerRegistry::builtIn().find("exact")->plan(problem, {{"goal", "fit"}}, {});
        QVERIFY(planned && evaluate(problem, *planned).status != Status::infeasible);
    }

    void branchesThatGoTooDeepAreRefused()
    {
        // There is room for both: a branch on them refutes nothing, however often it is taken.
        Problem problem;
        problem.pools.emplace_back().name = "p";
        for (int i = 0; i < 2; ++i) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = std::to_string(i);
            buffer.size = 1;
            buffer.live = {{0, 1}};
        }
        std::string log = "stowage-pair-proof 1\npool p\ncapacity 100\ncopies 2\n";
        for (int i = 0; i < 10'001; ++i) log += "/ 0 1 0\n";
        const auto checked = checkProof(problem, log);
        QVERIFY(!checked && checked.error().message.find("too deep") != std::string::npos);
    }

    // Several memories with a choice: where no plan is inside the capacities, there is a proof, and where there is one, none
    // passes.
    void proofsOverAChoiceOfMemories()
    {
        test::Random random(11 + stowage::test::seedShift());
        int proved = 0, searched = 0, tampered = 0;
        // Proofs with a search inside are rare: in an instrumented build as many more cases as it takes to meet one.
        for (std::uint64_t seed = 0; seed < 400 && (seed < test::randomCases(400U) || searched == 0); ++seed) {
            test::Features features{.name = "pools", .pools = true};
            features.alignment = seed % 2 == 1;
            features.windows = features.gaps = seed % 4 == 3;
            features.pins = seed % 3 == 0;
            Problem problem = test::randomProblem(features, seed, 7);
            if (problem.pools.size() < 2) continue;
            Bytes all = 0;
            for (const Buffer& buffer : problem.buffers) all += buffer.size;
            for (Pool& pool : problem.pools) pool.capacity = all * random(20, 60) / 100;
            const auto plan = exactPlanner()->plan(problem, {{"goal", "fit"}}, {});
            if (!plan) continue;
            const Status status = evaluate(problem, *plan).status;
            const auto log = exact::writePoolProof(problem, 20'000);
            if (status == Status::infeasible) {
                QVERIFY2(log, log ? "" : log.error().message.c_str());
                const auto checked = checkProof(problem, *log);
                QVERIFY2(checked, checked ? "" : (std::to_string(seed) + ": " + checked.error().message).c_str());
                QCOMPARE(checked->pool, none);
                ++proved;
                searched += log->find('{') != std::string::npos;
                // Of a problem that can be solved it proves nothing.
                Problem wide = problem;
                for (Pool& pool : wide.pools) pool.capacity = 100'000;
                if (evaluate(wide, *plan).status != Status::invalid) QVERIFY(!checkProof(wide, *log));
                QVERIFY(!checkProof(problem, log->substr(0, log->rfind('\n', log->size() - 2) + 1))); // without its last line
            } else if (status == Status::optimal || status == Status::feasible) {
                QVERIFY(!log);
                for (int trial = 0; trial < 40; ++trial) {
                    std::string lines = "stowage-pool-proof 1\n";
                    for (std::int64_t count = random(1, 12); count > 0; --count) {
                        const bool excluded = random(0, 1) == 0;
                        lines += (excluded ? "| " : "# ") + std::to_string(random(0, excluded ? 7 : 2));
                        if (!excluded) lines += ' ' + std::to_string(random(0, 12));
                        lines += '\n';
                    }
                    QVERIFY2(!checkProof(problem, lines), lines.c_str());
                    ++tampered;
                }
            }
        }
        QVERIFY2(
            proved > test::randomCases(40) && searched > 0 && tampered > test::randomCases(500),
            qPrintable(QStringLiteral("%1 proved, %2 with a search inside, %3 made up").arg(proved).arg(searched).arg(tampered)));
    }

    /// In `fine` the two are 140 bytes at one step, more than its 100; `coarse` does not take the pin at 16, so `pinned` cannot
    /// be there either, although it ends below the capacity.
    void aPinThatAMemoryDoesNotTakeIsAProof()
    {
        Problem problem;
        problem.pools.push_back({.name = "fine", .capacity = 100, .alignment = 16});
        problem.pools.push_back({.name = "coarse", .capacity = 100, .alignment = 64});
        problem.buffers.push_back(test::bufferOf({.name = "pinned", .size = 50, .live = {{0, 2}}, .pools = {0, 1}, .pin = 16}));
        problem.buffers.push_back(test::bufferOf({.name = "other", .size = 90, .live = {{0, 2}}, .pools = {0}}));
        QVERIFY(checkAndRepair(problem).empty());
        const auto plan = exactPlanner()->plan(problem, {}, {});
        QVERIFY(plan);
        QCOMPARE(evaluate(problem, *plan).status, Status::infeasible);
        const auto log = exact::writePoolProof(problem, 1000);
        QVERIFY2(log, log ? "" : log.error().message.c_str());
        const auto checked = checkProof(problem, *log);
        QVERIFY2(checked, checked ? "" : checked.error().message.c_str());
        problem.pools[1].alignment = 16; // now there is a plan, and the log proves nothing
        QVERIFY(!checkProof(problem, *log));
        QVERIFY(!exact::writePoolProof(problem, 1000));
    }

    /// All 200 are needed, which takes a question for each, and the bytes live at their step answer it without a search. A
    /// question counts as a node for each of its buffers, about 200, so a limit of 2,000 ends them after some ten.
    void questionsThatABoundAnswersCountAsWell()
    {
        Problem problem;
        problem.pools.push_back({.name = "p", .capacity = 199});
        for (int i = 0; i < 200; ++i)
            problem.buffers.push_back(test::bufferOf({.name = std::to_string(i), .size = 1, .live = {{0, 1}}}));
        int asked = 0;
        exact::InfeasibleSetLimits limits;
        limits.stop = [&] {
            ++asked;
            return false;
        };
        const auto whole = exact::infeasibleSet(problem, 0, allOf(problem), 199, limits);
        QVERIFY(whole && *whole && (*whole)->irreducible);
        QVERIFY(asked > 200);
        asked = 0;
        limits.nodes = 2'000;
        const auto found = exact::infeasibleSet(problem, 0, allOf(problem), 199, limits);
        QVERIFY(found && *found && !(*found)->irreducible);
        QCOMPARE((*found)->buffers.size(), std::size_t(200));
        QVERIFY2(asked < 50, qPrintable(QString::number(asked)));
    }

    void infeasibleSetsOfAllMemoriesAreNeededWhole()
    {
        test::Random random(5 + stowage::test::seedShift());
        int found = 0, smaller = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(250U); ++seed) {
            Problem problem = test::randomProblem({.name = "pools", .pools = true}, seed, 8);
            if (std::ranges::none_of(problem.buffers,
                                     [&](const Buffer& b) { return b.size > 0 && problem.candidates(b).size() > 1; }))
                continue;
            Bytes all = 0;
            for (const Buffer& buffer : problem.buffers) all += buffer.size;
            for (Pool& pool : problem.pools) pool.capacity = all * random(5, 35) / 100;
            const auto plan = exactPlanner()->plan(problem, {{"goal", "fit"}}, {});
            if (!plan || evaluate(problem, *plan).status != Status::infeasible) continue;
            const auto claim = std::ranges::find_if(plan->claims, [](const Certificate& c) {
                return std::holds_alternative<SearchCertificate>(c) && std::get<SearchCertificate>(c).infeasible;
            });
            QVERIFY(claim != plan->claims.end());
            const std::vector<BufferId> core = std::get<SearchCertificate>(*claim).core;
            QVERIFY(!core.empty());
            const auto statusOf = [&](BufferId without) {
                Problem part = problem;
                for (std::size_t b = 0; b < part.buffers.size(); ++b)
                    if (BufferId(b) == without || std::ranges::find(core, BufferId(b)) == core.end()) part.buffers[b].size = 0;
                const auto planned = exactPlanner()->plan(part, {{"goal", "fit"}}, {});
                return planned ? evaluate(part, *planned).status : Status::undecided;
            };
            QCOMPARE(statusOf(none), Status::infeasible);
            for (const BufferId id : core) {
                const Status status = statusOf(id);
                QVERIFY2(status == Status::optimal || status == Status::feasible, qPrintable(QString::number(seed)));
            }
            ++found;
            smaller += core.size() < problem.buffers.size();
        }
        QVERIFY2(found > test::randomCases(30) && smaller > test::randomCases(10),
                 qPrintable(QStringLiteral("%1 sets, %2 smaller than all").arg(found).arg(smaller)));
    }

    // Told to stop while the first question is being answered, it answers none.
    void aQuestionAboutAllMemoriesCanBeStopped()
    {
        Problem problem; // nine of 10 bytes, of which either memory holds four: each choice of four has to be seen
        for (const char* name : {"p", "q"}) {
            problem.pools.emplace_back().name = name;
            problem.pools.back().capacity = 45;
        }
        for (int b = 0; b < 9; ++b) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = std::to_string(b);
            buffer.size = 10;
            buffer.live = {{0, 1}};
        }
        QVERIFY(checkAndRepair(problem).empty());
        const auto plan = PlannerRegistry::builtIn().find("greedy-by-size")->plan(problem, {}, {});
        QVERIFY(plan);
        exact::InfeasibleSetLimits limits;
        const auto whole = exact::infeasibleSetOfAll(problem, *plan, limits);
        QVERIFY(whole && *whole);
        QVERIFY((**whole).irreducible);
        int calls = 0;
        limits.stop = [&] { return ++calls > 1; };
        const auto stopped = exact::infeasibleSetOfAll(problem, *plan, limits);
        QVERIFY(stopped && !*stopped);
    }

    void infeasibleSetsCannotFitAndAreNeededWhole_data() { genuineLogsAreAccepted_data(); }
    void infeasibleSetsCannotFitAndAreNeededWhole()
    {
        QFETCH(int, kind);
        int smaller = 0, stacked = 0, whole = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(150U); ++seed) {
            Problem problem = test::randomProblem(kinds()[static_cast<std::size_t>(kind)], seed, kind < 8 ? 10 : 7);
            const auto size = smallest(problem, allOf(problem));
            if (!size || *size < 2) continue;
            const Bytes capacity = seed % 2 == 0 ? *size - 1 : *size * 2 / 3;
            const auto found = exact::infeasibleSet(problem, 0, allOf(problem), capacity);
            QVERIFY(found && *found);
            const exact::InfeasibleSet& set = **found;
            QVERIFY(set.irreducible);
            const auto needs = smallest(problem, set.buffers);
            QVERIFY(needs && *needs > capacity);
            if (set.needs || kind < 8) QCOMPARE(set.needs, needs); // with windows the search may end with its limit
            for (std::size_t k = 0; k < set.buffers.size(); ++k) {
                std::vector<BufferId> rest = set.buffers;
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
                const auto without = rest.empty() ? std::optional<Bytes>(0) : smallest(problem, rest);
                QVERIFY(without && *without <= capacity);
            }
            smaller += set.buffers.size() < problem.buffers.size();
            // Without a search where what is live together is too much: the same promises, one by one.
            if (const auto stack = exact::infeasibleStack(problem, 0, lowerBound(problem, 0), capacity)) {
                ++stacked;
                QVERIFY(stack->irreducible);
                QCOMPARE(stack->needs, smallest(problem, stack->buffers));
                QVERIFY(*stack->needs > capacity);
                for (std::size_t k = 0; k < stack->buffers.size(); ++k) {
                    std::vector<BufferId> rest = stack->buffers;
                    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
                    const auto without = rest.empty() ? std::optional<Bytes>(0) : smallest(problem, rest);
                    QVERIFY(without && *without <= capacity);
                }
            }
            // And the planner tells it.
            problem.pools[0].capacity = capacity;
            const auto plan = exactPlanner()->plan(problem, {}, {});
            QVERIFY(plan);
            QCOMPARE(evaluate(problem, *plan).status, Status::infeasible);
            const auto note = std::ranges::find(plan->diagnostics, Code::infeasibleSet, &Diagnostic::code);
            QVERIFY(note != plan->diagnostics.end());
            bool told = false;
            for (const Certificate& claim : plan->claims)
                if (const auto* search = std::get_if<SearchCertificate>(&claim); search && search->infeasible) {
                    told |= !search->core.empty();
                    QCOMPARE(search->irreducible, note->message.find("without any one of them") != std::string::npos);
                    whole += search->irreducible;
                }
            QVERIFY(told);
        }
        QVERIFY(smaller > test::randomCases(20) && whole > test::randomCases(20));
        if (kinds()[static_cast<std::size_t>(kind)].name == "plain") QVERIFY(stacked > test::randomCases(20));
    }

    /// A time limit that is over leaves no time for a search, and needs none.
    void whatIsLiveTogetherIsBlamedEvenWhenTimeIsOver()
    {
        Problem problem = test::randomProblem({.name = "plain"}, 5, 14);
        const CliqueCertificate together = lowerBound(problem, 0);
        problem.pools[0].capacity = together.bytes - 1;
        PlanContext context;
        context.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
        const auto plan = exactPlanner()->plan(problem, {}, context);
        QVERIFY(plan);
        QVERIFY(std::any_of(plan->diagnostics.begin(), plan->diagnostics.end(),
                            [](const Diagnostic& d) { return d.code == Code::infeasibleSet; }));
    }
};

QTEST_APPLESS_MAIN(TestProof)
#include "tst_proof.moc"
