// A suite in a folder of its own, for tests.
#pragma once

#include "app/session/regress/suite_run.h"

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>
#include <QtGlobal>

#include <string_view>

namespace stowage::test {

/// A suite of problems in a folder of its own.
class SuiteFolder {
public:
    void write(const QString& name, const QByteArray& text) const
    {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
    }
    [[nodiscard]] Suite suite(const QByteArray& rows) const
    {
        write("suite.json", R"({"format": "stowage.suite/1", "name": "s", "rows": [)" + rows + "]}");
        auto suite = loadSuite(folder_.filePath("suite.json"));
        if (!suite) qFatal("%s", toText(suite.error()).c_str());
        return *std::move(suite);
    }

private:
    QTemporaryDir folder_;
};

/// A baseline of all results with figures.
inline Baseline accepted(const SuiteOutcome& outcome)
{
    Baseline baseline;
    for (const RowResult& result : outcome.results)
        if (result.current) baseline.put(result.key, *result.current);
    return baseline;
}

/// The result with this key; null if there is none.
inline const RowResult* find(const SuiteOutcome& outcome, std::string_view key)
{
    for (const RowResult& result : outcome.results)
        if (result.key == key) return &result;
    return nullptr;
}

/// Its bound is 30 bytes.
inline const QByteArray smallProblem = "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n";

} // namespace stowage::test
