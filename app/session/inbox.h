// A queue from background threads to the session's thread. Values are handed over under a mutex of the standard library, and Qt
// only delivers the wake-up call, so that ThreadSanitizer sees every hand-over although Qt is not instrumented.
#pragma once

#include "app/session/model.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

namespace stowage {

struct ModelRead {
    int model = 0;
    Expected<Model> result;
    std::vector<std::shared_ptr<const Run>> fileRuns;
};

struct JobStarted {
    int job = 0;
};

struct JobImproved {
    int job = 0;
    std::shared_ptr<const Run> run;
    Bytes bound = 0;
    std::uint64_t work = 0;
};

struct JobEnded {
    int job = 0;
    Expected<std::shared_ptr<const Run>> result;
};

using Letter = std::variant<ModelRead, JobStarted, JobImproved, JobEnded>;

class Inbox {
public:
    explicit Inbox(QObject* owner) : owner_(owner) {}

    /// Adds a letter and queues a call of the owner's slot `drain`. Thread-safe. A better plan replaces an unread one of the same
    /// job.
    void post(Letter letter)
    {
        {
            const std::lock_guard lock(mutex_);
            if (const auto* improved = std::get_if<JobImproved>(&letter))
                std::erase_if(letters_, [job = improved->job](const Letter& other) {
                    const auto* older = std::get_if<JobImproved>(&other);
                    return older && older->job == job;
                });
            letters_.push_back(std::move(letter));
            if (std::exchange(knocked_, true)) return;
        }
        QMetaObject::invokeMethod(owner_, "drain", Qt::QueuedConnection);
    }

    std::vector<Letter> take()
    {
        const std::lock_guard lock(mutex_);
        knocked_ = false;
        return std::exchange(letters_, {});
    }

private:
    QObject* owner_;
    std::mutex mutex_;
    std::vector<Letter> letters_;
    bool knocked_ = false;
};

} // namespace stowage
