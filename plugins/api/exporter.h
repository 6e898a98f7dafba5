// The interface of exporters, for authors of plug-ins: plans in, files out. No Qt.
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

/// The plan of one function of a model. The core has checked that it is valid and fits, before an exporter is called.
struct ExportedFunction {
    std::string name; ///< as for `--function`; empty for a problem without a name
    std::shared_ptr<const Run> run;
};

struct ExportedModel {
    std::string name;     ///< for names in the files: "doorbell"
    std::string path;     ///< of the input, for messages, and for exporters that read it again
    std::string importer; ///< the importer that read the input: "tflite"
    std::vector<ExportedFunction> functions;
};

struct ExportRequest {
    std::vector<ExportedModel> models; ///< one, unless the exporter takes several
    std::vector<std::pair<std::string, std::string>> options;
};

struct ExportedFile {
    std::string name; ///< name in the folder: "doorbell_plan.h"; not used for a single file
    std::string bytes;
};

struct Exported {
    std::vector<ExportedFile> files;
    Diagnostics diagnostics; ///< notes and warnings: facts of the plans that the files do not contain
};

/// The meaning of the path of `-o`.
enum class ExportForm : std::uint8_t {
    file,   ///< the single file
    folder, ///< a folder for all files
    either, ///< the single file if the path ends with one of the suffixes, else a folder
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
    /// Makes the files. Errors: a property of the plans that the format cannot express.
    [[nodiscard]] virtual Expected<Exported> write(const ExportRequest& request) const = 0;
};

} // namespace stowage
