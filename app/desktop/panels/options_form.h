// The options of a planner as a form, made from its schema; and what is common to all planners.
#pragma once

#include <QWidget>

#include <string>

class QGridLayout;

namespace stowage {

class Look;
class Section;
class Workspace;
struct OptionSpec;

class OptionsForm : public QWidget {
    Q_OBJECT

public:
    explicit OptionsForm(Workspace& workspace, QWidget* parent = nullptr);

private:
    /// Makes the rows anew when another planner has the focus, else only renews the values.
    void refresh();
    void rebuild();
    QWidget* editorFor(const OptionSpec& option);

    Workspace& workspace_;
    std::string planner_;
    QGridLayout* grid_ = nullptr;
    bool refreshing_ = false;
};

/// "tie-break" as a label: "tie break".
[[nodiscard]] QString optionLabel(const std::string& name);

Section* makeOptionsSection(Workspace& workspace, const Look& look);

} // namespace stowage
