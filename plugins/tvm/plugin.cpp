#include "plugins/api/plugin.h"
#include "plugins/tvm/graph_importer.h"
#include "plugins/tvm/tir_importer.h"
#include "plugins/tvm/tir_writer.h"

#include <QObject>

namespace stowage {

class TvmPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "plugin.json")
    Q_INTERFACES(stowage::Plugin)

public:
    std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<tvm::GraphImporter>(), std::make_shared<tvm::TirImporter>()};
    }
    std::vector<std::shared_ptr<const Rewriter>> rewriters() const override { return {std::make_shared<tvm::TirRewriter>()}; }
};

} // namespace stowage

#include "plugin.moc"
