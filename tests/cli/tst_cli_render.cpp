// Pictures on the command line, without a display.
#include "tests/cli/cli_process.h"

#include <QImage>
#include <QSet>
#include <QTest>

using namespace stowage::test;

class CliRenderTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;

    static QByteArray joined(const CliResult& result) { return result.out + result.err; }

private Q_SLOTS:
    void renderDrawsEveryView_data()
    {
        QTest::addColumn<QString>("view");
        for (const char* view : {"memory-map", "liveness"}) QTest::newRow(view) << QString(view);
    }
    void renderDrawsEveryView()
    {
        QFETCH(QString, view);
        const QString file = cli_.path(view + ".png");
        const auto result = cli_({"render", Cli::sample("mobilenet_v1_025.json"), "--view", view, "--size", "800x500", "-o", file});
        QVERIFY2(result.status == 0, joined(result));
        const QImage image(file);
        QCOMPARE(image.size(), QSize(800, 500));
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); y += 5)
            for (int x = 0; x < image.width(); x += 5) colours.insert(image.pixel(x, y));
        QVERIFY2(colours.size() > 8, "a picture of one colour shows nothing");
    }

    void renderWritesVectors()
    {
        const QString sample = Cli::sample("mobilenet_v1_025.json");
        QCOMPARE(cli_({"render", sample, "--view", "memory-map", "-o", cli_.path("map.svg")}).status, 0);
        QVERIFY(cli_.contents("map.svg").contains("<svg"));
        QCOMPARE(cli_({"render", sample, "--view", "memory-map", "-o", cli_.path("map.pdf")}).status, 0);
        QVERIFY(cli_.contents("map.pdf").startsWith("%PDF"));
        QCOMPARE(cli_({"render", sample, "--view", "memory-map", "-o", cli_.path("map.bmpx")}).status, 2);
        QCOMPARE(cli_({"render", sample, "--view", "memory-map", "--size", "9x", "-o", cli_.path("map.png")}).status, 2);
    }
};

QTEST_GUILESS_MAIN(CliRenderTest)
#include "tst_cli_render.moc"
