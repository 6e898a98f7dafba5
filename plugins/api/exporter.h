// What an author of an exporter includes: plans in, files out. No Qt.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/option_spec.h"
#include "core/plan/run.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/// The plan of one function of a model. It is valid and fits: checked by the core before an exporter is called.
struct ExportedFunction {
    std::string name; ///< as `--function` takes it; empty where the model has only one
    std::shared_ptr<const Run> run;
};

struct ExportedModel {
    std::string name;     ///< for names in what is written: "doorbell"
    std::string path;     ///< of the input, for messages, and for who has to read it again
    std::string importer; ///< that read it: "tflite"
    std::vector<ExportedFunction> functions;
};

struct ExportRequest {
    std::vector<ExportedModel> models; ///< one, unless the exporter takes several
    std::vector<std::pair<std::string, std::string>> options;
};

struct ExportedFile {
    std::string name; ///< where a folder is written: "doorbell_plan.h"
    std::string bytes;
};

struct Exported {
    std::vector<ExportedFile> files;
    Diagnostics diagnostics; ///< notes and warnings: what the files cannot say
};

/// What `-o` names.
enum class ExportForm : std::uint8_t {
    file,   ///< the one file that is written
    folder, ///< a folder for all files
    either, ///< the one file, where the name ends with one of the suffixes, else a folder
};

struct ExporterInfo {
    std::string name;                  ///< "executorch"
    std::string title;                 ///< one line, for lists
    std::vector<std::string> suffixes; ///< of its files, without the dot; may be empty
    ExportForm form = ExportForm::file;
    bool several = false; ///< takes several models at once
    std::vector<OptionSpec> options = {};
};

class Exporter {
public:
    virtual ~Exporter() = default;
    [[nodiscard]] virtual const ExporterInfo& info() const = 0;
    /// Errors: what the plans have that the format cannot say.
    [[nodiscard]] virtual Expected<Exported> write(const ExportRequest& request) const = 0;
};

} // namespace stowage
