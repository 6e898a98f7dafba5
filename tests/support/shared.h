// Tests against the reference models in ../shared: skipped where the folder is absent, a failure under --require-shared.
#pragma once

#include "tests/support/paths.h"

#include <QDir>
#include <QString>
#include <QTest>
#include <QtGlobal>

namespace stowage::test {

/// The folder that lies beside the project (or where the variable STOWAGE_SHARED_DIR says), or an empty string.
inline QString sharedFolder()
{
    const QDir folder(qEnvironmentVariable("STOWAGE_SHARED_DIR", QStringLiteral(STOWAGE_SHARED_DIR)));
    return folder.exists() ? folder.canonicalPath() : QString();
}

inline QString sharedFile(const char* name)
{
    return sharedFolder() + QLatin1Char('/') + QString::fromUtf8(name);
}

inline bool sharedIsRequired()
{
    return qEnvironmentVariableIsSet("STOWAGE_REQUIRE_SHARED");
}

} // namespace stowage::test

/// First line of a test function (or of initTestCase) that reads files from ../shared.
#define STOWAGE_NEEDS_SHARED()                                                                                                   \
    do {                                                                                                                         \
        if (stowage::test::sharedFolder().isEmpty()) {                                                                           \
            if (stowage::test::sharedIsRequired()) QFAIL("../shared is absent, and --require-shared was given");                 \
            QSKIP("../shared (reference models) is absent");                                                                     \
        }                                                                                                                        \
    } while (false)
