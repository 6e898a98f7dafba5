// The plug-in dialog: a row for each plug-in that was found, its reason and remedy below, and turning one on or off.
#include "app/desktop/look/look.h"
#include "app/desktop/shell/plugin_dialog.h"
#include "plugins/host/plugin_host.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace stowage;

class PluginDialogTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    Look look_{*qApp, ThemeMode::dark};

    void manifest(const char* id, const char* program)
    {
        QFile file(deep() + QStringLiteral("/%1.json").arg(QLatin1String(id)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QStringLiteral(R"({"id": "%1", "protocol": 1, "argv": ["%2"], "description": "The planner %1."})")
                       .arg(QLatin1String(id), QLatin1String(program))
                       .toUtf8());
    }
    /// Deep in the file system, where paths are longer than the dialog is wide.
    [[nodiscard]] QString deep() const { return folder_.filePath(QString(200, u'd')); }
    [[nodiscard]] PluginHost host() const { return PluginHost(QStringList{deep()}); }
    static int rowOf(const QTableView& table, const QString& id)
    {
        const QAbstractItemModel& model = *table.model();
        for (int row = 0; row < model.rowCount(); ++row)
            for (int column = 0; column < model.columnCount(); ++column)
                if (model.index(row, column).data() == id) return row;
        return -1;
    }
    static QPushButton* button(const PluginDialog& dialog, const QString& text)
    {
        for (auto* each : dialog.findChildren<QPushButton*>())
            if (each->text().remove(u'&') == text) return each;
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(folder_.isValid() && QDir().mkpath(deep()));
        qputenv("XDG_CONFIG_HOME", folder_.filePath(QStringLiteral("config")).toUtf8());
        qunsetenv("STOWAGE_PLUGIN_PATH");
        manifest("good-one", "awk");
        manifest("absent-one", "no-such-program-here");
        PluginLedger().noteOutcome(QStringLiteral("good-one"), failure(Code::timedOut, "it gave no answer within 2 s"));
    }

    void everyPluginIsARowWithItsStoryBelow()
    {
        const PluginHost plugins = host();
        PluginDialog dialog(plugins, look_);
        dialog.show();
        auto* table = dialog.findChild<QTableView*>(QStringLiteral("plugins"));
        auto* details = dialog.findChild<QLabel*>(QStringLiteral("plugin-details"));
        QVERIFY(table != nullptr && details != nullptr);
        QCOMPARE(std::size_t(table->model()->rowCount()), plugins.rows().size());

        const int absent = rowOf(*table, QStringLiteral("absent-one"));
        QVERIFY(absent >= 0);
        QCOMPARE(table->model()->index(absent, 0).data().toString(), QStringLiteral("refused"));
        table->selectRow(absent);
        QVERIFY2(details->text().contains(QStringLiteral("no-such-program-here")), qPrintable(details->text()));
        QVERIFY2(details->text().contains(QStringLiteral("Install the program")), qPrintable(details->text()));
        QVERIFY2(!details->text().contains(QStringLiteral("..")), qPrintable(details->text()));
        QVERIFY(!button(dialog, QStringLiteral("Turn on"))->isEnabled());

        const int good = rowOf(*table, QStringLiteral("good-one"));
        table->selectRow(good);
        QVERIFY2(details->text().contains(QStringLiteral("timed-out")), qPrintable(details->text()));
        QVERIFY(button(dialog, QStringLiteral("Turn off"))->isEnabled());
    }

    void everyColumnFitsIntoTheDialog()
    {
        const PluginHost plugins = host();
        PluginDialog dialog(plugins, look_);
        dialog.show();
        QCoreApplication::processEvents();
        const auto* table = dialog.findChild<QTableView*>(QStringLiteral("plugins"));
        QVERIFY2(table->horizontalHeader()->length() <= table->viewport()->width(),
                 qPrintable(QStringLiteral("%1 of %2").arg(table->horizontalHeader()->length()).arg(table->viewport()->width())));
    }

    void oneThatIsTurnedOffStaysOffAtTheNextStart()
    {
        const auto stateOf = [&] {
            const PluginHost plugins = host();
            for (const PluginRow& row : plugins.rows())
                if (row.id == u"good-one") return row.state;
            return PluginState::refused;
        };
        const auto press = [&](const char* text) {
            const PluginHost plugins = host();
            PluginDialog dialog(plugins, look_);
            auto* table = dialog.findChild<QTableView*>(QStringLiteral("plugins"));
            table->selectRow(rowOf(*table, QStringLiteral("good-one")));
            button(dialog, QLatin1String(text))->click();
        };
        QVERIFY(stateOf() == PluginState::usable);
        press("Turn off");
        QVERIFY(stateOf() == PluginState::disabled);
        press("Turn on");
        QVERIFY(stateOf() == PluginState::usable);
    }

    /// The last test: the settings cannot be written any more.
    void whatIsNotSavedIsSaid()
    {
        const QString file = PluginLedger::file();
        QVERIFY(QFile::remove(file) && QDir().mkpath(file));
        const PluginHost plugins = host();
        PluginDialog dialog(plugins, look_);
        auto* table = dialog.findChild<QTableView*>(QStringLiteral("plugins"));
        table->selectRow(rowOf(*table, QStringLiteral("good-one")));
        button(dialog, QStringLiteral("Turn off"))->click();
        const QString told = dialog.findChild<QLabel*>(QStringLiteral("plugin-details"))->text();
        QVERIFY2(told.contains(file) && told.contains(QStringLiteral("cannot be saved")), qPrintable(told));
        QVERIFY(button(dialog, QStringLiteral("Turn off"))->isEnabled());
    }
};

QTEST_MAIN(PluginDialogTest)
#include "tst_plugin_dialog.moc"
