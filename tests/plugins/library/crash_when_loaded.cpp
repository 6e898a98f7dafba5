// A library that ends the process while it is loaded; with STOWAGE_TEST_LOAD_HANGS in the environment it waits instead.
#include "plugins/api/plugin.h"

#include <QObject>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace stowage::test {

class CrashWhenLoaded : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "crash_when_loaded.json")
    Q_INTERFACES(stowage::Plugin)

public:
    CrashWhenLoaded()
    {
        while (std::getenv("STOWAGE_TEST_LOAD_HANGS") != nullptr) std::this_thread::sleep_for(std::chrono::seconds(1));
        std::abort();
    }
};

} // namespace stowage::test

#include "crash_when_loaded.moc"
