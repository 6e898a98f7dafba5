// The list of all formats in which the plan of a run can be written: Stowage's own, those of other programs (built in or of
// plug-ins), and the model's own file with the plan in it.
#pragma once

#include "app/session/session.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

struct RunForm {
    std::string id;      ///< "plan", "chrome-trace"; unique in the list
    std::string title;   ///< one line
    std::string suffix;  ///< end of the file name, with the dot: ".plan.json"; end of a folder's name: "-c-source"
    bool folder = false; ///< several files, in a new folder
};

/// What files made from a model are called: the name of its file without its suffix, and without further ones that have no digit
/// ("net.program.json": "net", "net_0.25.tflite": "net_0.25"); the model's own name if it has no file.
[[nodiscard]] std::string shortName(const Model& model);

/// The formats that are available for `run`, a run of `model`. Not available are a program for a problem, a file that no rewriter
/// can write, and the formats of a runtime that the file was not read from.
[[nodiscard]] std::vector<RunForm> runForms(const Session& session, const Model& model, const Run& run);

/// The files of one of these formats. `request` is that of the run: if the model's file, as its runtime reads it, is another
/// program than that of the run (several sub-graphs, edited ops), it is planned again with it, and a warning ("planned-again")
/// says so. Thread-safe. Errors: no such format; for formats of other programs a plan that is not valid or does not fit
/// ("not-valid"); a run that no planner made and that would have to be planned again ("no-planner"); those of the writer.
[[nodiscard]] Expected<Exported> writeRun(const Session& session, const Model& model, const PlanRequest& request,
                                          std::shared_ptr<const Run> run, const std::string& form,
                                          const std::stop_token& cancel = {});

} // namespace stowage
