// The worker's end of the connection to its host: receives frames on standard input, and sends frames on the file that was
// standard output.
#pragma once

#include "core/ir/expected.h"
#include "plugins/external/frames.h"

#include <optional>
#include <string_view>

namespace stowage::worker {

class Channel {
public:
    /// Takes over standard output: later prints of libraries go to standard error.
    Channel();
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    /// Waits for the next frame. Errors: the end of the input, a frame that is cut off.
    Expected<Frame> receive();
    /// Writes a frame without buffering. Ends the process if the host has closed the connection.
    void send(std::string_view type, std::string_view payload);
    void send(const Error& error);

private:
    int out_ = -1;
    FrameReader reader_;
};

} // namespace stowage::worker
