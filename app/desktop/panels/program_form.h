// A form with the options that lead from the file to the problem: those of its importer, sizes of free dimensions, and the
// lowering.
#pragma once

#include <QWidget>

class QGridLayout;

namespace stowage {

class Look;
class Section;
class Workspace;

class ProgramForm : public QWidget {
    Q_OBJECT

public:
    explicit ProgramForm(Workspace& workspace, QWidget* parent = nullptr);
    /// The options that differ from the defaults, in short: "flat, merged".
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    void changed();

private:
    void refresh();
    void addImportChoices();
    void addSizes();
    void addLowering();

    Workspace& workspace_;
    QGridLayout* grid_ = nullptr;
};

Section* makeProgramSection(Workspace& workspace, const Look& look);

} // namespace stowage
