// Splits: cuts as the document has them, stages that hand on what is needed, and the best split against brute force.
#include "core/ir/verify.h"
#include "core/pipeline/checking_kernel.h"
#include "core/pipeline/split.h"
#include "core/planners/registry.h"
#include "tests/core/program_builder.h"
#include "tests/core/random_program.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace stowage;
using namespace stowage::pipeline;
using namespace stowage::test;

namespace {

/// a -> b -> c -> d, each op in its own way: "add" ops with a weight each, and a tensor of a that d reads as well.
Program fourOps()
{
    ProgramBuilder b;
    const auto x = b.input("x", 64);
    TensorId last = x;
    TensorId first = none;
    for (const char* name : {"a", "b", "c", "d"}) {
        const auto w = b.tensor(std::string("w_") + name, 16, TensorKind::constant);
        const auto y = b.tensor(std::string("y_") + name, 32);
        if (std::string(name) == "d")
            b.op(name, {last, w, first}, {y});
        else
            b.op(name, {last, w}, {y});
        if (first == none) first = y;
        last = y;
    }
    b.output(last);
    Program program = b.program();
    for (Op& op : program.functions[0].ops) op.kind = op.name == "b" ? "relu" : "add";
    return program;
}

struct Brute {
    Ticks period = 0;
    bool found = false;
    Ticks latency = 0; ///< least of all splits
    Ticks latencyOfPeriod = 0;
};

/// Every way to cut, every way to choose devices.
Brute bruteForce(const PartitionProblem& problem)
{
    Brute best;
    const std::size_t devices = problem.classes.size();
    for (std::uint32_t cuts = 0; cuts < (1U << (problem.ops - 1)); ++cuts) {
        std::vector<std::size_t> ends;
        bool allowed = true;
        for (std::size_t cut = 1; cut < problem.ops; ++cut)
            if ((cuts >> (cut - 1) & 1U) != 0) {
                ends.push_back(cut);
                allowed = allowed && problem.cutAllowed[cut];
            }
        ends.push_back(problem.ops);
        if (!allowed || ends.size() > devices) continue;
        std::vector<std::size_t> order(devices);
        std::iota(order.begin(), order.end(), 0);
        do {
            Ticks period = 0, latency = 0;
            bool fits = true;
            std::size_t begin = 0;
            for (std::size_t s = 0; s < ends.size(); ++s) {
                const auto c = problem.classes[order[s]];
                const Ticks cost = problem.prefix[order[s]][ends[s]] - problem.prefix[order[s]][begin];
                const Ticks moved = s > 0 && problem.transfer ? problem.transfer(problem.classes[order[s - 1]], c, begin) : 0;
                fits = fits && (!problem.fits || problem.fits(c, begin, ends[s]));
                period = std::max({period, cost, moved});
                latency += cost + moved;
                begin = ends[s];
            }
            if (!fits) continue;
            if (!best.found || period < best.period || (period == best.period && latency < best.latencyOfPeriod)) {
                best.period = period;
                best.latencyOfPeriod = latency;
            }
            if (!best.found || latency < best.latency) best.latency = latency;
            best.found = true;
        } while (std::next_permutation(order.begin(), order.end()));
    }
    return best;
}

/// Random costs, cuts, memory rules that do not follow from each other, and links.
struct RandomCase {
    PartitionProblem problem;
    std::vector<std::vector<Ticks>> links; ///< by class
    std::vector<Ticks> bytes;              ///< by cut
    std::vector<Ticks> limits;             ///< by class

    explicit RandomCase(unsigned seed)
    {
        std::mt19937 random(seed);
        problem.ops = 1 + random() % 7;
        const std::size_t devices = 1 + random() % 4;
        const std::size_t classes = 1 + random() % devices;
        std::vector<std::vector<Ticks>> prefixes;
        for (std::size_t c = 0; c < classes; ++c) {
            auto& prefix = prefixes.emplace_back(1, 0);
            for (std::size_t o = 0; o < problem.ops; ++o) prefix.push_back(prefix.back() + static_cast<Ticks>(random() % 30));
            links.emplace_back();
            for (std::size_t d = 0; d < classes; ++d) links.back().push_back(static_cast<Ticks>(random() % 4));
            limits.push_back(static_cast<Ticks>(20 + random() % 100));
        }
        for (std::size_t d = 0; d < devices; ++d) {
            problem.classes.push_back(static_cast<std::int32_t>(d < classes ? d : random() % classes));
            problem.prefix.push_back(prefixes[at(problem.classes.back())]);
        }
        problem.cutAllowed.assign(problem.ops + 1, true);
        for (std::size_t cut = 0; cut <= problem.ops; ++cut) {
            problem.cutAllowed[cut] = random() % 5 != 0;
            bytes.push_back(static_cast<Ticks>(random() % 10));
        }
        if (random() % 2 == 0)
            problem.transfer = [this](std::int32_t a, std::int32_t b, std::size_t cut) {
                return links[at(a)][at(b)] * bytes[cut];
            };
        const unsigned salt = random();
        if (random() % 2 == 0)
            problem.fits = [this, salt](std::int32_t c, std::size_t begin, std::size_t end) {
                // Neither more nor fewer ops need more, as with arenas.
                const auto need = static_cast<Ticks>((begin * 31 + end * 17 + salt) % 40 + 10 * (end - begin));
                return need <= limits[at(c)];
            };
    }
    RandomCase(const RandomCase&) = delete;
};

} // namespace

class PipelineSplitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void indicesEndStages()
    {
        const Program program = fourOps();
        const CutMap map(program);
        QCOMPARE(map.size(), 4U);
        const std::vector<std::int64_t> indices{0, 2};
        const auto cuts = cutsAt(map, indices);
        QVERIFY(cuts);
        QCOMPARE(*cuts, (std::vector<std::size_t>{1, 3}));
        const auto stages = splitAt(program, map, *cuts);
        QCOMPARE(stages.size(), 3U);
        QCOMPARE(stages[0].program.main().ops.size(), 1U);
        QCOMPARE(stages[1].program.main().ops.size(), 2U);
        // y_a goes to stage 1 and past it to stage 2.
        QCOMPARE(stages[0].outputs.size(), 1U);
        QCOMPARE(stages[0].outputs[0].name, std::string("y_a"));
        QCOMPARE(stages[1].inputs[0].name, std::string("data_n_0"));
        QCOMPARE(stages[2].inputs.size(), 2U);
        QCOMPARE(stages[2].inputs[0].name, std::string("data_n_0"));
        QCOMPARE(stages[2].inputs[1].name, std::string("data_n_1"));
        QCOMPARE(stages[2].inputs[0].stage, 0);
        QCOMPARE(stages[2].inputs[1].stage, 1);
        QCOMPARE(stages[2].outputs[0].global, 0);
        QCOMPARE(stages[1].constants, Bytes{32});
        for (const Stage& stage : stages) QVERIFY(verify(stage.program).empty());
    }

    void wrongIndicesAreErrors_data()
    {
        QTest::addColumn<QList<int>>("indices");
        QTest::addColumn<QString>("code");
        QTest::newRow("past the end") << QList<int>{4} << "out-of-range";
        QTest::newRow("nothing behind it") << QList<int>{3} << "out-of-range";
        QTest::newRow("negative") << QList<int>{-1} << "out-of-range";
        QTest::newRow("out of order") << QList<int>{2, 1} << "out-of-order";
        QTest::newRow("twice") << QList<int>{1, 1} << "out-of-order";
    }
    void wrongIndicesAreErrors()
    {
        QFETCH(QList<int>, indices);
        QFETCH(QString, code);
        const Program program = fourOps();
        const CutMap map(program);
        const std::vector<std::int64_t> wanted(indices.begin(), indices.end());
        const auto cuts = cutsAt(map, wanted);
        QVERIFY(!cuts);
        QCOMPARE(QString::fromStdString(std::string(codeText(cuts.error()))), code);
    }

    void namedOpsCountThoseOfTheirKind()
    {
        const Program program = fourOps();
        const CutMap map(program);
        const std::vector<NamedOp> ops{{"add", 0}, {"ADD", 1}}; // a and c: b is a relu
        const auto cuts = cutsAtOps(map, ops);
        QVERIFY(cuts);
        QCOMPARE(*cuts, (std::vector<std::size_t>{1, 3}));
        QVERIFY(!cutsAtOps(map, std::vector<NamedOp>{{"add", 7}}));
        QVERIFY(!cutsAtOps(map, std::vector<NamedOp>{{"conv", 0}}));
        QCOMPARE(*cutsAtOps(map, std::vector<NamedOp>{{"b", 0}}), (std::vector<std::size_t>{2})); // by its own name
    }

    void whatCrossesACutIsCountedOnce()
    {
        const Program program = fourOps();
        const CutMap map(program);
        QCOMPARE(map.crossing(1), Bytes{32});      // y_a, for b and d
        QCOMPARE(map.crossing(2), Bytes{32 + 32}); // y_a, y_b
        QCOMPARE(map.crossing(3), Bytes{32 + 32});
    }

    void aVariableKeepsItsOpsTogether()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 8), v = b.tensor("v", 8, TensorKind::variable);
        const auto p = b.tensor("p", 8), q = b.tensor("q", 8), r = b.tensor("r", 8);
        b.op("a", {x, v}, {p});
        b.op("b", {p}, {q});
        b.op("c", {q, v}, {r});
        b.output(r);
        const Program program = b.program();
        const CutMap map(program);
        QVERIFY(!map.allowed(1) && !map.allowed(2));
        const auto cuts = cutsAt(map, std::vector<std::int64_t>{0});
        QVERIFY(!cuts);
        QVERIFY(cuts.error().message.find("'v'") != std::string::npos);
    }

    void randomProgramsSplitIntoValidStagesThatComputeTheSame()
    {
        // Whatever the cuts, what a split program gives the application is what its stages hand on to each other, checked byte by
        // byte on their planned arenas; every tensor that a stage takes is one that an earlier stage gives.
        const auto planner = PlannerRegistry::builtIn().find("greedy-by-size");
        int splits = 0;
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            RandomProgramOptions options;
            options.ops = 14;
            const Program program = randomProgram(seed, options);
            const CutMap map(program);
            std::mt19937 random(static_cast<unsigned>(seed));
            std::vector<std::size_t> cuts;
            for (std::size_t cut = 1; cut < map.size(); ++cut)
                if (map.allowed(cut) && random() % 3 == 0) cuts.push_back(cut);
            const QByteArray hint = "seed " + QByteArray::number(static_cast<qulonglong>(seed));
            const auto stages = splitAt(program, map, cuts);
            splits += static_cast<int>(cuts.size());
            std::vector<std::vector<Payload>> given;
            for (const Stage& stage : stages) {
                for (const Diagnostic& wrong : verify(stage.program))
                    QVERIFY2(wrong.severity != Severity::error, (hint + ": " + wrong.message.c_str()).constData());
                QVERIFY2(stage.inputs.size() == stage.program.main().body().inputs.size(), hint.constData());
                QVERIFY2(stage.outputs.size() == stage.program.main().body().outputs.size(), hint.constData());
                std::vector<Payload> inputs;
                for (const StageInput& input : stage.inputs) {
                    if (input.stage == none) {
                        inputs.push_back(madeInput(input.name, 0, input.bytes));
                        continue;
                    }
                    QVERIFY2(at(input.stage) < given.size(), hint.constData());
                    inputs.push_back(given[at(input.stage)][at(input.output)]);
                }
                auto planned = planStage(std::make_shared<const Program>(stage.program), 1, *planner);
                QVERIFY2(planned, planned ? "" : (hint + ": " + planned.error().message.c_str()).constData());
                auto kernel = checkingKernel(*std::move(planned));
                QVERIFY2(kernel, hint.constData());
                const auto outputs = (*kernel)->run(0, inputs);
                QVERIFY2(outputs, outputs ? "" : (hint + ": " + outputs.error().message.c_str()).constData());
                for (const Payload& output : *outputs) QVERIFY2(output.intact(), hint.constData());
                given.push_back(*outputs);
            }
            std::size_t globals = 0;
            for (const Stage& stage : stages)
                globals += static_cast<std::size_t>(
                    std::count_if(stage.outputs.begin(), stage.outputs.end(), [](const auto& o) { return o.global != none; }));
            std::vector<TensorId> outputs = program.main().body().outputs;
            std::sort(outputs.begin(), outputs.end());
            outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
            QString made;
            for (const TensorId id : outputs)
                made += QStringLiteral(" %1: kind %2, made by %3, view %4")
                            .arg(QString::fromStdString(program.main().tensors[at(id)].name))
                            .arg(int(program.main().tensors[at(id)].kind))
                            .arg(map.madeBy(id))
                            .arg(program.main().tensors[at(id)].aliasOf);
            QVERIFY2(globals == outputs.size(), qPrintable(QString("%1: %2 of %3 with %4 stages;%5")
                                                               .arg(QString(hint))
                                                               .arg(globals)
                                                               .arg(outputs.size())
                                                               .arg(stages.size())
                                                               .arg(made)));
        }
        QVERIFY(splits > 100);
    }

    void theBestSplitIsThatOfBruteForce()
    {
        int infeasible = 0;
        for (unsigned seed = 0; seed < 1500; ++seed) {
            const RandomCase made(seed);
            const PartitionProblem& problem = made.problem;
            // Of one class the link between two members is that of the class with itself.
            const Brute brute = bruteForce(problem);
            const QByteArray hint = "seed " + QByteArray::number(seed);
            const Partition period = partition(problem, Objective::period);
            const Partition latency = partition(problem, Objective::latency);
            if (!brute.found) {
                ++infeasible;
                QVERIFY2(period.status == PartitionStatus::infeasible, hint.constData());
                QVERIFY2(latency.status == PartitionStatus::infeasible, hint.constData());
                continue;
            }
            QVERIFY2(period.status == PartitionStatus::optimal, hint.constData());
            QVERIFY2(period.period == brute.period && period.bound == brute.period, hint.constData());
            QVERIFY2(period.latency == brute.latencyOfPeriod, hint.constData());
            QVERIFY2(latency.status == PartitionStatus::optimal && latency.latency == brute.latency, hint.constData());
            // The stages cover all ops, on different devices, and measure what is said.
            Partition again = period;
            measure(problem, again);
            QCOMPARE(again.period, period.period);
            std::vector<std::int32_t> used;
            std::size_t end = 0;
            for (const PartitionStage& stage : period.stages) {
                QVERIFY2(stage.begin == end, hint.constData());
                end = stage.end;
                used.push_back(stage.device);
                if (problem.fits) QVERIFY2(problem.fits(stage.deviceClass, stage.begin, stage.end), hint.constData());
            }
            QVERIFY2(end == problem.ops, hint.constData());
            std::sort(used.begin(), used.end());
            QVERIFY2(std::adjacent_find(used.begin(), used.end()) == used.end(), hint.constData());
        }
        QVERIFY(infeasible > 20);
    }

    void theTradeOffHasEveryPointThatNoOtherBeats_data()
    {
        QTest::addColumn<bool>("byBytes");
        QTest::newRow("period against memory") << true;
        QTest::newRow("period against latency") << false;
    }
    void theTradeOffHasEveryPointThatNoOtherBeats()
    {
        QFETCH(bool, byBytes);
        for (unsigned seed = 0; seed < 200; ++seed) {
            RandomCase made(seed);
            PartitionProblem problem = made.problem;
            problem.bytes = [seed](std::int32_t c, std::size_t begin, std::size_t end, bool exact) {
                const auto need = static_cast<std::int64_t>((begin * 7 + end * 13 + static_cast<std::size_t>(c) * 5 + seed) % 50 +
                                                            4 * (end - begin));
                return exact ? need : need / 2;
            };
            const auto points = tradeOff(problem, byBytes, 100);
            // Brute force: for each period the fewest bytes, or the smallest latency.
            std::vector<std::pair<Ticks, std::int64_t>> all;
            for (std::uint32_t cuts = 0; cuts < (1U << (problem.ops - 1)); ++cuts) {
                std::vector<std::size_t> ends;
                bool allowed = true;
                for (std::size_t cut = 1; cut < problem.ops; ++cut)
                    if ((cuts >> (cut - 1) & 1U) != 0) ends.push_back(cut), allowed = allowed && problem.cutAllowed[cut];
                ends.push_back(problem.ops);
                if (!allowed || ends.size() > problem.classes.size()) continue;
                std::vector<std::size_t> order(problem.classes.size());
                std::iota(order.begin(), order.end(), 0);
                do {
                    Ticks period = 0;
                    std::int64_t price = 0;
                    std::size_t begin = 0;
                    bool fits = true;
                    for (std::size_t s = 0; s < ends.size(); ++s) {
                        const auto c = problem.classes[order[s]];
                        const Ticks cost = problem.prefix[order[s]][ends[s]] - problem.prefix[order[s]][begin];
                        const Ticks moved =
                            s > 0 && problem.transfer ? problem.transfer(problem.classes[order[s - 1]], c, begin) : 0;
                        period = std::max({period, cost, moved});
                        fits = fits && (!problem.fits || problem.fits(c, begin, ends[s]));
                        price += byBytes ? problem.bytes(c, begin, ends[s], true) : cost + moved;
                        begin = ends[s];
                    }
                    if (fits) all.emplace_back(period, price);
                } while (std::next_permutation(order.begin(), order.end()));
            }
            std::sort(all.begin(), all.end());
            std::vector<std::pair<Ticks, std::int64_t>> front;
            for (const auto& point : all)
                if (front.empty() || point.second < front.back().second) front.push_back(point);
            std::reverse(front.begin(), front.end());
            std::vector<std::pair<Ticks, std::int64_t>> found;
            for (const Partition& point : points) found.emplace_back(point.period, byBytes ? point.bytes : point.latency);
            QVERIFY2(found == front, qPrintable(QString("seed %1").arg(seed)));
        }
    }

    void twelveDifferentDevicesAreExact()
    {
        PartitionProblem problem;
        problem.ops = 24;
        problem.cutAllowed.assign(25, true);
        for (std::int32_t d = 0; d < 12; ++d) {
            problem.classes.push_back(d);
            auto& prefix = problem.prefix.emplace_back(1, 0);
            for (std::size_t o = 0; o < 24; ++o)
                prefix.push_back(prefix.back() + 100 + static_cast<Ticks>((o * 7 + at(d) * 13) % 11));
        }
        QVERIFY(isExact(problem));
        const Partition found = partition(problem, Objective::period);
        QCOMPARE(found.status, PartitionStatus::optimal);
        // Two ops a stage: at least 200, and 24 ops on 12 devices leave no other way.
        QCOMPARE(found.stages.size(), 12U);
        for (const PartitionStage& stage : found.stages) QCOMPARE(stage.end - stage.begin, 2U);
        QVERIFY(found.period >= 200 && found.period <= 220);
    }

    void beyondThatThereIsABoundAndAGap()
    {
        PartitionProblem problem;
        problem.ops = 40;
        problem.cutAllowed.assign(41, true);
        std::mt19937 random(7);
        for (std::int32_t d = 0; d < 16; ++d) {
            problem.classes.push_back(d);
            auto& prefix = problem.prefix.emplace_back(1, 0);
            for (std::size_t o = 0; o < 40; ++o) prefix.push_back(prefix.back() + 50 + static_cast<Ticks>(random() % 100));
        }
        QVERIFY(!isExact(problem));
        const Partition found = partition(problem, Objective::period);
        QCOMPARE(found.status, PartitionStatus::feasible);
        QVERIFY(found.bound > 0 && found.bound < found.period);
        Partition again = found;
        measure(problem, again);
        QCOMPARE(again.period, found.period);
    }

    void equalDevicesAreOneClassHoweverMany()
    {
        PartitionProblem problem;
        problem.ops = 200;
        problem.cutAllowed.assign(201, true);
        std::vector<Ticks> prefix(1, 0);
        for (std::size_t o = 0; o < 200; ++o) prefix.push_back(prefix.back() + 1 + static_cast<Ticks>(o * o % 97));
        for (std::int32_t d = 0; d < 40; ++d) {
            problem.classes.push_back(0);
            problem.prefix.push_back(prefix);
        }
        QVERIFY(isExact(problem));
        const Partition found = partition(problem, Objective::period);
        QCOMPARE(found.status, PartitionStatus::optimal);
        // The greedy filling decides a period exactly for equal devices without limits: the found one works, one less does not.
        const auto stagesFor = [&](Ticks period) {
            std::size_t stages = 1;
            Ticks sum = 0;
            for (std::size_t o = 0; o < 200; ++o) {
                const Ticks cost = prefix[o + 1] - prefix[o];
                if (cost > period) return std::size_t{1000};
                if (sum + cost > period) ++stages, sum = 0;
                sum += cost;
            }
            return stages;
        };
        QVERIFY(stagesFor(found.period) <= 40);
        QVERIFY(stagesFor(found.period - 1) > 40);
    }

    void memoryLimitsAreThoseOfPlannedStages()
    {
        // Brute force over all cuts and device orders with the planner's own arenas: the splitter finds the same period.
        const auto planners = PlannerRegistry::builtIn();
        const auto greedy = planners.find("greedy-by-size");
        int infeasible = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            RandomProgramOptions options;
            options.ops = 6;
            options.functions = 1;
            options.loops = options.cases = options.calls = false;
            const Program program = randomProgram(seed, options);
            std::mt19937 random(static_cast<unsigned>(seed));
            SplitRequest request;
            for (int d = 0; d < 2; ++d) {
                Device device = plainDevice(static_cast<std::size_t>(d));
                device.memory = static_cast<Bytes>(100 + random() % 500);
                device.startUs = 1 + static_cast<double>(random() % 3);
                request.devices.devices.push_back(device);
            }
            if (random() % 2 == 0) request.devices.links = {{"device0", "device1", 0.5, 100}, {"device1", "device0", 0.25, 50}};
            const DeviceSet devices = request.devices;
            Splitter splitter(program, std::move(request), *greedy, *greedy);
            const auto split = splitter.run();
            if (!split) continue; // no op
            const CutMap& map = splitter.map();
            Ticks best = -1;
            const auto memoryOf = [&](std::size_t begin, std::size_t end) {
                const Stage stage = stageOf(program, map, begin, end);
                const auto planned = planStage(std::make_shared<const Program>(stage.program), 1, *greedy);
                return planned->report.totalSize() + stage.constants + stage.variables;
            };
            const auto costOfStage = [&](std::int32_t d, std::size_t begin, std::size_t end) {
                Ticks sum = 0;
                for (std::size_t o = begin; o < end; ++o) sum += splitter.opCost(d, o);
                return sum;
            };
            const auto consider = [&](Ticks period) { best = best < 0 ? period : std::min(best, period); };
            for (std::int32_t a = 0; a < 2; ++a) {
                if (memoryOf(0, map.size()) <= *devices.devices[at(a)].memory) consider(costOfStage(a, 0, map.size()));
                for (std::size_t cut = 1; cut < map.size(); ++cut) {
                    const std::int32_t b = 1 - a;
                    if (!map.allowed(cut) || memoryOf(0, cut) > *devices.devices[at(a)].memory ||
                        memoryOf(cut, map.size()) > *devices.devices[at(b)].memory)
                        continue;
                    const Ticks moved =
                        transferTime(devices.link(devices.devices[at(a)].name, devices.devices[at(b)].name), map.crossing(cut));
                    consider(std::max({costOfStage(a, 0, cut), costOfStage(b, cut, map.size()), moved}));
                }
            }
            const QByteArray hint = "seed " + QByteArray::number(static_cast<qulonglong>(seed));
            if (best < 0) {
                ++infeasible;
                QVERIFY2(split->status == PartitionStatus::infeasible, hint.constData());
                continue;
            }
            QVERIFY2(split->status == PartitionStatus::optimal, hint.constData());
            QVERIFY2(split->period == best, hint.constData());
        }
        QVERIFY(infeasible > 0);
    }

    void costsComeFromTheFileThenTheOpThenTheShapes()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 1000), y = b.tensor("y", 1000);
        b.op("a", {x}, {y});
        b.output(y);
        Program program = b.program();
        Device device;
        device.name = "npu0";
        device.kind = "npu";
        device.bytesPerUs = 100;
        device.startUs = 2;
        const auto cost = [&](const Measurements& measured) {
            return costOf(program, program.main(), program.main().ops[0], device, measured);
        };
        QCOMPARE(cost({}).ticks, toTicks(2 + 2000.0 / 100)); // 1000 in, 1000 out
        QVERIFY(cost({}).source == CostSource::estimated);
        program.functions[0].ops[0].cost = {{"", 9}};
        QCOMPARE(cost({}).ticks, toTicks(9));
        program.functions[0].ops[0].cost = {{"cpu", 80}, {"npu", 1.5}};
        QCOMPARE(cost({}).ticks, toTicks(1.5));
        QCOMPARE(cost({{"a", {{"npu", 4}}}}).ticks, toTicks(4));
        QCOMPARE(cost({{"a", {{"npu", 4}, {"npu0", 3}}}}).ticks, toTicks(3));
        QVERIFY(cost({{"a", {{"npu", 4}}}}).source == CostSource::measured);
    }

    void flopsOfAConvolutionAreThoseOfTheTextbook()
    {
        // 3x3 convolution of TFLite, 8 channels in, 16 out, on 10x10: 2 x 10 x 10 x 16 x 3 x 3 x 8.
        ProgramBuilder b;
        const auto x = b.input("x", 800), w = b.tensor("w", 1152, TensorKind::constant), y = b.tensor("y", 1600);
        b.op("conv", {x, w}, {y});
        b.output(y);
        Program program = b.program();
        Function& main = program.functions[0];
        main.ops[0].kind = "CONV_2D";
        main.tensors[at(x)].shape = {1, 10, 10, 8};
        main.tensors[at(w)].shape = {16, 3, 3, 8};
        main.tensors[at(y)].shape = {1, 10, 10, 16};
        QCOMPARE(workOf(program, main, main.ops[0]).flops, 2.0 * 10 * 10 * 16 * 3 * 3 * 8);
        main.ops[0].kind = "DEPTHWISE_CONV_2D"; // 3x3 on 16 channels: 2 x 10 x 10 x 16 x 3 x 3
        main.tensors[at(w)].shape = {1, 3, 3, 16};
        QCOMPARE(workOf(program, main, main.ops[0]).flops, 2.0 * 10 * 10 * 16 * 3 * 3);
        main.ops[0].kind = "Conv"; // of ONNX: [out, in, 3, 3]
        main.tensors[at(w)].shape = {16, 8, 3, 3};
        QCOMPARE(workOf(program, main, main.ops[0]).flops, 2.0 * 10 * 10 * 16 * 3 * 3 * 8);
        main.ops[0].kind = "FULLY_CONNECTED"; // 800 to 1600
        main.tensors[at(w)].shape = {1600, 800};
        QCOMPARE(workOf(program, main, main.ops[0]).flops, 2.0 * 1600 * 800);
    }
};

QTEST_APPLESS_MAIN(PipelineSplitTest)
#include "tst_pipeline_split.moc"
