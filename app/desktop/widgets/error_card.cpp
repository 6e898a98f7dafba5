#include "app/desktop/widgets/error_card.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/fault_table.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/spoken_role.h"
#include "app/desktop/widgets/table.h"
#include "app/session/pipeline_files.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

namespace stowage {

namespace {

constexpr int headHeight = 34;
constexpr int plainWidth = 460;
constexpr int faultsWidth = 760;                 ///< with a table
constexpr int maxFaultRows = 7;                  ///< that are seen at once
constexpr qint64 largestConfiguration = 4 << 20; ///< bytes that are read for the card, in the window's thread

} // namespace

QString whereText(const Position& where)
{
    QStringList parts;
    if (where.line > 0) parts << ErrorCard::tr("line %1").arg(where.line);
    if (where.column > 0) parts << ErrorCard::tr("column %1").arg(where.column);
    if (where.byte >= 0)
        parts << ErrorCard::tr("byte 0x%1").arg(QString::number(where.byte, 16).toUpper().rightJustified(4, u'0'));
    if (!where.file.empty()) parts << QString::fromStdString(where.file);
    return parts.join(QStringLiteral(", "));
}

ErrorCard::ErrorCard(const Look& look, QWidget* parent) : QFrame(parent), look_(look)
{
    setSpokenRole(*this, QAccessible::AlertMessage);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 0, 12, 12);
    column->setSpacing(9);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(24, 0, 0, 0);
    title_ = new ElidedLabel(Qt::ElideMiddle);
    title_->setFont(uiFont(metrics::title, QFont::DemiBold));
    title_->setFixedHeight(headHeight);
    head->addWidget(title_, 1);
    auto* close = makeIconButton(QStringLiteral("cross"), tr("Close"), true);
    close->setObjectName(QStringLiteral("closeCard"));
    connect(close, &QToolButton::clicked, this, &ErrorCard::closed);
    head->addWidget(close);
    column->addLayout(head);
    column->setSpacing(9);

    const auto sentence = [&](QFont::Weight weight) {
        QLabel* label = makeLabel({}, Tone::main, metrics::body, weight);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
        return label;
    };
    sentence_ = sentence(QFont::Normal);
    code_ = new QFrame;
    code_->setProperty("surface", "code");
    auto* codeColumn = new QVBoxLayout(code_);
    codeColumn->setContentsMargins(9, 6, 9, 6);
    where_ = makeNumber({}, Tone::secondary);
    where_->setWordWrap(true);
    where_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    codeColumn->addWidget(where_);
    column->addWidget(code_);
    faultRows_ = new Table(look);
    faultRows_->setObjectName(QStringLiteral("faultTable"));
    faultRows_->setAccessibleName(tr("Faults"));
    faults_ = new FaultTable(faultRows_);
    faultRows_->setModel(faults_);
    faultRows_->setItemDelegate(new FaultDelegate(look, faultRows_));
    const int widths[] = {138, 58, 92, 44};
    for (int c = 0; c < int(std::size(widths)); ++c) faultRows_->setColumnWidth(c, widths[c]);
    faultRows_->horizontalHeader()->setStretchLastSection(true);
    faultRows_->hide();
    column->addWidget(faultRows_);
    remedy_ = sentence(QFont::Normal);
    setTone(remedy_, Tone::secondary);

    choices_ = new QHBoxLayout;
    choices_->setSpacing(8);
    column->addLayout(choices_);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    list_ = makeButton({}, QStringLiteral("list"), ButtonKind::normal, true);
    connect(list_, &QPushButton::clicked, this, &ErrorCard::listRequested);
    buttons->addWidget(list_);
    copy_ = makeButton(tr("Copy details"), QStringLiteral("copy"), ButtonKind::normal, true);
    connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(details()); });
    buttons->addWidget(copy_);
    buttons->addStretch();
    open_ = makeButton(tr("Open another"), {}, ButtonKind::primary, true);
    connect(open_, &QPushButton::clicked, this, &ErrorCard::openRequested);
    buttons->addWidget(open_);
    column->addLayout(buttons);
}

void ErrorCard::setNotice(const Notice& notice)
{
    notice_ = notice;
    title_->setFullText(notice.title);
    setAccessibleName(notice.title);
    sentence_->setText(asSentence(notice.what.message));
    const QString where = whereText(notice.what.where);
    where_->setText(where.isEmpty() ? QString() : tr("at %1").arg(where));
    code_->setVisible(!where.isEmpty());
    // Rich text only for the bold lead; what comes from a file is escaped.
    remedy_->setTextFormat(Qt::RichText);
    remedy_->setText(
        QStringLiteral("<b>%1</b> %2").arg(tr("To fix:"), QString::fromStdString(notice.what.remedy).toHtmlEscaped()));
    remedy_->setVisible(!notice.what.remedy.empty());
    list_->setText(notice.good ? tr("Show %1").arg(countedText(std::int64_t(notice.more.size()), tr("note")))
                               : tr("Show all %1 problems").arg(notice.more.size() + 1));
    list_->setVisible(!notice.more.empty());
    copy_->setVisible(notice.choices.empty() || !notice.what.remedy.empty());
    open_->setVisible(!notice.path.isEmpty() && !notice.good);
    sentence_->setVisible(!notice.what.message.empty());
    while (QLayoutItem* item = choices_->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    for (const Notice::Choice& choice : notice.choices) {
        QPushButton* button =
            makeButton(choice.text, {}, &choice == notice.choices.data() ? ButtonKind::primary : ButtonKind::normal, true);
        // Taking a choice closes the card, and with it what holds the choice: a copy is called.
        connect(button, &QPushButton::clicked, this, [this, take = choice.take] {
            Q_EMIT closed();
            take();
        });
        choices_->addWidget(button);
    }
    if (!notice.choices.empty()) choices_->addStretch();
    showFaults();
    setVisible(true);
    updateGeometry();
    setAccessibleDescription(QString::fromStdString(notice.what.message));
    QAccessibleEvent appeared(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&appeared);
}

int ErrorCard::wishedWidth() const
{
    return faultRows_->isHidden() ? plainWidth : faultsWidth;
}

void ErrorCard::showFaults()
{
    std::vector<pipeline::Fault> found;
    pipeline::ConfigForm form = pipeline::ConfigForm::shipped;
    if (notice_.what.code == Code::faultyConfiguration && !notice_.path.isEmpty() &&
        QFileInfo(notice_.path).size() <= largestConfiguration)
        if (auto file = readPipeline(notice_.path)) {
            found = std::move(file->faults);
            form = file->config.form;
        }
    const int rows = std::min(int(found.size()), maxFaultRows);
    faults_->show(std::move(found), form);
    faultRows_->setFixedHeight(metrics::tableHeader + rows * metrics::tableRow + 4);
    faultRows_->setVisible(rows > 0);
    sentence_->setVisible(rows == 0 && !notice_.what.message.empty()); // the table says it
}

QString ErrorCard::details() const
{
    QString text = notice_.title + u'\n' + QString::fromStdString(toText(notice_.what));
    for (const Diagnostic& diagnostic : notice_.more) text += u'\n' + QString::fromStdString(toText(diagnostic));
    return text + u'\n';
}

void ErrorCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = look_.theme();
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath outline;
    outline.addRoundedRect(box, metrics::cardRadius, metrics::cardRadius);
    painter.fillPath(outline, theme.raised);
    painter.save();
    painter.setClipPath(outline);
    const bool offer = notice_.offer(), question = !notice_.choices.empty();
    const QColor ground = notice_.good ? theme.okSoft : offer ? theme.accentSoft : question ? theme.warnSoft : theme.badSoft;
    const QColor ink = notice_.good ? theme.ok : offer ? theme.accent : question ? theme.warn : theme.bad;
    painter.fillRect(QRectF(0, 0, width(), headHeight), ground);
    painter.restore();
    painter.setPen(ink);
    painter.drawPath(outline);
    paintIcon(painter, QRectF(12, 0, 16, headHeight),
              notice_.good ? QStringLiteral("check")
              : offer      ? QStringLiteral("info")
                           : QStringLiteral("warning"),
              ink);
}

} // namespace stowage
