#include "app/desktop/panels/options_form.h"

#include "app/desktop/look/look.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/form.h"
#include "app/desktop/widgets/section.h"
#include "app/desktop/workspace.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include <functional>

namespace stowage {

QString optionLabel(const std::string& name)
{
    return QString::fromStdString(name).replace(u'-', u' ');
}

OptionsForm::OptionsForm(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    grid_ = addForm(*column);
    connect(&workspace_, &Workspace::planningChanged, this, &OptionsForm::refresh);
    connect(&workspace_, &Workspace::targetChanged, this, &OptionsForm::refresh);
    rebuild();
}

QWidget* OptionsForm::editorFor(const OptionSpec& option)
{
    const std::string planner = planner_, name = option.name;
    const auto set = [this, planner, name](const QString& value) {
        if (!refreshing_) workspace_.edits().setOption(planner, name, value.toStdString());
    };
    const QString label = QString::fromStdString(name);
    switch (option.type) {
    case OptionType::boolean: {
        auto* box = new QCheckBox;
        box->setAccessibleName(label);
        box->setObjectName(QStringLiteral("option:") + label);
        connect(box, &QCheckBox::toggled, this, [set](bool on) { set(on ? QStringLiteral("true") : QStringLiteral("false")); });
        return box;
    }
    case OptionType::choice: {
        QStringList choices;
        for (const std::string& choice : option.choices) choices << QString::fromStdString(choice);
        return makeChoiceEdit(label, choices, set);
    }
    case OptionType::integer:
    case OptionType::number:
    case OptionType::text: break;
    }
    return makeValueEdit(label, [this, planner, name, set](const QString& text) {
        const auto found = workspace_.session().planners().find(planner);
        // The planner's own check says what is out of range, as it does on the command line.
        if (const auto error = found ? checkOptions(found->info(), {{name, text.toStdString()}}) : std::nullopt)
            return QString::fromStdString(error->remedy.empty() ? error->message : error->message + "; " + error->remedy);
        set(text);
        return QString();
    });
}

void OptionsForm::rebuild()
{
    clearLayout(*grid_);
    planner_ = workspace_.planners().focus();
    const auto planner = workspace_.session().planners().find(planner_);
    if (planner) {
        for (const OptionSpec& option : planner->info().options)
            addFormRow(*grid_, optionLabel(option.name), QString::fromStdString(option.description), editorFor(option));
        if (planner->info().anytime) {
            addFormRow(*grid_, tr("time limit"),
                       tr("Seconds after which the best plan so far is taken; 0 for none. Applies to all planners that improve "
                          "while they run."),
                       makeValueEdit(QStringLiteral("time-limit"), [this](const QString& text) {
                           bool number = false;
                           const double seconds = QString(text).remove(u's').trimmed().toDouble(&number);
                           if (!number || seconds < 0 || seconds > 1e6) return tr("Seconds, such as 2 or 0.5");
                           if (!refreshing_ && seconds != workspace_.planners().timeLimitSeconds())
                               workspace_.planners().setTimeLimitSeconds(seconds);
                           return QString();
                       }));
        }
    }
    addFormRow(
        *grid_, tr("seed"),
        tr("Start of random choices; the same seed gives the same plan, unless the time limit ends the planner first: how far "
           "it gets by then depends on the machine. Applies to all planners."),
        makeValueEdit(QStringLiteral("seed"), [this](const QString& text) {
            bool number = false;
            const quint64 seed = text.toULongLong(&number);
            if (!number) return tr("A whole number, 0 or more");
            if (!refreshing_ && seed != workspace_.planners().seed()) workspace_.planners().setSeed(seed);
            return QString();
        }));
    addFormRow(
        *grid_, tr("alignment"),
        tr("element: a buffer that the file gives no alignment lies at multiples of its element's size. A number: smallest "
           "alignment of every buffer in bytes; sizes are rounded up to it. Applies to all planners."),
        makeValueEdit(QStringLiteral("alignment"), [this](const QString& text) {
            const bool element = text.trimmed() == QLatin1String("element");
            const auto bytes = element ? std::optional(elementAlignment) : parseBytes(text);
            if (!bytes || (!element && *bytes < 1) || *bytes > (Bytes{1} << 30)) return tr("element, 1, 16, 64, …");
            if (!refreshing_) workspace_.edits().setAlignment(*bytes);
            return QString();
        }));
    refresh();
}

void OptionsForm::refresh()
{
    if (planner_ != workspace_.planners().focus()) {
        rebuild();
        return;
    }
    refreshing_ = true;
    const auto planner = workspace_.session().planners().find(planner_);
    const auto setText = [this](const char* name, const QString& text) {
        if (auto* edit = findChild<QLineEdit*>(QStringLiteral("option:") + QLatin1String(name))) edit->setText(text);
    };
    if (planner) {
        for (const OptionSpec& option : planner->info().options) {
            const std::string_view current = optionValue(planner->info(), workspace_.planners().options(planner_), option.name);
            const QString value = QString::fromUtf8(current.data(), qsizetype(current.size()));
            const QString id = QStringLiteral("option:") + QString::fromStdString(option.name);
            for (QWidget* editor : findChildren<QWidget*>(id)) {
                if (auto* box = qobject_cast<QCheckBox*>(editor))
                    box->setChecked(value == u"true" || value == u"on" || value == u"1");
                if (auto* combo = qobject_cast<QComboBox*>(editor)) combo->setCurrentText(value);
                if (auto* edit = qobject_cast<QLineEdit*>(editor)) edit->setText(value);
            }
        }
    }
    setText("time-limit", QStringLiteral("%1 s").arg(workspace_.planners().timeLimitSeconds()));
    setText("seed", QString::number(workspace_.planners().seed()));
    const Bytes alignment = workspace_.edits().setup().alignment;
    setText("alignment", alignment == elementAlignment ? QStringLiteral("element") : QString::number(alignment));
    refreshing_ = false;
}

Section* makeOptionsSection(Workspace& workspace, const Look& look)
{
    auto* section = new Section(OptionsForm::tr("Options"), look);
    section->body()->addWidget(new OptionsForm(workspace));
    const auto caption = [section, &workspace] { section->setCaption(QString::fromStdString(workspace.planners().focus())); };
    QObject::connect(&workspace, &Workspace::planningChanged, section, caption);
    caption();
    return section;
}

} // namespace stowage
