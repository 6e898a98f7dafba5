// What a rank writes down while it runs, for whoever looks after an abnormal end.
#pragma once

#include <cstdint>
#include <string>

namespace stowage::stage {

/// Lines "begin F", "end F", at an orderly end "done", and "killed" when another process ends the rank (SIGTERM, which mpirun
/// sends to the ranks that are left when one dies). Each line goes to the file at once.
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
