// An exporter: one line for each buffer, "NAME POOL OFFSET"; or whatever else its option asks for.
#include "plugins/api/plugin.h"

#include <QObject>

#include <cstdlib>
#include <stdexcept>

namespace stowage::test {

class LineExporter final : public Exporter {
public:
    [[nodiscard]] const ExporterInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Exported> write(const ExportRequest& request) const override
    {
        std::string deed = "none";
        for (const auto& [key, value] : request.options)
            if (key == "deed") deed = value;
        if (deed == "crash") std::abort();
        if (deed == "throw") throw std::runtime_error("thrown by a test");
        if (deed == "refuse") return failure(Code::notSupported, "it cannot be said in lines");
        Exported exported;
        for (const ExportedModel& model : request.models)
            for (const ExportedFunction& function : model.functions) {
                const Run& run = *function.run;
                std::string text = model.name + " " + std::to_string(run.report.totalSize()) + "\n";
                for (std::size_t b = 0; b < run.plan.placements.size(); ++b) {
                    const Placement& place = run.plan.placements[b];
                    text += run.problem().buffers[b].name + " " + run.problem().pools[std::size_t(place.pool)].name + " " +
                            std::to_string(place.offset) + "\n";
                }
                exported.files.push_back({deed == "escape" ? "../lines.txt" : model.name + ".txt", std::move(text)});
            }
        exported.diagnostics.push_back({Severity::note, Code::notPlaced, "lines have no comments", {}, {}});
        return exported;
    }

private:
    ExporterInfo info_{"test-lines", "lines", {"txt"}};
};

class WritingPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "writing.json")
    Q_INTERFACES(stowage::Plugin)

public:
    [[nodiscard]] std::vector<std::shared_ptr<const Exporter>> exporters() const override
    {
        return {std::make_shared<LineExporter>()};
    }
};

} // namespace stowage::test

#include "writing.moc"
