// Which files were opened last, kept between starts.
#pragma once

#include "core/ir/types.h"

#include <QString>

#include <vector>

namespace stowage {

struct RecentFile {
    QString path;
    QString verdict; ///< the word of its last planning's verdict (`verdictWord`); may be empty
    Bytes size = 0;
    qint64 openedAt = 0; ///< seconds since 1970
};

/// Twelve at most, the latest first, in the user's settings. Files that are gone are left out, not forgotten.
class RecentFiles {
public:
    static constexpr int limit = 12;

    [[nodiscard]] static std::vector<RecentFile> list();
    /// Puts `path` in front.
    static void opened(const QString& path);
    /// Notes how the last planning of `path` went. Nothing when it is not in the list.
    static void planned(const QString& path, const QString& verdict, Bytes size);
    static void clear();
};

} // namespace stowage
