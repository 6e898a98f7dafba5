// The worker's ends of the stream: frames in on standard input, frames out on what was standard output.
#pragma once

#include "core/ir/expected.h"
#include "plugins/external/frames.h"

#include <optional>
#include <string_view>

namespace stowage::worker {

class Channel {
public:
    /// Takes standard output for itself: whatever a library prints goes to standard error from now on.
    Channel();
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    /// Waits for the next frame; an error at the end of the input.
    Expected<Frame> receive();
    /// Writes a frame at once. Ends the process when nobody listens any more.
    void send(std::string_view type, std::string_view payload);
    void send(const Error& error);

private:
    int out_ = -1;
    FrameReader reader_;
};

} // namespace stowage::worker
