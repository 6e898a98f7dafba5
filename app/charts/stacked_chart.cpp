#include "app/charts/stacked_chart.h"

#include "app/canvas/kit/fonts.h"
#include "app/charts/chart_legend.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>

namespace stowage {

namespace {

constexpr double stackShare = 0.56; ///< of the height that a bar has
constexpr double longestName = 104;
constexpr double textMargin = 10; ///< that Qt Charts keeps free above and below a text, both together

/// Categories of an axis are told apart by their texts: equal ones differ in what nobody sees.
QStringList apart(QStringList texts)
{
    for (qsizetype i = 0; i < texts.size(); ++i)
        while (texts.indexOf(texts[i]) < i) texts[i] += QChar(0x200b);
    return texts;
}

} // namespace

/// Qt Charts draws all of it: names and values are axes, limits are lines.
class StackedChart::Canvas : public QChartView {
public:
    explicit Canvas(StackedChart& owner)
        : QChartView(&owner),
          names_(new QBarCategoryAxis(this)),
          texts_(new QBarCategoryAxis(this)),
          values_(new QValueAxis(this)),
          places_(new QValueAxis(this))
    {
        QChart* own = chart();
        own->setAnimationOptions(QChart::NoAnimation);
        own->setBackgroundRoundness(0);
        own->setMargins({4, 0, 4, 4});
        own->legend()->hide(); // the chart has one in the colours and sizes of all legends
        own->addAxis(names_, Qt::AlignLeft);
        own->addAxis(texts_, Qt::AlignRight);
        own->addAxis(values_, Qt::AlignBottom);
        own->addAxis(places_, Qt::AlignLeft);
        names_->setLabelsFont(uiFont(11));
        texts_->setLabelsFont(monoFont(11));
        texts_->setLineVisible(false);
        for (QBarCategoryAxis* axis : {names_, texts_}) axis->setGridLineVisible(false);
        values_->setVisible(false);
        places_->setVisible(false);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }

    void show(const StackedChart& shown)
    {
        chart()->removeAllSeries();
        const qsizetype bars = shown.names_.size();
        // The first bar on top: axes grow upwards.
        QStringList names, texts;
        const QFontMetricsF metrics(uiFont(11));
        for (qsizetype bar = bars; bar-- > 0;) {
            names << metrics.elidedText(shown.names_[bar], Qt::ElideRight, longestName);
            texts << shown.texts_[std::size_t(bar)];
        }
        for (QBarCategoryAxis* axis : {names_, texts_}) axis->clear();
        names_->append(apart(names));
        texts_->append(apart(texts));
        // Qt Charts shortens what is higher than its bar's share: no texts are better than cut ones.
        const bool room = bars == 0 || height() / double(bars) >= metrics.height() + textMargin;
        for (QBarCategoryAxis* axis : {names_, texts_}) axis->setLabelsVisible(room);
        values_->setRange(0, shown.highest_);
        places_->setRange(-0.5, double(bars) - 0.5);
        auto* series = new QHorizontalStackedBarSeries;
        series->setBarWidth(stackShare);
        for (const ChartPart& part : shown.parts_) {
            auto* set = new QBarSet(part.name);
            for (std::size_t i = part.values.size(); i-- > 0;) set->append(part.values[i]);
            set->setColor(part.colour);
            set->setPen(Qt::NoPen);
            series->append(set);
        }
        chart()->addSeries(series);
        for (QAbstractAxis* axis : std::initializer_list<QAbstractAxis*>{names_, texts_, values_}) series->attachAxis(axis);
        for (qsizetype bar = 0; bar < bars; ++bar) {
            const auto& limit = shown.limits_[std::size_t(bar)];
            if (!limit) continue;
            auto* line = new QLineSeries;
            const double place = double(bars - 1 - bar);
            line->append(*limit, place - stackShare / 2 - 0.04);
            line->append(*limit, place + stackShare / 2 + 0.04);
            line->setPen(QPen(shown.theme_->bad, 1.5));
            chart()->addSeries(line);
            line->attachAxis(values_);
            line->attachAxis(places_);
        }
    }
    void setColours(const Theme& theme)
    {
        chart()->setBackgroundBrush(theme.well);
        setBackgroundBrush(theme.well);
        names_->setLabelsColor(theme.text2);
        names_->setLinePenColor(theme.line2);
        texts_->setLabelsColor(theme.text);
    }

private:
    QBarCategoryAxis* names_;
    QBarCategoryAxis* texts_;
    QValueAxis* values_;
    QValueAxis* places_; ///< of limits: bar by bar
};

StackedChart::StackedChart(QWidget* parent) : QWidget(parent), theme_(&Theme::darkTheme())
{
    legend_ = new ChartLegend(this);
    canvas_ = new Canvas(*this);
    canvas_->setColours(*theme_);
}

StackedChart::~StackedChart() = default;

void StackedChart::setTheme(const Theme& theme)
{
    theme_ = &theme;
    legend_->setTheme(theme);
    canvas_->setColours(theme);
    canvas_->show(*this);
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
    std::vector<std::pair<QString, QColor>> named;
    for (const ChartPart& part : parts_) named.emplace_back(part.name, part.colour);
    legend_->setEntries(named);
    arrange();
    canvas_->show(*this);
}

void StackedChart::arrange()
{
    const int legend = legend_->heightFor(width());
    legend_->setGeometry(0, 0, width(), legend);
    canvas_->setGeometry(0, legend, width(), std::max(0, height() - legend));
}

void StackedChart::resizeEvent(QResizeEvent*)
{
    arrange();
    canvas_->show(*this);
}

} // namespace stowage
