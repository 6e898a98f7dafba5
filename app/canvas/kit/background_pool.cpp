#include "app/canvas/kit/background_pool.h"

#include <QCoreApplication>
#include <QThreadPool>

namespace stowage {

QThreadPool& backgroundPool()
{
    static QThreadPool pool;
    static const bool waited = [] {
        qAddPostRoutine([] { pool.waitForDone(); }); // as Qt does for its own pool
        return true;
    }();
    (void)waited;
    return pool;
}

} // namespace stowage
