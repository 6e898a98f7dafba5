// The kernels that stand for devices, and the loop of a stage: they follow the clock of the device, however late a thread is.
#include "core/pipeline/stage_loop.h"

#include <QTest>

#include <chrono>
#include <ctime>
#include <thread>

using namespace stowage;
using namespace stowage::pipeline;

namespace {

/// Takes 10 ms by the clock of its device, whenever its thread comes.
class DeviceKernel final : public StageKernel {
public:
    static constexpr std::chrono::milliseconds duration{10};

    Expected<std::vector<Payload>> run(std::int64_t frame, std::span<const Payload>) override
    {
        if (frame % 8 == 3) std::this_thread::sleep_for(std::chrono::milliseconds(2)); // a late thread
        ended_ = begun_ + duration;
        return std::vector<Payload>(1);
    }
    void begunAt(Clock::time_point begun) override { begun_ = begun; }
    [[nodiscard]] std::optional<Clock::time_point> endedAt() const override { return ended_; }

private:
    Clock::time_point begun_;
    std::optional<Clock::time_point> ended_;
};

/// Frames that came at given times; notes when each was handed on.
class TimedPort final : public StagePort {
public:
    explicit TimedPort(std::vector<Clock::time_point> arrivals) : arrivals_(std::move(arrivals)) {}

    [[nodiscard]] std::size_t inputs() const override { return 1; }
    [[nodiscard]] std::size_t outputs() const override { return 1; }
    Received tryReceive(std::size_t, Message& to) override
    {
        if (next_ == arrivals_.size()) return Received::ended;
        to = {static_cast<std::int64_t>(next_), arrivals_[next_], arrivals_[next_], {}};
        ++next_;
        return Received::message;
    }
    Sent trySend(std::size_t, Message& message) override
    {
        handed.push_back(message.availableAt);
        return Sent::sent;
    }
    void end(std::size_t) override {}
    void close(std::size_t) override {}
    std::uint32_t mark() override { return 0; }
    void wait(std::uint32_t) override {}
    [[nodiscard]] bool draining() const override { return false; }
    /// The device was never taken. Not the epoch of the clock: a machine may have started less than an hour ago.
    Clock::time_point acquire() override { return Clock::time_point::min(); }
    void release(Clock::time_point) override {}

    std::vector<Clock::time_point> handed;

private:
    std::vector<Clock::time_point> arrivals_;
    std::size_t next_ = 0;
};

} // namespace

class StageLoopTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWaitingKernelTakesItsTimeAndNoProcessor()
    {
        constexpr std::chrono::milliseconds duration(20);
        WaitingKernel kernel(nullptr, duration, 1);
        timespec before{}, after{};
        const auto begin = Clock::now();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
        for (int i = 0; i < 5; ++i) QVERIFY(kernel.run(i, {}));
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
        QVERIFY(Clock::now() - begin >= 5 * duration);
        const std::int64_t used = (after.tv_sec - before.tv_sec) * 1'000'000'000 + after.tv_nsec - before.tv_nsec;
        QVERIFY(used < 50'000'000); // of 100 ms: a spinning wait would use them all
    }

    /// A stage that is the bottleneck hands on a frame every 10 ms of its device, one that waits for its inputs 10 ms after each,
    /// to the nanosecond, however late its thread is.
    void latenessOfThreadsIsNoPartOfTheDevicesTime()
    {
        using std::chrono::milliseconds;
        constexpr int frames = 60;
        for (const int every : {4, 15}) { // ms between frames that come
            StageLoopOptions options;
            options.start = Clock::now() - std::chrono::hours(1);
            std::vector<Clock::time_point> arrivals;
            for (int f = 0; f < frames; ++f) arrivals.push_back(options.start + f * milliseconds(every));
            TimedPort port(arrivals);
            DeviceKernel kernel;
            StageWiring wiring;
            wiring.outputs.push_back({{0}});
            const StageOutcome outcome = runStage(port, kernel, wiring, options);
            QVERIFY(!outcome.error);
            QCOMPARE(port.handed.size(), static_cast<std::size_t>(frames));
            for (int f = 0; f < frames; ++f)
                QVERIFY(port.handed[static_cast<std::size_t>(f)] ==
                        (every < 10 ? options.start + (f + 1) * DeviceKernel::duration
                                    : arrivals[static_cast<std::size_t>(f)] + DeviceKernel::duration));
            QCOMPARE(outcome.run.busy, toTicks(1000.0 * 10 * frames));
        }
    }

    void aWaitingKernelEndsWhenItsDeviceDoes()
    {
        using std::chrono::milliseconds;
        WaitingKernel kernel(nullptr, milliseconds(20), 1);
        const auto begun = Clock::now() - milliseconds(5); // the thread came 5 ms late
        kernel.begunAt(begun);
        QVERIFY(kernel.run(0, {}));
        QVERIFY(*kernel.endedAt() - begun >= milliseconds(20) && *kernel.endedAt() - begun < milliseconds(21));
        QVERIFY(Clock::now() >= *kernel.endedAt());
        QCOMPARE(kernel.lateness().wakes, 1);
        // So late that nothing is left to wait for: no wait, and the device ended long ago.
        kernel.begunAt(begun - std::chrono::seconds(1));
        QVERIFY(kernel.run(1, {}));
        QVERIFY(*kernel.endedAt() < begun);
        QCOMPARE(kernel.lateness().wakes, 1);
    }
};

QTEST_APPLESS_MAIN(StageLoopTest)
#include "tst_stage_loop.moc"
