// Notices that the file of an open model has another content now, and offers to read it again.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QSet>
#include <QString>

class QTimer;

namespace stowage {

class Workspace;

class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(Workspace& workspace, QObject* parent = nullptr);
    /// Whether a changed file is read again without a question.
    [[nodiscard]] bool reloads() const { return reloads_; }
    void setReloads(bool on) { reloads_ = on; }

private:
    void follow();
    void look();

    Workspace& workspace_;
    QFileSystemWatcher watcher_;
    QSet<QString> touched_;
    QTimer* delay_ = nullptr; ///< a file may be written in several parts
    bool reloads_ = false;
};

} // namespace stowage
