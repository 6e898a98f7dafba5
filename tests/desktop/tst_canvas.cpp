// One canvas for all pictures: every picture of the table is driven through every key and gesture, and all of them mean the same.
#include "app/desktop/widgets/key_place.h"
#include "tests/desktop/canvas_desk.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed_shift.h"

#include <QImage>
#include <QSignalSpy>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

using namespace stowage;
using namespace stowage::test;

namespace {

/// Shows nothing, and keeps the marks that it was given.
class MarksPicture final : public Picture {
public:
    std::size_t given = 0; ///< count of times
    PictureMarks marks;

    [[nodiscard]] PictureJob prepare(const PictureSource&) const override
    {
        return {0, [](const std::stop_token&) { return std::make_shared<const PictureScene>(); }};
    }
    bool take(std::shared_ptr<const PictureScene>) override { return true; }
    PictureChange setMarks(const PictureMarks& now, bool) override
    {
        ++given;
        marks = now;
        return PictureChange::nothing;
    }
    void layOut(QSizeF, double) override {}
    [[nodiscard]] PictureParts parts() const override { return {}; }
    [[nodiscard]] Viewport viewport() const override { return {}; }
    void show(const ViewRange&, bool) override {}
    bool paint(DrawList&, BodyMode) override { return false; }
    void paintOverlay(DrawList&) const override {}
    [[nodiscard]] PictureHit hit(QPointF) const override { return {}; }
    [[nodiscard]] std::optional<CardText> card(const PictureHit&) const override { return std::nullopt; }
};

} // namespace

class CanvasTest : public QObject {
    Q_OBJECT

    /// Nothing is zoomed, moved, selected or painted another way by `input`.
    static void changesNothing(CanvasDesk& desk, const std::function<void()>& input)
    {
        const auto left = [&] {
            QEvent leave(QEvent::Leave);
            QCoreApplication::sendEvent(desk.canvas.get(), &leave);
            return desk.canvas->grab().toImage();
        };
        const ViewRange range = desk.canvas->range();
        const auto cursor = desk.selection.cursor();
        const auto selected = desk.selection.buffers();
        const QImage picture = left();
        const QSignalSpy moved(desk.canvas.get(), &Canvas::rangeChanged);
        input();
        QVERIFY(!desk.canvas->moving());
        QCOMPARE(desk.canvas->range(), range);
        QCOMPARE(moved.size(), 0);
        QVERIFY(!desk.canvas->history().canGoBack() && !desk.canvas->history().canGoForward());
        QCOMPARE(desk.selection.cursor(), cursor);
        QCOMPARE(desk.selection.buffers(), selected);
        QVERIFY(left() == picture);
    }

private Q_SLOTS:
    void keysZoomAndPanByEqualSteps_data() { addPictures(); }
    void keysZoomAndPanByEqualSteps()
    {
        DESK_THAT_ZOOMS({
            for (const int key : {Qt::Key_W, Qt::Key_S, Qt::Key_A, Qt::Key_D}) desk.key(key);
        });
        const double whole = desk.span();
        for (int i = 1; i <= 4; ++i) {
            const double before = desk.span();
            desk.key(Qt::Key_W);
            QVERIFY2(std::abs(desk.span() - before / 1.25) <= before * 0.02, qPrintable(QString::number(desk.span())));
        }
        const Viewport axes = desk.canvas->picture().viewport();
        const AxisPoint at = desk.begin();
        const double plot = desk.parts().plotRight - desk.parts().plotLeft;
        desk.key(Qt::Key_D);
        const double moved = desk.begin().minus(at) * axes.steps.scale();
        QVERIFY2(std::abs(moved - 0.2 * plot) <= 1.5, qPrintable(QString::number(moved))); // a fifth of the plot, in all pictures
        desk.key(Qt::Key_A);
        QVERIFY(std::abs(desk.begin().minus(at)) * axes.steps.scale() <= 1.5);
        for (int i = 0; i < 8; ++i) desk.key(Qt::Key_S);
        QVERIFY(std::abs(desk.span() - whole) <= whole * 1e-6); // everything is the most that is shown
    }

    /// On a French keyboard Z lies where W lies on an American one, and Q where A does.
    void keysAreAPlaceAndNotALetter()
    {
        for (const char* platform : {"xcb", "wayland", "wayland-egl"}) {
            const auto key = [&](unsigned scanCode, Qt::Key letter) {
                return keyByPlace(QLatin1String(platform), scanCode, letter);
            };
            QCOMPARE(key(25, Qt::Key_Z), int(Qt::Key_W));
            QCOMPARE(key(38, Qt::Key_Q), int(Qt::Key_A));
            QCOMPARE(key(39, Qt::Key_S), int(Qt::Key_S));
            QCOMPARE(key(40, Qt::Key_D), int(Qt::Key_D));
            QCOMPARE(key(52, Qt::Key_W), int(Qt::Key_W)); // what lies elsewhere is what its letter says
            QCOMPARE(key(113, Qt::Key_Left), int(Qt::Key_Left));
        }
        QCOMPARE(keyByPlace(QStringLiteral("offscreen"), 25, Qt::Key_Z), int(Qt::Key_Z)); // other codes
    }

    void wheelAndPinchMeanTheSameEverywhere_data() { addPictures(); }
    void wheelAndPinchMeanTheSameEverywhere()
    {
        DESK_THAT_ZOOMS({
            for (const Qt::KeyboardModifier held : {Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier})
                for (const QPoint turn : {QPoint(0, 360), QPoint(0, -360), QPoint(120, 0)}) desk.wheel(desk.middle(), turn, held);
            desk.pinch(desk.middle(), 0.25);
        });
        const QPointF at = desk.middle();
        const double whole = desk.span();
        desk.wheel(at, {0, 360});
        const double zoomed = desk.span();
        QVERIFY2(std::abs(zoomed - whole / std::pow(1.25, 3)) <= whole * 0.02, qPrintable(QString::number(zoomed)));
        const AxisPoint begin = desk.begin();
        const double scale = desk.canvas->picture().viewport().steps.scale();
        desk.wheel(at, {0, -120}, Qt::ShiftModifier);
        QVERIFY(std::abs(desk.begin().minus(begin) * scale - 60) <= 1.5);
        desk.wheel(at, {120, 0}); // sideways
        QVERIFY(std::abs(desk.begin().minus(begin)) * scale <= 1.5);
        QCOMPARE(desk.parts().strips.empty(), lacks(Feature::addresses, id));
        QCOMPARE(desk.parts().uniform, lacks(Feature::ownScales, id));
        const auto up = [&] { return desk.parts().strips.empty() ? 0.0 : desk.canvas->range().addresses.front().span; };
        const double before = up();
        desk.wheel(at, {0, 240}, Qt::ControlModifier); // for the other axis
        QCOMPARE(up() < before, !lacks(Feature::addresses, id));
        if (desk.parts().uniform)
            QVERIFY(desk.span() < zoomed);
        else
            QCOMPARE(desk.span(), zoomed);
        if (!desk.parts().strips.empty()) { // and pans it, up to the end of the axis
            const PixelAxis axis = desk.canvas->picture().viewport().addresses.front();
            const double room = (AxisPoint{axis.high(), 0}.minus(axis.range().begin) - axis.range().span) * axis.scale();
            desk.wheel(at, {0, 120}, Qt::ControlModifier | Qt::ShiftModifier);
            const double moved = desk.canvas->range().addresses.front().begin.minus(axis.range().begin) * axis.scale();
            QVERIFY2(room > 4 && std::abs(moved - std::min(60.0, room)) <= 1.5, qPrintable(QString::number(moved)));
        }
        desk.canvas->zoomToFit(); // so that no limit is met
        desk.pinch(at, 0.25);
        QVERIFY2(std::abs(desk.span() - whole / 1.25) <= whole * 0.02, qPrintable(QString::number(desk.span())));
    }

    void historyGoesBackAndForward_data() { addPictures(); }
    void historyGoesBackAndForward()
    {
        DESK_THAT_ZOOMS({
            desk.key(Qt::Key_W);
            desk.key(Qt::Key_Backspace);
            desk.key(Qt::Key_Right, Qt::AltModifier);
            desk.key(Qt::Key_Left, Qt::AltModifier);
            for (const Qt::MouseButton button : {Qt::BackButton, Qt::ForwardButton}) {
                desk.button(QEvent::MouseButtonPress, desk.middle(), button);
                desk.button(QEvent::MouseButtonRelease, desk.middle(), button);
            }
        });
        const ViewRange whole = desk.canvas->range();
        desk.key(Qt::Key_W);
        const ViewRange near = desk.canvas->range();
        desk.key(Qt::Key_Backspace);
        QCOMPARE(desk.canvas->range(), whole);
        desk.key(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(desk.canvas->range(), near);
        desk.key(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(desk.canvas->range(), whole);
        desk.button(QEvent::MouseButtonPress, desk.middle(), Qt::ForwardButton);
        QCOMPARE(desk.canvas->range(), near);
        desk.button(QEvent::MouseButtonPress, desk.middle(), Qt::BackButton);
        QCOMPARE(desk.canvas->range(), whole);
        QVERIFY(desk.canvas->perform(ViewCommand::forward));
        desk.canvas->zoomToFit();
        QCOMPARE(desk.canvas->range(), whole);
    }

    void boxesZoomAndShiftDragsPan_data() { addPictures(); }
    void boxesZoomAndShiftDragsPan()
    {
        DESK_THAT_ZOOMS({
            const QPointF from = desk.middle() - QPointF(90, 20), to = desk.middle() + QPointF(90, 20);
            desk.drag(from, to, Qt::LeftButton, Qt::AltModifier);
            desk.drag(from, to, Qt::MiddleButton);
            desk.drag(from, to, Qt::LeftButton, Qt::ShiftModifier);
        });
        const QPointF at = desk.middle();
        const QPointF from = at - QPointF(90, 20), to = at + QPointF(90, 20);
        const double whole = desk.span();
        desk.drag(from, to, Qt::LeftButton, Qt::AltModifier);
        const ViewRange boxed = desk.canvas->range();
        QVERIFY(boxed.steps.span < whole * 0.6);
        desk.canvas->zoomToFit();
        desk.drag(from, to, Qt::MiddleButton);
        QCOMPARE(desk.canvas->range(), boxed);
        const AxisPoint begin = desk.begin();
        const double scale = desk.canvas->picture().viewport().steps.scale();
        desk.drag(at, at + QPointF(40, 0), Qt::LeftButton, Qt::ShiftModifier);
        QVERIFY(std::abs(desk.begin().minus(begin) * scale + 40) <= 1.5); // what is held stays below the pointer
    }

    void dragsInTheRulerMoveTheTimeCursor_data() { addPictures(); }
    void dragsInTheRulerMoveTheTimeCursor()
    {
        DESK();
        const PictureParts parts = desk.parts();
        QCOMPARE(parts.ruler.isEmpty(), !parts.zooms() || lacks(Feature::ruler, id));
        if (parts.ruler.isEmpty()) return;
        const double y = std::round(parts.ruler.center().y());
        const auto at = [&](double share) {
            return QPointF(std::round(parts.plotLeft + share * (parts.plotRight - parts.plotLeft)), y);
        };
        const auto stepAt = [&](QPointF point) { return desk.canvas->picture().hit(point).step; };
        QVERIFY(stepAt(at(0.2)) && stepAt(at(0.7)) > stepAt(at(0.2)));
        desk.button(QEvent::MouseButtonPress, at(0.2), Qt::LeftButton);
        QCOMPARE(desk.selection.cursor(), stepAt(at(0.2)));
        desk.move(at(0.7), Qt::LeftButton);
        QCOMPARE(desk.selection.cursor(), stepAt(at(0.7)));
        desk.move(at(1.4) - QPointF(0, 60), Qt::LeftButton); // held beyond the end: the last step
        QCOMPARE(desk.selection.cursor(), stepAt({parts.plotRight - 1, y}));
        desk.button(QEvent::MouseButtonRelease, at(1.4), Qt::LeftButton);
        QVERIFY(desk.selection.buffers().empty());
        QVERIFY(!desk.canvas->history().canGoBack());
    }

    void wheelAndBarScrollLists_data() { addPictures(); }
    void wheelAndBarScrollLists()
    {
        DESK();
        desk.canvas->resize(700, 320); // so that lists are longer than their place
        desk.canvas->grab();
        int scrolled = 0;
        for (std::size_t i = 0; i < desk.parts().scrolls.size(); ++i) {
            const PictureScroll list = desk.parts().scrolls[i];
            const QRectF place = list.wheel ? list.box : list.names;
            if (list.overhang() < 1 || place.isEmpty()) continue;
            const auto by = [&] { return desk.parts().scrolls[i].at - list.at; };
            QCOMPARE(list.at, 0.0);
            desk.wheel(place.center(), {0, -120});
            QVERIFY2(std::abs(by() - std::min(36.0, list.overhang())) <= 1, qPrintable(QString::number(by())));
            desk.wheel(place.center(), {0, 120});
            QCOMPARE(by(), 0.0);
            ++scrolled;
            if (!list.bar) continue;
            const QPointF bar(list.box.right() - 5, list.box.top() + 6);
            desk.drag(bar, bar + QPointF(0, 12));
            const double expected = std::min(12 * list.content / list.box.height(), list.overhang());
            QVERIFY2(std::abs(by() - expected) <= 3, qPrintable(QString::number(by()))); // each move goes by whole pixels
        }
        if (id == u"liveness") QVERIFY(scrolled > 0);
    }

    void dragsSelectAnAreaAndEscapeGivesItUp_data() { addPictures(); }
    void dragsSelectAnAreaAndEscapeGivesItUp()
    {
        DESK_THAT_ZOOMS({
            for (double y = 12; y < desk.canvas->height() - 70; y += 30) desk.drag({8, y}, {desk.canvas->width() - 8.0, y + 60});
            desk.button(QEvent::MouseButtonPress, {8, 100}, Qt::LeftButton);
            desk.move({200, 160}, Qt::LeftButton);
            desk.key(Qt::Key_Escape);
            desk.button(QEvent::MouseButtonRelease, {200, 160}, Qt::LeftButton);
        });
        const PictureParts parts = desk.parts();
        QPointF from, to;
        for (double y = 12; y < desk.canvas->height() - 70 && desk.selection.buffers().empty(); y += 30) {
            from = {parts.plotLeft + 8, y};
            to = {parts.plotRight - 8, y + 60};
            desk.drag(from, to);
        }
        QVERIFY2(!desk.selection.buffers().empty(), "nearly all of a band holds something");
        desk.selection.clear();
        desk.button(QEvent::MouseButtonPress, from, Qt::LeftButton);
        desk.move(to, Qt::LeftButton);
        desk.key(Qt::Key_Escape);
        desk.button(QEvent::MouseButtonRelease, to, Qt::LeftButton);
        QVERIFY(desk.selection.buffers().empty());
    }

    void arrowsWalkAndLeaveOutWhatTheFilterLeavesOut_data() { addPictures(); }
    void arrowsWalkAndLeaveOutWhatTheFilterLeavesOut()
    {
        DESK_THAT_ZOOMS({
            for (const int key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Left, Qt::Key_Up}) desk.key(key);
        });
        const auto walk = [&](std::set<BufferId>& met) {
            bool moved = false;
            for (const int key :
                 {Qt::Key_Right, Qt::Key_Down, Qt::Key_Left, Qt::Key_Up, Qt::Key_Up, Qt::Key_Right, Qt::Key_Right}) {
                const auto before = std::pair(desk.selection.buffer(), desk.selection.cursor());
                desk.key(key);
                moved |= before != std::pair(desk.selection.buffer(), desk.selection.cursor());
                if (desk.selection.buffer() != none) met.insert(desk.selection.buffer());
            }
            return moved;
        };
        std::set<BufferId> met;
        QVERIFY(walk(met));
        QCOMPARE(met.empty(), lacks(Feature::walk, id)); // they move the time cursor then
        // Only every other buffer passes.
        const std::size_t count = desk.canvas->source().run->problem().buffers.size();
        auto mask = std::make_shared<BufferMask>();
        for (std::size_t i = 0; i < count; ++i) mask->shown.push_back(i % 2 == 0);
        desk.selection.clear();
        desk.selection.setMask(mask);
        met.clear();
        QVERIFY(walk(met));
        for (const BufferId buffer : met) QVERIFY2(buffer % 2 == 0, qPrintable(QString::number(buffer)));
        QCOMPARE(met.empty(), lacks(Feature::walk, id));
    }

    void oneCardSpeaksOfWhatIsBelowThePointer_data() { addPictures(); }
    void oneCardSpeaksOfWhatIsBelowThePointer()
    {
        DESK();
        const auto at = desk.find([&](const PictureHit& hit) { return desk.canvas->picture().card(hit).has_value(); });
        QCOMPARE(!at, lacks(Feature::card, id));
        if (!at)
            return changesNothing(desk, [&] {
                desk.move(desk.middle());
                QTest::qWait(600); // longer than a card takes to come
                QVERIFY(!desk.canvas->card());
            });
        desk.move(*at);
        QVERIFY(!desk.canvas->card()); // not at once
        QTRY_VERIFY(desk.canvas->card().has_value());
        const CardText card = *desk.canvas->card();
        QVERIFY(!card.title.isEmpty());
        QVERIFY(card.lines.size() + 1 + !card.caption.isEmpty() <= 6);
        desk.canvas->grab();
        QVERIFY(QRectF(desk.canvas->rect()).contains(desk.canvas->cardBox()));
        // It follows the theme and the unit while it is shown.
        const PictureHit hit = desk.canvas->picture().hit(*at);
        desk.canvas->setTheme(Theme::lightTheme());
        const CardText light = *desk.canvas->card();
        desk.canvas->grab(); // from here on, everything has the new theme
        const CardText painted = *desk.canvas->picture().card(hit);
        QCOMPARE(light.titleSwatch, painted.titleSwatch);
        QCOMPARE(light.shareColour, painted.shareColour);
        for (std::size_t i = 0; i < painted.lines.size(); ++i) QCOMPARE(light.lines.at(i).swatch, painted.lines[i].swatch);
        desk.canvas->setNumbers({.unit = NumberFormat::Unit::kibibytes, .hexAddresses = false});
        const CardText anew = *desk.canvas->picture().card(hit);
        const CardText now = *desk.canvas->card();
        QCOMPARE(now.titleSwatch, anew.titleSwatch);
        QCOMPARE(now.title, anew.title);
        for (std::size_t i = 0; i < anew.lines.size(); ++i) QCOMPARE(now.lines.at(i).value, anew.lines[i].value);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(desk.canvas.get(), &leave);
        QVERIFY(!desk.canvas->card());
        QCOMPARE(desk.selection.hovered(), BufferId(none));
    }

    /// An option may change what lies under a pointer that rests.
    void aCardFollowsAnOptionThatChangesWhatIsBelowIt()
    {
        CanvasDesk desk(*pictureEntry(QStringLiteral("usage")));
        PictureSource source;
        source.run = test::sampleRun({.buffers = 60, .pools = 3});
        source.runs = {source.run};
        source.scenes = std::make_shared<SceneCache>();
        desk.canvas->setSource(std::move(source));
        QTRY_VERIFY(desk.canvas->ready() && desk.canvas->scene());
        const QStringList pools = desk.canvas->picture().options().front().values.mid(1);
        QCOMPARE(pools.size(), qsizetype(3));
        const auto last = desk.find([&](const PictureHit& hit) {
            const auto card = desk.canvas->picture().card(hit);
            return card && card->caption == pools.last();
        });
        QVERIFY(last);
        desk.move(*last);
        QTRY_VERIFY(desk.canvas->card().has_value());
        QVERIFY(desk.canvas->setOption(QStringLiteral("memory"), pools.first()));
        QVERIFY(!desk.canvas->card() || desk.canvas->card()->caption == pools.first());
        desk.canvas->setTheme(Theme::lightTheme());
        QVERIFY(!desk.canvas->card() || desk.canvas->card()->caption == pools.first());
    }

    /// A screen reader is told sizes in the unit that is shown.
    void whatIsSpokenFollowsUnitAndSelection()
    {
        const CanvasDesk desk(*pictureEntry(QStringLiteral("memory-map")));
        QVERIFY(desk.canvas->scene() && desk.canvas->scene()->run);
        const Run& run = *desk.canvas->scene()->run;
        const NumberFormat bytes, kibibytes{.unit = NumberFormat::Unit::kibibytes, .hexAddresses = false};
        const QString inBytes = bytesText(run.report.totalSize(), bytes),
                      inKibibytes = bytesText(run.report.totalSize(), kibibytes);
        QVERIFY(desk.canvas->accessibleDescription().contains(inBytes));
        desk.canvas->setNumbers(kibibytes);
        QVERIFY(desk.canvas->accessibleDescription().contains(inKibibytes));
        QVERIFY(!desk.canvas->accessibleDescription().contains(inBytes));
    }

    void everySelectedBufferIsSpokenOf()
    {
        CanvasDesk desk(*pictureEntry(QStringLiteral("memory-map")));
        QVERIFY(desk.canvas->scene() && desk.canvas->scene()->run);
        desk.selection.select(0);
        QVERIFY(desk.canvas->accessibleDescription().contains(QStringLiteral("selected: ")));
        QVERIFY(!desk.canvas->accessibleDescription().contains(QStringLiteral(" more")));
        desk.selection.selectMany({0, 1, 2});
        QVERIFY2(desk.canvas->accessibleDescription().endsWith(QStringLiteral(" and 2 more")),
                 qPrintable(desk.canvas->accessibleDescription()));
    }

    void clicksSelectAndCtrlAdds_data() { addPictures(); }
    void clicksSelectAndCtrlAdds()
    {
        DESK();
        auto first = desk.find([](const PictureHit& hit) { return hit.chosen.size() == 1 && !hit.acts; });
        const bool acts = !first; // where a click does something else as well, everywhere in the picture
        if (acts) first = desk.find([](const PictureHit& hit) { return hit.chosen.size() == 1; });
        QCOMPARE(!first, lacks(Feature::single, id));
        if (!first) {
            // What stands for several buffers, or for none.
            const auto several = desk.find([](const PictureHit& hit) { return hit.chosen.size() > 1 && !hit.acts; });
            const QPointF at = several.value_or(desk.middle());
            std::vector<BufferId> all = desk.canvas->picture().hit(at).chosen.list();
            desk.button(QEvent::MouseButtonPress, at, Qt::LeftButton);
            desk.button(QEvent::MouseButtonRelease, at, Qt::LeftButton);
            std::vector<BufferId> selected = desk.selection.buffers();
            std::ranges::sort(all);
            std::ranges::sort(selected);
            QCOMPARE(selected, all);
            return;
        }
        const BufferId one = desk.canvas->picture().hit(*first).chosen.front();
        desk.button(QEvent::MouseButtonPress, *first, Qt::LeftButton);
        desk.button(QEvent::MouseButtonRelease, *first, Qt::LeftButton);
        QCOMPARE(desk.selection.buffers(), std::vector<BufferId>{one});
        const auto second = desk.find(
            [&](const PictureHit& hit) { return hit.chosen.size() == 1 && hit.chosen.front() != one && hit.acts == acts; });
        QVERIFY(second);
        const BufferId two = desk.canvas->picture().hit(*second).chosen.front();
        for (const std::size_t expected : {2, 1}) { // the second Ctrl+click takes it out again
            desk.button(QEvent::MouseButtonPress, *second, Qt::LeftButton, Qt::ControlModifier);
            desk.button(QEvent::MouseButtonRelease, *second, Qt::LeftButton, Qt::ControlModifier);
            QCOMPARE(desk.selection.buffers().size(), expected);
            QCOMPARE(std::ranges::count(desk.selection.buffers(), two) == 1, expected == 2);
        }
    }

    /// A selection may be of a million buffers: no move of the pointer copies it, and what is hidden does nothing.
    void marksShareTheSelectionAndHiddenCanvasesRest()
    {
        SelectionModel selection;
        auto made = std::make_unique<MarksPicture>();
        const MarksPicture& picture = *made;
        Canvas canvas(selection, std::move(made), QStringLiteral("marks"));
        selection.selectMany({4, 1, 7});
        QCOMPARE(picture.given, std::size_t(0));
        canvas.show();
        QCOMPARE(picture.given, std::size_t(1));
        QCOMPARE(picture.marks.selected, BufferId(4));
        QVERIFY(picture.marks.selection.sharesWith(selection.shared()));
        selection.hover(1);
        selection.setCursor(3);
        QCOMPARE(picture.given, std::size_t(3));
        QCOMPARE(picture.marks.hovered, BufferId(1));
        QCOMPARE(picture.marks.cursor, std::optional<Step>(3));
        QVERIFY(picture.marks.selection.sharesWith(selection.shared()));
        canvas.hide();
        selection.hover(7);
        selection.setCursor(5);
        selection.select(1);
        selection.setMask(std::make_shared<const BufferMask>());
        QCOMPARE(picture.given, std::size_t(3));
        canvas.show();
        QCOMPARE(picture.given, std::size_t(4));
        QCOMPARE(picture.marks.selected, BufferId(1));
        QCOMPARE(picture.marks.hovered, BufferId(7));
        QCOMPARE(picture.marks.cursor, std::optional<Step>(5));
        QVERIFY(picture.marks.shown);
    }

    void goCommandsWorkEverywhere_data() { addPictures(); }
    void goCommandsWorkEverywhere()
    {
        DESK_THAT_ZOOMS({
            desk.canvas->zoomToPeak();
            desk.canvas->zoomToFit();
            desk.canvas->zoomToSelection();
            for (const ViewCommand command : {ViewCommand::zoomIn, ViewCommand::zoomOut, ViewCommand::panLeft,
                                              ViewCommand::panRight, ViewCommand::back, ViewCommand::forward})
                QVERIFY2(!desk.canvas->perform(command), qPrintable(QString::number(int(command))));
        });
        desk.canvas->zoomToPeak();
        QCOMPARE(desk.parts().ruler.isEmpty(), lacks(Feature::ruler, id));
        if (!desk.parts().ruler.isEmpty()) QVERIFY2(desk.selection.cursor().has_value(), "P marks the peak");
        desk.canvas->zoomToFit();
        const double whole = desk.span();
        for (const ViewCommand command : {ViewCommand::zoomIn, ViewCommand::zoomOut, ViewCommand::zoomIn, ViewCommand::panLeft,
                                          ViewCommand::panRight, ViewCommand::back, ViewCommand::forward})
            QVERIFY2(desk.canvas->perform(command), qPrintable(QString::number(int(command))));
        for (const ViewCommand command :
             {ViewCommand::addressZoomIn, ViewCommand::addressZoomOut, ViewCommand::panUp, ViewCommand::panDown})
            QCOMPARE(desk.canvas->perform(command), !lacks(Feature::addresses, id));
        desk.canvas->zoomToFit();
        QCOMPARE(desk.span(), whole);
        // The first time centred, the second time fitted: all of it is in view, and what is small is larger than before.
        std::optional<PictureAim> aim;
        for (BufferId next = 0; !aim || !aim->across; ++next) { // a picture of one loop leaves out the buffers of others
            QVERIFY(next < BufferId(desk.canvas->source().run->problem().buffers.size()));
            QCOMPARE(desk.span(), whole);
            desk.selection.select(next);
            desk.canvas->zoomToSelection();
            desk.canvas->zoomToSelection();
            aim = desk.canvas->picture().selectionAim();
        }
        const double least = desk.canvas->picture().viewport().steps.minimumSpan();
        const double length = double(aim->across->end - aim->across->begin);
        const double before = AxisPoint{aim->across->begin, 0}.minus(desk.begin());
        const double after = desk.span() - AxisPoint{aim->across->end, 0}.minus(desk.begin());
        QVERIFY2(before >= 0 && after >= 0, qPrintable(QStringLiteral("%1 and %2 of %3").arg(before).arg(after).arg(length)));
        if (!desk.parts().uniform && std::max(length, least) * 4 < whole) QVERIFY(desk.span() < whole);
    }

    void zoomsAreAnimatedAndArrive_data() { addPictures(); }
    void zoomsAreAnimatedAndArrive()
    {
        DESK_THAT_ZOOMS({
            desk.canvas->setAnimated(true);
            desk.key(Qt::Key_W);
            desk.key(Qt::Key_Backspace);
        });
        desk.canvas->setAnimated(true);
        const ViewRange whole = desk.canvas->range();
        desk.key(Qt::Key_W);
        QVERIFY(desk.canvas->moving());
        const ViewRange target = desk.canvas->range(); // where it goes to
        QVERIFY(target.steps.span < whole.steps.span);
        QVERIFY(desk.canvas->picture().viewport().steps.range().span > target.steps.span); // it is not there yet
        QSignalSpy frames(desk.canvas.get(), &Canvas::rangeChanged);
        desk.key(Qt::Key_W); // a zoom on the way goes on from the target
        QVERIFY(desk.canvas->range().steps.span < target.steps.span);
        QTRY_VERIFY(!desk.canvas->moving());
        QCOMPARE(desk.canvas->picture().viewport().range(), desk.canvas->range());
        QVERIFY(std::abs(desk.span() - whole.steps.span / 1.5625) <= whole.steps.span * 0.03);
        desk.key(Qt::Key_Backspace);
        QTRY_VERIFY(!desk.canvas->moving());
        QCOMPARE(desk.canvas->picture().viewport().range(), whole);
    }

    /// Keys, clicks, drags and sizes in any order: nothing fails, and the axes stay inside their limits.
    void anyOrderOfInputIsTaken_data() { addPictures(); }
    void anyOrderOfInputIsTaken()
    {
        DESK();
        std::mt19937 random(20261122 + stowage::test::seedShift());
        const auto anywhere = [&] { return QPointF(double(random() % 1100), double(random() % 760)); };
        const int keys[] = {Qt::Key_W,     Qt::Key_S,  Qt::Key_A,    Qt::Key_D,         Qt::Key_Left,
                            Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Backspace, Qt::Key_Escape};
        for (int i = 0; i < 400; ++i) {
            switch (random() % 6) {
            case 0:
            case 1: desk.key(keys[random() % std::size(keys)], random() % 4 ? Qt::NoModifier : Qt::ShiftModifier); break;
            case 2:
                desk.wheel(anywhere(), {int(random() % 3) * 120 - 120, int(random() % 5) * 120 - 240},
                           random() % 2 ? Qt::ControlModifier : Qt::ShiftModifier);
                break;
            case 3:
                desk.drag(anywhere(), anywhere(), random() % 3 ? Qt::LeftButton : Qt::MiddleButton,
                          random() % 2 ? Qt::NoModifier : Qt::ShiftModifier);
                break;
            case 4: desk.move(anywhere()); break;
            case 5:
                if (i % 40 == 5) desk.canvas->resize(500 + int(random() % 900), 300 + int(random() % 600));
                desk.button(QEvent::MouseButtonDblClick, anywhere(), Qt::LeftButton);
                desk.button(QEvent::MouseButtonRelease, anywhere(), Qt::LeftButton);
                break;
            }
            if (i % 50 == 0) desk.canvas->grab();
            const Viewport axes = desk.canvas->picture().viewport();
            const double slack = axes.steps.maximumSpan() * 1e-6 + 2 / axes.steps.scale();
            QVERIFY2(axes.steps.range().begin.minus({axes.steps.low(), 0}) >= -slack &&
                         axes.steps.range().span <= axes.steps.maximumSpan() + slack,
                     qPrintable(QStringLiteral("seed 20261122, input %1").arg(i)));
        }
    }
};

QTEST_MAIN(CanvasTest)
#include "tst_canvas.moc"
