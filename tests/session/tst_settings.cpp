// Settings are written whole or not at all, and a failure is told.
#include "plugins/host/settings_format.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <csignal>

using namespace stowage;

namespace {

/// Files of this process can have `bytes` at most while it lives.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit before_{};
};

} // namespace

class SettingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindOfValueComesBack()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.json"));
        const QByteArray bytes("\x00\xff\x7f\n", 4);
        {
            QSettings out(path, settingsFormat());
            out.setValue(QStringLiteral("window/geometry"), bytes);
            out.setValue(QStringLiteral("plan/planners"), QStringList{QStringLiteral("a,b"), QStringLiteral("c")});
            out.setValue(QStringLiteral("size"), qlonglong(1) << 60);
            out.setValue(QStringLiteral("hex"), false);
            out.setValue(QStringLiteral("limit"), 2.5);
            out.beginWriteArray(QStringLiteral("recent"), 2);
            for (int i = 0; i < 2; ++i) {
                out.setArrayIndex(i);
                out.setValue(QStringLiteral("path"), QStringLiteral("/ä/%1").arg(i));
            }
            out.endArray();
            QVERIFY(saved(out));
        }
        QSettings in(path, settingsFormat());
        QCOMPARE(in.value(QStringLiteral("window/geometry")).toByteArray(), bytes);
        QCOMPARE(in.value(QStringLiteral("plan/planners")).toStringList(),
                 (QStringList{QStringLiteral("a,b"), QStringLiteral("c")}));
        QCOMPARE(in.value(QStringLiteral("size")).toLongLong(), qlonglong(1) << 60);
        QCOMPARE(in.value(QStringLiteral("hex"), true).toBool(), false);
        QCOMPARE(in.value(QStringLiteral("limit")).toDouble(), 2.5);
        QCOMPARE(in.beginReadArray(QStringLiteral("recent")), 2);
        in.setArrayIndex(1);
        QCOMPARE(in.value(QStringLiteral("path")).toString(), QStringLiteral("/ä/1"));
    }

    void aFullDiskLeavesTheOldSettings_data()
    {
        QTest::addColumn<int>("bytes");
        QTest::newRow("less than a buffer of Qt, so that only the flush fails") << 2'000;
        QTest::newRow("more than a buffer of Qt") << 200'000;
    }
    void aFullDiskLeavesTheOldSettings()
    {
        QFETCH(int, bytes);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.json"));
        {
            QSettings first(path, settingsFormat());
            first.setValue(QStringLiteral("note"), QStringLiteral("kept"));
            QVERIFY(saved(first));
        }
        {
            const FileSizeLimit limit(1'000);
            QSettings second(path, settingsFormat());
            second.setValue(QStringLiteral("note"), QString(bytes, u'x'));
            QVERIFY(!saved(second));
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.readAll().contains("\"kept\""), "the old settings are gone");
    }
};

QTEST_GUILESS_MAIN(SettingsTest)
#include "tst_settings.moc"
