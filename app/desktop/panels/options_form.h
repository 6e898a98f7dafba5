// The options of a planner as a form, made from its schema, and the options that all planners have.
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
    /// Rebuilds the rows if another planner has the focus, else updates the values.
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
