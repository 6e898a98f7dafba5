// The threads of the window's own work.
#pragma once

class QThreadPool;

namespace stowage {

/// As many threads as the machine has. Qt paints large areas with threads of QThreadPool::globalInstance() and waits for them:
/// work of seconds there would hold up the window. The end of the application waits for work that runs.
[[nodiscard]] QThreadPool& backgroundPool();

} // namespace stowage
