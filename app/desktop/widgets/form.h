// Rows of a form in a side panel: a label, and an editor of one width at its right.
#pragma once

#include <QString>

#include <functional>

class QComboBox;
class QGridLayout;
class QLineEdit;
class QVBoxLayout;
class QWidget;

namespace stowage {

/// An empty form with the margins of a section, added to `column`.
QGridLayout* addForm(QVBoxLayout& column);
/// Adds a row; `tip` is the tool tip of both label and editor.
void addFormRow(QGridLayout& form, const QString& label, const QString& tip, QWidget* editor);

/// A line edit that takes a value only if `accept` returns an empty text; otherwise it shows the returned error. Its object name
/// is "option:" + `name`.
QLineEdit* makeValueEdit(const QString& name, std::function<QString(const QString&)> accept);
/// A list of choices, with the same object name. `chosen` is called for choices of the user only.
QComboBox* makeChoiceEdit(const QString& name, const QStringList& choices, std::function<void(const QString&)> chosen);

} // namespace stowage
