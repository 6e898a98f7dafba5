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
/// Adds a row; `tip` says more, in both places.
void addFormRow(QGridLayout& form, const QString& label, const QString& tip, QWidget* editor);

/// A line edit that takes a value only when `accept` finds nothing wrong with it (an empty answer), and shows what is wrong
/// otherwise. It is found by the object name "option:" + `name`.
QLineEdit* makeValueEdit(const QString& name, std::function<QString(const QString&)> accept);
/// A list of choices, found likewise. `chosen` hears of the user's choices only.
QComboBox* makeChoiceEdit(const QString& name, const QStringList& choices, std::function<void(const QString&)> chosen);

} // namespace stowage
