// Whatever kind of problem `exact` is given: a log that is written is accepted by the checker, and none says of a plan that there
// is that it cannot be.
#include "core/ir/checked.h"
#include "core/plan/check.h"
#include "core/plan/one_iteration.h"
#include "core/plan/proof/check_proof.h"
#include "core/plan/report.h"
#include "core/planners/exact/pool_search.h"
#include "core/planners/exact/proof.h"
#include "core/planners/registry.h"
#include "tests/core/random_problem.h"
#include "tests/support/instrumented.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QtTest/QTest>

#include <algorithm>
#include <numeric>

using namespace stowage;

namespace {

/// One log after the other, as `check-proof` takes them apart.
std::vector<std::string> logsOf(const std::string& all)
{
    if (all.starts_with("stowage-pool-proof ") || all.starts_with("stowage-sum-proof ")) return {all};
    std::vector<std::string> logs;
    for (std::size_t begin = 0; begin < all.size();) {
        const std::size_t next = std::min(all.find("\nstowage-", begin), all.size() - 1);
        logs.push_back(all.substr(begin, next + 1 - begin));
        begin = next + 1;
    }
    return logs;
}

/// What loops do beyond slots: iterations that are known or not, buffers in them that are live outside as well, and ranges that
/// are live in one iteration only.
void addLoopsAndEarly(Problem& problem, test::Random& random)
{
    if (problem.loops.empty()) {
        problem.loops.push_back({"outer", none, {2, 14}, {}});
        problem.loops.push_back({"inner", 0, {5, 10}, {}});
    }
    for (Loop& loop : problem.loops)
        if (random.chance(60)) loop.tripCount = random(0, 3);
    const Problem before = problem;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        Buffer& buffer = problem.buffers[b];
        const Buffer was = buffer;
        if (buffer.loop == none && buffer.slots == 1 && random.chance(25)) buffer.loop = static_cast<LoopId>(random(0, 1));
        if (buffer.loop == none && !buffer.live.empty() && random.chance(60)) {
            const auto loop = static_cast<LoopId>(random(0, 1));
            const Interval& live =
                buffer.live[static_cast<std::size_t>(random(0, static_cast<std::int64_t>(buffer.live.size()) - 1))];
            const Step begin = random(live.begin, live.end - 1);
            buffer.early.push_back({{begin, random(begin + 1, live.end)}, {loop, static_cast<std::int32_t>(random(0, 2))}});
        }
        Problem tried = problem;
        const Diagnostics said = checkAndRepair(tried);
        if (std::any_of(said.begin(), said.end(), [](const Diagnostic& d) { return d.severity == Severity::error; }))
            buffer = was;
    }
    checkAndRepair(problem);
}

struct Kind {
    test::Features features;
    bool loops = false; ///< and early ranges
    bool capacities = false;
};

std::vector<Kind> kinds()
{
    std::vector<Kind> all;
    for (const test::Features& features : test::allFeatures())
        for (const bool capacities : {false, true}) all.push_back({features, false, capacities});
    const test::Features looped[] = {{.name = "loops"},
                                     {.name = "loops-slots", .slots = true},
                                     {.name = "loops-windows", .gaps = true, .windows = true},
                                     {.name = "loops-windows-slots-alignment", .alignment = true, .windows = true, .slots = true},
                                     {.name = "loops-gaps-pins-alignment", .alignment = true, .gaps = true, .pins = true},
                                     {.name = "loops-pools", .pools = true},
                                     {.name = "loops-pools-windows-conflicts", .windows = true, .pools = true, .conflicts = true},
                                     {.name = "loops-carried", .slots = true, .carried = true},
                                     {.name = "loops-unique-share", .unique = true, .share = true}};
    for (const test::Features& features : looped)
        for (const bool capacities : {false, true}) all.push_back({features, true, capacities});
    return all;
}

Problem problemOf(const Kind& kind, std::uint64_t seed)
{
    test::Random random(seed * 977 + 5 + stowage::test::seedShift());
    Problem problem = test::randomProblem(kind.features, seed, kind.features.windows ? 6 : 9);
    if (kind.loops) addLoopsAndEarly(problem, random);
    if (!kind.capacities) return problem;
    Bytes all = 0;
    for (const Buffer& buffer : problem.buffers) all += buffer.size * buffer.slots;
    for (Pool& pool : problem.pools) pool.capacity = all * random(10, 90) / 100;
    return problem;
}

} // namespace

class TestProofLogs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsAccepted_data()
    {
        QTest::addColumn<int>("kind");
        const auto all = kinds();
        for (std::size_t k = 0; k < all.size(); ++k)
            QTest::addRow("%s%s", all[k].features.name.c_str(), all[k].capacities ? ", capacities" : "") << static_cast<int>(k);
    }
    void whatIsWrittenIsAccepted()
    {
        QFETCH(int, kind);
        const Kind it = kinds()[static_cast<std::size_t>(kind)];
        const auto exact = PlannerRegistry::builtIn().find("exact");
        int written = 0, without = 0, refusedKinds = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Problem problem = problemOf(it, seed);
            PlanContext context;
            context.workLimit = 20'000;
            const auto plan = exact->plan(problem, {{"goal", seed % 2 == 0 ? "minimise" : "fit"}}, context);
            if (!plan) continue;
            const Report report = evaluate(problem, *plan);
            const auto proof = exact::writePlanProof(problem, report, 50'000);
            if (!proof) {
                QVERIFY2(proof.error().code == Code::noProof ||
                             (proof.error().code == Code::fits &&
                              (differsByIteration(problem) || it.features.share || it.features.carried)),
                         qPrintable(QStringLiteral("seed %1, %2 by %3: %4")
                                        .arg(seed)
                                        .arg(QString::fromStdString(std::string(toText(report.status))))
                                        .arg(report.provedBy.c_str(), proof.error().message.c_str())));
                const bool settled = (report.status == Status::optimal && report.among == OptimalAmong::everyPlan) ||
                                     report.status == Status::infeasible;
                // Nothing to prove, or a sort of problem that no log can be of.
                if (settled && report.totalSize() > 0) {
                    const bool kindOf = proof.error().message.find("no checkable log") != std::string::npos;
                    ++(kindOf ? refusedKinds : without);
                    if (!kindOf) qInfo("seed %llu: %s", static_cast<unsigned long long>(seed), proof.error().message.c_str());
                }
                continue;
            }
            const auto logs = logsOf(proof->logs);
            QCOMPARE(logs.size(), proof->refuted.size());
            for (std::size_t k = 0; k < logs.size(); ++k) {
                const auto proved = checkProof(problem, logs[k]);
                QVERIFY2(
                    proved,
                    proved
                        ? ""
                        : qPrintable(
                              QStringLiteral("seed %1: %2\n%3").arg(seed).arg(proved.error().message.c_str(), logs[k].c_str())));
                QCOMPARE(proved->pool, proof->refuted[k].pool);
                QCOMPARE(proved->together, proved->pool == none && report.status == Status::optimal);
                if (proved->pool != none || proved->together) QCOMPARE(proved->capacity, proof->refuted[k].bytes);
            }
            // What was proved is what the report says.
            if (report.status == Status::infeasible) {
                QVERIFY(proof->refuted.size() == 1);
                if (proof->refuted[0].pool != none)
                    QCOMPARE(proof->refuted[0].bytes, *problem.pools[at(proof->refuted[0].pool)].capacity);
            } else {
                Bytes sum = 0;
                for (const auto& [pool, bytes] : proof->refuted) sum += bytes + 1;
                QCOMPARE(sum, report.totalSize());
            }
            ++written;
        }
        const QString counts =
            QStringLiteral("%1 written, %2 not, %3 of no kind for a log").arg(written).arg(without).arg(refusedKinds);
        const bool lacks = it.features.share || it.features.carried;
        QVERIFY2(written > (lacks ? 5 : 20) && without <= 2, qPrintable(counts));
        QVERIFY2(lacks || refusedKinds == 0 || (it.loops && refusedKinds <= 2), qPrintable(counts));
    }

    // Plans that rotate with loops, made at random and judged by the checker of plans: nothing may be proved of what they hold.
    void noLogRefutesAPlanThatRotates()
    {
        int judged = 0, gained = 0, refused = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(1500U); ++seed) {
            test::Random random(seed + 17 + stowage::test::seedShift());
            test::Generator generator(seed);
            test::Kind kind{.rotation = true, .nested = seed % 3 == 0, .pins = seed % 2 == 0, .buffers = 3, .largest = 3};
            Problem problem = generator.problem(kind);
            for (Buffer& buffer : problem.buffers) {
                buffer.carried.clear();
                if (buffer.pin) buffer.pin = *buffer.pin % 24;
            }
            for (Loop& loop : problem.loops)
                if (random.chance(70)) loop.tripCount = random(0, 3);
            for (Buffer& buffer : problem.buffers) {
                if (buffer.loop != none || buffer.live.empty() || random.chance(40)) continue;
                const Buffer was = buffer;
                const Interval live = buffer.live.front();
                const Step begin = random(live.begin, live.end - 1);
                buffer.early = {{{begin, random(begin + 1, live.end)},
                                 {static_cast<LoopId>(random(0, static_cast<std::int64_t>(problem.loops.size()) - 1)),
                                  static_cast<std::int32_t>(random(0, 2))}}};
                Problem tried = problem;
                const Diagnostics said = checkAndRepair(tried);
                if (std::any_of(said.begin(), said.end(), [](const Diagnostic& d) { return d.severity == Severity::error; }))
                    buffer = was;
            }
            checkAndRepair(problem);
            problem.pools.resize(1);
            std::optional<Bytes> smallest;
            for (int trial = 0; trial < 200; ++trial) {
                const Plan plan = generator.plan(problem, 7);
                if (!check(problem, plan).valid()) continue;
                smallest = std::min(smallest.value_or(maxBytes), plan.poolSize(problem, 0));
            }
            if (!smallest || *smallest == 0) continue;
            ++judged;
            const auto log = exact::writeProof(problem, 0, *smallest, 20'000);
            QVERIFY2(!log, qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(log ? log->c_str() : "")));
            // With fixed offsets alone, and early ranges live always, more would be needed: that is what a log must not prove.
            std::vector<BufferId> all(problem.buffers.size());
            std::iota(all.begin(), all.end(), 0);
            exact::PoolLayout layout;
            exact::PoolLimits limits;
            limits.nodes = 20'000;
            if (exact::minimisePool(problem, 0, all, nullptr, limits, layout) && layout.lower > *smallest) {
                ++gained;
                problem.pools[0].capacity = *smallest;
                const auto planned = PlannerRegistry::builtIn().find("exact")->plan(problem, {{"goal", "fit"}}, {});
                QVERIFY(planned);
                QVERIFY2(evaluate(problem, *planned).status != Status::infeasible, qPrintable(QString::number(seed)));
                refused += differsByIteration(problem);
            }
        }
        QVERIFY2(judged > test::randomCases(500) && gained > test::randomCases(20),
                 qPrintable(QStringLiteral("%1 judged, %2 gained, %3 told").arg(judged).arg(gained).arg(refused)));
        QCOMPARE(refused, gained);
    }

    // The smallest total can be had, so whatever claims otherwise is refused: genuine logs with a larger total, and with lines
    // changed, taken out and put in.
    void noLogOfATotalThatThereIsIsAccepted()
    {
        test::Random random(23 + stowage::test::seedShift());
        int tampered = 0, searched = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(160U); ++seed) {
            test::Features features{.name = "pools", .pools = true};
            features.alignment = seed % 2 == 1;
            features.windows = features.gaps = seed % 4 == 3;
            Problem problem = test::randomProblem(features, seed, 6);
            for (Pool& pool : problem.pools) pool.capacity.reset();
            const auto plan = PlannerRegistry::builtIn().find("exact")->plan(problem, {}, {});
            if (!plan) continue;
            const Report report = evaluate(problem, *plan);
            if (report.status != Status::optimal || report.totalSize() == 0) continue;
            const Bytes total = report.totalSize();
            QVERIFY(!exact::writeSumProof(problem, total, 20'000));
            const auto log = exact::writeSumProof(problem, total - 1, 20'000);
            QVERIFY2(log, log ? "" : log.error().message.c_str());
            searched += log->find('{') != std::string::npos;
            std::vector<std::string> genuine;
            for (std::size_t begin = 0; begin < log->size();) {
                const std::size_t end = log->find('\n', begin);
                genuine.push_back(log->substr(begin, end - begin));
                begin = end + 1;
            }
            genuine[1] = "total " + std::to_string(total);
            const auto pools = static_cast<std::int64_t>(problem.pools.size()),
                       buffers = static_cast<std::int64_t>(problem.buffers.size());
            for (int trial = 0; trial < 80; ++trial) {
                std::vector<std::string> lines = genuine;
                for (std::int64_t changes = trial == 0 ? 0 : random(1, 5); changes > 0; --changes) {
                    const auto position =
                        lines.begin() + static_cast<std::ptrdiff_t>(random(2, static_cast<std::int64_t>(lines.size())));
                    const std::string pool = std::to_string(random(0, pools - 1)),
                                      buffer = std::to_string(random(0, buffers - 1)), step = std::to_string(random(0, 20));
                    switch (random(0, 6)) {
                    case 0: lines.insert(position, "# " + pool + ' ' + step); break;
                    case 1: lines.insert(position, "~ " + pool + ' ' + buffer); break;
                    case 2: lines.insert(position, "| " + buffer); break;
                    case 3: lines.insert(position, "+ " + step); break;
                    case 4: { // a whole proof that stands somewhere else
                        const auto begin = std::find_if(genuine.begin(), genuine.end(),
                                                        [](const std::string& line) { return line.starts_with('{'); });
                        const auto end = std::find(begin, genuine.end(), "}");
                        if (end != genuine.end()) lines.insert(position, begin, end + 1);
                        break;
                    }
                    case 5:
                        if (position != lines.end()) lines.insert(position, *position);
                        break;
                    default:
                        if (position != lines.end()) lines.erase(position);
                    }
                }
                std::string text;
                for (const std::string& line : lines) text += line + '\n';
                QVERIFY2(!checkProof(problem, text), qPrintable(QStringLiteral("seed %1\n%2").arg(seed).arg(text.c_str())));
                ++tampered;
            }
        }
        QVERIFY2(tampered > test::randomCases(5000) && searched > test::randomCases(5),
                 qPrintable(QStringLiteral("%1 tampered, %2 with a search inside").arg(tampered).arg(searched)));
    }

    void linesThatDoNotBelongAreRefused()
    {
        Problem problem;
        for (const char* name : {"p", "q"}) problem.pools.emplace_back().name = name;
        for (const Bytes size : {7, 6}) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = std::to_string(size);
            buffer.size = size;
            buffer.live = {{0, 4}};
        }
        QVERIFY(checkAndRepair(problem).empty());
        const auto proved = checkProof(problem, "stowage-sum-proof 1\ntotal 12\n+ 0\n");
        QVERIFY(proved && proved->together);
        QCOMPARE(proved->capacity, Bytes{12});
        for (const char* bad :
             {"total 12\n+ 4\n", "total 13\n+ 0\n", "total -1\n+ 0\n", "total\n+ 0\n", "+ 0\n", "total 12\n+ 0 1\n",
              "total 12\n+ 0\n+ 0\n", "total 12\n| 0\n+ 0\n", "total 12\n# 0 0\n", "total 12\n~ 0 0\n", "total 12\n| 0\n~ 1 0\n",
              "total 12\n| 0\n~ 0 0\n~ 0 7\n", "total 12\n| 0\n| 1\n# 0 0\n# 0 0\n",
              "total 12\n{ 0 12\nstowage-proof 1\npool p\ncapacity 12\ncopies 0\n}\n", "total 12\n{ 0\n}\n",
              "total 12\n{ 2 1\n}\n", "total 12\n{ 0 -1\n}\n"})
            QVERIFY2(!checkProof(problem, std::string("stowage-sum-proof 1\n") + bad), bad);
        QVERIFY(!checkProof(problem, "stowage-pool-proof 1\n+ 0\n"));
        for (Pool& pool : problem.pools) pool.capacity = 6;
        QVERIFY(checkProof(problem, "stowage-pool-proof 1\n+ 0\n")); // 13 bytes are live, and 12 there
        QVERIFY(!checkProof(problem, "stowage-pool-proof 1\n+ 4\n"));
        problem.pools[1].capacity = 7;
        QVERIFY(!checkProof(problem, "stowage-pool-proof 1\n+ 0\n"));
        QVERIFY(checkProof(problem, "stowage-sum-proof 1\ntotal 12\n+ 0\n"));
        problem.pools[1].capacity.reset();
        QVERIFY(!checkProof(problem, "stowage-pool-proof 1\n+ 0\n"));
        problem.pools[0].capacity.reset();
        // The long way: both in either, or one in each.
        const std::string branches = "| 0\n| 1\n# 0 0\n~ 0 0\n~ 1 1\n| 1\n~ 1 0\n~ 0 1\n# 1 3\n";
        QVERIFY(checkProof(problem, "stowage-sum-proof 1\ntotal 12\n" + branches));
        QVERIFY(!checkProof(problem, "stowage-sum-proof 1\ntotal 13\n" + branches));
        // What a pool needs is forgotten with the branch that it was found in.
        QVERIFY(!checkProof(problem, "stowage-sum-proof 1\ntotal 12\n| 0\n| 1\n# 0 0\n~ 0 0\n~ 1 1\n| 1\n~ 1 0\n# 1 3\n"));
    }
};

QTEST_APPLESS_MAIN(TestProofLogs)
#include "tst_proof_logs.moc"
