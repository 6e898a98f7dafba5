// The picture of the architecture holds: includes run downward only, Qt stays where it belongs, files have one subject.
#include "tests/support/paths.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>
#include <QTest>

namespace {

struct Layer {
    QString folder;
    QStringList below; ///< folders that it may include, besides its own
    bool qt = true;    ///< may include Qt at all
};

const QStringList wholeCore{"core"};
const QStringList planning{"core/ir", "core/lower", "core/plan"};
const QStringList placing = planning + QStringList{"core/planners/common", "core/planners/placement"};

/// Every folder with sources has a row: what it stands on, and nothing else. The longest matching folder counts.
const QList<Layer> layers{
    {"core/ir", {}, false},
    {"core/passes", {"core/ir", "core/lower", "core/exec"}, false},
    {"core/lower", {"core/ir"}, false},
    {"core/lower/hivm", {"core/ir", "core/lower"}, false},
    {"core/plan", {"core/ir", "core/lower"}, false},
    {"core/plan/proof", planning, false},
    {"core/exec", {"core/ir", "core/lower", "core/plan"}, false},
    {"core/planners", planning + QStringList{"core/planners"}, false}, // the registry and auto stand on all others
    {"core/planners/common", planning, false},
    {"core/planners/placement", planning + QStringList{"core/planners/common"}, false},
    {"core/planners/climb", placing, false},
    {"core/planners/greedy", placing + QStringList{"core/planners/climb"}, false},
    {"core/planners/nnc", placing + QStringList{"core/planners/climb"}, false},
    {"core/planners/hivm", placing, false},
    {"core/planners/exact", placing + QStringList{"core/planners/greedy"}, false},
    {"core/planners/improve", placing + QStringList{"core/planners/exact"}, false},
    {"core/planners/pools", placing + QStringList{"core/planners/greedy", "core/planners/climb", "core/planners/exact"}, false},
    {"core/explain", {"core/ir", "core/lower", "core/plan", "core/planners"}, false},
    {"core/pipeline", {"core/ir", "core/lower", "core/exec", "core/plan", "core/planners"}, false},
    {"core/io", wholeCore, false},
    {"core/capi", wholeCore, false},
    {"plugins/api", wholeCore},
    {"plugins/external", wholeCore}, // programs of others, by manifest
    {"plugins/host", wholeCore + QStringList{"plugins/api", "plugins/external"}},
    {"plugins", wholeCore + QStringList{"plugins/api"}}, // plugins/<name>: of its own folder only, see below
    {"app/worker", wholeCore + QStringList{"plugins/api", "plugins/external", "plugins/host"}},
    {"app/regress", wholeCore + QStringList{"app/session"}},
    {"app/session", wholeCore + QStringList{"plugins/api", "plugins/host"}},
    {"app/stage", wholeCore + QStringList{"app/session"}},
    {"app/canvas/axis", wholeCore, false},
    {"app/canvas/kit", wholeCore + QStringList{"app/canvas/axis"}},
    {"app/canvas/pictures", // of the host: graph_layout.h
     wholeCore + QStringList{"plugins/host", "app/session", "app/canvas/axis", "app/canvas/kit"}},
    {"app/canvas/export",
     wholeCore + QStringList{"plugins/host", "app/session", "app/canvas/axis", "app/canvas/kit", "app/canvas/pictures"}},
    {"app/canvas/report", wholeCore + QStringList{"app/session", "app/canvas/axis", "app/canvas/kit"}},
    {"app/charts", wholeCore + QStringList{"app/session", "app/canvas"}},
    {"app/cli", wholeCore + QStringList{"plugins/api", "plugins/host", "app/session", "app/canvas", "app/charts"}},
    {"app/desktop", wholeCore + QStringList{"plugins/api", "plugins/host", "app/session", "app/canvas", "app/charts"}},
};

bool inside(const QString& path, const QString& folder)
{
    return path.startsWith(folder + '/');
}

const Layer* layerOf(const QString& path)
{
    const Layer* best = nullptr;
    for (const Layer& layer : layers)
        if (inside(path, layer.folder) && (!best || layer.folder.size() > best->folder.size())) best = &layer;
    return best;
}

/// Files that hand over to a subfolder of their own, whose other files stand on them.
const QHash<QString, QString> handsOver{{"core/lower/lower.cpp", "core/lower/hivm"}};

/// What is wrong with `#include <target>` or `#include "target"` in `file` (both relative to the root); empty when it is fine.
QString objection(const QString& file, const QString& target, bool angled)
{
    const Layer* layer = layerOf(file);
    if (!layer) return "the folder has no row in the table of layers";
    static const QRegularExpression qt("^(Q[A-Z]\\w*|Qt\\w+(/.*)?|q[a-z]+\\.h)$");
    if (angled) {
        if (!qt.match(target).hasMatch()) return {};
        if (!layer->qt) return layer->folder + " has no Qt";
        static const QRegularExpression umbrella("^Qt(Core|Gui|Widgets|Charts|Test|Svg|Concurrent|Network)$");
        if (umbrella.match(target).hasMatch()) return "umbrella Qt header";
        static const QRegularExpression charts(
            "^(QtCharts/.*|Q\\w*(Chart|Series|Axis|Legend|BarSet|PieSlice|BoxSet|CandlestickSet)\\w*)$");
        if (charts.match(target).hasMatch() && !inside(file, "app/charts")) return "Qt Charts are used in app/charts only";
        static const QRegularExpression futures("^Q(FutureWatcher|FutureSynchronizer|tConcurrent\\w+|Thread)$");
        if (futures.match(target).hasMatch() && inside(file, "app/desktop") && file != "app/desktop/background_job.h")
            return "the window's background work goes through background_job.h";
        static const QRegularExpression foreignToViews("^Q(UndoCommand|Painter|StyledItemDelegate|WheelEvent|MouseEvent)$");
        if (foreignToViews.match(target).hasMatch() && inside(file, "app/desktop/views"))
            return "views hold bars and options only";
        return {};
    }
    // What views show is found, kept and written by the workspace.
    if (inside(file, "app/desktop/views") && (target == "app/desktop/background_job.h" || inside(target, "core/io")))
        return "views hold bars and options only";
    if (!target.contains('/')) {
        static const QRegularExpression generated("\\.(moc|pb\\.h)$|_generated\\.h$|^moc_.*\\.cpp$");
        return generated.match(target).hasMatch() ? QString() : "includes are relative to the root";
    }
    // Of one's own folder; a subfolder with a row of its own is another one.
    if (layerOf(target) == layer && inside(target, file.section('/', 0, 1))) return {};
    if (handsOver.contains(file) && inside(target, handsOver.value(file))) return {};
    for (const QString& below : layer->below)
        if (inside(target, below)) return {};
    return "does not run downward";
}

QStringList objections(const QString& file, const QString& text)
{
    static const QRegularExpression include("^[ \\t]*#[ \\t]*include[ \\t]*([<\"])([^>\"]+)[>\"]",
                                            QRegularExpression::MultilineOption);
    QStringList found;
    for (auto it = include.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        const QString why = objection(file, match.captured(2), match.captured(1) == "<");
        if (!why.isEmpty())
            found += QString("%1:%2: includes %3: %4")
                         .arg(file)
                         .arg(text.left(match.capturedStart(1)).count('\n') + 1)
                         .arg(match.captured(2), why);
    }
    return found;
}

/// Sources under `folders` (relative to the root), sorted.
QStringList sources(const QStringList& folders, const QStringList& patterns = {"*.h", "*.cpp"})
{
    const QDir root(STOWAGE_SOURCE_DIR);
    QStringList found;
    for (const QString& folder : folders)
        for (QDirIterator it(root.filePath(folder), patterns, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
            found += root.relativeFilePath(it.next());
    found.sort();
    return found;
}

QString contents(const QString& file)
{
    QFile opened(QDir(STOWAGE_SOURCE_DIR).filePath(file));
    return opened.open(QIODevice::ReadOnly) ? QString::fromUtf8(opened.readAll()) : QString();
}

} // namespace

class LayersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void includesRunDownwardOnly()
    {
        const QStringList files = sources({"core", "plugins", "app"});
        QVERIFY(files.size() > 20);
        QStringList wrong;
        for (const QString& file : files) wrong += objections(file, contents(file));
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    void arrowsUpwardAreFound_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("allowed");
        QTest::newRow("ir knows no planner") << "core/ir/a.h"
                                             << "#include \"core/planners/registry.h\"" << false;
        QTest::newRow("plan knows no planner") << "core/plan/a.cpp"
                                               << "#include \"core/planners/registry.h\"" << false;
        QTest::newRow("planners stand on plan") << "core/planners/a.cpp"
                                                << "#include \"core/plan/plan.h\"" << true;
        QTest::newRow("planners share no code with exec") << "core/planners/a.cpp"
                                                          << "#include \"core/exec/arena.h\"" << false;
        QTest::newRow("the greedy planners stand on the placement") << "core/planners/greedy/a.cpp"
                                                                    << "#include \"core/planners/placement/order.h\"" << true;
        QTest::newRow("the placement knows no planner") << "core/planners/placement/a.cpp"
                                                        << "#include \"core/planners/greedy/greedy.h\"" << false;
        QTest::newRow("no planner knows the registry") << "core/planners/greedy/a.cpp"
                                                       << "#include \"core/planners/registry.h\"" << false;
        QTest::newRow("the lowering knows no chip") << "core/lower/touches.cpp"
                                                    << "#include \"core/lower/hivm/hivm.h\"" << false;
        QTest::newRow("the lowering hands over") << "core/lower/lower.cpp"
                                                 << "#include \"core/lower/hivm/hivm.h\"" << true;
        QTest::newRow("io is last") << "core/io/a.cpp"
                                    << "#include \"core/exec/arena.h\"" << true;
        QTest::newRow("nothing in core stands on io") << "core/plan/a.cpp"
                                                      << "#include \"core/io/text.h\"" << false;
        QTest::newRow("core has no Qt class") << "core/ir/a.h"
                                              << "#include <QString>" << false;
        QTest::newRow("core has no Qt header") << "core/ir/a.h"
                                               << "  #  include <qglobal.h>" << false;
        QTest::newRow("core has no Qt module") << "core/ir/a.h"
                                               << "#include <QtCore/QString>" << false;
        QTest::newRow("core has the standard library") << "core/ir/a.h"
                                                       << "#include <queue>" << true;
        QTest::newRow("core knows no plugin") << "core/io/a.cpp"
                                              << "#include \"plugins/api/importer.h\"" << false;
        QTest::newRow("core knows no app") << "core/io/a.cpp"
                                           << "#include \"app/session/session.h\"" << false;
        QTest::newRow("plugins do not know each other") << "plugins/onnx/a.cpp"
                                                        << "#include \"plugins/tflite/b.h\"" << false;
        QTest::newRow("plugins do not know their host") << "plugins/onnx/a.cpp"
                                                        << "#include \"plugins/host/b.h\"" << false;
        QTest::newRow("plugins know the interface") << "plugins/onnx/a.cpp"
                                                    << "#include \"plugins/api/plugin.h\"" << true;
        QTest::newRow("the host knows no app") << "plugins/host/a.cpp"
                                               << "#include \"app/session/session.h\"" << false;
        QTest::newRow("the session has no canvas") << "app/session/a.cpp"
                                                   << "#include \"app/canvas/kit/theme.h\"" << false;
        QTest::newRow("axes have no Qt") << "app/canvas/axis/a.h"
                                         << "#include <QRectF>" << false;
        QTest::newRow("axes stand on core") << "app/canvas/axis/a.h"
                                            << "#include \"core/plan/run.h\"" << true;
        QTest::newRow("axes know no painting") << "app/canvas/axis/a.h"
                                               << "#include \"app/canvas/kit/theme.h\"" << false;
        QTest::newRow("the kit knows no picture") << "app/canvas/kit/a.h"
                                                  << "#include \"app/canvas/pictures/map/stack.h\"" << false;
        QTest::newRow("pictures stand on the kit") << "app/canvas/pictures/map/a.h"
                                                   << "#include \"app/canvas/kit/theme.h\"" << true;
        QTest::newRow("pictures know no export") << "app/canvas/pictures/map/a.h"
                                                 << "#include \"app/canvas/export/render.h\"" << false;
        QTest::newRow("pictures have no window") << "app/canvas/pictures/map/a.cpp"
                                                 << "#include \"app/desktop/view.h\"" << false;
        QTest::newRow("programs do not know each other") << "app/cli/a.cpp"
                                                         << "#include \"app/desktop/view.h\"" << false;
        QTest::newRow("charts in charts") << "app/charts/a.cpp"
                                          << "#include <QLineSeries>" << true;
        QTest::newRow("charts nowhere else") << "app/desktop/a.cpp"
                                             << "#include <QLineSeries>" << false;
        QTest::newRow("one watcher of futures") << "app/desktop/background_job.h"
                                                << "#include <QFutureWatcher>" << true;
        QTest::newRow("no watcher of a view's own") << "app/desktop/views/a.cpp"
                                                    << "#include <QFutureWatcher>" << false;
        QTest::newRow("no job of a view's own") << "app/desktop/views/a.h"
                                                << "#include \"app/desktop/background_job.h\"" << false;
        QTest::newRow("no edit of a view's own") << "app/desktop/views/a.cpp"
                                                 << "#include <QUndoCommand>" << false;
        QTest::newRow("no painting of a view's own") << "app/desktop/views/a.cpp"
                                                     << "#include <QPainter>" << false;
        QTest::newRow("no wheel of a view's own") << "app/desktop/views/a.cpp"
                                                  << "#include <QWheelEvent>" << false;
        QTest::newRow("no file of a view's own") << "app/desktop/views/a.cpp"
                                                 << "#include \"core/io/output_file.h\"" << false;
        QTest::newRow("jobs of the workspace") << "app/desktop/workspace/a.h"
                                               << "#include \"app/desktop/background_job.h\"" << true;
        QTest::newRow("no umbrella") << "app/desktop/a.cpp"
                                     << "#include <QtWidgets>" << false;
        QTest::newRow("no relative path") << "app/desktop/a.cpp"
                                          << "#include \"b.h\"" << false;
        QTest::newRow("generated") << "app/desktop/a.cpp"
                                   << "#include \"a.moc\"" << true;
        QTest::newRow("a folder without a layer") << "app/extra/a.cpp"
                                                  << "#include \"core/ir/types.h\"" << false;
    }
    void arrowsUpwardAreFound()
    {
        QFETCH(QString, file);
        QFETCH(QString, line);
        QFETCH(bool, allowed);
        QCOMPARE(objections(file, "#pragma once\n" + line + "\n").isEmpty(), allowed);
    }

    /// Where Qt Charts draws, it draws all: what is painted by hand goes into a draw list.
    void nothingIsPaintedOverAChart()
    {
        int charts = 0;
        for (const QString& file : sources({"app/charts"})) {
            const QString text = contents(file);
            if (!text.contains("<QChartView>")) continue;
            ++charts;
            QVERIFY2(!text.contains("drawForeground") && !text.contains("#include <QPainter>"), qPrintable(file));
        }
        QVERIFY(charts > 0);
    }

    void theTableOfLayersHasNoCycle()
    {
        for (const Layer& layer : layers) {
            QStringList open{layer.folder}, seen;
            while (!open.isEmpty()) {
                const QString folder = open.takeFirst();
                if (seen.contains(folder)) continue;
                seen += folder;
                for (const Layer& other : layers) {
                    if (other.folder != folder) continue;
                    for (const QString& below : other.below) {
                        QVERIFY2(below != layer.folder || folder == layer.folder,
                                 qPrintable(folder + " stands on " + layer.folder + ", which stands on it"));
                        open += below;
                    }
                }
            }
        }
    }

    /// A header and its source are one unit. No two units need each other, directly or through others.
    void noTwoUnitsNeedEachOther()
    {
        QHash<QString, QSet<QString>> needs;
        const auto unitOf = [](const QString& file) { return file.section('.', 0, 0); };
        static const QRegularExpression include("^#include \"((?:core|plugins|app)/[^\"]+)\"",
                                                QRegularExpression::MultilineOption);
        for (const QString& file : sources({"core", "plugins", "app"})) {
            for (auto it = include.globalMatch(contents(file)); it.hasNext();) {
                const QString unit = unitOf(it.next().captured(1));
                if (unit != unitOf(file)) needs[unitOf(file)].insert(unit);
            }
        }
        QVERIFY(needs.size() > 600);
        QStringList cycles;
        for (auto unit = needs.cbegin(); unit != needs.cend(); ++unit) {
            QSet<QString> reached;
            QStringList open(unit.value().cbegin(), unit.value().cend());
            while (!open.isEmpty()) {
                const QString next = open.takeLast();
                if (reached.contains(next)) continue;
                reached.insert(next);
                for (const QString& more : needs.value(next)) open += more;
            }
            if (reached.contains(unit.key())) cycles += unit.key();
        }
        cycles.sort();
        QVERIFY2(cycles.isEmpty(), qPrintable("need themselves through others:\n  " + cycles.join("\n  ")));
    }

    void everySourceIsBuilt()
    {
        QHash<QString, QString> lists;
        for (const QString& list : sources({"core", "plugins", "app", "tests"}, {"CMakeLists.txt"}))
            lists.insert(list.section('/', 0, -2), contents(list));
        for (const QString& file : sources({"core", "plugins", "app", "tests"}, {"*.cpp"})) {
            // Of the pictures, any file that is there is taken.
            bool listed = QRegularExpression("^app/canvas/pictures/[^/]+/[^/]+\\.cpp$").match(file).hasMatch() &&
                          lists.value("app/canvas").contains("file(GLOB pictures ") &&
                          lists.value("app/canvas").contains(" pictures/*/*.cpp)");
            for (QString folder = file.section('/', 0, -2); !folder.isEmpty() && !listed; folder = folder.section('/', 0, -2))
                listed = lists.value(folder).contains(QRegularExpression(
                    "(^|[\\s(\"])" + QRegularExpression::escape(file.mid(folder.size() + 1)) + "([\\s)\"]|$)"));
            if (!listed && inside(file, "tests")) { // a list of names there may stand for the files
                const QString name = file.section('/', -1).section('.', 0, 0);
                listed = lists.value(file.section('/', 0, -2)).contains(QRegularExpression("\\b" + name + "\\b"));
            }
            QVERIFY2(listed, qPrintable(file + " is in no CMakeLists.txt"));
        }
    }

    void filesHaveOneSubject()
    {
        QStringList tooLong;
        for (const QString& file : sources({"core", "plugins", "app", "tests"})) {
            const qsizetype lines = contents(file).count('\n');
            if (lines > 600) tooLong += QString("%1: %2 lines").arg(file).arg(lines);
        }
        QVERIFY2(tooLong.isEmpty(), qPrintable("\n  " + tooLong.join("\n  ")));
    }
};

QTEST_GUILESS_MAIN(LayersTest)
#include "tst_layers.moc"
