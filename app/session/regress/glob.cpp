#include "app/session/regress/glob.h"

#include "app/session/native_path.h"
#include "app/session/regress/row_request.h"

#include <QRegularExpression>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace stowage {

namespace {

namespace fs = std::filesystem;

QRegularExpression expressionOf(const std::string& pattern)
{
    QString text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (pattern.compare(i, 3, "**/") == 0) {
            text += "(?:[^/]+/)*";
            i += 2;
        } else if (pattern.compare(i, 2, "**") == 0) {
            text += ".*";
            ++i;
        } else if (c == '*') {
            text += "[^/]*";
        } else if (c == '?') {
            text += "[^/]";
        } else if (const auto end = pattern.find(']', i + 2); c == '[' && end != std::string::npos) {
            std::string set = pattern.substr(i + 1, end - i - 1);
            if (set.front() == '!') set.front() = '^';
            text += '[' + QString::fromStdString(set).replace("\\", "\\\\") + ']';
            i = end;
        } else {
            auto length = std::size_t{1}; // of the UTF-8 sequence
            while (i + length < pattern.size() && (static_cast<unsigned char>(pattern[i + length]) & 0xc0) == 0x80) ++length;
            text += QRegularExpression::escape(QString::fromStdString(pattern.substr(i, length)));
            i += length - 1;
        }
    }
    return QRegularExpression(QRegularExpression::anchoredPattern(text));
}

/// Where a pattern with wildcards looks.
struct GlobRoot {
    std::string fixed; ///< folders in front of the first wildcard, with a slash at the end; empty: none
    std::string root;  ///< the same from the current folder
    bool deep = false; ///< also in folders below
};

/// Nothing for a pattern without wildcards.
std::optional<GlobRoot> globRootOf(const std::string& folder, const std::string& pattern)
{
    const auto wild = pattern.find_first_of("*?[");
    if (wild == std::string::npos) return std::nullopt;
    GlobRoot place;
    const auto slash = pattern.rfind('/', wild);
    if (slash != std::string::npos) place.fixed = pattern.substr(0, slash + 1);
    place.root = pathFrom(folder, place.fixed);
    if (place.root.empty()) place.root = ".";
    place.deep = pattern.find('/', wild) != std::string::npos || pattern.find("**") != std::string::npos;
    return place;
}

/// Calls `visit` for everything below the root, folders too. What cannot be read is left out: it has no files for a pattern.
template <typename Visit>
void eachEntry(const GlobRoot& place, bool hidden, const std::stop_token& cancel, Visit&& visit)
{
    std::vector<fs::path> folders{place.root};
    while (!folders.empty()) {
        const fs::path folder = std::move(folders.back());
        folders.pop_back();
        std::error_code error;
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
            if (cancel.stop_requested()) return;
            if (!hidden && it->path().filename().native().starts_with('.')) continue;
            visit(*it);
            std::error_code gone;
            if (place.deep && !it->is_symlink(gone) && it->is_directory(gone)) folders.push_back(it->path());
        }
    }
}

} // namespace

bool isPattern(const std::string& text)
{
    return expressionOf(text).isValid();
}

std::size_t filesOutsideUtf8(const std::string& folder, const std::string& pattern, const std::stop_token& cancel)
{
    const auto place = globRootOf(folder, pattern);
    if (!place) return 0;
    std::size_t count = 0;
    eachEntry(*place, true, cancel, [&count](const fs::directory_entry& entry) {
        std::error_code gone;
        if (!isUtf8Path(pathFromNative(entry.path().filename().native())) && entry.is_regular_file(gone)) ++count;
    });
    return count;
}

std::vector<std::string> filesMatching(const std::string& folder, const std::string& pattern, const std::stop_token& cancel)
{
    std::vector<std::string> found;
    std::error_code gone;
    const auto place = globRootOf(folder, pattern);
    if (!place) {
        if (fs::is_regular_file(pathFrom(folder, pattern), gone)) found.push_back(pattern);
        return found;
    }
    const bool hidden = pattern.starts_with('.') || pattern.find("/.") != std::string::npos;
    const QRegularExpression expression = expressionOf(pattern);
    eachEntry(*place, hidden, cancel, [&](const fs::directory_entry& entry) {
        const std::string& path = entry.path().native();
        const auto below = std::min(path.find_first_not_of('/', place->root.size()), path.size());
        const std::string name = place->fixed + path.substr(below);
        const QString decoded = pathFromNative(name);
        if (isUtf8Path(decoded) && expression.match(decoded).hasMatch() && entry.is_regular_file(gone)) found.push_back(name);
    });
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace stowage
