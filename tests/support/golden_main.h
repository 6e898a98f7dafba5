// The main function of a test with golden files: `--write` writes them again; look at the changes first.
#pragma once

#include <QGuiApplication>
#include <QTest>

#include <vector>

namespace stowage::test {

/// Runs `Test` on the offscreen platform, unless the environment names another one. Sets `writing` when "--write" is among the
/// arguments, which QTest does not see then.
template <typename Test>
int goldenMain(int argc, char** argv, bool& writing)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    std::vector<char*> arguments;
    for (int i = 0; i < argc; ++i) {
        if (qstrcmp(argv[i], "--write") == 0)
            writing = true;
        else
            arguments.push_back(argv[i]);
    }
    int count = int(arguments.size());
    QGuiApplication application(count, arguments.data());
    Test test;
    return QTest::qExec(&test, count, arguments.data());
}

} // namespace stowage::test
