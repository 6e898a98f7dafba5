// The files that parts of the window write in the background. The window asks before it closes while one is not written.
#pragma once

#include "app/desktop/background_job.h"

#include <QFileInfo>
#include <QObject>
#include <QString>

#include <memory>
#include <stop_token>
#include <utility>

namespace stowage {

class FileWriting : public QObject {
    Q_OBJECT

public:
    /// Starts `work(std::stop_token)`, which writes `file`, as one of `jobs`. `then(result)` follows, and returns whether the
    /// file was written. A FIFO or a device does not count: nobody can say when a reader takes the bytes. The token is set when
    /// either `jobs` stop or `leave` is called.
    template <typename Work, typename Then>
    void start(BackgroundJobs& jobs, const QString& file, Work work, Then then)
    {
        const QFileInfo place(file);
        const int files = !place.exists() || place.isFile() || place.isDir() ? 1 : 0;
        *count_ += files;
        auto stoppable = [work = std::move(work), leaving = leaving_.get_token()](const std::stop_token& own) mutable {
            std::stop_source either;
            const auto stop = [&either] { either.request_stop(); };
            const std::stop_callback withJobs(own, stop);
            const std::stop_callback withWindow(leaving, stop);
            return work(either.get_token());
        };
        jobs.start(std::move(stoppable), [this, files, count = count_, then = std::move(then)](auto&& result) mutable {
            *count -= files;
            const bool written = then(std::forward<decltype(result)>(result));
            Q_EMIT ended(written);
        });
    }
    /// Whether a file is being written that counts.
    [[nodiscard]] bool any() const { return *count_ > 0; }
    /// Asks the writing of all files to stop; these no longer count.
    void leave()
    {
        leaving_.request_stop();
        leaving_ = std::stop_source();
        count_ = std::make_shared<int>(0);
    }

Q_SIGNALS:
    void ended(bool written);

private:
    std::shared_ptr<int> count_ = std::make_shared<int>(0);
    std::stop_source leaving_;
};

} // namespace stowage
