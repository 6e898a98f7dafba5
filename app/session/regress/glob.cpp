#include "app/session/regress/glob.h"

#include "app/session/regress/row_request.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

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

} // namespace

std::vector<std::string> filesMatching(const std::string& folder, const std::string& pattern)
{
    std::vector<std::string> found;
    const auto wild = pattern.find_first_of("*?[");
    if (wild == std::string::npos) {
        if (QFileInfo(QString::fromStdString(pathFrom(folder, pattern))).isFile()) found.push_back(pattern);
        return found;
    }
    const auto slash = pattern.rfind('/', wild);
    const std::string fixed = slash == std::string::npos ? std::string() : pattern.substr(0, slash + 1);
    const QString root = QString::fromStdString(pathFrom(folder, fixed));
    const bool hidden = pattern.starts_with('.') || pattern.find("/.") != std::string::npos;
    const bool deep = pattern.find('/', wild) != std::string::npos || pattern.find("**") != std::string::npos;
    const QRegularExpression expression = expressionOf(pattern);
    QDirIterator it(root.isEmpty() ? QStringLiteral(".") : root, hidden ? QDir::Files | QDir::Hidden : QDir::Files,
                    deep ? QDirIterator::Subdirectories : QDirIterator::NoIteratorFlags);
    const QDir base(root.isEmpty() ? QStringLiteral(".") : root);
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
