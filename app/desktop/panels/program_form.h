// From the file to the problem: the choices of its importer, sizes of free dimensions, and the lowering.
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
    /// What differs from the defaults, in a few words: "flat, merged".
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
