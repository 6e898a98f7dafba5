#include "core/pipeline/executor.h"

#include "core/pipeline/affinity.h"
#include "core/pipeline/spsc_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>

namespace stowage::pipeline {

namespace {

/// A counter that other threads increment when they change something for the one thread that waits on it.
class Bell {
public:
    [[nodiscard]] std::uint32_t mark() const { return count_.load(std::memory_order_acquire); }
    void wait(std::uint32_t mark) const { count_.wait(mark, std::memory_order_acquire); }
    void ring()
    {
        count_.fetch_add(1, std::memory_order_acq_rel);
        count_.notify_all();
    }

private:
    std::atomic<std::uint32_t> count_{0};
};

/// One connection.
struct Channel {
    Channel(std::size_t capacity, Bell& producer, Bell& consumer)
        : queue(capacity), producerBell(producer), consumerBell(consumer)
    {
    }

    SpscQueue<Message> queue;
    Bell& producerBell;
    Bell& consumerBell;
    std::atomic<bool> ended{false};  ///< the producer puts no more messages
    std::atomic<bool> closed{false}; ///< the consumer takes no more messages
    std::chrono::nanoseconds transfer{0};
    struct LinkClock* link = nullptr;
};

/// The clock of a link, which transfers one frame after the other.
struct LinkClock {
    std::mutex mutex;
    Clock::time_point free{};

    Clock::time_point move(Clock::time_point now, std::chrono::nanoseconds transfer)
    {
        const std::scoped_lock lock(mutex);
        free = std::max(free, now) + transfer;
        return free;
    }
};

/// A device that stages share. Stages get it in the order in which they ask.
class Turnstile {
public:
    Clock::time_point acquire()
    {
        std::unique_lock lock(mutex_);
        const std::uint64_t ticket = next_++;
        changed_.wait(lock, [&] { return serving_ == ticket; });
        return free_;
    }
    void release(Clock::time_point ended)
    {
        {
            const std::scoped_lock lock(mutex_);
            free_ = ended;
            ++serving_;
        }
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t next_ = 0;
    std::uint64_t serving_ = 0;
    Clock::time_point free_{}; ///< since when
};

class ThreadPort final : public StagePort {
public:
    /// After a request of `cancelled`, all inputs have ended and all outputs are closed.
    ThreadPort(std::vector<Channel*> inputs, std::vector<Channel*> outputs, Bell& bell, Turnstile* device,
               const std::atomic<bool>& draining, std::stop_token cancelled)
        : inputs_(std::move(inputs)),
          outputs_(std::move(outputs)),
          bell_(bell),
          device_(device),
          draining_(draining),
          cancelled_(std::move(cancelled))
    {
    }
    [[nodiscard]] std::size_t inputs() const override { return inputs_.size(); }
    [[nodiscard]] std::size_t outputs() const override { return outputs_.size(); }
    Received tryReceive(std::size_t input, Message& to) override
    {
        if (cancelled_.stop_requested()) return Received::ended;
        Channel& from = *inputs_[input];
        // Read before the queue: messages that were put before the end are then visible in the queue.
        const bool ended = from.ended.load(std::memory_order_acquire);
        auto message = from.queue.tryPop();
        if (!message) return ended ? Received::ended : Received::nothing;
        to = *std::move(message);
        from.producerBell.ring();
        return Received::message;
    }
    Sent trySend(std::size_t output, Message& message) override
    {
        Channel& to = *outputs_[output];
        if (cancelled_.stop_requested() || to.closed.load(std::memory_order_acquire)) return Sent::closed;
        if (!to.queue.hasRoom()) return Sent::full;
        message.sentAt = Clock::now();
        if (to.link) message.availableAt = to.link->move(message.availableAt, to.transfer);
        to.queue.tryPush(message); // there is room, and only this thread puts
        to.consumerBell.ring();
        return Sent::sent;
    }
    void end(std::size_t output) override
    {
        outputs_[output]->ended.store(true, std::memory_order_release);
        outputs_[output]->consumerBell.ring();
    }
    void close(std::size_t input) override
    {
        inputs_[input]->closed.store(true, std::memory_order_release);
        inputs_[input]->producerBell.ring();
    }
    std::uint32_t mark() override { return bell_.mark(); }
    void wait(std::uint32_t mark) override { bell_.wait(mark); }
    [[nodiscard]] bool draining() const override { return draining_.load(std::memory_order_acquire); }
    Clock::time_point acquire() override { return device_ ? device_->acquire() : Clock::time_point{}; }
    void release(Clock::time_point ended) override
    {
        if (device_) device_->release(ended);
    }

private:
    std::vector<Channel*> inputs_;
    std::vector<Channel*> outputs_;
    Bell& bell_;
    Turnstile* device_;
    const std::atomic<bool>& draining_;
    std::stop_token cancelled_;
};

/// Frames that the entry of each stage holds. A frame goes into all entries at once, so that an entry must not be full while
/// another stage could begin a frame. Along a connection, the producer is ahead by the frames of the queue and the one that it
/// computes; all connections together therefore bound how far any two stages are apart. A first stage that is the only one has
/// no other to wait for.
std::vector<std::size_t> entryCapacities(const PipelineModel& model, std::span<Channel* const> byConnection,
                                         const ExecutorOptions& options)
{
    std::size_t apart = options.entryCapacity;
    const std::size_t limit = std::max(apart, options.frames > 0 ? static_cast<std::size_t>(options.frames) : options.unbounded);
    for (const Channel* each : byConnection) apart = std::min(limit, apart + each->queue.capacity() + 1);
    const auto isFirst = [](const StageModel& stage) { return stage.inputs.empty(); };
    const bool oneFirst = std::count_if(model.stages.begin(), model.stages.end(), isFirst) == 1;
    std::vector<std::size_t> capacities;
    for (const StageModel& stage : model.stages) capacities.push_back(oneFirst && isFirst(stage) ? options.entryCapacity : apart);
    return capacities;
}

} // namespace

std::uint64_t FrameOutput::digest() const
{
    std::uint64_t digest = outputs.size();
    for (const Payload& output : outputs) digest = mixed(digest, output.digest());
    return digest;
}

struct Executor::State {
    PipelineModel model;
    std::vector<std::unique_ptr<StageKernel>> kernels;
    ExecutorOptions options;
    Diagnostics diagnostics;
    Clock::time_point start = Clock::now();

    std::deque<Bell> bells; ///< by stage, the application's last
    std::deque<Channel> channels;
    std::deque<LinkClock> links;
    std::deque<Turnstile> devices;
    std::vector<Channel*> entries; ///< by stage; null: the stage has no input from the application
    std::vector<Channel*> exits;
    std::atomic<bool> draining{false};
    std::stop_source cancelled;
    std::vector<StageWiring> wirings;
    std::vector<StageLoopOptions> loopOptions;
    std::vector<std::unique_ptr<ThreadPort>> ports;
    std::vector<StageOutcome> outcomes; ///< each is written by its stage's thread, and read after that thread was joined
    std::vector<std::jthread> threads;

    std::vector<std::vector<Payload>> nextInputs; ///< by stage
    std::vector<std::deque<Message>> results;     ///< by stage: results that wait for those of other stages in the same frame
    std::int64_t accepted = 0;
    std::int64_t out = 0;
    bool stopped = false;
    RunResult result;
    Ticks middle = 0;
    std::vector<Ticks> outTimes;

    Bell& applicationBell() { return bells.back(); }
    void build(const std::vector<ModuleInterface>& interfaces);
    void startThreads();
    void takeResults();
};

void Executor::State::build(const std::vector<ModuleInterface>& interfaces)
{
    const std::size_t count = model.stages.size();
    for (std::size_t s = 0; s <= count; ++s) bells.emplace_back();
    for (std::int32_t l = 0; l < model.links; ++l) links.emplace_back();
    std::vector<std::size_t> users(static_cast<std::size_t>(model.resources), 0);
    for (const StageModel& stage : model.stages) ++users[at(stage.resource)];
    for (std::int32_t r = 0; r < model.resources; ++r) devices.emplace_back();
    std::vector<Channel*> byConnection;
    for (const ConnectionModel& each : model.connections) {
        std::size_t capacity = each.capacity > 0 ? static_cast<std::size_t>(each.capacity) : options.unbounded;
        if (options.frames > 0) capacity = std::min(capacity, static_cast<std::size_t>(options.frames));
        Channel& made = channels.emplace_back(capacity, bells[at(each.from)], bells[at(each.to)]);
        made.transfer =
            std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(each.transfer) * options.timeScale / 1000));
        if (each.link != none) made.link = &links[at(each.link)];
        byConnection.push_back(&made);
    }
    entries.assign(count, nullptr);
    exits.assign(count, nullptr);
    nextInputs.resize(count);
    results.resize(count);
    const std::vector<std::size_t> capacities = entryCapacities(model, byConnection, options);
    for (std::size_t s = 0; s < count; ++s) {
        const StageModel& stage = model.stages[s];
        std::vector<Channel*> in;
        std::vector<Channel*> outputs;
        for (const std::int32_t c : stage.inputs) in.push_back(byConnection[at(c)]);
        for (const std::int32_t c : stage.outputs) outputs.push_back(byConnection[at(c)]);
        if (!stage.global.empty() || stage.inputs.empty()) {
            entries[s] = &channels.emplace_back(capacities[s], applicationBell(), bells[s]);
            in.push_back(entries[s]);
        }
        if (!stage.results.empty() || stage.outputs.empty()) {
            exits[s] = &channels.emplace_back(options.resultCapacity, bells[s], applicationBell());
            outputs.push_back(exits[s]);
        }
        wirings.push_back(wiringOf(model, s, interfaces[s], entries[s] != nullptr, exits[s] != nullptr));
        Turnstile* device = users[at(stage.resource)] > 1 ? &devices[at(stage.resource)] : nullptr;
        ports.push_back(
            std::make_unique<ThreadPort>(std::move(in), std::move(outputs), bells[s], device, draining, cancelled.get_token()));
    }
    outcomes.resize(count);
}

void Executor::State::startThreads()
{
    start = Clock::now();
    for (std::size_t s = 0; s < model.stages.size(); ++s)
        loopOptions.push_back({static_cast<std::int32_t>(s), start, options.record, -1, options.fails, cancelled.get_token()});
    for (std::size_t s = 0; s < model.stages.size(); ++s) {
        threads.emplace_back([this, s] {
            sleepPrecisely();
            outcomes[s] = runStage(*ports[s], *kernels[s], wirings[s], loopOptions[s]);
        });
        if (model.stages[s].cpuAffinity.empty()) continue;
        for (Diagnostic& told :
             pinThread(threads.back().native_handle(), model.stages[s].cpuAffinity, static_cast<std::int32_t>(s)))
            diagnostics.push_back(std::move(told));
    }
}

void Executor::State::takeResults()
{
    for (std::size_t s = 0; s < exits.size(); ++s) {
        if (!exits[s]) continue;
        while (auto message = exits[s]->queue.tryPop()) {
            exits[s]->producerBell.ring();
            results[s].push_back(*std::move(message));
        }
    }
}

Executor::Executor(PipelineModel model, std::vector<std::unique_ptr<StageKernel>> kernels,
                   const std::vector<ModuleInterface>& interfaces, ExecutorOptions options)
    : state_(std::make_unique<State>())
{
    state_->model = std::move(model);
    state_->kernels = std::move(kernels);
    state_->options = std::move(options);
    state_->build(interfaces);
    state_->startThreads();
}

Executor::~Executor()
{
    finish();
}

const Diagnostics& Executor::diagnostics() const
{
    return state_->diagnostics;
}

const PipelineModel& Executor::model() const
{
    return state_->model;
}

std::optional<Error> Executor::setInput(std::string_view name, const Payload& payload)
{
    bool found = false;
    std::string names;
    for (std::size_t s = 0; s < state_->model.stages.size(); ++s) {
        const auto& global = state_->model.stages[s].global;
        for (std::size_t g = 0; g < global.size(); ++g) {
            names += (names.empty() ? "" : ", ") + global[g].name;
            if (global[g].name != name) continue;
            if (global[g].bytes && payload.bytes && static_cast<Bytes>(payload.bytes->size()) != *global[g].bytes)
                return failure(Code::wrongSize, fmt::format("the input '{}' has {} bytes, and {} are given", name,
                                                            *global[g].bytes, payload.bytes->size()));
            state_->nextInputs[s].resize(global.size());
            state_->nextInputs[s][g] = payload;
            found = true;
        }
    }
    if (found) return std::nullopt;
    return failure(Code::unknownInput, fmt::format("the pipeline has no input '{}'", name), {},
                   fmt::format("its inputs are: {}", names));
}

Executor::Accepted Executor::run()
{
    State& s = *state_;
    if (s.stopped) return Accepted::closed;
    for (const Channel* entry : s.entries) {
        if (!entry) continue;
        if (entry->closed.load(std::memory_order_acquire)) return Accepted::closed;
        if (!entry->queue.hasRoom()) return Accepted::full;
    }
    for (std::size_t stage = 0; stage < s.entries.size(); ++stage) {
        if (!s.entries[stage]) continue;
        const Clock::time_point now = Clock::now();
        Message message{s.accepted, now, now, std::move(s.nextInputs[stage])};
        s.nextInputs[stage].clear();
        s.entries[stage]->queue.tryPush(message); // there is room, and only this thread puts
        s.entries[stage]->consumerBell.ring();
    }
    ++s.accepted;
    return Accepted::yes;
}

std::optional<FrameOutput> Executor::getOutput()
{
    State& s = *state_;
    s.takeResults();
    for (std::size_t stage = 0; stage < s.exits.size(); ++stage)
        if (s.exits[stage] && s.results[stage].empty()) return std::nullopt;
    FrameOutput output;
    output.outputs.resize(at(s.model.outputs));
    bool first = true;
    Ticks last = 0;
    for (std::size_t stage = 0; stage < s.exits.size(); ++stage) {
        if (!s.exits[stage]) continue;
        Message message = std::move(s.results[stage].front());
        s.results[stage].pop_front();
        if (first) output.frame = message.frame;
        s.result.inOrder = s.result.inOrder && message.frame == output.frame;
        first = false;
        last =
            std::max(last, Ticks{std::chrono::duration_cast<std::chrono::nanoseconds>(message.sentAt - s.start).count() * 1000});
        const auto& targets = s.model.stages[stage].results;
        for (std::size_t r = 0; r < targets.size() && r < message.payloads.size(); ++r) {
            if (!message.payloads[r].intact())
                s.result.errors.push_back(
                    {static_cast<std::int32_t>(stage), message.frame, "the application got bytes that the stage did not write"});
            output.outputs[at(targets[r].second)] = std::move(message.payloads[r]);
        }
    }
    s.result.inOrder = s.result.inOrder && output.frame == s.out;
    ++s.out;
    s.outTimes.push_back(last);
    s.result.digests.push_back(output.digest());
    return output;
}

std::uint32_t Executor::mark() const
{
    return state_->applicationBell().mark();
}

void Executor::wait(std::uint32_t mark) const
{
    state_->applicationBell().wait(mark);
}

void Executor::cancel()
{
    // A thread that took its mark before the ring returns from its wait; one that takes it later sees the request.
    state_->cancelled.request_stop();
    for (Bell& bell : state_->bells) bell.ring();
}

void Executor::stop()
{
    State& s = *state_;
    if (s.stopped) return;
    s.stopped = true;
    s.draining.store(true, std::memory_order_release);
    for (Channel* entry : s.entries)
        if (entry) entry->ended.store(true, std::memory_order_release);
    for (std::size_t stage = 0; stage < s.model.stages.size(); ++stage) s.bells[stage].ring();
}

bool Executor::ended() const
{
    for (const Channel* exit : state_->exits)
        if (exit && (!exit->ended.load(std::memory_order_acquire) || exit->queue.size() > 0)) return false;
    return true;
}

RunResult Executor::finish()
{
    State& s = *state_;
    if (s.threads.empty()) return s.result;
    stop();
    for (;;) {
        const std::uint32_t at = mark();
        // Messages that were put before the end are in the queue when the end is visible.
        const bool last = std::all_of(s.exits.begin(), s.exits.end(),
                                      [](const Channel* exit) { return !exit || exit->ended.load(std::memory_order_acquire); });
        while (getOutput()) {
        }
        if (last) break;
        wait(at);
    }
    s.threads.clear();
    RunResult& result = s.result;
    result.frames = s.accepted;
    result.framesOut = s.out;
    if (!s.outTimes.empty()) {
        result.total = s.outTimes.back();
        result.firstLatency = s.outTimes.front();
        result.period = s.out == 1 ? result.total : steadyPeriod(s.out, s.outTimes[at((s.out - 1) / 2)], result.total);
    }
    constexpr std::int64_t maxOwed = 1000;
    for (std::int64_t frame = s.out; frame < s.accepted && frame < s.out + maxOwed; ++frame) result.owed.push_back(frame);
    collect(result, s.model, std::move(s.outcomes));
    return result;
}

RunResult runFrames(Executor& executor, std::int64_t frames, const std::stop_token& cancel)
{
    const std::stop_callback ends(cancel, [&] { executor.cancel(); }); // also while `finish` waits
    std::int64_t given = 0;
    bool closed = false;
    while (given < frames && !closed && !cancel.stop_requested()) {
        const std::uint32_t mark = executor.mark();
        bool moved = false;
        while (given < frames) {
            const auto accepted = executor.run();
            closed = accepted == Executor::Accepted::closed;
            if (accepted != Executor::Accepted::yes) break;
            ++given;
            moved = true;
        }
        while (executor.getOutput()) moved = true;
        if (!moved && !closed) executor.wait(mark);
    }
    return executor.finish();
}

} // namespace stowage::pipeline
