// The journal of a rank, which is read after an abnormal end.
#pragma once

#include <cstdint>
#include <string>

namespace stowage::stage {

/// Lines "begin F" and "end F" for each frame F, "done" at an orderly end, and "killed" if another process ends the rank
/// (SIGTERM, which mpirun sends to the other ranks when one dies). Each line is written to the file immediately.
class Journal {
public:
    /// `folder` empty: no journal. Catches SIGTERM.
    Journal(const std::string& folder, int rank);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    void began(std::int64_t frame) { line("begin", frame); }
    void ended(std::int64_t frame) { line("end", frame); }
    void done();

private:
    void line(const char* what, std::int64_t frame);

    int file_ = -1;
};

} // namespace stowage::stage
