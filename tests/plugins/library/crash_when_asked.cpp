#include "tests/plugins/library/test_importer.h"

#include <QObject>

#include <cstdlib>

namespace stowage::test {

class TestPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "crash_when_asked.json")
    Q_INTERFACES(stowage::Plugin)

public:
    std::vector<std::shared_ptr<const Importer>> importers() const override { std::abort(); }
};

} // namespace stowage::test

#include "crash_when_asked.moc"
