#include "app/desktop/panels/devices_section.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/section.h"
#include "app/desktop/widgets/spoken_role.h"
#include "app/desktop/workspace.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace stowage {

namespace {

constexpr int rowHeight = 52;
constexpr int footHeight = 24;
constexpr int padding = metrics::dockPadding;

/// The devices below each other, painted by one widget; the sum of all stages at the end.
class DeviceRows : public QWidget {
public:
    DeviceRows(Workspace& workspace, const Look& look, Section& section) : workspace_(workspace), look_(look), section_(section)
    {
        setObjectName(QStringLiteral("deviceRows"));
        setFocusPolicy(Qt::StrongFocus);
        setSpokenRole(*this, QAccessible::Canvas);
        setAccessibleName(Section::tr("Devices"));
        connect(&workspace.pipeline(), &PipelineFocus::changed, this, [this] { renew(); });
        connect(&workspace.pipeline(), &PipelineFocus::selectionChanged, this, [this] { update(); });
        connect(&workspace, &Workspace::contextChanged, this, [this] { update(); });
        connect(&look, &Look::themeChanged, this, [this] { update(); });
        renew();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const auto& devices = content().devices.devices;
        for (std::size_t d = 0; d < devices.size(); ++d) paintRow(painter, d, QRect(0, int(d) * rowHeight, width(), rowHeight));
        if (content().data)
            paintFoot(painter, QRect(padding, int(devices.size()) * rowHeight, width() - 2 * padding, footHeight));
        if (hasFocus()) {
            painter.setPen(look_.theme().accent);
            painter.drawRect(rect().adjusted(2, 0, -3, -1));
        }
    }
    void mousePressEvent(QMouseEvent* event) override
    {
        if (event->button() == Qt::LeftButton) choose(int(event->position().y()) / rowHeight);
    }
    void keyPressEvent(QKeyEvent* event) override
    {
        const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
        if (step == 0) return QWidget::keyPressEvent(event);
        const auto count = int(content().devices.devices.size());
        int row = step > 0 ? -1 : count;
        for (int d = 0; d < count; ++d)
            if (stageOf(std::size_t(d)) != none && stageOf(std::size_t(d)) == workspace_.pipeline().selected().stage) row = d;
        for (row += step; row >= 0 && row < count && stageOf(std::size_t(row)) == none;) row += step;
        choose(row);
    }

private:
    [[nodiscard]] const PipelineFocus::Content& content() const { return workspace_.pipeline().content(); }
    [[nodiscard]] std::int32_t stageOf(std::size_t device) const
    {
        const PipelineData* split = content().data.get();
        for (std::size_t s = 0; split && s < split->stages.size(); ++s)
            if (split->stages[s].device == content().devices.devices[device].name) return std::int32_t(s);
        return none;
    }
    void choose(int row)
    {
        if (row < 0 || std::size_t(row) >= content().devices.devices.size()) return;
        if (const std::int32_t stage = stageOf(std::size_t(row)); stage != none)
            workspace_.pipeline().select({stage, none, none});
    }
    void renew()
    {
        const auto count = int(content().devices.devices.size());
        section_.setVisible(workspace_.pipeline().active() && count > 0);
        section_.setCaption(Section::tr("one stage each"));
        setFixedHeight(count * rowHeight + (content().data ? footHeight : 0));
        update();
    }

    void paintRow(QPainter& painter, std::size_t d, const QRect& row)
    {
        const Theme& theme = look_.theme();
        const pipeline::Device& device = content().devices.devices[d];
        const std::int32_t stage = stageOf(d);
        const StageFigures* figures = stage == none ? nullptr : &content().data->stages[std::size_t(stage)];
        const Bytes used = figures ? figures->memory.total() : 0;
        if (stage != none && stage == workspace_.pipeline().selected().stage) painter.fillRect(row, theme.accentSoft);
        const QRect line(padding, row.top() + 5, row.width() - 2 * padding, 18);
        const NumberFormat& numbers = workspace_.numbers();
        painter.setFont(monoFont(metrics::body));
        QString right = !figures ? device.memory ? bytesNumber(*device.memory, numbers) : Section::tr("unbounded")
                        : device.memory
                            ? bytesNumber(used, numbers) + QStringLiteral(" / ") + bytesNumber(*device.memory, numbers)
                            : bytesText(used, numbers);
        // Where the name would be cut, the sizes take a larger unit; then one of them goes, as the share of the memory stands
        // below.
        constexpr int apart = 8;
        const QFontMetrics names(uiFont(metrics::body, QFont::Medium), painter.device());
        const int room = line.width() - apart - names.size(Qt::TextSingleLine, nameText(device.name)).width();
        const auto fits = [&] { return painter.fontMetrics().horizontalAdvance(right) <= room; };
        if (!fits() && figures && device.memory)
            right = shortBytes(used, numbers) + QStringLiteral(" / ") + shortBytes(*device.memory, numbers);
        if (!fits() && (figures || device.memory)) right = shortBytes(figures ? used : *device.memory, numbers);
        painter.setPen(theme.text2);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
        const int taken = painter.fontMetrics().horizontalAdvance(right);
        painter.setFont(uiFont(metrics::body, QFont::Medium));
        painter.setPen(theme.text);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(nameText(device.name), Qt::ElideMiddle, line.width() - taken - apart));
        // The bar: arena, then constants and variables, over the device's memory, or over themselves where it has no limit.
        const QRectF track(line.left(), row.top() + 25, line.width(), 6);
        painter.fillRect(track, theme.hover);
        QString share = Section::tr("idle");
        if (figures) {
            const double scale = std::max(1.0, double(device.memory ? std::max(*device.memory, used) : used));
            const double arena = track.width() * double(figures->memory.arena) / scale;
            const double all = track.width() * double(used) / scale;
            painter.fillRect(QRectF(track.left(), track.top(), arena, track.height()), theme.buffers[0]);
            painter.fillRect(QRectF(track.left() + arena, track.top(), all - arena, track.height()), theme.buffers[9]);
            share = device.memory && *device.memory > 0 ? shareText(double(used) / double(*device.memory)) : QString();
        }
        const QRect under(line.left(), row.top() + 33, line.width(), 15);
        painter.setFont(uiFont(metrics::caption));
        painter.setPen(theme.text2);
        painter.drawText(under, Qt::AlignRight | Qt::AlignVCenter, share);
        if (figures)
            painter.drawText(
                under, Qt::AlignLeft | Qt::AlignVCenter,
                Section::tr("stage %1, %2").arg(stage).arg(countedText(std::int64_t(figures->ops.size()), Section::tr("op"))));
    }

    void paintFoot(QPainter& painter, const QRect& foot)
    {
        const Theme& theme = look_.theme();
        Bytes sum = 0;
        for (const StageFigures& stage : content().data->stages) sum += stage.memory.total();
        painter.setFont(uiFont(metrics::caption));
        int x = foot.left();
        const std::pair<QString, QColor> parts[] = {{Section::tr("arena"), theme.buffers[0]},
                                                    {Section::tr("constants"), theme.buffers[9]}};
        for (const auto& [text, colour] : parts) {
            painter.fillRect(QRect(x, foot.center().y() - 4, 8, 8), colour);
            painter.setPen(theme.text2);
            const int wide = painter.fontMetrics().horizontalAdvance(text);
            painter.drawText(QRect(x + 13, foot.top(), wide, foot.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
            x += 13 + wide + 12;
        }
        // Where the exact sum would touch the legend, it is written in a larger unit, or left out: the stages have their own.
        painter.setFont(monoFont(metrics::caption));
        QString total = bytesText(sum, workspace_.numbers());
        if (x + painter.fontMetrics().horizontalAdvance(total) > foot.right() + 1) total = shortBytes(sum, workspace_.numbers());
        if (x + painter.fontMetrics().horizontalAdvance(total) > foot.right() + 1) return;
        painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, total);
    }

    Workspace& workspace_;
    const Look& look_;
    Section& section_;
};

} // namespace

Section* makeDevicesSection(Workspace& workspace, const Look& look)
{
    auto* section = new Section(Section::tr("Devices"), look);
    section->setObjectName(QStringLiteral("devicesSection"));
    section->body()->addWidget(new DeviceRows(workspace, look, *section));
    return section;
}

} // namespace stowage
