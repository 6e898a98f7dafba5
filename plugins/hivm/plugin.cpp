// The plugin: what the host loads.
#include "plugins/api/plugin.h"
#include "plugins/hivm/hivm_importer.h"
#include "plugins/hivm/hivm_rewriter.h"

#include <QObject>

namespace stowage::hivm {

class HivmPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "plugin.json")
    Q_INTERFACES(stowage::Plugin)

public:
    [[nodiscard]] std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<HivmImporter>(), std::make_shared<MemoryInfoImporter>()};
    }
    [[nodiscard]] std::vector<std::shared_ptr<const Rewriter>> rewriters() const override
    {
        return {std::make_shared<HivmRewriter>()};
    }
};

} // namespace stowage::hivm

#include "plugin.moc"
