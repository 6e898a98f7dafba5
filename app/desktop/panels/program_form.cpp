#include "app/desktop/panels/program_form.h"

#include "app/desktop/panels/options_form.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/form.h"
#include "app/desktop/widgets/section.h"
#include "app/desktop/workspace.h"
#include "core/lower/options.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace stowage {

namespace {

/// Stands for what the planner wants, which may differ between planners.
const QString byPlanner = QStringLiteral("default");

const std::string* valueOf(const OptionValues& values, std::string_view name)
{
    for (const auto& [key, value] : values)
        if (key == name) return &value;
    return nullptr;
}

QString bindingsText(const std::vector<std::pair<std::string, std::int64_t>>& bindings)
{
    QStringList parts;
    for (const auto& [name, size] : bindings) parts << QStringLiteral("%1=%2").arg(QString::fromStdString(name)).arg(size);
    return parts.join(u' ');
}

struct LoweringChoice {
    const char* key;
    QString tip;
    std::span<const std::string_view> values;
};

std::vector<LoweringChoice> loweringChoices()
{
    return {
        {"order",
         ProgramForm::tr(
             "Orders of the ops for which a plan must be valid: the listed order, or every order that the data flow allows."),
         lowering::orderNames},
        {"loops", ProgramForm::tr("Whether carried values are kept during the whole loop, or only while they are needed."),
         lowering::loopNames},
        {"views", ProgramForm::tr("Whether a view shares the bytes of its tensor."), lowering::viewNames},
        {"inplace", ProgramForm::tr("Whether an op may overwrite an input that the model permits it to."),
         lowering::inPlaceNames},
    };
}

} // namespace

ProgramForm::ProgramForm(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    grid_ = addForm(*column);
    connect(&workspace_, &Workspace::modelChanged, this, &ProgramForm::refresh);
    connect(&workspace_, &Workspace::targetChanged, this, &ProgramForm::refresh); // the lowering belongs to it
    connect(&workspace_.edits(), &ModelEdits::readingDropped, this, &ProgramForm::refresh);
    refresh();
}

void ProgramForm::refresh()
{
    clearLayout(*grid_);
    const Model* model = workspace_.model();
    if (model && model->program) {
        addSizes();
        addImportChoices();
        addLowering();
    } else {
        QLabel* nothing =
            makeLabel(model ? tr("A problem is planned as it is: it has no lowering.") : tr("No model is open."), Tone::caption);
        grid_->addWidget(nothing, 0, 0);
    }
    Q_EMIT changed();
}

void ProgramForm::addImportChoices()
{
    const Model& model = *workspace_.model();
    for (const ImporterInfo& importer : workspace_.session().importers()) {
        if (QString::fromStdString(importer.name) != model.importer || importer.options.empty()) continue;
        for (const OptionSpec& option : importer.options) {
            QStringList choices;
            for (const std::string& choice : option.choices) choices << QString::fromStdString(choice);
            const std::string* chosen = valueOf(model.options.importOptions, option.name);
            QComboBox* combo = makeChoiceEdit(QString::fromStdString(option.name), choices, [this, option](const QString& text) {
                const std::string value = text.toStdString();
                workspace_.edits().setImportOption(option.name,
                                                   value == option.defaultValue ? std::nullopt : std::optional(value));
            });
            combo->setCurrentText(QString::fromStdString(chosen ? *chosen : option.defaultValue));
            addFormRow(*grid_, optionLabel(option.name), QString::fromStdString(option.description), combo);
        }
    }
}

void ProgramForm::addSizes()
{
    // A field for each dimension that the file leaves open, bound or not.
    const Model& model = *workspace_.model();
    std::vector<FreeDimension> all;
    for (const auto& [name, size] : model.options.bindings) all.push_back({name, size});
    for (const FreeDimension& open : model.freeDimensions)
        if (std::ranges::find(all, open.name, &FreeDimension::name) == all.end()) all.push_back(open);
    std::ranges::sort(all, {}, &FreeDimension::name);
    for (const FreeDimension& dimension : all) {
        const bool bound =
            std::ranges::any_of(model.options.bindings, [&](const auto& pair) { return pair.first == dimension.name; });
        const QString name = QString::fromStdString(dimension.name);
        QLineEdit* edit = makeValueEdit(QStringLiteral("size:") + name, [this, key = dimension.name](const QString& text) {
            std::optional<std::int64_t> wanted;
            bool number = false;
            const qlonglong size = QString(text).remove(u',').trimmed().toLongLong(&number);
            if (!text.trimmed().isEmpty()) {
                if (!number || size < 1) return tr("A whole number, 1 or more; empty: as the file has it");
                wanted = size;
            }
            workspace_.edits().setBinding(key, wanted);
            return QString();
        });
        edit->setPlaceholderText(dimension.size > 0 && !bound ? tr("%1 assumed").arg(dimension.size) : tr("free"));
        if (bound) edit->setText(QString::number(dimension.size));
        addFormRow(*grid_, name, tr("Size of the free dimension %1. The model is read and planned again with it.").arg(name),
                   edit);
    }
}

void ProgramForm::addLowering()
{
    for (const LoweringChoice& choice : loweringChoices()) {
        QStringList names{byPlanner};
        for (const std::string_view value : choice.values) {
            LowerOptions options;
            if (!options.set(choice.key, value)) names << QString::fromUtf8(value.data(), qsizetype(value.size()));
        }
        if (names.size() <= 2) continue; // nothing to choose from yet
        const std::string key = choice.key;
        QComboBox* combo = makeChoiceEdit(QString::fromStdString(key), names, [this, key](const QString& text) {
            workspace_.edits().setLowering(key, text == byPlanner ? std::nullopt : std::optional(text.toStdString()));
        });
        const std::string* chosen = valueOf(workspace_.edits().setup().lowering, key);
        combo->setCurrentText(chosen ? QString::fromStdString(*chosen) : byPlanner);
        addFormRow(*grid_, key == "inplace" ? tr("in place") : QString::fromStdString(key), choice.tip, combo);
    }
}

QString ProgramForm::summary() const
{
    const Model* model = workspace_.model();
    if (!model || !model->program) return {};
    QStringList parts;
    for (const auto& [key, value] : model->options.importOptions) parts << QString::fromStdString(value);
    if (!model->options.bindings.empty()) parts << bindingsText(model->options.bindings);
    for (const auto& [key, value] : workspace_.edits().setup().lowering) parts << QString::fromStdString(key + " " + value);
    return parts.join(QStringLiteral(", "));
}

Section* makeProgramSection(Workspace& workspace, const Look& look)
{
    auto* section = new Section(ProgramForm::tr("Program"), look);
    auto* form = new ProgramForm(workspace);
    section->body()->addWidget(form);
    const auto caption = [section, form] { section->setCaption(form->summary()); };
    QObject::connect(form, &ProgramForm::changed, section, caption);
    caption();
    section->setFolded(true);
    // Sizes that nobody knows make every figure partial: their fields are not hidden.
    QObject::connect(&workspace, &Workspace::modelChanged, section, [section, &workspace] {
        const Model* model = workspace.model();
        if (model && !model->freeDimensions.empty()) section->setFolded(false);
    });
    return section;
}

} // namespace stowage
