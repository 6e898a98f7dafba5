#include "app/session/regress/glob.h"

#include "app/session/native_path.h"
#include "app/session/regress/row_request.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

namespace stowage {

namespace {

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

} // namespace

std::size_t filesOutsideUtf8(const std::string& folder, const std::string& pattern)
{
    namespace fs = std::filesystem;
    const auto place = globRootOf(folder, pattern);
    if (!place) return 0;
    std::size_t count = 0;
    std::error_code error; // what cannot be read has no files for the pattern either
    fs::recursive_directory_iterator it(place->root, fs::directory_options::skip_permission_denied, error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
        if (!place->deep) it.disable_recursion_pending();
        std::error_code gone;
        if (!isUtf8Path(pathFromNative(it->path().filename().native())) && it->is_regular_file(gone)) ++count;
    }
    return count;
}

std::vector<std::string> filesMatching(const std::string& folder, const std::string& pattern)
{
    std::vector<std::string> found;
    const auto place = globRootOf(folder, pattern);
    if (!place) {
        if (QFileInfo(QString::fromStdString(pathFrom(folder, pattern))).isFile()) found.push_back(pattern);
        return found;
    }
    const std::string& fixed = place->fixed;
    const QString root = QString::fromStdString(place->root);
    const bool hidden = pattern.starts_with('.') || pattern.find("/.") != std::string::npos;
    const QRegularExpression expression = expressionOf(pattern);
    QDirIterator it(root, hidden ? QDir::Files | QDir::Hidden : QDir::Files,
                    place->deep ? QDirIterator::Subdirectories : QDirIterator::NoIteratorFlags);
    const QDir base(root);
    while (it.hasNext()) {
        // A relative path would be taken as one from `base`, not from the current folder.
        const QString path = base.relativeFilePath(QFileInfo(it.next()).absoluteFilePath());
        const std::string name = fixed + path.toStdString();
        if (expression.match(QString::fromStdString(name)).hasMatch()) found.push_back(name);
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace stowage
