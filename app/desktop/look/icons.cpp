#include "app/desktop/look/icons.h"

#include "app/canvas/kit/theme.h"
#include "app/desktop/look/metrics.h"

#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <cmath>

namespace stowage {

namespace {

QPixmap render(const QString& name, const QColor& colour, QSize deviceSize)
{
    QPixmap pixmap(deviceSize);
    pixmap.fill(Qt::transparent);
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return pixmap;
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPainter painter(&pixmap);
    painter.setOpacity(colour.alphaF());
    renderer.render(&painter, QRectF(QPointF(), QSizeF(deviceSize)));
    return pixmap;
}

QPixmap cached(const QString& name, const QColor& colour, QSize deviceSize)
{
    const QString key = QStringLiteral("icon/%1/%2/%3x%4")
                            .arg(name, colour.name(QColor::HexArgb))
                            .arg(deviceSize.width())
                            .arg(deviceSize.height());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    pixmap = render(name, colour, deviceSize);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

class TintedIcon : public QIconEngine {
public:
    TintedIcon(QString name, IconTone tone) : name_(std::move(name)), tone_(tone) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device()->devicePixelRatioF();
        const QSize device(int(std::lround(rect.width() * ratio)), int(std::lround(rect.height() * ratio)));
        painter->drawPixmap(rect, cached(name_, colour(mode, state), device));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return cached(name_, colour(mode, state), size);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override
    {
        QPixmap result = cached(name_, colour(mode, state), size);
        result.setDevicePixelRatio(scale);
        return result;
    }
    QSize actualSize(const QSize& size, QIcon::Mode, QIcon::State) override { return size; }
    QIconEngine* clone() const override { return new TintedIcon(name_, tone_); }
    QString key() const override { return QStringLiteral("stowage-tinted"); }
    QString iconName() override { return name_; }
    bool isNull() override { return false; }

private:
    [[nodiscard]] QColor colour(QIcon::Mode mode, QIcon::State state) const
    {
        const QPalette palette = QGuiApplication::palette();
        QColor result = palette.color(QPalette::Active, QPalette::ButtonText);
        if (tone_ == IconTone::onAccent)
            result = palette.color(QPalette::Active, QPalette::HighlightedText);
        else if (tone_ == IconTone::accent || state == QIcon::On || mode == QIcon::Selected)
            result = palette.color(QPalette::Active, QPalette::Link);
        if (mode == QIcon::Disabled) result.setAlphaF(float(metrics::disabledOpacity));
        return result;
    }

    QString name_;
    IconTone tone_;
};

} // namespace

QIcon themedIcon(const QString& name, IconTone tone)
{
    return QIcon(new TintedIcon(name, tone));
}

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal devicePixelRatio)
{
    const int device = int(std::lround(size * devicePixelRatio));
    QPixmap pixmap = cached(name, colour, {device, device});
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

void paintIcon(QPainter& painter, const QRectF& box, const QString& name, const QColor& colour, int size)
{
    const QPixmap pixmap = iconPixmap(name, colour, size, painter.device()->devicePixelRatioF());
    painter.drawPixmap(QPointF(std::round(box.center().x() - size / 2.0), std::round(box.center().y() - size / 2.0)), pixmap);
}

void paintLogo(QPainter& painter, const QRectF& box, const Theme& theme)
{
    const double unit = box.width() / 36.0;
    const auto block = [&](double x, double y, double width, double height, const QColor& colour) {
        painter.setBrush(colour);
        painter.drawRoundedRect(QRectF(box.x() + x * unit, box.y() + y * unit, width * unit, height * unit), 2.2 * unit,
                                2.2 * unit);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    block(0, 0, 18, 6, theme.text3);
    block(10, 8, 26, 11, theme.ok);
    block(0, 21, 21, 15, theme.accent);
    block(23, 21, 13, 15, theme.warn);
    painter.restore();
}

QStringList iconNames()
{
    QStringList names;
    for (const QString& file : QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")})) names << file.chopped(4);
    return names;
}

} // namespace stowage
