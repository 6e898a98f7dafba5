// Whatever the bytes, the readers of what the programs keep (sessions, targets, suites, baselines, histories) give a value that
// is written and read back the same, or one error with a place. The first byte chooses the reader.
#include "app/session/regress/suite_run.h"
#include "app/session/session_file.h"
#include "app/session/targets.h"

#include <algorithm>
#include <cstdlib>

using namespace stowage;

namespace {

void placed(const Error& error)
{
    if (error.message.empty() || error.where.file.empty()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 5) {
    case 0: {
        const auto read = readSession(text, "/fuzz/desk.stow");
        if (!read) return placed(read.error()), 0;
        const std::string written = writeSession(*read, "/fuzz/desk.stow");
        const auto again = readSession(written, "/fuzz/desk.stow");
        if (!again || writeSession(*again, "/fuzz/desk.stow") != written) std::abort();
        return 0;
    }
    case 1: {
        const auto read = readTarget(text, "fuzz.json");
        if (!read) placed(read.error());
        return 0;
    }
    case 2: {
        const auto read = readSuite(text, "fuzz.json");
        if (!read) return placed(read.error()), 0;
        for (const SuiteRow& row : read->rows)
            if (rowOf(*read, keyOf(row, row.function)) == nullptr) std::abort();
        return 0;
    }
    case 3: {
        const auto read = readBaseline(text, "fuzz.json");
        if (!read) return placed(read.error()), 0;
        const std::string written = writeBaseline(*read);
        const auto again = readBaseline(written, "again.json");
        if (!again || writeBaseline(*again) != written) std::abort();
        return 0;
    }
    default: {
        // What is kept of a history is kept when nothing is added.
        const std::string kept = appendedHistory(std::string(text), {});
        if (appendedHistory(kept, {}) != kept) std::abort();
        if (std::count(kept.begin(), kept.end(), '\n') > std::count(text.begin(), text.end(), '\n') + 1) std::abort();
        return 0;
    }
    }
}
