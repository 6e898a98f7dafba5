// The executor with real threads: order, contents, back-pressure, stops and failures. Run under ThreadSanitizer as well.
#include "core/pipeline/executor.h"
#include "core/pipeline/spsc_queue.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <limits>
#include <random>
#include <set>
#include <stop_token>
#include <thread>

using namespace stowage;
using namespace stowage::pipeline;

namespace {

/// Hands on a digest of what it got, so that every wrong frame, order or input shows.
class DigestKernel final : public StageKernel {
public:
    DigestKernel(std::size_t stage, std::size_t outputs, std::atomic<int>* running = nullptr, bool* overlapped = nullptr)
        : stage_(stage), outputs_(outputs), running_(running), overlapped_(overlapped)
    {
    }
    Expected<std::vector<Payload>> run(std::int64_t frame, std::span<const Payload> inputs) override
    {
        if (running_ && running_->fetch_add(1) > 0) *overlapped_ = true;
        std::uint64_t digest = stage_;
        for (const Payload& input : inputs) digest = mixed(digest, input.digest());
        std::vector<Payload> outputs(outputs_);
        for (std::size_t o = 0; o < outputs_; ++o) {
            outputs[o] = madeInput("o" + std::to_string(o), static_cast<std::int64_t>(digest >> 1U), 64);
        }
        if (frame % 16 == 0) std::this_thread::yield();
        if (running_) running_->fetch_sub(1);
        return outputs;
    }

private:
    std::size_t stage_;
    std::size_t outputs_;
    std::atomic<int>* running_;
    bool* overlapped_;
};

/// Computes no frame before the test opens it.
class GateKernel final : public StageKernel {
public:
    explicit GateKernel(const std::atomic<bool>& open) : open_(open) {}
    Expected<std::vector<Payload>> run(std::int64_t, std::span<const Payload>) override
    {
        open_.wait(false);
        return std::vector<Payload>(1);
    }

private:
    const std::atomic<bool>& open_;
};

class ThrowingKernel final : public StageKernel {
public:
    explicit ThrowingKernel(bool unknown = false) : unknown_(unknown) {}
    Expected<std::vector<Payload>> run(std::int64_t frame, std::span<const Payload>) override
    {
        if (frame == 3 && unknown_) throw frame;
        if (frame == 3) throw std::runtime_error("out of luck");
        return std::vector<Payload>(1);
    }

private:
    bool unknown_;
};

struct Built {
    PipelineModel model;
    std::vector<ModuleInterface> interfaces;
};

void addConnection(Built& built, std::int32_t from, std::int32_t to, std::int64_t capacity)
{
    const auto c = static_cast<std::int32_t>(built.model.connections.size());
    ConnectionModel connection;
    connection.from = from;
    connection.to = to;
    connection.capacity = capacity;
    const std::string name = "from" + std::to_string(from);
    connection.tensors.push_back({0, name, 64});
    built.interfaces[at(to)].inputs.push_back(name);
    built.model.connections.push_back(connection);
    built.model.stages[at(from)].outputs.push_back(c);
    built.model.stages[at(to)].inputs.push_back(c);
}

/// Stages in a chain; with `diamond` stage 0 also feeds the last one.
Built build(std::size_t stages, std::int64_t queue, bool diamond = false)
{
    Built built;
    built.model.resources = static_cast<std::int32_t>(stages);
    built.interfaces.resize(stages);
    for (std::size_t s = 0; s < stages; ++s) {
        StageModel stage;
        stage.resource = static_cast<std::int32_t>(s);
        built.model.stages.push_back(stage);
        built.interfaces[s].outputs.emplace_back("y");
    }
    for (std::size_t s = 0; s + 1 < stages; ++s)
        addConnection(built, static_cast<std::int32_t>(s), static_cast<std::int32_t>(s + 1), queue);
    if (diamond)
        addConnection(built, 0, static_cast<std::int32_t>(stages) - 1,
                      queue + static_cast<std::int64_t>(stages - 2) * (queue + 1));
    built.model.stages[0].global.push_back({"x", "data", 64});
    built.interfaces[0].inputs.emplace_back("data");
    built.model.stages.back().results.emplace_back(0, 0);
    built.model.outputs = 1;
    return built;
}

std::vector<std::unique_ptr<StageKernel>> digestKernels(const Built& built)
{
    std::vector<std::unique_ptr<StageKernel>> kernels;
    for (std::size_t s = 0; s < built.model.stages.size(); ++s) kernels.push_back(std::make_unique<DigestKernel>(s, 1));
    return kernels;
}

RunResult runAll(const Built& built, std::int64_t frames, ExecutorOptions options = {})
{
    Executor executor(built.model, digestKernels(built), built.interfaces, std::move(options));
    return runFrames(executor, frames);
}

/// The same kernels one after the other on this thread: what every frame has to come out as.
std::vector<std::uint64_t> expectedDigests(const Built& built, std::int64_t frames)
{
    const auto kernels = digestKernels(built);
    std::vector<std::uint64_t> digests;
    for (std::int64_t f = 0; f < frames; ++f) {
        std::vector<Payload> made(built.model.stages.size());
        for (std::size_t s = 0; s < made.size(); ++s) {
            std::vector<Payload> inputs;
            for (const std::string& name : built.interfaces[s].inputs) {
                if (name == "data")
                    inputs.push_back(madeInput("x", f, 64));
                else
                    inputs.push_back(made[static_cast<std::size_t>(std::stoi(name.substr(4)))]);
            }
            made[s] = (*kernels[s]->run(f, inputs))[0];
        }
        digests.push_back(FrameOutput{f, {made.back()}}.digest());
    }
    return digests;
}

} // namespace

class PipelineExecutorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theQueueHandsOnEverythingInOrder()
    {
        for (const std::size_t capacity : {1U, 2U, 7U, 64U}) {
            SpscQueue<std::unique_ptr<int>> queue(capacity);
            constexpr int count = 20'000;
            std::jthread producer([&] {
                for (int i = 0; i < count;) {
                    auto value = std::make_unique<int>(i);
                    if (queue.tryPush(value))
                        ++i;
                    else
                        std::this_thread::yield();
                }
            });
            std::size_t most = 0;
            for (int i = 0; i < count;) {
                most = std::max(most, queue.size());
                const auto value = queue.tryPop();
                if (!value) {
                    std::this_thread::yield();
                    continue;
                }
                QCOMPARE(**value, i);
                ++i;
            }
            QVERIFY(most <= capacity);
            QVERIFY(!queue.tryPop());
        }
    }

    void framesComeOutInOrderWithTheContentsOfASequentialRun()
    {
        for (const std::size_t stages : {1U, 2U, 5U})
            for (const std::int64_t queue : {1, 3, 0})
                for (const bool diamond : {false, true}) {
                    if (diamond && (stages < 3 || queue == 0)) continue;
                    const Built built = build(stages, queue, diamond);
                    const RunResult result = runAll(built, 300);
                    QCOMPARE(result.framesOut, 300);
                    QVERIFY(result.inOrder && result.errors.empty() && result.owed.empty());
                    QCOMPARE(result.digests, expectedDigests(built, 300));
                    for (const StageRun& stage : result.stages) QCOMPARE(stage.done, 300);
                    for (std::size_t s = 0; s < stages; ++s)
                        for (std::size_t f = 1; f < result.stages[s].frames.size(); ++f)
                            QVERIFY(result.stages[s].frames[f].start >= result.stages[s].frames[f - 1].finish);
                }
    }

    void setInputDecidesWhatAFrameHolds()
    {
        const Built built = build(2, 1);
        Executor executor(built.model, digestKernels(built), built.interfaces, {});
        QVERIFY(!executor.getOutput()); // nothing is ready, and nobody waits
        QVERIFY(executor.setInput("nobody", {}).has_value());
        Payload wrong;
        wrong.bytes = std::make_shared<const std::vector<std::byte>>(3);
        QVERIFY(executor.setInput("x", wrong)->code == Code::wrongSize);
        QVERIFY(!executor.setInput("x", madeInput("mine", 0, 64)));
        QVERIFY(executor.run() == Executor::Accepted::yes);
        std::vector<std::uint64_t> digests;
        while (digests.empty()) {
            const auto mark = executor.mark();
            if (const auto output = executor.getOutput())
                digests.push_back(output->digest());
            else
                executor.wait(mark);
        }
        QVERIFY(digests[0] != expectedDigests(built, 1)[0]);
        QVERIFY(executor.run() != Executor::Accepted::closed); // the next frame is made again
    }

    void aFullPipelineRefusesInsteadOfGrowing()
    {
        // Nothing is taken out: the frames that are accepted are those that have room, and then `run` says so.
        const Built built = build(3, 1);
        ExecutorOptions options;
        options.resultCapacity = 1;
        Executor executor(built.model, digestKernels(built), built.interfaces, options);
        std::int64_t accepted = 0;
        for (int refused = 0; refused < 200;) {
            if (executor.run() == Executor::Accepted::yes) {
                ++accepted;
            } else {
                ++refused;
                std::this_thread::yield();
            }
        }
        // entry 1, two connections 1 each, results 1, and one in each of the three stages.
        QVERIFY2(accepted <= 7, qPrintable(QString::number(accepted)));
        const RunResult result = executor.finish();
        QCOMPARE(result.framesOut, accepted);
        QVERIFY(executor.run() == Executor::Accepted::closed);
    }

    /// The last of five stages computes nothing, and the pipeline fills up. With queues of one frame it holds 10 frames: one at
    /// the entry, four in the queues, five in the stages. A second way to the last stage does not make them fewer.
    void anInputOfALaterStageLetsThePipelineFillUp_data()
    {
        QTest::addColumn<bool>("late");   ///< the last stage has an input of the application
        QTest::addColumn<bool>("branch"); ///< another first stage feeds the last one
        QTest::newRow("one input") << false << false;
        QTest::newRow("a late input") << true << false;
        QTest::newRow("a second first stage") << false << true;
        QTest::newRow("both") << true << true;
    }
    void anInputOfALaterStageLetsThePipelineFillUp()
    {
        QFETCH(const bool, late);
        QFETCH(const bool, branch);
        constexpr std::int64_t held = 10;
        Built built = build(5, 1);
        if (late) {
            built.model.stages[4].global.push_back({"z", "late", 64});
            built.interfaces[4].inputs.emplace_back("late");
        }
        if (branch) {
            StageModel first;
            first.resource = built.model.resources++;
            first.global.push_back({"v", "branch", 64});
            built.model.stages.push_back(first);
            built.interfaces.push_back(ModuleInterface{{"branch"}, {"y"}});
            addConnection(built, 5, 4, 1);
        }
        std::atomic<bool> open{false};
        auto kernels = digestKernels(built);
        kernels[4] = std::make_unique<GateKernel>(open);
        ExecutorOptions options;
        options.frames = 20;
        Executor executor(built.model, std::move(kernels), built.interfaces, options);
        std::int64_t accepted = 0;
        const auto giveUp = Clock::now() + std::chrono::seconds(20); // only where frames are missing
        while (accepted < held && Clock::now() < giveUp) {
            if (executor.run() == Executor::Accepted::yes)
                ++accepted;
            else
                std::this_thread::yield();
        }
        const bool full = branch || executor.run() == Executor::Accepted::full;
        open = true;
        open.notify_all();
        const RunResult result = executor.finish();
        QCOMPARE(accepted, held);
        QVERIFY(full); // a single first stage stops the application, however long the entry of the last one is
        QCOMPARE(result.framesOut, held);
        QVERIFY(result.inOrder && result.errors.empty());
    }

    void stoppingDrainsWhatIsInside()
    {
        const Built built = build(4, 2);
        Executor executor(built.model, digestKernels(built), built.interfaces, {});
        std::int64_t accepted = 0;
        for (int i = 0; i < 5; ++i) accepted += executor.run() == Executor::Accepted::yes ? 1 : 0;
        executor.stop();
        const RunResult result = executor.finish();
        QCOMPARE(result.framesOut, accepted);
        QVERIFY(result.owed.empty() && result.errors.empty());
    }

    /// Frames of two minutes each: a cancelled run does not wait for those inside, wherever the stages are. With one frame the
    /// application waits for the end already.
    void aCancelledRunEndsAtOnceAndOwesItsFrames_data()
    {
        QTest::addColumn<qint64>("frames");
        QTest::addColumn<bool>("link");
        QTest::addColumn<bool>("device");
        for (const qint64 frames : {1, 100}) {
            QTest::addRow("%lld frames, computing", static_cast<long long>(frames)) << frames << false << false;
            QTest::addRow("%lld frames, on a link", static_cast<long long>(frames)) << frames << true << false;
        }
        QTest::newRow("100 frames, one device") << qint64(100) << false << true;
    }
    void aCancelledRunEndsAtOnceAndOwesItsFrames()
    {
        QFETCH(qint64, frames);
        QFETCH(bool, link);
        QFETCH(bool, device);
        constexpr std::chrono::minutes longTime(2);
        Built built = build(3, 2);
        if (link) {
            built.model.links = 1;
            built.model.connections[0].link = 0;
            built.model.connections[0].transfer = toTicks(120e6); // µs
        }
        if (device) {
            built.model.resources = 1;
            for (StageModel& stage : built.model.stages) stage.resource = 0;
        }
        std::vector<std::unique_ptr<StageKernel>> kernels;
        for (std::size_t s = 0; s < 3; ++s) {
            const bool quick = link || (device && s == 0); // the first stage waits for the device while the second one has it
            kernels.push_back(std::make_unique<WaitingKernel>(
                nullptr, quick ? std::chrono::nanoseconds(0) : std::chrono::nanoseconds(longTime), 1));
        }
        Executor executor(built.model, std::move(kernels), built.interfaces, {});
        std::stop_source stop;
        const auto begun = Clock::now();
        std::jthread interrupts([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            stop.request_stop();
        });
        const RunResult result = runFrames(executor, frames, stop.get_token());
        QVERIFY(Clock::now() - begun < longTime / 2);
        QCOMPARE(result.framesOut, 0);
        QVERIFY(result.frames >= 1 && result.errors.empty());
        QCOMPARE(static_cast<std::int64_t>(result.owed.size()), result.frames);
        QVERIFY(executor.run() == Executor::Accepted::closed);
    }

    /// A queue takes memory for the frames that there are, not for those that it might hold.
    void aLongQueueTakesNoMoreThanTheFrames()
    {
        const Built built = build(3, std::numeric_limits<std::int64_t>::max());
        ExecutorOptions options;
        options.frames = 20;
        const RunResult result = runAll(built, 20, options);
        QCOMPARE(result.framesOut, 20);
        QCOMPARE(result.digests, expectedDigests(built, 20));
    }

    void stagesOfOneDeviceNeverRunTogether()
    {
        Built built = build(3, 2);
        built.model.resources = 1;
        for (StageModel& stage : built.model.stages) stage.resource = 0;
        std::atomic<int> running{0};
        bool overlapped = false;
        std::vector<std::unique_ptr<StageKernel>> kernels;
        for (std::size_t s = 0; s < 3; ++s) kernels.push_back(std::make_unique<DigestKernel>(s, 1, &running, &overlapped));
        Executor executor(built.model, std::move(kernels), built.interfaces, {});
        const RunResult result = runFrames(executor, 300);
        QCOMPARE(result.framesOut, 300);
        QVERIFY(!overlapped);
    }

    void aFailureIsNamedAndNoFrameIsLostSilently_data()
    {
        QTest::addColumn<int>("point");
        QTest::addColumn<int>("stage");
        QTest::addColumn<bool>("diamond");
        const char* const names[] = {"before dequeue", "kernel", "before enqueue", "after enqueue", "draining"};
        for (int point = 0; point < 5; ++point)
            for (int stage = 0; stage < 4; ++stage)
                for (const bool diamond : {false, true})
                    QTest::addRow("%s, stage %d%s", names[point], stage, diamond ? ", diamond" : "") << point << stage << diamond;
    }

    void aFailureIsNamedAndNoFrameIsLostSilently()
    {
        QFETCH(int, point);
        QFETCH(int, stage);
        QFETCH(bool, diamond);
        const Built built = build(4, 1, diamond);
        constexpr std::int64_t at = 11;
        constexpr std::int64_t frames = 40;
        ExecutorOptions options;
        const auto wanted = static_cast<FailurePoint>(point);
        options.fails = [&, wanted](FailurePoint p, std::int32_t s, std::int64_t f) {
            return p == wanted && s == stage && (wanted == FailurePoint::draining ? f >= at : f == at);
        };
        const RunResult result = runAll(built, frames, options);
        // While draining a stage may have nothing left to take; else the failure is there, with its stage and frame.
        if (wanted == FailurePoint::draining && result.errors.empty()) {
            QCOMPARE(result.framesOut, result.frames);
            return;
        }
        QCOMPARE(result.errors.size(), 1U);
        QCOMPARE(result.errors[0].stage, stage);
        const std::int64_t lost = result.errors[0].frame;
        if (wanted == FailurePoint::afterEnqueue)
            QCOMPARE(lost, at + 1); // frame 11 was handed on
        else if (wanted != FailurePoint::draining)
            QCOMPARE(lost, at);
        // What was handed on comes out; the frame that failed and all after it are owed, each by its number.
        QCOMPARE(result.framesOut, lost);
        QVERIFY(result.inOrder);
        QCOMPARE(result.framesOut + static_cast<std::int64_t>(result.owed.size()), result.frames);
        for (std::size_t i = 0; i < result.owed.size(); ++i) QCOMPARE(result.owed[i], lost + static_cast<std::int64_t>(i));
        auto expected = expectedDigests(built, lost);
        QCOMPARE(result.digests, expected);
    }

    void aKernelThatThrowsHasFailed_data()
    {
        QTest::addColumn<bool>("unknown"); ///< no exception of the standard library
        QTest::addColumn<QString>("says");
        QTest::newRow("exception") << false << "out of luck";
        QTest::newRow("other object") << true << "unknown type";
    }
    void aKernelThatThrowsHasFailed()
    {
        QFETCH(const bool, unknown);
        QFETCH(const QString, says);
        const Built built = build(2, 1);
        std::vector<std::unique_ptr<StageKernel>> kernels;
        kernels.push_back(std::make_unique<DigestKernel>(0, 1));
        kernels.push_back(std::make_unique<ThrowingKernel>(unknown));
        Executor executor(built.model, std::move(kernels), built.interfaces, {});
        const RunResult result = runFrames(executor, 20);
        QCOMPARE(result.framesOut, 3);
        QCOMPARE(result.errors.size(), 1U);
        QCOMPARE(result.errors[0].stage, 1);
        QCOMPARE(result.errors[0].frame, 3);
        QVERIFY(result.errors[0].message.find(says.toStdString()) != std::string::npos);
    }

    /// No vector has -1 bytes: it throws before anything is allocated.
    void anInputThatCannotBeMadeIsAFailureOfItsStage()
    {
        Built built = build(2, 1);
        built.model.stages[0].global[0].bytes = Bytes{-1};
        const RunResult result = runAll(built, 5);
        QCOMPARE(result.framesOut, 0);
        QCOMPARE(result.errors.size(), 1U);
        QCOMPARE(result.errors[0].stage, 0);
        QCOMPARE(result.errors[0].frame, 0);
    }

    /// The same input for stages that only wait, as with --no-check: its bytes are not made.
    void anInputThatNobodyReadsTakesNoMemory()
    {
        Built built = build(2, 1);
        built.model.stages[0].global[0].bytes = Bytes{-1};
        std::vector<std::unique_ptr<StageKernel>> kernels;
        for (int s = 0; s < 2; ++s) kernels.push_back(std::make_unique<WaitingKernel>(nullptr, std::chrono::nanoseconds(0), 1));
        Executor executor(built.model, std::move(kernels), built.interfaces, {});
        const RunResult result = runFrames(executor, 5);
        QCOMPARE(result.framesOut, 5);
        QVERIFY(result.errors.empty());
    }

    void aMissingCoreIsAWarningAndTheFramesComeOut()
    {
        Built built = build(2, 1);
        built.model.stages[0].cpuAffinity = "0, 1000";
        built.model.stages[1].cpuAffinity = "x";
        Executor executor(built.model, digestKernels(built), built.interfaces, {});
        const RunResult result = runFrames(executor, 10);
        QCOMPARE(result.framesOut, 10);
        std::set<std::string> codes;
        for (const Diagnostic& told : executor.diagnostics()) {
            QVERIFY(told.severity == Severity::warning);
            codes.insert(std::string(codeText(told)));
        }
        QVERIFY(codes.contains("missing-core") && codes.contains("bad-affinity"));
    }

    void anExecutorThatNobodyFinishesEnds()
    {
        for (int i = 0; i < 20; ++i) {
            const Built built = build(3, 1);
            Executor executor(built.model, digestKernels(built), built.interfaces, {});
            for (int f = 0; f < i % 4; ++f) executor.run();
        }
    }
};

QTEST_APPLESS_MAIN(PipelineExecutorTest)
#include "tst_pipeline_executor.moc"
