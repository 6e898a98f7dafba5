#include "core/pipeline/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <queue>
#include <tuple>

namespace stowage::pipeline {

namespace {

constexpr std::size_t maxLengths = 100'000; ///< maximum number of changes of a queue's length that are kept

/// Simulates one pipeline. After an event, only the stages that it affects are examined.
class Simulator {
public:
    Simulator(const PipelineModel& model, const SimulateOptions& options)
        : model_(model),
          options_(options),
          stages_(model.stages.size()),
          connections_(model.connections.size()),
          busy_(static_cast<std::size_t>(model.resources), false),
          waiting_(static_cast<std::size_t>(model.resources)),
          links_(static_cast<std::size_t>(model.links))
    {
        result_.frames = options.frames;
        result_.stages.resize(stages_.size());
        for (const ConnectionModel& each : model.connections) result_.connections.push_back({each.from, each.to, 0, {}});
        for (std::size_t s = 0; s < stages_.size(); ++s) {
            stages_[s].cost = model.stages[s].cost;
            for (const auto& [stage, factor] : options.slow)
                if (at(stage) == s) stages_[s].cost = toTicks(toMicroseconds(stages_[s].cost) * factor);
            sinks_ += model.stages[s].results.empty() ? 0 : 1;
        }
        if (sinks_ == 0) // no output goes to the application: a frame is out when every last stage has finished it
            for (std::size_t s = 0; s < stages_.size(); ++s) sinks_ += model.stages[s].outputs.empty() ? 1 : 0, byEnds_ = true;
        outCount_.resize(stages_.size(), 0);
    }

    Expected<RunResult> run()
    {
        for (std::size_t s = 0; s < stages_.size(); ++s) consider(static_cast<std::int32_t>(s));
        settle();
        std::uint64_t events = 0;
        while (!events_.empty()) {
            if ((++events & 0xFFFFU) == 0 && options_.cancel.stop_requested())
                return failure(Code::cancelled, "the simulation was cancelled");
            now_ = events_.top().time;
            while (!events_.empty() && events_.top().time == now_) {
                const Event event = events_.top();
                events_.pop();
                ++result_.events;
                if (event.isLink)
                    arrive(event.id);
                else
                    finish(event.id);
            }
            settle();
            noteLengths();
        }
        result_.total = lastOut_;
        result_.framesOut = out_;
        result_.period = options_.frames == 1 ? lastOut_ : steadyPeriod(options_.frames, middleOut_, lastOut_);
        result_.firstLatency = firstOut_;
        if (out_ < options_.frames)
            return failure(Code::stuck, "the stages wait for each other", {}, "the connections form a cycle");
        return std::move(result_);
    }

private:
    struct Event {
        Ticks time = 0;
        std::int32_t id = 0; ///< stage or link
        bool isLink = false;
        friend bool operator>(const Event& a, const Event& b)
        {
            return std::tie(a.time, a.isLink, a.id) > std::tie(b.time, b.isLink, b.id);
        }
    };
    struct Put {
        Ticks put = 0;
        Ticks arrived = -1;
    };
    struct StageState {
        Ticks cost = 0;
        std::int64_t frame = 0; ///< the current or next frame
        enum { idle, queued, running, blocked } state = idle;
        Ticks freeSince = 0;
        Ticks readyAt = 0;
        Ticks finished = 0;
        FrameTimes times;
        std::size_t unsent = 0; ///< number of connections that had no room yet for a blocked stage's outputs
        std::vector<bool> sent;
        bool considered = false;
    };
    struct ConnectionState {
        std::deque<Put> waiting; ///< messages that were put and not taken, the oldest first
        std::int64_t arrived = 0;
        std::int64_t inQueue = 0;
        std::int64_t noted = 0; ///< the length that was recorded last
        bool touched = false;
    };
    struct LinkState {
        std::deque<std::int32_t> pending; ///< connections in the order of their transfers; the first transfer is in progress
        Ticks since = 0;
        std::vector<std::int64_t> frames;
    };

    void consider(std::int32_t s)
    {
        if (stages_[at(s)].considered) return;
        stages_[at(s)].considered = true;
        worklist_.push_back(s);
    }

    /// Performs all events that can happen at the current time.
    void settle()
    {
        while (!worklist_.empty() || !freed_.empty()) {
            while (!worklist_.empty()) {
                const std::int32_t s = worklist_.back();
                worklist_.pop_back();
                stages_[at(s)].considered = false;
                StageState& stage = stages_[at(s)];
                if (stage.state == StageState::blocked) send(s);
                if (stage.state == StageState::idle) tryReady(s);
            }
            // A device that became free goes to the ready stage that has waited longest.
            while (!freed_.empty()) {
                const std::int32_t r = freed_.back();
                freed_.pop_back();
                auto& queue = waiting_[at(r)];
                if (busy_[at(r)] || queue.empty()) continue;
                const auto first = std::min_element(queue.begin(), queue.end(), [&](std::int32_t a, std::int32_t b) {
                    return std::pair(stages_[at(a)].readyAt, a) < std::pair(stages_[at(b)].readyAt, b);
                });
                const std::int32_t s = *first;
                queue.erase(first);
                begin(s);
            }
        }
    }

    void tryReady(std::int32_t s)
    {
        StageState& stage = stages_[at(s)];
        if (stage.frame >= options_.frames) return;
        Ticks put = stage.freeSince;
        Ticks arrived = stage.freeSince;
        for (const std::int32_t c : model_.stages[at(s)].inputs) {
            const ConnectionState& from = connections_[at(c)];
            if (from.waiting.empty() || from.waiting.front().arrived < 0) return;
            put = std::max(put, from.waiting.front().put);
            arrived = std::max(arrived, from.waiting.front().arrived);
        }
        stage.times = {};
        stage.times.stalls.input = put - stage.freeSince;
        stage.times.stalls.link = std::max(arrived - put, Ticks{0});
        stage.state = StageState::queued;
        stage.readyAt = std::max(put, arrived);
        const std::int32_t r = model_.stages[at(s)].resource;
        waiting_[at(r)].push_back(s);
        if (!busy_[at(r)]) freed_.push_back(r);
    }

    void begin(std::int32_t s)
    {
        StageState& stage = stages_[at(s)];
        busy_[at(model_.stages[at(s)].resource)] = true;
        stage.state = StageState::running;
        stage.times.stalls.device = now_ - stage.readyAt;
        stage.times.start = now_;
        for (const std::int32_t c : model_.stages[at(s)].inputs) {
            ConnectionState& from = connections_[at(c)];
            from.waiting.pop_front();
            --from.inQueue;
            touch(c);
            consider(model_.connections[at(c)].from); // there is room
        }
        events_.push({now_ + stage.cost, s, false});
    }

    void finish(std::int32_t s)
    {
        StageState& stage = stages_[at(s)];
        const std::int32_t r = model_.stages[at(s)].resource;
        busy_[at(r)] = false;
        freed_.push_back(r);
        stage.finished = now_;
        stage.state = StageState::blocked;
        stage.sent.assign(model_.stages[at(s)].outputs.size(), false);
        stage.unsent = stage.sent.size();
        result_.stages[at(s)].busy += stage.cost;
        countOut(s);
        consider(s);
    }

    void countOut(std::int32_t s)
    {
        const bool isSink = byEnds_ ? model_.stages[at(s)].outputs.empty() : !model_.stages[at(s)].results.empty();
        if (!isSink) return;
        ++outCount_[at(s)];
        // A frame is out when the slowest sink has finished it.
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (std::size_t each = 0; each < stages_.size(); ++each) {
            const bool counts = byEnds_ ? model_.stages[each].outputs.empty() : !model_.stages[each].results.empty();
            if (counts) least = std::min(least, outCount_[each]);
        }
        if (least <= out_) return;
        if (out_ == 0) firstOut_ = now_;
        if (const std::int64_t middle = (options_.frames - 1) / 2; out_ <= middle && least > middle) middleOut_ = now_;
        out_ = least;
        lastOut_ = now_;
    }

    /// Sends the outputs of stage `s` to each connection that has room.
    void send(std::int32_t s)
    {
        StageState& stage = stages_[at(s)];
        const auto& outputs = model_.stages[at(s)].outputs;
        for (std::size_t o = 0; o < outputs.size() && stage.unsent > 0; ++o) {
            if (stage.sent[o]) continue;
            const std::int32_t c = outputs[o];
            const ConnectionModel& connection = model_.connections[at(c)];
            ConnectionState& to = connections_[at(c)];
            if (connection.capacity > 0 && static_cast<std::int64_t>(to.waiting.size()) >= connection.capacity) continue;
            stage.sent[o] = true;
            --stage.unsent;
            to.waiting.push_back({now_, connection.link == none ? now_ : -1});
            if (connection.link == none) {
                ++to.inQueue;
                touch(c);
                consider(connection.to);
            } else {
                LinkState& link = links_[at(connection.link)];
                link.pending.push_back(c);
                if (link.pending.size() == 1) startTransfer(connection.link);
            }
        }
        if (stage.unsent > 0) return;
        stage.times.finish = stage.finished;
        stage.times.stalls.output = now_ - stage.finished;
        StageRun& run = result_.stages[at(s)];
        run.stalls.input += stage.times.stalls.input;
        run.stalls.link += stage.times.stalls.link;
        run.stalls.device += stage.times.stalls.device;
        run.stalls.output += stage.times.stalls.output;
        if (stage.frame < options_.record) run.frames.push_back(stage.times);
        ++run.done;
        ++stage.frame;
        stage.freeSince = now_;
        stage.state = StageState::idle;
    }

    void startTransfer(std::int32_t l)
    {
        LinkState& link = links_[at(l)];
        link.since = now_;
        events_.push({now_ + model_.connections[at(link.pending.front())].transfer, l, true});
    }

    void arrive(std::int32_t l)
    {
        LinkState& link = links_[at(l)];
        const std::int32_t c = link.pending.front();
        link.pending.pop_front();
        ConnectionState& to = connections_[at(c)];
        to.waiting[static_cast<std::size_t>(to.inQueue)].arrived = now_; // the oldest message that is still in transfer
        if (to.arrived < options_.record) result_.transfers.push_back({c, to.arrived, link.since, now_});
        ++to.arrived;
        ++to.inQueue;
        touch(c);
        consider(model_.connections[at(c)].to);
        if (!link.pending.empty()) startTransfer(l);
    }

    void touch(std::int32_t c)
    {
        if (connections_[at(c)].touched) return;
        connections_[at(c)].touched = true;
        touched_.push_back(c);
    }

    /// Records lengths after all events of a time: a message that arrives and is taken at the same time was never in the queue.
    void noteLengths()
    {
        for (const std::int32_t c : touched_) {
            ConnectionState& state = connections_[at(c)];
            state.touched = false;
            ConnectionRun& run = result_.connections[at(c)];
            run.maxQueued = std::max(run.maxQueued, state.inQueue);
            if (state.inQueue == state.noted || run.lengths.size() >= maxLengths) continue;
            state.noted = state.inQueue;
            if (options_.record > 0) run.lengths.push_back({now_, state.inQueue});
        }
        touched_.clear();
    }

    const PipelineModel& model_;
    const SimulateOptions& options_;
    std::vector<StageState> stages_;
    std::vector<ConnectionState> connections_;
    std::vector<bool> busy_;                         ///< by resource
    std::vector<std::vector<std::int32_t>> waiting_; ///< by resource: stages that are ready
    std::vector<LinkState> links_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::vector<std::int32_t> worklist_;
    std::vector<std::int32_t> freed_;
    std::vector<std::int32_t> touched_;
    Ticks now_ = 0;
    std::int64_t sinks_ = 0;
    bool byEnds_ = false;
    std::vector<std::int64_t> outCount_; ///< by stage
    std::int64_t out_ = 0;
    Ticks firstOut_ = 0;
    Ticks middleOut_ = 0;
    Ticks lastOut_ = 0;
    RunResult result_;
};

} // namespace

Expected<RunResult> simulate(const PipelineModel& model, const SimulateOptions& options)
{
    if (model.stages.empty()) return failure(Code::noStages, "the pipeline has no stage");
    if (options.frames < 1) return failure(Code::outOfRange, "at least one frame has to be simulated");
    long double sum = 0;
    for (const StageModel& stage : model.stages) sum += static_cast<long double>(stage.cost);
    for (const ConnectionModel& connection : model.connections) sum += static_cast<long double>(connection.transfer);
    for (const auto& [stage, factor] : options.slow) sum *= std::max(factor, 1.0);
    if (sum * static_cast<long double>(options.frames) > 9.0e18L)
        return failure(Code::tooLong, fmt::format("{} frames take longer than can be counted in picoseconds", options.frames), {},
                       "simulate fewer frames");
    return Simulator(model, options).run();
}

} // namespace stowage::pipeline
