#include "app/desktop/shell/export_items.h"

#include "app/canvas/kit/number_text.h"
#include "app/desktop/tables/comparison_table.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/tables/sources.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"
#include "app/session/csv.h"
#include "app/session/regress/regression.h"
#include "app/session/run_forms.h"
#include "core/ir/shown_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace stowage {

namespace {

class ExportWords {
    Q_DECLARE_TR_FUNCTIONS(ExportDialog)

public:
    static QString plan() { return tr("Plan"); }
    static QString picture() { return tr("Picture"); }
    static QString tables() { return tr("Tables"); }
    static QString report() { return tr("Report"); }
    static QString pictureTitle() { return tr("The picture of the view: PNG at 1x to 4x, SVG or PDF"); }
    static QString reportTitle() { return tr("Verdict, map, planners and suggested changes on one page"); }
    static QString rows() { return tr("Rows of the suite"); }
    static QString csv() { return tr("Tables (*.csv)"); }
    static QString pictures() { return tr("Pictures (*.png *.svg *.pdf)"); }
    static QString reports() { return tr("Reports (*.html)"); }
    static QString allFiles() { return tr("All files (*)"); }
    static QString gone() { return tr("this table is no longer shown"); }
};

constexpr QLatin1String regressionTable("regression");

struct SourceTable {
    const char* id;
    const char* title;
};
constexpr SourceTable sourceTables[] = {{"runs", QT_TRANSLATE_NOOP("ExportDialog", "Runs of this model")},
                                        {"buffers", QT_TRANSLATE_NOOP("ExportDialog", "Buffers")},
                                        {"ops", QT_TRANSLATE_NOOP("ExportDialog", "Ops")},
                                        {"pools", QT_TRANSLATE_NOOP("ExportDialog", "Pools")},
                                        {"diagnostics", QT_TRANSLATE_NOOP("ExportDialog", "Diagnostics")}};

std::shared_ptr<const RowSource> sourceOf(Workspace& workspace, const QString& table)
{
    const auto run = workspace.run();
    if (table == u"buffers") return bufferRows(run);
    if (table == u"ops") return opRows(run);
    if (table == u"pools") return poolRows(run);
    if (table == u"diagnostics") return diagnosticRows(workspace.model() ? workspace.model()->diagnostics : Diagnostics{}, run);
    return nullptr;
}

/// "1,234" as a program reads it; other texts as they are.
QString plainNumber(QString cell)
{
    static const QRegularExpression grouped(QStringLiteral("^[+-]?[0-9]{1,3}(,[0-9]{3})+(\\.[0-9]+)?$"));
    return grouped.match(cell).hasMatch() ? cell.remove(u',') : cell;
}

/// The same for each number of a cell of several: "1,024 2,048".
QString plainNumbers(const QString& cell)
{
    if (!cell.contains(u' ')) return plainNumber(cell);
    QStringList words = cell.split(u' ');
    for (QString& word : words) word = plainNumber(word);
    return words.join(u' ');
}

std::string csvLineOf(const QStringList& cells)
{
    std::vector<std::string> words;
    words.reserve(std::size_t(cells.size()));
    for (const QString& cell : cells) words.push_back(cell.toStdString());
    return csvLine(words);
}

std::string csvOfTsv(const QString& tsv)
{
    std::string text;
    for (const QString& line : tsv.split(u'\n', Qt::SkipEmptyParts)) {
        QStringList cells = line.split(u'\t');
        for (QString& cell : cells) cell = plainNumber(cell);
        text += csvLineOf(cells);
    }
    return text;
}

/// The whole of a name that a cell shows shortened or indented; other cells as they are.
QString wholeName(const QString& cell, std::string_view key)
{
    return cell.trimmed() == nameText(key) ? QString::fromStdString(shownName(key, std::string::npos)) : cell;
}

/// Without rows that are sums of others: the sum of a column counts each row once.
std::string csvOfSource(const RowSource& source, const std::vector<bool>* shown, const std::stop_token& stop)
{
    const NumberFormat plain{NumberFormat::Unit::bytes, false};
    QStringList cells;
    for (const RowColumn& column : source.columns())
        cells << (column.bytes ? QStringLiteral("%1, B").arg(column.title) : column.title);
    std::string text = csvLineOf(cells);
    std::vector<SortKeys> keys;
    for (int column = 0; column < int(source.columns().size()); ++column) keys.push_back(source.keys(column));
    for (const std::uint32_t row : orderRows(source, -1, Qt::AscendingOrder, shown)) {
        if (stop.stop_requested()) break; // nobody waits for it
        if (source.sums(row)) continue;
        cells.clear();
        for (int column = 0; column < int(source.columns().size()); ++column) {
            const QString cell = source.text(row, column, plain);
            if (const auto* names = std::get_if<std::vector<std::string_view>>(&keys[std::size_t(column)]))
                cells << wholeName(cell, (*names)[row]);
            else
                cells << (source.columns()[std::size_t(column)].number ? plainNumbers(cell) : cell);
        }
        text += csvLineOf(cells);
    }
    return text;
}

/// Columns without a title (bars, eyes) hold no text.
std::string csvOfModel(const QAbstractItemModel& model)
{
    if (const auto* comparison = dynamic_cast<const ComparisonTable*>(&model)) return csvOfTsv(comparison->toTsv());
    std::vector<int> titled;
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        if (const QString title = model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); !title.isEmpty()) {
            titled.push_back(column);
            cells << title;
        }
    std::string text = csvLineOf(cells);
    for (int row = 0; row < model.rowCount(); ++row) {
        cells.clear();
        for (const int column : titled) cells << plainNumber(model.index(row, column).data().toString());
        text += csvLineOf(cells);
    }
    return text;
}

/// A line for each row of a suite, with the figures of its baseline and its current ones.
std::string csvOfRegression(const Regression& regression)
{
    std::string text = csvLine(
        {"verdict", "row", "model", "planner", "target", "baseline, B", "current, B", "lower bound, B", "status", "cause"});
    const auto bytes = [](const std::optional<SuiteFigures>& figures, Bytes SuiteFigures::*field) {
        return figures ? std::to_string((*figures).*field) : std::string();
    };
    for (const RegressionRow& row : regression.rows) {
        const RowResult& result = row.result;
        text += csvLine({std::string(toText(result.verdict)), result.key, result.model, result.planner, result.target,
                         bytes(result.baseline, &SuiteFigures::size), bytes(result.current, &SuiteFigures::size),
                         bytes(result.current, &SuiteFigures::bound),
                         result.current ? std::string(toText(result.current->status)) : std::string(), placedSentence(result)});
    }
    return text;
}

/// Tables that only this view has.
std::vector<Table*> ownTables(const QWidget& shown)
{
    std::vector<Table*> own;
    for (Table* table : shown.findChildren<Table*>())
        if (table->isVisible() && table->model() && table->model()->rowCount() > 0 && !table->accessibleName().isEmpty() &&
            !dynamic_cast<const RowTable*>(table->model()))
            own.push_back(table);
    return own;
}

} // namespace

std::vector<ExportItem> exportItems(Workspace& workspace, const QString& view, const QWidget& shown)
{
    std::vector<ExportItem> items;
    const Model* model = workspace.model();
    const auto run = workspace.run();
    const std::shared_ptr<const Regression> suite = view == u"regression" ? workspace.regression() : nullptr;
    const bool planned = model && run;
    if (!planned && !suite) return items;
    const QString base = planned ? QString::fromStdString(shortName(*model)) : QString();
    const QString subject = suite ? QString::fromStdString(suite->suite.name) : base; // of what the view shows
    const auto add = [&items](const QString& id, const QString& group, const QString& title, const QString& of,
                              const QString& suffix, const QString& patterns, bool folder = false) {
        items.push_back({id, group, title, of + suffix, patterns, folder, suffix});
    };
    const auto addTable = [&add](const QString& id, const QString& title, const QString& of, const QString& name) {
        add(QStringLiteral("table:") + id, ExportWords::tables(), title, of, u'.' + name + QStringLiteral(".csv"),
            ExportWords::csv());
    };
    add(QStringLiteral("picture"), ExportWords::picture(), ExportWords::pictureTitle(), subject,
        u'.' + view + QStringLiteral(".png"), ExportWords::pictures());
    if (planned) {
        add(QStringLiteral("report"), ExportWords::report(), ExportWords::reportTitle(), base, QStringLiteral(".html"),
            ExportWords::reports());
        for (const RunForm& form : runForms(workspace.session(), *model, *run)) {
            const QString suffix = QString::fromStdString(form.suffix);
            QString title = QString::fromStdString(form.title);
            if (!title.isEmpty()) title[0] = title[0].toUpper(); // lists of the command line begin small
            add(QStringLiteral("plan:") + QString::fromStdString(form.id), ExportWords::plan(), title, base, suffix,
                suffix.isEmpty() || form.folder ? ExportWords::allFiles() : QStringLiteral("*%1").arg(suffix), form.folder);
        }
        for (const SourceTable& table : sourceTables) {
            const QString id = QString::fromLatin1(table.id);
            if (id == u"ops" && !run->program) continue;
            addTable(id, QCoreApplication::translate("ExportDialog", table.title), base, id);
        }
        for (const Table* table : ownTables(shown))
            addTable(table->objectName(), table->accessibleName(), base, table->accessibleName().toLower().replace(u' ', u'-'));
    }
    if (suite) addTable(regressionTable, ExportWords::rows(), subject, regressionTable);
    return items;
}

FileText tableCsv(Workspace& workspace, const RunTable& runs, const QWidget& shown, const QString& table)
{
    const auto made = [](std::string text) -> FileText {
        return [text = std::move(text)](const std::stop_token&) { return Expected<std::string>(text); };
    };
    if (table == u"runs") return made(csvOfTsv(runs.toTsv()));
    if (const auto source = sourceOf(workspace, table))
        return [source, mask = workspace.selection().mask()](const std::stop_token& stop) {
            return Expected<std::string>(csvOfSource(*source, mask ? &mask->shown : nullptr, stop));
        };
    if (const auto suite = workspace.regression(); suite && table == regressionTable) return made(csvOfRegression(*suite));
    for (const Table* own : ownTables(shown))
        if (own->objectName() == table) return made(csvOfModel(*own->model()));
    return [](const std::stop_token&) -> Expected<std::string> {
        return failure(Code::notWritten, ExportWords::gone().toStdString(), {}, "open its view and export it again");
    };
}

} // namespace stowage
