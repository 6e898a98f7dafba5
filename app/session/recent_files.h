// The files opened last, kept between starts of the program.
#pragma once

#include "core/ir/types.h"

#include <QString>

#include <vector>

namespace stowage {

struct RecentFile {
    QString path;
    QString verdict; ///< word of the verdict of the best plan of its last setup (`verdictWord`); may be empty
    Bytes size = 0;
    qint64 openedAt = 0; ///< seconds since 1970, UTC
};

/// At most `limit` files, the latest first, in the user's settings. Files that do not exist are left out of the list, but kept.
class RecentFiles {
public:
    static constexpr int limit = 12;

    [[nodiscard]] static std::vector<RecentFile> list();
    /// Adds `path`, or moves it to the front.
    static void opened(const QString& path);
    /// Sets the result of the last planning of `path`; no effect if the file is not in the list.
    static void planned(const QString& path, const QString& verdict, Bytes size);
    static void clear();
};

} // namespace stowage
