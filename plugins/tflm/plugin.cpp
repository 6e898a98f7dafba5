// The plugin: what the host loads.
#include "plugins/api/plugin.h"
#include "plugins/tflm/log_importers.h"

#include <QObject>

namespace stowage::tflm {

class TflmPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "plugin.json")
    Q_INTERFACES(stowage::Plugin)

public:
    [[nodiscard]] std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<TflmLogImporter>(), std::make_shared<VelaLogImporter>()};
    }
};

} // namespace stowage::tflm

#include "plugin.moc"
