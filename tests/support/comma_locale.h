// A locale with a comma for the decimal point, for the functions of C: in it `strtod("0.5")` is 0 and `printf("%.1f")` writes
// "0,5".
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <clocale>
#include <string>

namespace stowage::test {

inline constexpr const char* commaLocaleName = "de_DE.UTF-8";

/// Makes the locale available to this process and to those that it starts, as long as it lives: the installed one, or one that
/// `localedef` (Debian package locales) compiles into a folder of its own. Sets no locale.
class CommaLocale {
public:
    CommaLocale()
    {
        if (works()) return;
        QProcess compiler;
        compiler.start("localedef", {"-i", "de_DE", "-f", "UTF-8", folder_.filePath(commaLocaleName)});
        compiler.waitForFinished(60'000);
        qputenv("LOCPATH", folder_.path().toUtf8());
        there_ = works();
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;
    ~CommaLocale() { qunsetenv("LOCPATH"); }

    /// Why there is none; empty where there is one.
    [[nodiscard]] const char* missing() const
    {
        return there_ ? "" : "de_DE.UTF-8 is not installed, and localedef cannot make it (Debian package locales)";
    }

private:
    bool works()
    {
        const std::string before = std::setlocale(LC_ALL, nullptr);
        there_ = std::setlocale(LC_ALL, commaLocaleName) != nullptr && std::string(std::localeconv()->decimal_point) == ",";
        std::setlocale(LC_ALL, before.c_str());
        return there_;
    }

    QTemporaryDir folder_;
    bool there_ = false;
};

} // namespace stowage::test
