#include "app/stage/ping_pong.h"

#include "app/stage/mpi_port.h"
#include "core/io/json_writer.h"

#include <algorithm>

namespace stowage::stage {

using namespace pipeline;

namespace {

constexpr int pingTag = 1;

void sendFrame(const Message& message, int to)
{
    Buffer buffer = pack(message);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(buffer.data(), static_cast<int>(buffer.size()), MPI_BYTE, to, pingTag, MPI_COMM_WORLD, &request);
    finish(request);
}

} // namespace

std::string pingPong(const std::vector<std::int64_t>& sizes)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    constexpr int rounds = 21;
    std::vector<std::pair<std::int64_t, double>> points;
    for (const std::int64_t size : sizes) {
        Message message;
        message.frame = 0;
        message.payloads.push_back(madeInput("ping", 0, size));
        std::vector<double> times;
        for (int round = 0; round < rounds && rank < 2; ++round) {
            const auto begin = Clock::now();
            if (rank == 0) {
                sendFrame(message, 1);
                unpack(receiveBytes(1, pingTag));
                const std::chrono::duration<double, std::micro> both = Clock::now() - begin;
                times.push_back(both.count() / 2);
            } else if (const auto back = unpack(receiveBytes(0, pingTag))) {
                sendFrame(*back, 0);
            }
        }
        if (rank != 0) continue;
        std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
        points.emplace_back(size, times[rounds / 2]);
    }
    if (rank != 0) return {};
    io::JsonWriter out;
    out.object([&] {
        out.field("format", "stowage.ping-pong/1");
        out.array("points", [&] {
            for (const auto& point : points)
                out.object(io::JsonWriter::compact, [&] {
                    out.field("bytes", point.first);
                    out.field("us", point.second);
                });
        });
    });
    return std::move(out).text();
}

} // namespace stowage::stage
