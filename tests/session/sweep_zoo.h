// Models in a folder of their own, and specifications of sweeps over them, for tests.
#pragma once

#include "app/session/regress/sweep.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>
#include <QTemporaryDir>
#include <QtGlobal>

#include <string>

namespace stowage::test {

/// Four models: three problems, of which two are the same bytes, and one that cannot be read.
class Zoo {
public:
    Zoo()
    {
        QDir(folder_.path()).mkpath("zoo/deep/er");
        write("zoo/a.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n");
        write("zoo/deep/b.csv", "id,lower,upper,size\na,0,9,64\nb,1,3,32\nc,2,4,16\nd,4,8,32\n");
        write("zoo/deep/er/c.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n"); // as a.csv
        write("zoo/bad.csv", "id,lower,upper,size\na,2,0,10\n");
    }
    void write(const QString& name, const QByteArray& text) const
    {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
    }
    [[nodiscard]] std::string root() const { return folder_.path().toStdString() + '/'; }
    [[nodiscard]] std::string path(const char* name) const { return root() + name; }
    [[nodiscard]] Expected<Sweep> sweep(const Session& session, const std::string& text) const
    {
        return readSweep(session, text, root() + "spec.json");
    }

private:
    QTemporaryDir folder_;
};

/// Patterns stand outside of the raw strings of tests: Qt's moc takes what looks like a comment in them for one.
inline std::string specificationOf(const std::string& models, const std::string& rest = {})
{
    return "{\"format\": \"stowage.sweep/1\", \"models\": [" + models + "]" + (rest.empty() ? "" : ", " + rest) + "}";
}

} // namespace stowage::test
