// The ports of a stage that is a rank of MPI.
//
// A connection has two tags: frames go one way, credits come back. A producer may have as many frames on the way as the queue of
// the connection holds; each frame that the consumer takes returns one credit. Nothing blocks: requests are polled, with growing
// sleeps between, because the blocking calls of MPI use a whole core.
#pragma once

#include "app/stage/journal.h"
#include "app/stage/packing.h"

#include <deque>
#include <functional>
#include <list>
#include <mpi.h>

namespace stowage::stage {

/// Sleeps that grow from 5 to 250 µs, until `reset`.
class Patience {
public:
    void reset() { sleep_ = least; }
    void wait();

private:
    static constexpr std::int64_t least = 5;
    static constexpr std::int64_t most = 250;
    std::int64_t sleep_ = least; ///< µs
};

/// Waits for a request, with sleeps.
void finish(MPI_Request& request);
/// Waits for a message from a rank, with sleeps.
Buffer receiveBytes(int from, int tag);

class MpiPort final : public pipeline::StagePort {
public:
    /// `model` must outlive the port. `exit`: one more output port collects the outputs to the application.
    MpiPort(const pipeline::PipelineModel& model, std::size_t stage, bool exit, pipeline::Clock::time_point start,
            Journal& journal);

    [[nodiscard]] std::size_t inputs() const override { return inputs_.size(); }
    [[nodiscard]] std::size_t outputs() const override { return outputs_.size() + (exit_ ? 1 : 0); }
    Received tryReceive(std::size_t input, pipeline::Message& to) override;
    Sent trySend(std::size_t output, pipeline::Message& message) override;
    void end(std::size_t output) override;
    void close(std::size_t input) override;
    std::uint32_t mark() override { return 0; }
    void wait(std::uint32_t mark) override;
    [[nodiscard]] bool draining() const override { return false; }
    pipeline::Clock::time_point acquire() override { return {}; }
    void release(pipeline::Clock::time_point) override {}
    /// Calls MPI's functions, because it transfers large messages only while they run.
    std::function<void()> idle() override
    {
        return [this] { progress(); };
    }
    void began(std::int64_t frame) override { journal_.began(frame); }
    void ended(std::int64_t frame) override { journal_.ended(frame); }

    /// To be called after the stage's loop: waits until every frame and credit has arrived.
    void settle();
    [[nodiscard]] std::vector<FrameResult> takeResults() { return std::move(results_); }

private:
    struct Input {
        int rank = 0;
        int tag = 0;
        bool ended = false;
        bool closed = false;
        bool receiving = false;
        pipeline::Clock::time_point since{}; ///< time of the last look at which nothing had arrived
        Buffer buffer;
        MPI_Request request = MPI_REQUEST_NULL;
        std::deque<pipeline::Message> arrived;
    };
    struct Output {
        int rank = 0;
        int tag = 0;
        std::int64_t credit = 0; ///< -1: unbounded
        bool ended = false;
        bool closed = false;
        bool over = false; ///< the consumer has received the end
    };
    struct Sending {
        Buffer buffer;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    void post(int rank, int tag, Buffer buffer);
    void giveCredit(const Input& input, std::int64_t credit);
    void progress();
    void progressInput(Input& input);
    void progressOutput(Output& output);

    const pipeline::PipelineModel& model_;
    std::size_t stage_;
    bool exit_;
    pipeline::Clock::time_point start_;
    pipeline::Clock::time_point looked_{}; ///< time of the last look for messages
    Journal& journal_;
    std::vector<Input> inputs_;
    std::vector<Output> outputs_;
    std::list<Sending> sending_; ///< a list, because requests keep the addresses of their buffers
    bool moved_ = false;
    Patience patience_;
    std::vector<FrameResult> results_;
};

} // namespace stowage::stage
