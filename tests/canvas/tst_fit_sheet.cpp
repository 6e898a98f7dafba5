// The sheet of `fit`: the figures that it says, its scale, and that nothing leaves it however small it is.
#include "app/canvas/export/render_fit.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/fit/fit_sheet.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/sample_fit.h"
#include "tests/support/sample_run.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>
#include <string>
#include <variant>

using namespace stowage;
using test::doorbell;
using test::textsOf;

namespace {

/// The same without the log: the tensors alone.
Fit withoutLog()
{
    Fit fit = doorbell();
    fit.log.reset();
    for (FitRow& row : fit.rows) {
        row.arena = row.tensors;
        row.scratch.reset();
        row.tail.reset();
        row.fits = row.arena <= *fit.capacity;
    }
    return fit;
}

/// An ExecuTorch program that leaves tensors of unknown size out of every plan; the answer is at the bound of the others.
Fit partial()
{
    Fit fit = withoutLog();
    fit.runtime = Runtime::executorch;
    for (FitRow& row : fit.rows) row.partial = true;
    fit.bound = fit.best().tensors;
    fit.rows[fit.answer].overBound = 0;
    return fit;
}

/// A fit whose plans are those of `run`, of whose buffers `scratch` are scratch.
Fit fitOf(const std::shared_ptr<const Run>& run, std::size_t scratch)
{
    Fit fit = doorbell();
    fit.log = FitLog{};
    fit.log->tensors = run->problem().buffers.size() - scratch;
    fit.log->scratch = scratch;
    for (FitRow& row : fit.rows) row.run = run;
    return fit;
}

} // namespace

class FitSheetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFiguresOfTheDesignAreSaid()
    {
        for (const bool dark : {true, false}) {
            TextShaper shaper;
            DrawList list(shaper, 1);
            RenderOptions options;
            options.dark = dark;
            QVERIFY(!paintFitFile(list, doorbell(), QStringLiteral("doorbell.tflite"), options, BodyMode::raster));
            const QStringList texts = textsOf(list);
            for (const char* wanted :
                 {"doorbell.tflite", "81,760 B", "with an offline plan in the file, 16,544 B to spare of 98,304 B",
                  "TFLM's greedy planner needs 100,128 B, a plan in the file 81,760 B: 18.3 % less.", "100,128", "+33.2 %",
                  "386,368", "+550 %", "pw1", "36,864 B", "73,504 B", "-8,256 B", "live together at step 3"})
                QVERIFY2(texts.contains(QString::fromUtf8(wanted)),
                         qPrintable(QString::fromUtf8(wanted) + "\n" + texts.join('\n')));
            QCOMPARE(texts.count(QStringLiteral("Does not fit")), 2);
            QCOMPARE(texts.count(QStringLiteral("Fits")), 2); // on the card and in the row
        }
    }

    void barsAreCutWhereOneWouldHideTheOthers()
    {
        Fit fit = doorbell();
        QCOMPARE(fitScale(fit), Bytes(100128 * 1.6)); // not 386,368
        fit.rows.erase(fit.rows.begin() + 1);
        fit.answer = 1;
        QCOMPARE(fitScale(fit), Bytes(100128));
        fit.capacity = 1 << 20;
        QCOMPARE(fitScale(fit), Bytes(1 << 20)); // how much room is left is seen
    }

    /// Tensors and scratch have one colour each, in the bars, the legend and the maps.
    void mapsHaveTheColoursOfTheLegend()
    {
        const std::shared_ptr<const Run> run = test::wakeWordRun();
        const std::size_t scratch = 5, all = run->problem().buffers.size();
        const Fit fit = fitOf(run, scratch);
        TextShaper shaper;
        DrawList list(shaper, 1);
        RenderOptions options;
        options.size = {1600, 1400};
        options.dark = false;
        QVERIFY(!paintFitFile(list, fit, QStringLiteral("m"), options, BodyMode::vector));
        const Theme& theme = Theme::lightTheme();
        std::map<QRgb, std::size_t> fills;
        for (const DrawCommand& command : list.commands())
            if (const auto* fill = std::get_if<draw::Fill>(&command)) ++fills[fill->colour.rgb()];
        // Two maps: the runtime's own plan and the answer. The bars, the legend and the list of the peak have a few more.
        QVERIFY(fills[theme.buffers[0].rgb()] >= 2 * (all - scratch));
        QVERIFY(fills[theme.buffers[1].rgb()] >= 2 * scratch);
        for (std::size_t other = 2; other < 9; ++other) QCOMPARE(fills[theme.buffers[other].rgb()], std::size_t(0));
        for (const double share : {0.2, 0.4, 0.6, 0.8})
            QCOMPARE(fills[theme.rampAt(share).rgb()], std::size_t(0)); // no ramp of sizes
    }

    /// Scratch has one hatch everywhere: in bars and legend, and in the maps.
    void scratchIsHatchedWhereverItIs()
    {
        const std::shared_ptr<const Run> run = test::wakeWordRun();
        const Fit fit = fitOf(run, 5);
        for (const bool dark : {true, false}) {
            TextShaper shaper;
            DrawList list(shaper, 1);
            RenderOptions options;
            options.size = {1600, 1400};
            options.dark = dark;
            QVERIFY(!paintFitFile(list, fit, QStringLiteral("m"), options, BodyMode::vector));
            const Theme& theme = dark ? Theme::darkTheme() : Theme::lightTheme();
            std::size_t scratch = 0, plain = 0;
            for (std::size_t i = 0; i + 1 < list.commands().size(); ++i) {
                const auto* fill = std::get_if<draw::Fill>(&list.commands()[i]);
                if (!fill || fill->rect.height() < 2 || fill->rect.width() < 2) continue;
                if (std::holds_alternative<draw::Text>(list.commands()[i + 1])) continue; // a patch below a label
                const auto* hatch = std::get_if<draw::Hatch>(&list.commands()[i + 1]);
                const bool inInk = hatch && hatch->rect == fill->rect && hatch->colour == theme.bufferInks[1] && !hatch->falling;
                if (fill->colour == theme.buffers[1]) {
                    ++scratch;
                    QVERIFY2(inInk, qPrintable(QString::number(fill->rect.top())));
                } else if (fill->colour == theme.buffers[0]) {
                    ++plain;
                    QVERIFY(!inInk);
                }
            }
            QVERIFY(scratch >= 2 * fit.log->scratch && plain > scratch);
        }
    }

    void withoutALogWhatIsMissingIsSaid()
    {
        const Fit fit = withoutLog();
        TextShaper shaper;
        DrawList list(shaper, 1);
        QVERIFY(!paintFitFile(list, fit, QStringLiteral("m"), {}, BodyMode::raster));
        const QString said = textsOf(list).join('\n');
        QVERIFY2(said.contains(QStringLiteral("Scratch and tail, which only the runtime knows, come on top.")), qPrintable(said));
        // The known part is a minimum, and what is left of the capacity a maximum.
        const QStringList texts = textsOf(list);
        const QString arena = bytesText(fit.best().tensors, {}), spare = bytesText(*fit.capacity - fit.best().tensors, {});
        QVERIFY2(texts.contains(QStringLiteral("at least ") + arena), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("at most ") + spare + QStringLiteral(" to spare")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("Tensors alone: TFLM's greedy planner needs ")), qPrintable(said));
        QVERIFY(!said.contains(QStringLiteral("scratch adds")));
    }

    /// What is missing comes on top: a part that fits decides nothing, a part that does not fit decides.
    void aMinimumIsNotSaidToFit()
    {
        for (const Fit& fit : {withoutLog(), partial()}) {
            QVERIFY(*fit.best().fits && *fit.runtimes().fits && !*fit.rows[1].fits); // 55,296, 73,728, 259,744 B of 98,304
            TextShaper shaper;
            DrawList list(shaper, 1);
            QVERIFY(!paintFitFile(list, fit, QStringLiteral("m"), {}, BodyMode::raster));
            const QStringList texts = textsOf(list);
            QVERIFY2(!texts.contains(QStringLiteral("Fits")), qPrintable(texts.join('\n')));
            QCOMPARE(texts.count(QStringLiteral("Does not fit")), 1);
            QVERIFY2(texts.contains(QStringLiteral("at least 55,296 B")), qPrintable(texts.join('\n')));
        }
    }

    void tensorsOfUnknownSizeAreNoSaving()
    {
        for (const bool dark : {true, false}) {
            TextShaper shaper;
            DrawList list(shaper, 1);
            RenderOptions options;
            options.dark = dark;
            QVERIFY(!paintFitFile(list, partial(), QStringLiteral("m"), options, BodyMode::raster));
            const Theme& theme = dark ? Theme::darkTheme() : Theme::lightTheme();
            const QString head = QStringLiteral("Without tensors of unknown size: ExecuTorch's greedy planner needs 73,728 B");
            QVERIFY2(test::timesSaid(list, head) == 1, qPrintable(textsOf(list).join('\n')));
            int overBound = 0;
            for (const DrawCommand& command : list.commands()) {
                const auto* text = std::get_if<draw::Text>(&command);
                if (!text) continue;
                if (text->text.startsWith(head)) QCOMPARE(text->colour, theme.text2);
                if (text->text != percentText(0)) continue;
                QCOMPARE(text->colour, theme.text2);
                ++overBound;
            }
            QCOMPARE(overBound, 1);
        }
    }

    void partsThatAreMissingAreNamed()
    {
        Fit fit = withoutLog();
        FitRow& best = fit.rows[fit.answer];
        QCOMPARE(missingParts(fit, best), std::string("scratch and the tail"));
        best.partial = true;
        QCOMPARE(missingParts(fit, best), std::string("tensors of unknown size, scratch and the tail"));
        best.partial = false;
        best.scratch = 64;
        QCOMPARE(minimumHead(fit), std::string("Without the tail: "));
        best.tail = 26400;
        QVERIFY(!isMinimum(fit, best) && minimumHead(fit).empty());
        QCOMPARE(certainFit(fit, best), best.fits);
    }

    /// A number that lost its last digits is another number.
    void theCardCutsNoNumber()
    {
        for (const Fit& fit : {doorbell(), withoutLog()}) {
            for (double width = 120; width <= 900; width += 7) {
                TextShaper shaper;
                DrawList list(shaper, 1);
                (void)paintFitCard(list, Theme::darkTheme(), {0, 0, width, 84}, fit, {});
                for (const QString& text : textsOf(list)) {
                    const qsizetype cut = text.indexOf(QChar(0x2026));
                    QVERIFY2(cut < 0 || !text.left(cut).contains(QRegularExpression(QStringLiteral("[0-9]"))), qPrintable(text));
                }
            }
        }
    }

    void narrowSheetsCutNoNumber()
    {
        const QRegularExpression cut(
            QStringLiteral("bound [0-9,]*\u2026|^[0-9,]+\u2026|^(halve|shorten|let|make) .* [0-9,]+\u2026"));
        for (const Fit& fit : {doorbell(), withoutLog()}) {
            for (double width = 240; width <= 1000; width += 19) {
                TextShaper shaper;
                DrawList list(shaper, 1);
                FitSheetOptions options;
                options.size = {width, 700};
                options.theme = &Theme::darkTheme();
                (void)paintFitSheet(list, fit, options);
                for (const QString& text : textsOf(list)) QVERIFY2(!cut.match(text).hasMatch(), qPrintable(text));
            }
        }
    }

    /// Rows, changes and peak lie on the ground that tables of runs have.
    void belowTheCardTheSheetHasTheGroundOfTables()
    {
        const Fit fit = doorbell();
        for (const Theme* theme : {&Theme::darkTheme(), &Theme::lightTheme()}) {
            TextShaper shaper;
            DrawList list(shaper, 1);
            FitSheetOptions options;
            options.size = {900, 700};
            options.theme = theme;
            QVERIFY(!paintFitSheet(list, fit, options));
            const double below = fitCardBox(options.size).bottom();
            const auto& commands = list.commands();
            const auto ground = std::ranges::find_if(commands, [&](const DrawCommand& command) {
                const auto* fill = std::get_if<draw::Fill>(&command);
                return fill && fill->colour == theme->panel && fill->rect.width() == 900 && fill->rect.bottom() == 700 &&
                       fill->rect.top() > below && fill->rect.top() < below + 20;
            });
            QVERIFY(ground != commands.end());
            const auto planner = std::ranges::find_if(commands, [&](const DrawCommand& command) {
                const auto* text = std::get_if<draw::Text>(&command);
                return text && text->text == u"tflm-greedy";
            });
            QVERIFY(ground < planner);
        }
    }

    void nothingLeavesTheSheet()
    {
        for (const QSize size :
             {QSize(200, 120), QSize(320, 300), QSize(560, 420), QSize(700, 460), QSize(1000, 700), QSize(1600, 1000)})
            for (const double ratio : {1.0, 2.0}) {
                TextShaper shaper;
                DrawList list(shaper, ratio);
                RenderOptions options;
                options.size = size;
                Fit fit = doorbell();
                fit.changes[0].text = std::string(300, 'x');
                fit.peak.resize(40, fit.peak.front());
                QVERIFY(!paintFitFile(list, fit, QString(300, u'm'), options, BodyMode::raster));
                double shift = 0;
                for (const DrawCommand& command : list.commands()) {
                    if (const auto* moved = std::get_if<draw::Shift>(&command)) shift += moved->by.y();
                    const auto* text = std::get_if<draw::Text>(&command);
                    if (!text) continue;
                    const double width = list.width(text->face, text->text);
                    const double left = text->align == draw::Text::Align::right ? text->at.x() - width : text->at.x();
                    QVERIFY2(left >= 0 && left + width <= size.width() + 0.5 && text->at.y() + shift <= size.height(),
                             qPrintable(QStringLiteral("%1x%2: %3").arg(size.width()).arg(size.height()).arg(text->text)));
                }
            }
    }
};

QTEST_MAIN(FitSheetTest)
#include "tst_fit_sheet.moc"
