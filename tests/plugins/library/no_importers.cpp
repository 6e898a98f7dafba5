#include "tests/plugins/library/test_importer.h"

#include <QObject>

namespace stowage::test {

class TestPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "no_importers.json")
    Q_INTERFACES(stowage::Plugin)

public:
    std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<TestImporter>("test-no_importers", "no_importers", oneBuffer)};
    }
};

} // namespace stowage::test

#include "no_importers.moc"
