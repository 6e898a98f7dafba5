// Which files were opened last, kept between starts.
#pragma once

#include "app/session/session.h"

#include <vector>

namespace stowage {

/// Twelve at most, the latest first, in the user's settings. Files that are gone are left out, not forgotten.
class RecentFiles {
public:
    static constexpr int limit = 12;

    [[nodiscard]] static std::vector<Session::Recent> list();
    /// Puts `path` in front.
    static void opened(const QString& path);
    /// Notes how the last planning of `path` went. Nothing when it is not in the list.
    static void planned(const QString& path, const QString& verdict, Bytes size);
    static void clear();
};

} // namespace stowage
