// The simulator against closed forms and a slow model of its own, and its limits.
#include "core/pipeline/simulate.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed_shift.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <random>

using namespace stowage;
using namespace stowage::pipeline;

namespace {

/// A chain of stages with transfers between them, each stage on a device of its own.
PipelineModel chain(const std::vector<Ticks>& costs, const std::vector<Ticks>& transfers, std::int64_t queue)
{
    PipelineModel model;
    for (std::size_t s = 0; s < costs.size(); ++s) {
        StageModel stage;
        stage.cost = costs[s];
        stage.resource = static_cast<std::int32_t>(s);
        model.stages.push_back(stage);
    }
    model.resources = static_cast<std::int32_t>(costs.size());
    for (std::size_t s = 0; s + 1 < costs.size(); ++s) {
        ConnectionModel connection;
        connection.from = static_cast<std::int32_t>(s);
        connection.to = static_cast<std::int32_t>(s + 1);
        connection.capacity = queue;
        connection.transfer = s < transfers.size() ? transfers[s] : 0;
        if (connection.transfer > 0) connection.link = model.links++;
        model.stages[s].outputs.push_back(static_cast<std::int32_t>(model.connections.size()));
        model.stages[s + 1].inputs.push_back(static_cast<std::int32_t>(model.connections.size()));
        model.connections.push_back(connection);
    }
    model.stages.back().results.emplace_back(0, 0);
    model.outputs = 1;
    return model;
}

void join(PipelineModel& model, std::int32_t from, std::int32_t to, std::int64_t capacity)
{
    const auto c = static_cast<std::int32_t>(model.connections.size());
    ConnectionModel connection;
    connection.from = from;
    connection.to = to;
    connection.capacity = capacity;
    model.connections.push_back(connection);
    model.stages[at(from)].outputs.push_back(c);
    model.stages[at(to)].inputs.push_back(c);
}

RunResult run(const PipelineModel& model, std::int64_t frames)
{
    SimulateOptions options;
    options.frames = frames;
    auto result = simulate(model, options);
    if (!result) qFatal("%s", result.error().message.c_str());
    return *std::move(result);
}

/// When each frame begins and ends at each stage of a DAG of stages with devices of their own and no transfers, by the
/// recurrences themselves: start = latest of own hand-over and of the inputs' hand-overs; hand-over to a full queue waits for the
/// frame that is `capacity` before to be taken.
std::vector<std::vector<Ticks>> startsByRecurrence(const PipelineModel& model, std::int64_t frames)
{
    const std::size_t stages = model.stages.size();
    std::vector start(at(frames), std::vector<Ticks>(stages, 0));
    std::vector put(at(frames), std::vector<Ticks>(model.connections.size(), 0));
    std::vector<Ticks> free(stages, 0);
    for (std::int64_t f = 0; f < frames; ++f)
        for (std::size_t s = 0; s < stages; ++s) { // connections lead to later stages
            Ticks begin = free[s];
            for (const std::int32_t c : model.stages[s].inputs) begin = std::max(begin, put[at(f)][at(c)]);
            start[at(f)][s] = begin;
            free[s] = begin + model.stages[s].cost;
            for (const std::int32_t c : model.stages[s].outputs) {
                const ConnectionModel& connection = model.connections[at(c)];
                Ticks when = begin + model.stages[s].cost;
                if (connection.capacity > 0 && f >= connection.capacity)
                    when = std::max(when, start[at(f - connection.capacity)][at(connection.to)]);
                put[at(f)][at(c)] = when;
                free[s] = std::max(free[s], when);
            }
        }
    return start;
}

} // namespace

class PipelineSimulateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChainTakesSumPlusMaxForEachFurtherFrame()
    {
        // Bounded queues cost a chain of constant times nothing: the same formula for every length.
        for (unsigned seed = 0; seed < test::randomCases(400U); ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            std::vector<Ticks> costs(1 + random() % 8);
            std::vector<Ticks> transfers(costs.size() - 1);
            for (Ticks& cost : costs) cost = random() % 5 == 0 ? 0 : static_cast<Ticks>(random() % 1'000'000'007);
            for (Ticks& transfer : transfers) transfer = random() % 2 == 0 ? 0 : static_cast<Ticks>(random() % 1'000'000'007);
            const auto queue = static_cast<std::int64_t>(random() % 4);
            const auto frames = static_cast<std::int64_t>(1 + random() % 40);
            const PipelineModel model = chain(costs, transfers, queue);
            const RunResult result = run(model, frames);
            Ticks sum = 0, largest = 0;
            for (const Ticks t : costs) sum += t, largest = std::max(largest, t);
            for (const Ticks t : transfers) sum += t, largest = std::max(largest, t);
            const QByteArray hint = "seed " + QByteArray::number(seed);
            QVERIFY2(result.total == sum + (frames - 1) * largest, hint.constData());
            QVERIFY2(result.firstLatency == sum, hint.constData());
            if (frames > 1) QVERIFY2(result.period == largest, hint.constData());
            QVERIFY2(model.isChain() && model.chainTime(frames) == result.total, hint.constData());
            QCOMPARE(result.framesOut, frames);
            for (std::size_t s = 0; s < costs.size(); ++s) QVERIFY2(result.stages[s].busy == costs[s] * frames, hint.constData());
            for (const ConnectionRun& each : result.connections)
                if (queue > 0) QVERIFY2(each.maxQueued <= queue, hint.constData());
        }
    }

    void randomGraphsFollowTheRecurrence()
    {
        for (unsigned seed = 0; seed < test::randomCases(400U); ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            const std::size_t stages = 2 + random() % 6;
            PipelineModel model;
            model.resources = static_cast<std::int32_t>(stages);
            for (std::size_t s = 0; s < stages; ++s) {
                StageModel stage;
                stage.cost = static_cast<Ticks>(random() % 50);
                stage.resource = static_cast<std::int32_t>(s);
                model.stages.push_back(stage);
            }
            for (std::size_t to = 1; to < stages; ++to) {
                bool any = false;
                for (std::size_t from = 0; from < to; ++from)
                    if (random() % 3 == 0 || (from + 1 == to && !any)) {
                        // Enough room for the longest way round, so that the recurrence, which knows no deadlock, holds.
                        join(model, static_cast<std::int32_t>(from), static_cast<std::int32_t>(to),
                             static_cast<std::int64_t>(stages + random() % 3));
                        any = true;
                    }
            }
            model.stages.back().results.emplace_back(0, 0);
            model.outputs = 1;
            constexpr std::int64_t frames = 30;
            const auto expected = startsByRecurrence(model, frames);
            const RunResult result = run(model, frames);
            for (std::size_t s = 0; s < stages; ++s)
                for (std::size_t f = 0; f < at(frames); ++f)
                    QVERIFY2(result.stages[s].frames[f].start == expected[f][s],
                             qPrintable(QString("seed %1: frame %2 at stage %3").arg(seed).arg(f).arg(s)));
        }
    }

    void aBoundedQueueHoldsAStageUpWhereItsConsumerIsSlow()
    {
        const RunResult result = run(chain({10, 30}, {}, 1), 4);
        // Frame 0 is taken at 10, frame 1 waits in the queue from 20, frame 2 is done at 30 and handed on when 1 is taken, at 40.
        QCOMPARE(result.stages[0].frames[2].stalls.output, Ticks{10});
        QCOMPARE(result.stages[0].stalls.output, Ticks{10 + 20});
        QCOMPARE(result.stages[1].stalls.input, Ticks{10});
        QCOMPARE(result.connections[0].maxQueued, 1);
    }

    void waitsForALinkAreNamed()
    {
        const RunResult result = run(chain({10, 10}, {25}, 1), 2);
        // Frame 0 is put at 10 and arrives at 35.
        QCOMPARE(result.stages[1].frames[0].stalls.input, Ticks{10});
        QCOMPARE(result.stages[1].frames[0].stalls.link, Ticks{25});
        QCOMPARE(result.transfers.size(), 2U);
        QCOMPARE(result.transfers[1].start, Ticks{35}); // the room is the frame's until it is taken
        QCOMPARE(result.total, Ticks{10 + 25 + 10 + 25});
    }

    void stagesOfOneDeviceTakeTurns()
    {
        PipelineModel model = chain({10, 20}, {}, 1);
        model.stages[1].resource = 0;
        model.resources = 1;
        const RunResult result = run(model, 3);
        // The device is never idle and never does two things: 3 x 30.
        QCOMPARE(result.total, Ticks{90});
        QVERIFY(result.stages[0].stalls.device + result.stages[1].stalls.device > 0);
        QVERIFY(!model.isChain());
        std::vector<std::pair<Ticks, Ticks>> slots;
        for (const StageRun& stage : result.stages)
            for (const FrameTimes& frame : stage.frames) slots.emplace_back(frame.start, frame.finish);
        std::sort(slots.begin(), slots.end());
        for (std::size_t i = 1; i < slots.size(); ++i) QVERIFY(slots[i].first >= slots[i - 1].second);
    }

    void everyMomentOfAStageIsAccountedFor()
    {
        for (unsigned seed = 0; seed < test::randomCases(200U); ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            PipelineModel model = chain({Ticks(random() % 50), Ticks(random() % 50), Ticks(random() % 50)},
                                        {Ticks(random() % 50), Ticks(random() % 50)}, 1 + random() % 2);
            if (random() % 2 == 0) model.stages[2].resource = 0;
            const RunResult result = run(model, 20);
            for (const StageRun& stage : result.stages) {
                const Ticks handed = stage.frames.back().finish + stage.frames.back().stalls.output;
                QCOMPARE(stage.busy + stage.stalls.total(), handed);
            }
        }
    }

    void aSkipConnectionOfAChainDoesNotHoldItUp()
    {
        PipelineModel model = chain({10, 10, 10, 10}, {7, 7, 7}, 1);
        join(model, 0, 3, 1 + 2 * 2);
        QVERIFY(model.isChain());
        QCOMPARE(run(model, 50).total, model.chainTime(50));
        PipelineModel tight = chain({10, 10, 10, 10}, {7, 7, 7}, 1);
        join(tight, 0, 3, 1);
        QVERIFY(!tight.isChain());
        QVERIFY(run(tight, 50).total > model.chainTime(50));
    }

    void aMillionFramesOfEightStagesEndAtTheirClosedForm()
    {
        const PipelineModel model = chain({1'000'003, 5'000'011, 3'000'017, 5'000'013, 2'000'029, 4'000'037, 1, 5'000'011},
                                          {1'000'000, 2'000'000, 3'000'000, 4'000'000, 1'000'000, 2'000'000, 3'000'000}, 1);
        QElapsedTimer timer;
        timer.start();
        const RunResult result = run(model, 1'000'000);
        qInfo("1,000,000 frames of 8 stages with transfers: %lld ms", static_cast<long long>(timer.elapsed()));
        QCOMPARE(result.total, model.chainTime(1'000'000));
        QCOMPARE(result.framesOut, 1'000'000);
        // Counted: each frame ends once at each of 8 stages and over each of 7 links, and nothing else happens.
        QCOMPARE(result.events, std::uint64_t{1'000'000} * (8 + 7));
    }

    void timesThatCannotBeCountedAreAnError()
    {
        SimulateOptions options;
        options.frames = std::int64_t{1} << 40;
        const auto result = simulate(chain({maxTicks, maxTicks}, {}, 1), options);
        QVERIFY(!result);
        QVERIFY(result.error().code == Code::tooLong);
    }

    void aCircleIsAnErrorAndNoHang()
    {
        PipelineModel model = chain({10, 10}, {}, 1);
        join(model, 1, 0, 1);
        SimulateOptions options;
        const auto result = simulate(model, options);
        QVERIFY(!result);
        QVERIFY(result.error().code == Code::stuck);
    }
};

QTEST_APPLESS_MAIN(PipelineSimulateTest)
#include "tst_pipeline_simulate.moc"
