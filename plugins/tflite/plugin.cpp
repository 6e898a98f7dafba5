// The plugin: what the host loads.
#include "plugins/api/plugin.h"
#include "plugins/tflite/tflite_importer.h"
#include "plugins/tflite/tflite_rewriter.h"

#include <QObject>

namespace stowage::tflite {

class TflitePlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "plugin.json")
    Q_INTERFACES(stowage::Plugin)

public:
    [[nodiscard]] std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<TfliteImporter>()};
    }
    [[nodiscard]] std::vector<std::shared_ptr<const Rewriter>> rewriters() const override
    {
        return {std::make_shared<TfliteRewriter>()};
    }
};

} // namespace stowage::tflite

#include "plugin.moc"
