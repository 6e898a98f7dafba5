#include "tests/plugins/library/test_importer.h"

#include <QObject>

#include <stdexcept>

namespace stowage::test {

class TestPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "throw_when_loaded.json")
    Q_INTERFACES(stowage::Plugin)

public:
    TestPlugin() { throw std::runtime_error("thrown on purpose"); }

    std::vector<std::shared_ptr<const Importer>> importers() const override { return {}; }
};

} // namespace stowage::test

#include "throw_when_loaded.moc"
