// Every form in which the plan of a run can be taken away, in one list: ours, those of other programs (built in or of plug-ins),
// and the model's own file with the plan in it.
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
    std::string suffix;  ///< of a file's name, with the dot: ".plan.json"; of a folder's, to tell it from others: "-c-source"
    bool folder = false; ///< several files, in a folder that is made
};

/// The forms that `run`, a planning of `model`, has. A program of a problem is left out, and so are a file that no rewriter
/// gives back, and the forms of a runtime that the file was not read from.
[[nodiscard]] std::vector<RunForm> runForms(const Session& session, const Model& model, const Run& run);

/// The files of one of these forms. `request` is that of the run: where the model's own file is read otherwise by its runtime, it
/// is planned again by the request. May be called from any thread. Errors: no such form; a plan that is not valid or does not
/// fit, for the formats of other programs ("not-valid"); those of the writer.
[[nodiscard]] Expected<Exported> writeRun(const Session& session, const Model& model, const PlanRequest& request,
                                          std::shared_ptr<const Run> run, const std::string& form,
                                          const std::stop_token& cancel = {});

} // namespace stowage
