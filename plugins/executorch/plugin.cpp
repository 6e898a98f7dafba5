#include "plugins/api/plugin.h"
#include "plugins/executorch/program_importer.h"

#include <QObject>

namespace stowage {

class ExecutorchPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "plugin.json")
    Q_INTERFACES(stowage::Plugin)

public:
    std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<executorch::ProgramImporter>()};
    }
};

} // namespace stowage

#include "plugin.moc"
