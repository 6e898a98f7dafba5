// Whatever the bytes, the readers of what the programs keep (sessions, targets, suites, baselines, histories, sweeps, pipelines
// with what they refer to) give a value that is written and read back the same, or one error with a place. The first byte chooses
// the reader.
#include "app/session/pipeline_files.h"
#include "app/session/regress/suite_run.h"
#include "app/session/regress/sweep_files.h"
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
    switch (data[0] % 9) {
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
    case 4: {
        const auto read = readSweepLists(text, "fuzz.json");
        if (!read) return placed(read.error()), 0;
        // An absent list holds its default: the product of all is never empty but for the models.
        if (read->targets.empty() || read->planners.empty() || read->seeds.empty() || read->workLimits.empty()) std::abort();
        return 0;
    }
    case 5: {
        const auto read = readSweepList(text, "fuzz.json");
        if (!read) return placed(read.error()), 0;
        for (const SweepRow& row : *read)
            if (row.key.size() != 64 || row.key.find('/') != std::string::npos) std::abort(); // it is the name of a file
        return 0;
    }
    case 6: {
        const auto read = readSweepResult(text, "fuzz.json", {});
        if (!read) return placed(read.error()), 0;
        if (read->empty()) std::abort();
        return 0;
    }
    case 7: {
        // No folder of that name: the programs that a configuration names are not found, whatever they are called.
        const auto read = readPipelineText(text, QStringLiteral("/nowhere/fuzz.json"));
        if (!read) return placed(read.error()), 0;
        for (const auto& program : read->programs)
            if (program) std::abort();
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
