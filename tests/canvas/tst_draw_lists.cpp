// Every picture of the table, as the exact list of what is drawn: head, legend, picture and overlay. The lists have been
// looked at as pictures; `tst_draw_lists --write` writes them anew, to be looked at again.
#include "app/canvas/export/picture_file.h"
#include "app/canvas/export/render_fit.h"
#include "app/canvas/export/render_pipeline.h"
#include "app/canvas/kit/fonts.h"
#include "app/canvas/pictures/compare/compare_sheet.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"
#include "app/canvas/pictures/pipes/pipe_chart.h"
#include "app/session/verdicts.h"
#include "core/lower/lower.h"
#include "core/planners/registry.h"
#include "tests/core/hivm_problems.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/golden_main.h"
#include "tests/support/paths.h"
#include "tests/support/picture_sources.h"
#include "tests/support/sample_fit.h"

#include <QDir>
#include <QFile>
#include <QFontInfo>
#include <QTest>

#include <map>
#include <memory>
#include <set>
#include <string>

using namespace stowage;

namespace {

bool writing = false;

/// The picture of a source with its scene, in the light theme.
std::unique_ptr<Picture> prepared(const PictureEntry& entry, const PictureSource& source)
{
    auto picture = entry.make();
    picture->setTheme(Theme::lightTheme());
    const auto scene = picture->prepare(source).make({});
    if (!scene || scene->error) return nullptr;
    picture->take(scene);
    return picture;
}

QStringList linesOf(const QString& text)
{
    return text.split(u'\n');
}

} // namespace

class DrawListsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPictureIsDrawnAsItWas_data()
    {
        QTest::addColumn<QString>("id");
        for (const PictureEntry& entry : pictureTable()) QTest::newRow(entry.id) << QString::fromLatin1(entry.id);
    }
    void everyPictureIsDrawnAsItWas()
    {
        QFETCH(QString, id);
        if (QFontInfo(uiFont(11)).family() != u"Inter") QSKIP("the lists are made with the font Inter, which is not installed");
        const PictureEntry& entry = *pictureEntry(id);
        const PictureSource source = test::sourceFor(entry);
        QVERIFY2(source.any(), "no sample suits this picture: add one to tests/support/picture_sources.h");
        const auto picture = prepared(entry, source);
        QVERIFY(picture);
        TextShaper shaper;
        DrawList list(shaper, 1);
        QSize size;
        PictureFileOptions options;
        options.size = {760, 460};
        QVERIFY(!paintSheet(list, *picture, source, QString::fromLatin1(entry.title), size, options, BodyMode::vector));
        QCOMPARE(size, options.size);
        compare(id, toText(list));
    }

    /// What `render` writes that is no picture of a run: the stages of a pipeline, and a fit.
    void everySheetIsDrawnAsItWas_data()
    {
        QTest::addColumn<QString>("id");
        for (const QString& view : pipelineViews() + QStringList{QString::fromLatin1(fitView)})
            QTest::newRow(qPrintable(view)) << view;
    }
    void everySheetIsDrawnAsItWas()
    {
        QFETCH(QString, id);
        if (QFontInfo(uiFont(11)).family() != u"Inter") QSKIP("the lists are made with the font Inter, which is not installed");
        TextShaper shaper;
        DrawList list(shaper, 1);
        RenderOptions options;
        options.size = {900, 700};
        options.dark = false;
        if (id == QLatin1String(fitView)) {
            QVERIFY(!paintFitFile(list, test::doorbell(), QStringLiteral("doorbell"), options, BodyMode::vector));
        } else {
            const auto subject = std::dynamic_pointer_cast<const PipelineSubject>(
                test::samplePipeline(test::samplePlanned("mobilenet_v1_025", "greedy-by-size")));
            QVERIFY(subject);
            paintPipelineSheet(list, *subject->data, id, options);
        }
        QVERIFY(list.commands().size() > 20);
        compare(QStringLiteral("sheet-") + id, toText(list));
    }

    /// In boxes of any width the stages' devices are told apart: what differs in their names stays.
    void devicesOfNarrowStagesAreToldApart()
    {
        const auto subject = std::dynamic_pointer_cast<const PipelineSubject>(
            test::samplePipeline(test::samplePlanned("mobilenet_v1_025", "greedy-by-size")));
        QVERIFY(subject && subject->data->stages.size() == 2);
        PipelineData data = *subject->data;
        for (std::size_t s = 0; s < 2; ++s) data.stages[s].device = "accelerator" + std::to_string(s);
        for (double width = 320; width <= 700; width += 20) {
            TextShaper shaper;
            DrawList list(shaper, 1);
            paintStages(list, Theme::lightTheme(), {}, data, layOutStages(data, {0, 0, width, 120}), -1);
            QStringList devices;
            for (const QString& text : test::textsOf(list))
                if (text.endsWith(QStringLiteral("r0")) || text.endsWith(QStringLiteral("r1"))) devices << text;
            QVERIFY2(devices.size() == 2 && devices[0] != devices[1], qPrintable(devices.join(u'|')));
        }
    }

    /// Names of buffers that differ at their end only stay apart in the narrow columns of the list of reuses.
    void buffersOfTheListOfReusesAreToldApart()
    {
        Problem problem = test::fromRows(test::flashAttentionVector(48), test::flashLoop, test::scope("ub", test::unifiedBuffer));
        for (std::size_t i = 0; i < problem.buffers.size(); ++i)
            problem.buffers[i].name = "projection_of_the_attention_block_of_layer_" + std::to_string(100 + i);
        auto lowering = lower(problem, {});
        QVERIFY(lowering);
        auto run = std::make_shared<Run>();
        run->lowering = std::make_shared<Lowering>(*std::move(lowering));
        run->plan = *PlannerRegistry::builtIn().find("hivm")->plan(run->problem(), {}, {});
        run->report = evaluate(run->problem(), run->plan);
        const auto scene = makePipeScene(run, {});
        QVERIFY(scene && scene->report().edges.size() > 3);
        for (const double width : {620.0, 760.0, 900.0}) {
            TextShaper shaper;
            DrawList list(shaper, 1);
            PipeState state;
            state.scene = scene.get();
            state.theme = &Theme::lightTheme();
            const PipeLayout layout = layOut(state, {width, 800});
            fitAxis(state, layout);
            paintPipes(list, state, layout);
            // A row is its kind, and the names of its two buffers.
            const QStringList texts = test::textsOf(list);
            std::map<BufferId, QString> names;
            qsizetype at = texts.indexOf(QStringLiteral("worst first"));
            QVERIFY(at >= 0);
            for (std::size_t i = 0; i < scene->report().edges.size(); ++i) {
                const ReuseEdge& edge = scene->report().edges[i];
                if (PipeGeometry{state, layout}.row(i).top() >= layout.list.bottom()) break;
                at = texts.indexOf(reuseText(edge.kind), at + 1);
                QVERIFY(at >= 0);
                names[edge.from] = texts.at(at + 1);
                names[edge.to] = texts.at(at + 2);
            }
            QVERIFY(names.size() > 3);
            std::set<QString> forms;
            for (const auto& [buffer, name] : names) {
                forms.insert(name);
                QVERIFY2(name.contains(QChar(0x2026)) && name.endsWith(QString::number(100 + buffer)), qPrintable(name));
            }
            QCOMPARE(forms.size(), names.size());
        }
    }

private:
    static void compare(const QString& id, const QString& now)
    {
        const QString path = QStringLiteral(STOWAGE_SOURCE_DIR "/tests/canvas/golden/%1.txt").arg(id);
        if (writing) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(now.toUtf8());
            return;
        }
        QFile file(path);
        QVERIFY2(file.open(QIODevice::ReadOnly),
                 qPrintable(path + " is missing: write it with --write, and look at the picture"));
        const QStringList before = linesOf(QString::fromUtf8(file.readAll())), after = linesOf(now);
        for (qsizetype i = 0; i < std::min(before.size(), after.size()); ++i)
            QVERIFY2(before[i] == after[i],
                     qPrintable(QStringLiteral("command %1\n  was %2\n  is  %3").arg(i).arg(before[i], after[i])));
        QCOMPARE(after.size(), before.size());
    }

private Q_SLOTS:
    /// What a picture draws depends on what it shows alone.
    void twoPicturesOfOneSourceAreTheSame_data() { everyPictureIsDrawnAsItWas_data(); }
    void twoPicturesOfOneSourceAreTheSame()
    {
        QFETCH(QString, id);
        const PictureEntry& entry = *pictureEntry(id);
        const PictureSource source = test::sourceFor(entry);
        QString first;
        for (const double ratio : {1.0, 2.0, 1.0}) {
            const auto picture = prepared(entry, source);
            QVERIFY(picture);
            TextShaper shaper;
            DrawList list(shaper, ratio);
            QSize size;
            PictureFileOptions options;
            options.size = {900, 600};
            (void)paintSheet(list, *picture, source, {}, size, options, BodyMode::raster);
            QVERIFY(list.commands().size() > 5);
            if (ratio != 1) continue;
            if (first.isEmpty())
                first = toText(list);
            else
                QCOMPARE(toText(list), first);
        }
    }

    /// A plan that leaves tensors out, and one that a limit stopped before it could decide, are neither a success nor a failure.
    void anOpenVerdictIsAmberInTheHead()
    {
        const PictureEntry& entry = *pictureEntry(QStringLiteral("memory-map"));
        PictureSource source = test::sourceFor(entry);
        QVERIFY(source.run);
        const auto inkOfVerdict = [&](const std::shared_ptr<const Run>& run) {
            source.run = run;
            const auto picture = prepared(entry, source);
            TextShaper shaper;
            DrawList list(shaper, 1);
            QSize size;
            PictureFileOptions options;
            options.size = {900, 600};
            (void)paintSheet(list, *picture, source, {}, size, options, BodyMode::raster);
            const std::string_view word = verdictWord(*run);
            for (const DrawCommand& command : list.commands())
                if (const auto* text = std::get_if<draw::Text>(&command);
                    text && text->text == QString::fromUtf8(word.data(), qsizetype(word.size())))
                    return text->colour;
            return QColor();
        };
        const Theme& theme = Theme::lightTheme();
        const std::shared_ptr<const Run> whole = source.run;
        QVERIFY(isYes(verdictKind(*whole)));
        QCOMPARE(inkOfVerdict(whole), theme.ok);
        auto lowering = std::make_shared<Lowering>(*whole->lowering);
        lowering->problem.unknownSizes = {"h"};
        auto part = std::make_shared<Run>(*whole);
        part->lowering = std::move(lowering);
        QCOMPARE(verdictKind(*part), VerdictKind::partial);
        QCOMPARE(inkOfVerdict(part), theme.warn);
        QCOMPARE(verdictColour(VerdictKind::undecided, theme), theme.warn);
        QCOMPARE(verdictColour(VerdictKind::doesNotFit, theme), theme.bad);
    }

    /// Options are what the table's help, the bar and `render --set` offer: each value that is offered is taken, no other.
    void optionsTakeWhatTheyOffer_data() { everyPictureIsDrawnAsItWas_data(); }
    void optionsTakeWhatTheyOffer()
    {
        QFETCH(QString, id);
        const PictureEntry& entry = *pictureEntry(id);
        const auto picture = prepared(entry, test::sourceFor(entry));
        QVERIFY(picture);
        picture->layOut({900, 600}, 1);
        for (const PictureOption& option : picture->options()) {
            QVERIFY2(option.values.contains(option.value), qPrintable(option.id + u'=' + option.value));
            QVERIFY(!option.tip.isEmpty());
            for (const QString& value : option.values)
                QVERIFY2(picture->set(option.id, value) != PictureChange::unknown, qPrintable(option.id + u'=' + value));
            QVERIFY(picture->set(option.id, option.value) != PictureChange::unknown);
        }
        QCOMPARE(picture->set(QStringLiteral("no such option"), QStringLiteral("on")), PictureChange::unknown);
    }
};

int main(int argc, char** argv)
{
    return test::goldenMain<DrawListsTest>(argc, argv, writing);
}

#include "tst_draw_lists.moc"
