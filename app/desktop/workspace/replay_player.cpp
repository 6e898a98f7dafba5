#include "app/desktop/workspace/replay_player.h"

#include <QTimer>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr int frameMs = 33;
constexpr double secondsForAll = 8; ///< that a whole replay takes, unless it is short
constexpr double minStepsPerSecond = 5;
constexpr std::size_t replayInBackgroundAbove = 20'000; ///< steps and buffers

} // namespace

ReplayPlayer::ReplayPlayer(QObject* parent) : QObject(parent)
{
    timer_ = new QTimer(this);
    timer_->setInterval(frameMs);
    connect(timer_, &QTimer::timeout, this, &ReplayPlayer::advance);
}

void ReplayPlayer::setRun(std::shared_ptr<const Run> run)
{
    if (run == run_) return;
    play(false);
    replay_.reset(); // it is of the run before
    run_ = std::move(run);
    making_.reset();
    if (!run_ || !run_->steps || run_->steps->steps().empty()) return;
    making_ = run_;
    if (run_->steps->steps().size() + run_->problem().buffers.size() <= replayInBackgroundAbove)
        take(std::make_shared<Replay>(run_));
    else
        job_.start([shown = run_](const std::stop_token&) { return std::make_shared<Replay>(shown); },
                   [this](std::shared_ptr<Replay> replay) { take(std::move(replay)); });
}

void ReplayPlayer::take(std::shared_ptr<Replay> replay)
{
    if (replay->source() != run_) return;
    making_.reset();
    replay_ = std::move(replay);
    Q_EMIT made();
}

bool ReplayPlayer::playing() const
{
    return timer_->isActive();
}

void ReplayPlayer::seek(std::size_t step)
{
    if (!replay_) return;
    replay_->seek(step);
    Q_EMIT moved();
}

void ReplayPlayer::play(bool on)
{
    if (!on || !replay_) {
        if (!playing()) return;
        timer_->stop();
        Q_EMIT switched();
        return;
    }
    owed_ = 0;
    timer_->start();
    seek(replay_->at() == replay_->steps() ? 0 : replay_->at());
}

void ReplayPlayer::advance()
{
    if (!replay_ || replay_->at() == replay_->steps()) return play(false);
    owed_ += std::max(minStepsPerSecond, double(replay_->steps()) / secondsForAll) * frameMs / 1000;
    const double whole = std::floor(owed_);
    if (whole < 1) return;
    owed_ -= whole;
    const std::size_t next = replay_->at() + std::size_t(whole);
    if (next >= replay_->steps()) timer_->stop();
    seek(next);
}

} // namespace stowage
