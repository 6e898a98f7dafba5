#include "app/charts/stacked_chart.h"

#include "app/canvas/kit/fonts.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QHorizontalStackedBarSeries>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>

namespace stowage {

namespace {

constexpr double legendHeight = 22;
constexpr double barShare = 0.56; ///< of the height that a bar has

} // namespace

class StackedChart::Canvas : public QChartView {
public:
    explicit Canvas(StackedChart& owner)
        : QChartView(&owner), owner_(owner), names_(new QBarCategoryAxis(this)), values_(new QValueAxis(this))
    {
        QChart* own = chart();
        own->legend()->hide();
        own->setAnimationOptions(QChart::NoAnimation);
        own->setBackgroundRoundness(0);
        own->setMargins({0, 0, 0, 0});
        own->addAxis(names_, Qt::AlignLeft);
        own->addAxis(values_, Qt::AlignBottom);
        names_->setVisible(false);
        values_->setVisible(false);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }

    void show(const std::vector<ChartPart>& parts, qsizetype bars, double highest)
    {
        chart()->removeAllSeries();
        QStringList categories;
        for (qsizetype i = 0; i < bars; ++i) categories << QString::number(i);
        names_->setCategories(categories);
        values_->setRange(0, highest);
        auto* series = new QHorizontalStackedBarSeries;
        series->setBarWidth(barShare);
        for (const ChartPart& part : parts) {
            auto* set = new QBarSet(part.name);
            for (std::size_t i = part.values.size(); i-- > 0;) set->append(part.values[i]); // the first bar on top
            set->setColor(part.colour);
            set->setPen(Qt::NoPen);
            series->append(set);
        }
        chart()->addSeries(series);
        series->attachAxis(names_);
        series->attachAxis(values_);
    }
    void setColours(const Theme& theme)
    {
        chart()->setBackgroundBrush(theme.well);
        setBackgroundBrush(theme.well);
    }

protected:
    void drawForeground(QPainter* painter, const QRectF&) override { owner_.drawOver(*painter); }

private:
    StackedChart& owner_;
    QBarCategoryAxis* names_;
    QValueAxis* values_;
};

StackedChart::StackedChart(QWidget* parent) : QWidget(parent), theme_(&Theme::darkTheme())
{
    canvas_ = new Canvas(*this);
    canvas_->setColours(*theme_);
}

StackedChart::~StackedChart() = default;

void StackedChart::setTheme(const Theme& theme)
{
    theme_ = &theme;
    canvas_->setColours(theme);
    canvas_->viewport()->update();
}

void StackedChart::setBars(QStringList names, std::vector<ChartPart> parts, std::vector<std::optional<double>> limits,
                           std::vector<QString> texts)
{
    names_ = std::move(names);
    parts_ = std::move(parts);
    limits_ = std::move(limits);
    texts_ = std::move(texts);
    highest_ = 0;
    for (qsizetype bar = 0; bar < names_.size(); ++bar) {
        double sum = 0;
        for (const ChartPart& part : parts_) sum += part.values[std::size_t(bar)];
        if (const auto& limit = limits_[std::size_t(bar)]) sum = std::max(sum, *limit);
        highest_ = std::max(highest_, sum);
    }
    if (highest_ <= 0) highest_ = 1;
    arrange();
}

QRectF StackedChart::plot() const
{
    return QRectF(gutter_, legendHeight, std::max(1.0, width() - gutter_ - trailing_),
                  std::max(1.0, height() - legendHeight - 6.0));
}

void StackedChart::arrange()
{
    const QFontMetricsF labels(uiFont(11));
    const QFontMetricsF numbers(monoFont(11));
    gutter_ = trailing_ = 24;
    for (const QString& name : names_) gutter_ = std::max(gutter_, std::min(110.0, 20 + labels.horizontalAdvance(name)));
    for (const QString& text : texts_) trailing_ = std::max(trailing_, 20 + numbers.horizontalAdvance(text));
    canvas_->show(parts_, names_.size(), highest_);
    canvas_->chart()->setPlotArea(plot());
    canvas_->viewport()->update();
}

void StackedChart::resizeEvent(QResizeEvent*)
{
    canvas_->setGeometry(rect());
    arrange();
}

void StackedChart::drawOver(QPainter& painter) const
{
    painter.save();
    painter.resetTransform();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF box = plot();
    painter.setFont(uiFont(11));
    double x = 10;
    for (const ChartPart& part : parts_) {
        painter.fillRect(QRectF(x, legendHeight / 2 - 4, 10, 10), part.colour);
        painter.setPen(theme_->text2);
        const double wide = painter.fontMetrics().horizontalAdvance(part.name);
        painter.drawText(QRectF(x + 15, 0, wide + 2, legendHeight), Qt::AlignLeft | Qt::AlignVCenter, part.name);
        x += wide + 31;
    }
    const double high = box.height() / double(std::max<qsizetype>(1, names_.size()));
    for (qsizetype bar = 0; bar < names_.size(); ++bar) {
        const double middle = box.top() + high * (double(bar) + 0.5);
        painter.setFont(uiFont(11));
        painter.setPen(theme_->text2);
        painter.drawText(QRectF(0, middle - 9, box.left() - 8, 18), Qt::AlignRight | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(names_[bar], Qt::ElideRight, int(box.left() - 12)));
        painter.setFont(monoFont(11));
        painter.setPen(theme_->text);
        painter.drawText(QRectF(box.right() + 8, middle - 9, trailing_, 18), Qt::AlignLeft | Qt::AlignVCenter,
                         texts_[std::size_t(bar)]);
        if (const auto& limit = limits_[std::size_t(bar)])
            painter.fillRect(QRectF(box.left() + box.width() * *limit / highest_ - 1, middle - high * barShare / 2 - 2, 1.5,
                                    high * barShare + 4),
                             theme_->bad);
    }
    painter.fillRect(QRectF(box.left() - 1, box.top(), 1, box.height()), theme_->line2);
    painter.restore();
}

} // namespace stowage
