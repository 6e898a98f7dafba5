#include "app/desktop/widgets/search_chart.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace stowage {

SearchChart::SearchChart(QWidget* parent) : QWidget(parent), theme_(&Theme::darkTheme())
{
    setAccessibleName(tr("Best size and lower bound over the search"));
}

void SearchChart::setTheme(const Theme& theme)
{
    theme_ = &theme;
    update();
}

void SearchChart::setNumbers(const NumberFormat& numbers)
{
    numbers_ = numbers;
    update();
}

void SearchChart::setCurve(std::vector<SearchSample> samples, SearchCurve curve)
{
    samples_ = std::move(samples);
    curve_ = std::move(curve);
    curve_.samples = samples_;
    update();
}

void SearchChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    DrawList list(shaper_, devicePixelRatioF());
    paintSearchCurve(list, *theme_, curve_, QRectF(rect()), numbers_);
    replay(list, painter);
}

void SearchChart::seek(double px)
{
    if (samples_.empty()) return;
    const SearchScale now = scale();
    Q_EMIT sought(std::clamp(now.valueAt(px), 0.0, now.most));
}

void SearchChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) seek(event->position().x());
}

void SearchChart::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton) seek(event->position().x());
}

} // namespace stowage
