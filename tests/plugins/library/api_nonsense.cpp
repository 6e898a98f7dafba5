#include "tests/plugins/library/test_importer.h"

#include <QObject>

namespace stowage::test {

class TestPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "api_nonsense.json")
    Q_INTERFACES(stowage::Plugin)

public:
    std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<TestImporter>("test-api_nonsense", "api_nonsense", oneBuffer)};
    }
};

} // namespace stowage::test

#include "api_nonsense.moc"
