#include "tests/plugins/library/test_importer.h"

#include <QObject>

namespace stowage::test {

class TestPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID "org.stowage.Plugin/10" FILE "wrong_iid.json")
    Q_INTERFACES(stowage::Plugin)

public:
    std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<TestImporter>("test-wrong_iid", "wrong_iid", oneBuffer)};
    }
};

} // namespace stowage::test

#include "wrong_iid.moc"
