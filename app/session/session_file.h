// What a user has on the desk, as a file: `*.stow`, `stowage.session/1`. Files are named by paths relative to the session and by
// their SHA-256; plans are kept as documents `stowage.plan/1`. Reading a session reads no other file and runs nothing.
//
//     {"format": "stowage.session/1", "current": 0, "view": "memory-map", "planners": ["auto"], "time_limit": 2, "seed": 0,
//      "options": [{"planner": "exact", "values": [["goal", "size"]]}], "window": {"docks": "base64", "unit": 0, "hex": true},
//      "files": [{"path": "models/kws.tflite", "sha256": "…", "shown": "auto", "runs": [{"planner": "auto", "plan": {}}]}]}
#pragma once

#include "app/session/session.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// A plan that was on the desk.
struct SessionRun {
    std::string planner;
    OptionValues options;
    std::uint64_t seed = 0;
    std::uint64_t workLimit = 0;
    double timeLimitSeconds = 0;
    double elapsedMs = 0; ///< that the planner took
    std::string plan;     ///< a document `stowage.plan/1`

    friend bool operator==(const SessionRun&, const SessionRun&) = default;
};

struct SessionNote {
    std::string pool; ///< empty: of the step alone
    Step step = 0;
    Bytes address = 0;
    std::string text;

    friend bool operator==(const SessionNote&, const SessionNote&) = default;
};

/// What is in view: begin and span of the steps, then of each address axis.
using SessionZoom = std::vector<std::pair<double, double>>;

/// An open model with all that was done to it.
struct SessionModel {
    std::string path;   ///< absolute once read
    std::string sha256; ///< of the file when the session was saved; empty: not known
    std::string importer;
    std::string function;
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    OptionValues importOptions;
    std::string target; ///< name; with pools of its own
    std::vector<Pool> pools;
    Bytes alignment = elementAlignment;
    OptionValues lowering;
    std::vector<PinRequest> pins;
    std::vector<Change> changes;
    std::vector<SessionNote> notes;
    SessionZoom zoom;
    std::string shown; ///< planner of the run that is shown; empty: none
    std::vector<SessionRun> runs;

    friend bool operator==(const SessionModel&, const SessionModel&) = default;
};

struct SessionDocument {
    std::vector<SessionModel> models;
    std::size_t current = 0; ///< into `models`
    std::string view;
    std::vector<std::string> planners; ///< that are ticked
    std::vector<std::pair<std::string, OptionValues>> options;
    double timeLimitSeconds = 2;
    std::uint64_t seed = 0;
    std::string docks; ///< state of the window's panels, base64
    int unit = 0;      ///< 0 bytes, 1 KiB, 2 words
    bool hexAddresses = true;

    friend bool operator==(const SessionDocument&, const SessionDocument&) = default;
};

/// `file`: where it will lie, so that paths are relative to its folder.
[[nodiscard]] std::string writeSession(const SessionDocument& session, const std::string& file);
/// Errors: those of the JSON reader, with a position; fields that nobody knows, except under "x-…"; another format. Paths
/// become absolute, from the folder of `file`.
[[nodiscard]] Expected<SessionDocument> readSession(std::string_view text, const std::string& file);

/// SHA-256 of a file, 64 hexadecimal digits; empty where it cannot be read.
[[nodiscard]] std::string fileHash(const QString& path);

} // namespace stowage
