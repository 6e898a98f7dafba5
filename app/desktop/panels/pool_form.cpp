#include "app/desktop/panels/pool_form.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/form.h"
#include "app/desktop/workspace.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLineEdit>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace stowage {

namespace {

constexpr Bytes maxAlignment = Bytes{1} << 30;

/// A number of at least 0, or nothing.
std::optional<double> parseNumber(const QString& text, double most)
{
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    return isNumber && std::isfinite(value) && value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

QString numberText(double value)
{
    return value > 0 ? QString::number(value, 'g', 10) : QString();
}

} // namespace

QString typedBytes(Bytes bytes)
{
    static constexpr std::pair<Bytes, const char*> units[] = {
        {Bytes{1} << 30, "G"}, {Bytes{1} << 20, "M"}, {Bytes{1} << 10, "K"}};
    for (const auto& [factor, suffix] : units)
        if (bytes >= factor && bytes % factor == 0) return QString::number(bytes / factor) + QLatin1String(suffix);
    return QString::number(bytes);
}

PoolForm::PoolForm(Workspace& workspace, std::size_t pool, QWidget* parent) : QWidget(parent), workspace_(workspace), pool_(pool)
{
    setObjectName(QStringLiteral("poolForm"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 4);
    column->setSpacing(0);
    QGridLayout* form = addForm(*column);

    addField(
        *form, tr("name"), tr("Name of the pool in models, pins and generated code"),
        [](const Pool& p) { return QString::fromStdString(p.name); },
        [this](const QString& text, Pool& p) {
            if (text.isEmpty()) return tr("A pool has a name.");
            const std::vector<Pool> pools = workspace_.pools();
            for (std::size_t i = 0; i < pools.size(); ++i)
                if (i != pool_ && pools[i].name == text.toStdString()) return tr("Another pool has this name.");
            p.name = text.toStdString();
            return QString();
        });
    kind_ = makeChoiceEdit(QStringLiteral("kind"), {tr("workspace"), tr("constant"), tr("persistent")}, [this](const QString&) {
        const std::vector<Pool> pools = workspace_.pools();
        if (pool_ >= pools.size()) return;
        Pool next = pools[pool_];
        next.kind = PoolKind(kind_->currentIndex());
        workspace_.edits().setPool(pool_, next);
    });
    kind_->setObjectName(QStringLiteral("pool:kind"));
    addFormRow(*form, tr("kind"),
               tr("Workspace for computed values, constant for weights, persistent for values that outlive a run"), kind_);
    addField(
        *form, tr("capacity"), tr("262144, 256K or 1.5M; empty: unbounded"),
        [](const Pool& p) { return p.capacity ? typedBytes(*p.capacity) : QString(); },
        [](const QString& text, Pool& p) {
            const auto bytes = parseBytes(text);
            if (!text.isEmpty() && (!bytes || *bytes == 0)) return tr("A size such as 262144, 256K or 1.5M; empty: unbounded.");
            p.capacity = text.isEmpty() ? std::nullopt : bytes;
            return QString();
        });
    addField(
        *form, tr("alignment"), tr("Every offset in the pool is a multiple of this number"),
        [](const Pool& p) { return typedBytes(p.alignment); },
        [](const QString& text, Pool& p) {
            const auto bytes = text.isEmpty() ? std::optional<Bytes>(1) : parseBytes(text);
            if (!bytes || *bytes < 1 || *bytes > maxAlignment) return tr("A number of bytes from 1 to 1G.");
            p.alignment = *bytes;
            return QString();
        });
    addField(
        *form, tr("targets"), tr("Devices that can reach the pool, separated by commas; empty: all"),
        [](const Pool& p) {
            QStringList names;
            for (const std::string& name : p.targets) names << QString::fromStdString(name);
            return names.join(QStringLiteral(", "));
        },
        [](const QString& text, Pool& p) {
            p.targets.clear();
            for (const QString& name : text.split(u',', Qt::SkipEmptyParts))
                if (const QString trimmed = name.trimmed(); !trimmed.isEmpty()) p.targets.push_back(trimmed.toStdString());
            return QString();
        });
    addField(
        *form, tr("clock, MHz"), tr("Cycles of the memory in a microsecond; empty: not known"),
        [](const Pool& p) { return numberText(double(p.clockHz) / 1e6); },
        [](const QString& text, Pool& p) {
            const auto value = text.isEmpty() ? std::optional(0.0) : parseNumber(text, 1e6);
            if (!value) return tr("A number of MHz, up to 1,000,000.");
            p.clockHz = std::int64_t(std::llround(*value * 1e6));
            return QString();
        });
    const auto rate = [&](const QString& label, double Pool::*member) {
        addField(
            *form, label, tr("Bytes in a cycle; empty: not known"), [member](const Pool& p) { return numberText(p.*member); },
            [member](const QString& text, Pool& p) {
                const auto value = text.isEmpty() ? std::optional(0.0) : parseNumber(text, 1e9);
                if (!value) return tr("A number of bytes in a cycle.");
                p.*member = *value;
                return QString();
            });
    };
    rate(tr("reads, B/cycle"), &Pool::readBytesPerCycle);
    rate(tr("writes, B/cycle"), &Pool::writeBytesPerCycle);
    const auto cycles = [&](const QString& label, std::int64_t Pool::*member) {
        addField(
            *form, label, tr("Cycles until the first byte"),
            [member](const Pool& p) { return p.*member > 0 ? QString::number(p.*member) : QString(); },
            [member](const QString& text, Pool& p) {
                bool isNumber = true;
                const qlonglong value = text.isEmpty() ? 0 : text.toLongLong(&isNumber);
                if (!isNumber || value < 0) return tr("A whole number of cycles.");
                p.*member = value;
                return QString();
            });
    };
    cycles(tr("read latency"), &Pool::readLatencyCycles);
    cycles(tr("write latency"), &Pool::writeLatencyCycles);
    addField(
        *form, tr("burst"), tr("Bytes that are moved together; empty: not known"),
        [](const Pool& p) { return p.burstBytes > 0 ? typedBytes(p.burstBytes) : QString(); },
        [](const QString& text, Pool& p) {
            const auto bytes = text.isEmpty() ? std::optional<Bytes>(0) : parseBytes(text);
            if (!bytes) return tr("A size such as 64 or 1K.");
            p.burstBytes = *bytes;
            return QString();
        });

    delay_ = new QTimer(this);
    delay_->setSingleShot(true);
    delay_->setInterval(delayMs);
    connect(delay_, &QTimer::timeout, this, &PoolForm::commit);
    refresh();
}

void PoolForm::addField(QGridLayout& form, const QString& label, const QString& tip, std::function<QString(const Pool&)> show,
                        std::function<QString(const QString&, Pool&)> take)
{
    Field field;
    field.edit = new QLineEdit;
    field.edit->setFont(monoFont(metrics::body));
    field.edit->setAccessibleName(label);
    field.edit->setObjectName(QStringLiteral("pool:") + label);
    field.edit->installEventFilter(this);
    addFormRow(form, label, tip, field.edit);
    field.problem = makeLabel({}, Tone::bad, metrics::caption);
    field.problem->setObjectName(QStringLiteral("problem:") + label);
    field.problem->setWordWrap(true);
    field.problem->hide();
    form.addWidget(field.problem, form.rowCount(), 0, 1, 2);
    field.show = std::move(show);
    field.take = std::move(take);
    connect(field.edit, &QLineEdit::textEdited, this, [this, edit = field.edit] {
        if (!edit_) edit_ = workspace_.edits().newEdit();
        typed_ = edit;
        delay_->start();
    });
    connect(field.edit, &QLineEdit::editingFinished, this, [this] {
        if (typed_) commit();
        edit_ = 0; // what is typed next is another step of undo
        refresh();
    });
    fields_.emplace(label, std::move(field));
}

void PoolForm::commit()
{
    delay_->stop();
    QLineEdit* edit = std::exchange(typed_, nullptr);
    const auto field = std::ranges::find_if(fields_, [edit](const auto& entry) { return entry.second.edit == edit; });
    const std::vector<Pool> pools = workspace_.pools();
    if (field == fields_.end() || pool_ >= pools.size()) return;
    Pool next = pools[pool_];
    const QString problem = field->second.take(edit->text().trimmed(), next);
    setLook(edit, "invalid", !problem.isEmpty());
    field->second.problem->setText(problem);
    field->second.problem->setVisible(!problem.isEmpty());
    if (!problem.isEmpty()) return;
    // Its own answer does not rewrite what is being typed ("20480" stays that); an undo does.
    typed_ = edit;
    workspace_.edits().setPool(pool_, next, edit_);
    typed_ = nullptr;
}

void PoolForm::refresh()
{
    const std::vector<Pool> pools = workspace_.pools();
    if (pool_ >= pools.size()) return;
    kind_->setCurrentIndex(int(pools[pool_].kind));
    for (auto& [label, field] : fields_) {
        if (field.edit == typed_) continue;
        if (!field.problem->text().isEmpty() && field.edit->hasFocus()) continue;
        const QString text = field.show(pools[pool_]);
        if (field.edit->text() != text) field.edit->setText(text);
        setLook(field.edit, "invalid", false);
        field.problem->setText({});
        field.problem->hide();
    }
}

QString PoolForm::problemOf(const QString& field) const
{
    const auto found = fields_.find(field);
    return found == fields_.end() ? QString() : found->second.problem->text();
}

bool PoolForm::eventFilter(QObject* object, QEvent* event)
{
    // Left with something wrong in it: what is in force comes back, as nothing else took effect.
    if (event->type() == QEvent::FocusOut)
        for (auto& [label, field] : fields_)
            if (field.edit == object) {
                if (typed_ == field.edit) commit();
                edit_ = 0;
                field.edit->setModified(false);
                QTimer::singleShot(0, this, &PoolForm::refresh);
            }
    return QWidget::eventFilter(object, event);
}

} // namespace stowage
