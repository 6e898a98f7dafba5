#include "app/stage/mpi_port.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace stowage::stage {

using namespace pipeline;

namespace {

constexpr int firstTag = 100;
constexpr std::int64_t closedCredit = -1; ///< nothing more is taken
constexpr std::int64_t overCredit = -2;   ///< the end has been seen

int frameTag(std::int32_t connection)
{
    return firstTag + 2 * connection;
}

int creditTag(int frames)
{
    return frames + 1;
}

} // namespace

void Patience::wait()
{
    std::this_thread::sleep_for(std::chrono::microseconds(sleep_));
    sleep_ = std::min(sleep_ * 2, most);
}

void finish(MPI_Request& request)
{
    Patience patience;
    for (int complete = 0;;) {
        MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
        if (complete != 0) return;
        patience.wait();
    }
}

Buffer receiveBytes(int from, int tag)
{
    Patience patience;
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    for (int there = 0;;) {
        MPI_Improbe(from, tag, MPI_COMM_WORLD, &there, &message, &status);
        if (there != 0) break;
        patience.wait();
    }
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    Buffer buffer(static_cast<std::size_t>(bytes));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Imrecv(buffer.data(), bytes, MPI_BYTE, &message, &request);
    finish(request);
    return buffer;
}

MpiPort::MpiPort(const PipelineModel& model, std::size_t stage, bool exit, Clock::time_point start, Journal& journal)
    : model_(model), stage_(stage), exit_(exit), start_(start), journal_(journal)
{
    for (const std::int32_t c : model.stages[stage].inputs) {
        Input& input = inputs_.emplace_back();
        input.rank = model.connections[at(c)].from;
        input.tag = frameTag(c);
    }
    for (const std::int32_t c : model.stages[stage].outputs) {
        Output& output = outputs_.emplace_back();
        output.rank = model.connections[at(c)].to;
        output.tag = frameTag(c);
        output.credit = model.connections[at(c)].capacity > 0 ? model.connections[at(c)].capacity : -1;
    }
}

void MpiPort::post(int rank, int tag, Buffer buffer)
{
    Sending& sending = sending_.emplace_back();
    sending.buffer = std::move(buffer);
    MPI_Isend(sending.buffer.data(), static_cast<int>(sending.buffer.size()), MPI_BYTE, rank, tag, MPI_COMM_WORLD,
              &sending.request);
}

void MpiPort::giveCredit(const Input& input, std::int64_t credit)
{
    Buffer buffer(sizeof(credit));
    std::memcpy(buffer.data(), &credit, sizeof(credit));
    post(input.rank, creditTag(input.tag), std::move(buffer));
}

void MpiPort::progress()
{
    for (auto each = sending_.begin(); each != sending_.end();) {
        int complete = 0;
        MPI_Test(&each->request, &complete, MPI_STATUS_IGNORE);
        each = complete != 0 ? sending_.erase(each) : std::next(each);
    }
    for (Input& input : inputs_) progressInput(input);
    for (Output& output : outputs_) progressOutput(output);
    looked_ = Clock::now();
}

void MpiPort::progressInput(Input& input)
{
    while (!input.ended) {
        if (!input.receiving) {
            int there = 0;
            MPI_Message message = MPI_MESSAGE_NULL;
            MPI_Status status;
            MPI_Improbe(input.rank, input.tag, MPI_COMM_WORLD, &there, &message, &status);
            if (there == 0) return;
            int bytes = 0;
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            input.buffer.resize(static_cast<std::size_t>(bytes));
            MPI_Imrecv(input.buffer.data(), bytes, MPI_BYTE, &message, &input.request);
            input.receiving = true;
            input.since = looked_;
        }
        int complete = 0;
        MPI_Test(&input.request, &complete, MPI_STATUS_IGNORE);
        if (complete == 0) return;
        input.receiving = false;
        moved_ = true;
        auto message = unpack(input.buffer);
        if (!message || message->frame < 0) { // a frame below 0 is the end
            input.ended = true;
            giveCredit(input, overCredit);
        } else if (!input.closed) {
            // It came since this rank had looked for it in vain, which may be a whole frame ago, and not before it was handed on.
            const Clock::time_point now = Clock::now();
            const Clock::time_point handed = start_ + message->availableAt.time_since_epoch();
            message->availableAt = std::min(std::max(handed, input.since), now);
            message->sentAt = now;
            input.arrived.push_back(*std::move(message));
        }
    }
}

void MpiPort::progressOutput(Output& output)
{
    while (!output.over) {
        int there = 0;
        MPI_Iprobe(output.rank, creditTag(output.tag), MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (there == 0) return;
        std::int64_t credit = 0;
        // It is here, and small: the call returns at once.
        MPI_Recv(&credit, sizeof(credit), MPI_BYTE, output.rank, creditTag(output.tag), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        moved_ = true;
        if (credit == closedCredit)
            output.closed = true;
        else if (credit == overCredit)
            output.over = output.closed = true;
        else if (output.credit >= 0)
            output.credit += credit;
    }
}

StagePort::Received MpiPort::tryReceive(std::size_t index, Message& to)
{
    progress();
    Input& input = inputs_[index];
    if (input.arrived.empty()) return input.ended ? Received::ended : Received::nothing;
    to = std::move(input.arrived.front());
    input.arrived.pop_front();
    giveCredit(input, 1);
    moved_ = true;
    return Received::message;
}

StagePort::Sent MpiPort::trySend(std::size_t index, Message& message)
{
    progress();
    if (index == outputs_.size()) {
        const auto& targets = model_.stages[stage_].results;
        FrameResult& result = results_.emplace_back();
        result.time = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count() * 1000;
        for (std::size_t r = 0; r < targets.size() && r < message.payloads.size(); ++r)
            result.digests.emplace_back(targets[r].second, message.payloads[r].digest());
        return Sent::sent;
    }
    Output& output = outputs_[index];
    if (output.closed) return Sent::closed;
    if (output.credit == 0) return Sent::full;
    if (output.credit > 0) --output.credit;
    message.availableAt = Clock::time_point(message.availableAt - start_); // clocks of machines differ
    post(output.rank, output.tag, pack(message));
    moved_ = true;
    return Sent::sent;
}

void MpiPort::end(std::size_t index)
{
    if (index >= outputs_.size() || outputs_[index].ended) return;
    outputs_[index].ended = true;
    post(outputs_[index].rank, outputs_[index].tag, pack(Message{}));
}

void MpiPort::close(std::size_t index)
{
    Input& input = inputs_[index];
    if (input.closed || input.ended) return;
    input.closed = true;
    input.arrived.clear();
    giveCredit(input, closedCredit);
}

void MpiPort::wait(std::uint32_t)
{
    if (moved_) {
        moved_ = false;
        patience_.reset();
        return;
    }
    patience_.wait();
    progress();
}

void MpiPort::settle()
{
    const auto settled = [&] {
        return sending_.empty() && std::all_of(inputs_.begin(), inputs_.end(), [](const Input& input) { return input.ended; }) &&
               std::all_of(outputs_.begin(), outputs_.end(), [](const Output& output) { return output.over; });
    };
    for (progress(); !settled(); progress()) wait(0);
}

} // namespace stowage::stage
