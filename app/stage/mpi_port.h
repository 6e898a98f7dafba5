// What a stage sees of the others when each is a rank of MPI.
//
// A connection has two tags: frames go one way, credit comes back. A producer may have as many frames under way as the connection
// has room; a frame that is taken gives one credit back. Nothing here blocks: requests are tested, and who waits sleeps, longer
// and longer, since the blocking calls of MPI spin.
#pragma once

#include "app/stage/journal.h"
#include "app/stage/packing.h"

#include <deque>
#include <functional>
#include <list>
#include <mpi.h>

namespace stowage::stage {

/// Sleeps that grow from 5 to 250 µs until something happens.
class Patience {
public:
    void reset() { sleep_ = least; }
    void wait();

private:
    static constexpr std::int64_t least = 5;
    static constexpr std::int64_t most = 250;
    std::int64_t sleep_ = least; ///< µs
};

/// Waits for a request without spinning.
void finish(MPI_Request& request);
/// Waits for bytes from a rank without spinning.
Buffer receiveBytes(int from, int tag);

class MpiPort final : public pipeline::StagePort {
public:
    /// `model` has to outlive the port. With `exit` one more output port collects what goes to the application.
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
    /// MPI moves large messages only while its functions are called.
    std::function<void()> idle() override
    {
        return [this] { progress(); };
    }
    void began(std::int64_t frame) override { journal_.began(frame); }
    void ended(std::int64_t frame) override { journal_.ended(frame); }

    /// After the stage's loop: until every frame and every credit has arrived where it belongs.
    void settle();
    [[nodiscard]] std::vector<FrameResult> takeResults() { return std::move(results_); }

private:
    struct Input {
        int rank = 0;
        int tag = 0;
        bool ended = false;
        bool closed = false;
        bool receiving = false;
        pipeline::Clock::time_point since{}; ///< nothing was there when this rank looked before
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
        bool over = false; ///< the consumer has seen the end
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
    pipeline::Clock::time_point looked_{}; ///< for messages, the last time
    Journal& journal_;
    std::vector<Input> inputs_;
    std::vector<Output> outputs_;
    std::list<Sending> sending_; ///< requests keep the addresses of their buffers
    bool moved_ = false;
    Patience patience_;
    std::vector<FrameResult> results_;
};

} // namespace stowage::stage
