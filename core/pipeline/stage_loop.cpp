#include "core/pipeline/stage_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace stowage::pipeline {

namespace {

Ticks since(Clock::time_point start, Clock::time_point time)
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time - start).count() * 1000;
}

class Loop {
public:
    Loop(StagePort& port, StageKernel& kernel, const StageWiring& wiring, const StageLoopOptions& options)
        : port_(port),
          kernel_(kernel),
          wiring_(wiring),
          options_(options),
          messages_(port.inputs()),
          held_(port.inputs(), false),
          freeAt_(options.start)
    {
        outcome_.stays.resize(port.inputs());
        kernel_.setIdle(port_.idle());
        kernel_.setCancel(options_.cancel);
    }

    StageOutcome run()
    {
        while (step()) ++frame_;
        kernel_.setIdle({}); // the port may be destroyed before the kernel
        outcome_.run.late.add(kernel_.lateness());
        for (std::size_t o = 0; o < port_.outputs(); ++o) port_.end(o);
        for (std::size_t i = 0; i < port_.inputs(); ++i) port_.close(i);
        return std::move(outcome_);
    }

private:
    bool fail(std::string message)
    {
        outcome_.error = StageError{options_.stage, frame_, std::move(message)};
        return false;
    }
    [[nodiscard]] bool injected(FailurePoint point) const
    {
        return options_.fails && options_.fails(point, options_.stage, frame_);
    }

    bool step()
    {
        if (options_.frames >= 0 && frame_ >= options_.frames) return false;
        freeSince_ = Clock::now();
        if (injected(FailurePoint::beforeDequeue)) return fail("the stage failed before it took the frame");
        if (!gather()) return false;
        times_ = {};
        const Clock::time_point put = Clock::now();
        times_.stalls.input = since(freeSince_, put);
        const Clock::time_point ready = waitForLink(put);
        times_.stalls.link = since(put, ready);
        if (options_.cancel.stop_requested()) return false;
        const Clock::time_point deviceFree = port_.acquire();
        const Clock::time_point begun = Clock::now();
        times_.stalls.device = since(ready, begun);
        times_.start = since(options_.start, begun);
        if (frame_ < options_.record)
            for (std::size_t i = 0; i < messages_.size(); ++i)
                outcome_.stays[i].push_back(
                    {since(options_.start, std::max(messages_[i].availableAt, messages_[i].sentAt)), times_.start});
        // By its own clock, the device begins when it is free and the inputs have arrived; this thread may be later.
        Clock::time_point began = std::max(freeAt_, deviceFree);
        for (const Message& message : messages_) began = std::max(began, message.availableAt);
        kernel_.begunAt(std::min(began, begun));
        port_.began(frame_);
        auto outputs = compute();
        const Clock::time_point done = Clock::now();
        const auto deviceEnded = kernel_.endedAt();
        const Clock::time_point ended = std::min(deviceEnded.value_or(done), done);
        port_.release(ended);
        times_.finish = since(options_.start, done);
        // Busy time by the clock of the device; the lateness of the thread is recorded separately.
        outcome_.run.busy += deviceEnded ? since(std::min(began, begun), ended) : since(begun, done);
        if (options_.cancel.stop_requested()) return false; // after the release, for which another stage may wait
        if (!outputs) return fail(outputs.error().message);
        if (injected(FailurePoint::beforeEnqueue)) return fail("the stage failed before it handed the frame on");
        const bool sent = send(*outputs, ended);
        if (!sent) return false;
        times_.stalls.output = since(done, Clock::now());
        port_.ended(frame_);
        note();
        if (injected(FailurePoint::afterEnqueue)) {
            ++frame_;
            return fail("the stage failed after it handed the frame before on");
        }
        return true;
    }

    void note()
    {
        StageRun& run = outcome_.run;
        run.stalls.input += times_.stalls.input;
        run.stalls.output += times_.stalls.output;
        run.stalls.device += times_.stalls.device;
        run.stalls.link += times_.stalls.link;
        if (run.done < options_.record) run.frames.push_back(times_);
        ++run.done;
    }

    /// Receives one message of the current frame from each input. False when the inputs have ended.
    bool gather()
    {
        for (;;) {
            const std::uint32_t mark = port_.mark();
            bool missing = false;
            for (std::size_t i = 0; i < messages_.size(); ++i) {
                if (held_[i]) continue;
                switch (port_.tryReceive(i, messages_[i])) {
                case StagePort::Received::message: held_[i] = true; break;
                case StagePort::Received::ended: return false;
                case StagePort::Received::nothing: missing = true; break;
                }
            }
            if (port_.draining() && injected(FailurePoint::draining)) return fail("the stage failed while the pipeline drained");
            if (!missing) break;
            port_.wait(mark);
        }
        std::fill(held_.begin(), held_.end(), false);
        for (const Message& message : messages_)
            if (message.frame != frame_)
                return fail(fmt::format("frame {} arrived in the place of frame {}", message.frame, frame_));
        return true;
    }

    [[nodiscard]] Clock::time_point waitForLink(Clock::time_point now)
    {
        Clock::time_point last = now;
        for (const Message& message : messages_) last = std::max(last, message.availableAt);
        if (last <= now) return now;
        waitUntil(last, outcome_.run.late, options_.cancel);
        return Clock::now();
    }

    Expected<std::vector<Payload>> compute()
    {
        if (injected(FailurePoint::kernel)) return failure(Code::kernel, "the kernel failed");
        try {
            const auto inputs = takeInputs();
            if (!inputs) return inputs.error();
            return kernel_.run(frame_, *inputs);
        } catch (const std::exception& error) { // nothing may leave the thread: that would end the process
            return failure(Code::kernel, fmt::format("the kernel threw: {}", error.what()));
        } catch (...) {
            return failure(Code::kernel, "the kernel threw an exception of an unknown type");
        }
    }

    /// The kernel's inputs in the current frame: those that came, and those that the application did not set.
    Expected<std::vector<Payload>> takeInputs()
    {
        std::vector<Payload> inputs;
        inputs.reserve(wiring_.inputs.size());
        for (const InputSource& source : wiring_.inputs) {
            auto* payloads = source.port == none ? nullptr : &messages_[at(source.port)].payloads;
            const bool given = payloads && source.payload < payloads->size();
            if (given && (source.made.empty() || !(*payloads)[source.payload].contents.empty()))
                inputs.push_back(std::move((*payloads)[source.payload]));
            else if (!source.made.empty())
                inputs.push_back(madeInput(source.made, frame_, source.bytes, kernel_.readsBytes()));
            else
                return failure(Code::missingInput, fmt::format("frame {} came without an input", frame_));
        }
        return inputs;
    }

    /// Sends the frame to each output as soon as it has room. False when a consumer has closed an output.
    bool send(const std::vector<Payload>& outputs, Clock::time_point handed)
    {
        std::vector<Message> messages(port_.outputs());
        for (std::size_t o = 0; o < messages.size(); ++o) {
            messages[o].frame = frame_;
            for (const std::int32_t output : wiring_.outputs[o].outputs)
                messages[o].payloads.push_back(at(output) < outputs.size() ? outputs[at(output)] : Payload{});
        }
        std::vector<bool> sent(messages.size(), false);
        for (;;) {
            const std::uint32_t mark = port_.mark();
            bool full = false;
            for (std::size_t o = 0; o < messages.size(); ++o) {
                if (sent[o]) continue;
                messages[o].availableAt = handed;
                switch (port_.trySend(o, messages[o])) {
                case StagePort::Sent::sent: sent[o] = true; break;
                case StagePort::Sent::full: full = true; break;
                case StagePort::Sent::closed: return false;
                }
            }
            freeAt_ = handed;
            if (!full) return true;
            port_.wait(mark);
            handed = Clock::now(); // the consumer made room while this thread waited
        }
    }

    StagePort& port_;
    StageKernel& kernel_;
    const StageWiring& wiring_;
    const StageLoopOptions& options_;
    std::int64_t frame_ = 0;
    std::vector<Message> messages_;
    std::vector<bool> held_;
    Clock::time_point freeSince_;
    Clock::time_point freeAt_; ///< time, by the device's clock, at which the last frame was sent
    FrameTimes times_;
    StageOutcome outcome_;
};

} // namespace

StageWiring wiringOf(const PipelineModel& model, std::size_t stage, const ModuleInterface& interface, bool entry, bool exit)
{
    StageWiring wiring;
    const StageModel& own = model.stages[stage];
    for (const std::string& name : interface.inputs) {
        InputSource source;
        for (std::size_t i = 0; i < own.inputs.size(); ++i) {
            const auto& tensors = model.connections[at(own.inputs[i])].tensors;
            for (std::size_t t = 0; t < tensors.size(); ++t)
                if (tensors[t].input == name) source = {static_cast<std::int32_t>(i), t, {}, tensors[t].bytes};
        }
        if (source.port == none) {
            source.made = name;
            for (std::size_t g = 0; g < own.global.size(); ++g)
                if (own.global[g].input == name)
                    source = {entry ? static_cast<std::int32_t>(own.inputs.size()) : none, g, own.global[g].name,
                              own.global[g].bytes};
        }
        wiring.inputs.push_back(std::move(source));
    }
    for (const std::int32_t c : own.outputs) {
        OutputTarget& target = wiring.outputs.emplace_back();
        for (const ConnectionTensor& tensor : model.connections[at(c)].tensors) target.outputs.push_back(tensor.output);
    }
    if (exit) {
        OutputTarget& target = wiring.outputs.emplace_back();
        for (const auto& [output, number] : own.results) target.outputs.push_back(output);
    }
    return wiring;
}

ModuleInterface interfaceFrom(const PipelineModel& model, std::size_t stage)
{
    ModuleInterface interface;
    const StageModel& own = model.stages[stage];
    for (const std::int32_t c : own.inputs)
        for (const ConnectionTensor& tensor : model.connections[at(c)].tensors) interface.inputs.push_back(tensor.input);
    for (const GlobalTensor& tensor : own.global) interface.inputs.push_back(tensor.input);
    std::int32_t most = none;
    for (const std::int32_t c : own.outputs)
        for (const ConnectionTensor& tensor : model.connections[at(c)].tensors) most = std::max(most, tensor.output);
    for (const auto& [output, number] : own.results) most = std::max(most, output);
    for (std::int32_t o = 0; o <= most; ++o) interface.outputs.push_back(fmt::format("output{}", o));
    return interface;
}

namespace {

/// Computes the length of a queue over time from the stays of the frames.
void measureQueue(ConnectionRun& run, const std::vector<QueueStay>& stays)
{
    std::vector<std::pair<Ticks, int>> changes;
    for (const QueueStay& stay : stays) {
        changes.emplace_back(stay.arrived, 1);
        changes.emplace_back(std::max(stay.taken, stay.arrived), -1);
    }
    std::sort(changes.begin(), changes.end());
    std::int64_t length = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        length += changes[i].second;
        if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
        run.maxQueued = std::max(run.maxQueued, length);
        run.lengths.push_back({changes[i].first, length});
    }
}

} // namespace

void collect(RunResult& result, const PipelineModel& model, std::vector<StageOutcome> outcomes)
{
    for (const ConnectionModel& each : model.connections) result.connections.push_back({each.from, each.to, 0, {}});
    for (std::size_t s = 0; s < outcomes.size(); ++s) {
        const auto& inputs = model.stages[s].inputs;
        for (std::size_t i = 0; i < inputs.size() && i < outcomes[s].stays.size(); ++i)
            measureQueue(result.connections[at(inputs[i])], outcomes[s].stays[i]);
        result.stages.push_back(std::move(outcomes[s].run));
        if (outcomes[s].error) result.errors.push_back(*std::move(outcomes[s].error));
    }
}

StageOutcome runStage(StagePort& port, StageKernel& kernel, const StageWiring& wiring, const StageLoopOptions& options)
{
    return Loop(port, kernel, wiring, options).run();
}

} // namespace stowage::pipeline
