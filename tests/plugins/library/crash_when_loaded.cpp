// A library that ends the process while it is loaded.
#include "plugins/api/plugin.h"

#include <QObject>

#include <cstdlib>

namespace stowage::test {

class CrashWhenLoaded : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "crash_when_loaded.json")
    Q_INTERFACES(stowage::Plugin)

public:
    CrashWhenLoaded() { std::abort(); }
};

} // namespace stowage::test

#include "crash_when_loaded.moc"
