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
#include <QRegularExpression>
#include <QVBoxLayout>

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

/// Reads "batch=1 seq=128"; false where a part is none of that.
bool readBindings(const QString& text, std::vector<std::pair<std::string, std::int64_t>>& bindings)
{
    static const QRegularExpression separators(QStringLiteral("[,;\\s]+"));
    for (const QString& part : text.split(separators, Qt::SkipEmptyParts)) {
        const qsizetype equals = part.lastIndexOf(u'=');
        bool number = false;
        const qlonglong size = part.mid(equals + 1).toLongLong(&number);
        if (equals < 1 || !number || size < 0) return false;
        bindings.emplace_back(part.left(equals).toStdString(), size);
    }
    return true;
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
         ProgramForm::tr("Orders of the ops for which a plan must be valid: the listed one, or any that the data flow allows."),
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
    refresh();
}

void ProgramForm::refresh()
{
    clearLayout(*grid_);
    const Model* model = workspace_.model();
    if (model && model->program) {
        addImportChoices();
        addLowering();
    } else {
        QLabel* nothing = makeLabel(model ? tr("A problem is planned as it is.") : tr("No model is open."), Tone::caption);
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
                workspace_.setImportOption(option.name, value == option.defaultValue ? std::nullopt : std::optional(value));
            });
            combo->setCurrentText(QString::fromStdString(chosen ? *chosen : option.defaultValue));
            addFormRow(*grid_, optionLabel(option.name), QString::fromStdString(option.description), combo);
        }
        addSizes();
    }
}

void ProgramForm::addSizes()
{
    const Model& model = *workspace_.model();
    QLineEdit* edit = makeValueEdit(QStringLiteral("sizes"), [this](const QString& text) {
        std::vector<std::pair<std::string, std::int64_t>> bindings;
        if (!readBindings(text, bindings)) return tr("Names and sizes, such as batch=1 seq=128");
        workspace_.setBindings(bindings);
        return QString();
    });
    edit->setPlaceholderText(QStringLiteral("batch=1 …"));
    edit->setText(bindingsText(model.options.bindings));
    // What the importer said of dimensions that it had to guess is the best help there is.
    QString tip = tr("Sizes of free dimensions: NAME=SIZE, separated by spaces.");
    for (const Diagnostic& diagnostic : model.diagnostics)
        if (diagnostic.remedy.find("--bind") != std::string::npos)
            tip += QStringLiteral("\n") + QString::fromStdString(diagnostic.message);
    addFormRow(*grid_, tr("sizes"), tip, edit);
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
            workspace_.setLowering(key, text == byPlanner ? std::nullopt : std::optional(text.toStdString()));
        });
        const std::string* chosen = valueOf(workspace_.lowering(), key);
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
    for (const auto& [key, value] : workspace_.lowering()) parts << QString::fromStdString(key + " " + value);
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
    return section;
}

} // namespace stowage
