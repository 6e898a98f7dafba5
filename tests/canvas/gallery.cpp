// Writes pictures of every view for small, dense, huge, empty, overfull and many-pool runs, to be looked at after each change:
// gallery FOLDER [name]
#include "app/canvas/export/render.h"
#include "tests/support/sample_run.h"

#include <QDir>
#include <QGuiApplication>
#include <QTextStream>

#include <functional>
#include <map>

using namespace stowage;

namespace {

std::map<QString, std::function<std::shared_ptr<const Run>()>> samples()
{
    const auto sample = [](auto change) {
        return [change] {
            test::SampleOptions options;
            change(options);
            return test::sampleRun(options);
        };
    };
    const std::string shared = STOWAGE_SHARED_DIR;
    return {
        {"wakeword", [] { return test::wakeWordRun(); }},
        {"minimalloc",
         [shared] { return test::runOf(test::readCsv((shared + "/bench/minimalloc/A.1048576.csv").c_str()), 0.9); }},
        {"dense", [shared] { return test::runOf(test::readCsv((shared + "/bench/minimalloc/K.1048576.csv").c_str()), 1.0); }},
        {"pools",
         sample([](test::SampleOptions& o) { o.buffers = 120, o.steps = 100, o.pools = 3, o.slots = 0.1, o.gaps = 0.2; })},
        {"overflow", sample([](test::SampleOptions& o) { o.buffers = 80, o.steps = 60, o.capacityFactor = 0.8; })},
        {"empty", sample([](test::SampleOptions& o) { o.buffers = 0; })},
        {"large", sample([](test::SampleOptions& o) { o.buffers = 60000, o.steps = 20000, o.longLived = 0.002; })},
        {"million",
         sample([](test::SampleOptions& o) { o.buffers = 1000000, o.steps = 200000, o.longLived = 0, o.program = false; })},
    };
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    QTextStream out(stdout);
    if (argc < 2) {
        out << "gallery FOLDER [name]\n";
        return 2;
    }
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    folder.mkpath(QStringLiteral("."));
    for (const auto& [name, make] : samples()) {
        if (argc > 2 && name != QString::fromLocal8Bit(argv[2])) continue;
        const auto run = make();
        for (const QString& view : renderableViews())
            for (const bool dark : {true, false})
                for (const double scale : {1.0, 2.0}) {
                    RenderOptions options;
                    options.size = {1074, 690};
                    options.dark = dark;
                    options.scale = scale;
                    const QString file =
                        folder.filePath(QStringLiteral("%1-%2-%3-%4x.png").arg(name, view, dark ? "dark" : "light").arg(scale));
                    const auto done = renderToFile({run}, view, options, file);
                    if (!done) {
                        out << file << ": " << QString::fromStdString(done.error().message) << '\n';
                        return 1;
                    }
                }
    }
    return 0;
}
