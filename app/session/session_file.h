// The state of the window as a file: `*.stow`, `stowage.session/1`. It names files by paths relative to the session and by their
// SHA-256, and contains plans as documents `stowage.plan/1`. Reading a session reads no other file and runs nothing.
//
//     {"format": "stowage.session/1", "current": 0, "view": "memory-map", "planners": ["auto"], "time_limit": 2, "seed": 0,
//      "options": [{"planner": "exact", "values": [["goal", "size"]]}], "window": {"docks": "base64", "unit": 0, "hex": true},
//      "files": [{"path": "models/kws.tflite", "sha256": "…", "shown": "auto", "runs": [{"planner": "auto", "plan": {}}]}]}
//
// A file may also have the order that the user gave its ops, and the devices and stages of its pipeline:
//
//      "order": [{"function": "main", "region": 0, "ops": ["conv2", "conv1"]}],
//      "pipeline": {"devices": {"format": "stowage.devices/1", …}, "objective": "latency", "cuts": [8], "stages": [1, 0]}
//
// and its zoom in each view, as `SessionZoom`. Older sessions have one list, "zoom", which is that of the view of the session:
//
//      "zooms": {"memory-map": [0.5, 20, 0, 4096]}
#pragma once

#include "app/session/pipeline_study.h"
#include "app/session/reordering.h"
#include "app/session/session.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// A run of the session.
struct SessionRun {
    std::string planner;
    OptionValues options;
    std::uint64_t seed = 0;
    std::uint64_t workLimit = 0;
    double timeLimitSeconds = 0;
    double elapsedMs = 0; ///< time of the planner, in milliseconds
    std::string plan;     ///< a document `stowage.plan/1`

    friend bool operator==(const SessionRun&, const SessionRun&) = default;
};

struct SessionNote {
    std::string pool; ///< empty: the note is on the step alone
    Step step = 0;
    Bytes address = 0;
    std::string text;

    friend bool operator==(const SessionNote&, const SessionNote&) = default;
};

/// The visible range: begin and span of the steps, then of each address axis.
using SessionZoom = std::vector<std::pair<double, double>>;
using SessionZooms = std::map<std::string, SessionZoom>; ///< by id of the view

/// An open model with its edits and runs.
struct SessionModel {
    std::string path;   ///< absolute once read
    std::string sha256; ///< of the file when the session was saved; empty: unknown
    std::string importer;
    std::string function;
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    OptionValues importOptions;
    std::string target;         ///< name; its pools are below
    bool targetAssumed = false; ///< for a kernel whose text names none: it is assumed anew when the session is opened
    bool targetChosen = false;  ///< without name, runtime and pools: the user chose the model's own pools
    std::string targetFile;     ///< the file of the target, absolute once read; empty: an installed target, or none
    std::string runtime;        ///< of the target, "tflm" or "executorch"; empty: none
    std::vector<Pool> pools;
    Bytes alignment = elementAlignment;
    OptionValues lowering;
    std::vector<PinRequest> pins;
    std::vector<Change> changes;
    std::vector<SessionNote> notes;
    SessionZooms zooms;
    std::vector<ListedOps> order; ///< regions whose ops the user reordered; the runs are of this order
    bool opsLeftOut = false;      ///< the user added ops, which a session does not hold; their runs are left out, too
    std::optional<PipelineSetup> pipeline;
    std::string runtimeLog;              ///< the file of the runtime's log, absolute once read; empty: none
    std::string shown;                   ///< planner of the run that is shown; empty: none
    std::optional<std::size_t> shownRun; ///< index in `runs` of the run that is shown; no value: none of them, or unknown
    std::vector<SessionRun> runs;
    std::size_t runsLeftOut = 0; ///< count of the model's runs that are not in `runs`

    friend bool operator==(const SessionModel&, const SessionModel&) = default;
};

struct SessionDocument {
    std::vector<SessionModel> models;
    std::size_t current = 0; ///< into `models`
    std::string suite;       ///< the open regression suite, absolute once read; empty: none
    std::string view;
    std::vector<std::string> planners; ///< ticked planners
    bool kernelTickSettled = false;    ///< the user has ticked or unticked Ascend's planner, so that no kernel ticks it
    std::vector<std::pair<std::string, OptionValues>> options;
    double timeLimitSeconds = 2;
    std::uint64_t seed = 0;
    std::string docks;                               ///< state of the window's panels, base64
    std::vector<std::pair<std::string, int>> panels; ///< by view: the panels that the user chose for it, as a sum of `Panel`
    int unit = 0;                                    ///< 0 bytes, 1 KiB, 2 words
    bool hexAddresses = true;

    friend bool operator==(const SessionDocument&, const SessionDocument&) = default;
};

/// `file`: path of the session, to whose folder paths become relative.
[[nodiscard]] std::string writeSession(const SessionDocument& session, const std::string& file);
/// Reads a session. Paths become absolute, from the folder of `file`. Errors: those of the JSON reader, with a position; unknown
/// fields, unless they begin with "x-"; another format.
[[nodiscard]] Expected<SessionDocument> readSession(std::string_view text, const std::string& file);

} // namespace stowage
