#include "plugins/tflm/tflm_log.h"

#include "core/ir/checked.h"
#include "plugins/tflm/log_lines.h"

#include <fmt/format.h>

namespace stowage::tflm {

namespace {

constexpr std::string_view planMark = " (id=";
constexpr std::string_view recordMark = "[RecordingMicroAllocator] Arena allocation ";
constexpr Step maxTime = Step{1} << 24; ///< as many steps as a problem may have
constexpr auto cutRemedy = "Record the log again, and keep all of it.";

class Reader {
public:
    Reader(std::string_view text, const std::string& file) : lines_(text), file_(file) {}

    Expected<RuntimeLog> run()
    {
        while (const auto line = lines_.next()) {
            if (const auto mark = line->find(planMark); mark != std::string_view::npos) {
                if (auto error = planLine(line->substr(mark))) return *std::move(error);
            } else if (const auto record = line->find(recordMark); record != std::string_view::npos) {
                recordLine(line->substr(record + recordMark.size()));
            }
        }
        if (log_.buffers.empty() && !log_.head && !log_.total)
            return failure(Code::nothingToPlan, "the log has no line of TensorFlow Lite Micro's memory planner", {file_},
                           "Build the runtime with TF_LITE_SHOW_MEMORY_USE, or use a RecordingMicroInterpreter.");
        return std::move(log_);
    }

private:
    [[nodiscard]] Error wrong(Code code, std::string message, const char* remedy) const
    {
        return failure(code, std::move(message), {file_, lines_.number(), 0, -1}, remedy);
    }

    /// " (id=10): size=4096, offset=0, first_used=0 last_used=3"
    std::optional<Error> planLine(std::string_view text)
    {
        LineReader in(text);
        std::int64_t id = 0;
        if (!in.text(planMark).number(id).text("): size=").ok()) return std::nullopt; // of another writer
        PlannedBuffer buffer;
        buffer.line = lines_.number();
        if (!in.number(buffer.size).text(", offset=").number(buffer.offset).text(", first_used=").number(buffer.first).ok() ||
            !in.text(" last_used=").number(buffer.last).ok())
            return wrong(Code::malformed, fmt::format("the line of buffer {} is cut off or damaged", id), cutRemedy);
        if (id == 0) { // a plan begins
            log_.buffers.clear();
            ++log_.plans;
        }
        if (id != static_cast<std::int64_t>(log_.buffers.size()))
            return wrong(Code::missingBuffer,
                         fmt::format("buffer {} follows where buffer {} should be: a part of the plan is missing", id,
                                     log_.buffers.size()),
                         cutRemedy);
        if (buffer.size < 0 || buffer.size > maxBytes || buffer.offset < 0 || buffer.offset > maxBytes)
            return wrong(Code::badSize, fmt::format("buffer {} has {} bytes at offset {}", id, buffer.size, buffer.offset),
                         cutRemedy);
        if (buffer.first < 0 || buffer.last < buffer.first || buffer.last >= maxTime)
            return wrong(Code::badLiveRange, fmt::format("buffer {} is used from {} to {}", id, buffer.first, buffer.last),
                         cutRemedy);
        log_.buffers.push_back(buffer);
        return std::nullopt;
    }

    /// "head 3072 bytes"
    void recordLine(std::string_view text)
    {
        for (const auto& [name, to] :
             {std::pair("head", &log_.head), std::pair("tail", &log_.tail), std::pair("total", &log_.total)}) {
            std::int64_t bytes = 0;
            if (LineReader(text).text(name).number(bytes).text(" bytes").ok() && bytes >= 0 && bytes <= maxBytes) *to = bytes;
        }
    }

    LogLines lines_;
    const std::string& file_;
    RuntimeLog log_;
};

} // namespace

Expected<RuntimeLog> readRuntimeLog(std::string_view text, const std::string& file)
{
    return Reader(text, file).run();
}

int claimsRuntimeLog(std::string_view head)
{
    LogLines lines(head);
    while (const auto line = lines.next()) {
        if (line->find(recordMark) != std::string_view::npos) return 95;
        const auto mark = line->find(planMark);
        std::int64_t id = 0;
        if (mark != std::string_view::npos && LineReader(line->substr(mark)).text(planMark).number(id).text("): size=").ok())
            return 95;
    }
    return 0;
}

} // namespace stowage::tflm
