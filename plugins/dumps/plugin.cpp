#include "plugins/api/plugin.h"
#include "plugins/dumps/dsa_problem.h"
#include "plugins/dumps/memory_profile.h"
#include "plugins/dumps/stream_pack.h"
#include "plugins/dumps/xla.h"

#include <QObject>

namespace stowage {

class DumpsPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "plugin.json")
    Q_INTERFACES(stowage::Plugin)

public:
    std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<dumps::XlaImporter>(), std::make_shared<dumps::MemoryProfileImporter>(),
                std::make_shared<dumps::StreamPackImporter>(), std::make_shared<dumps::DsaProblemImporter>()};
    }
};

} // namespace stowage

#include "plugin.moc"
