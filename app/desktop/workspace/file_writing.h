// The files that parts of the window write in the background. The window asks before it closes while one is not written.
#pragma once

#include "app/desktop/background_job.h"

#include <QFileInfo>
#include <QObject>
#include <QString>

#include <memory>
#include <utility>

namespace stowage {

class FileWriting : public QObject {
    Q_OBJECT

public:
    /// Starts `work`, which writes `file`, as one of `jobs`. `then(result)` follows, and returns whether the file was written.
    /// A FIFO or a device does not count: nobody can say when a reader takes the bytes.
    template <typename Work, typename Then>
    void start(BackgroundJobs& jobs, const QString& file, Work work, Then then)
    {
        const QFileInfo place(file);
        const int files = !place.exists() || place.isFile() || place.isDir() ? 1 : 0;
        *count_ += files;
        jobs.start(std::move(work), [this, files, count = count_, then = std::move(then)](auto&& result) mutable {
            *count -= files;
            const bool written = then(std::forward<decltype(result)>(result));
            Q_EMIT ended(written);
        });
    }
    /// Whether a file is being written that counts.
    [[nodiscard]] bool any() const { return *count_ > 0; }
    /// The files that are being written now no longer count.
    void leave() { count_ = std::make_shared<int>(0); }

Q_SIGNALS:
    void ended(bool written);

private:
    std::shared_ptr<int> count_ = std::make_shared<int>(0);
};

} // namespace stowage
