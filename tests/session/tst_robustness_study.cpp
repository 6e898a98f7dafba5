// The study of a planner's spread hands on the limits of the request to each planning.
#include "app/session/robustness_study.h"
#include "app/session/session.h"

#include <QTest>

#include <chrono>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

using namespace stowage;

namespace {

using Clock = std::chrono::steady_clock;

/// Places end to end, and notes the limits that it was given, and when.
class LimitNoter : public Planner {
public:
    struct Noted {
        PlanContext context;
        Clock::time_point at;
    };

    LimitNoter() { info_.name = "limit-noter"; }
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues&, const PlanContext& context) const override
    {
        noted.push_back({context, Clock::now()});
        std::this_thread::sleep_for(std::chrono::milliseconds(2)); // a deadline of the whole study would be another one
        Plan plan;
        Bytes top = 0;
        for (const Buffer& buffer : problem.buffers) {
            plan.placements.push_back({.pool = 0, .offset = top});
            top += buffer.size;
        }
        return plan;
    }

    mutable std::vector<Noted> noted;

private:
    PlannerInfo info_;
};

} // namespace

class RobustnessStudyTest : public QObject {
    Q_OBJECT

    /// The contexts that three plannings of one problem get.
    static std::vector<LimitNoter::Noted> studied(const RobustnessRequest& request)
    {
        const Session session;
        const auto model = session.readText("two.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\n");
        if (!model) return {};
        const auto run = session.planNow(*model, PlanRequest{});
        if (!run) return {};
        PlannerRegistry planners;
        const auto noter = std::make_shared<LimitNoter>();
        planners.add(noter);
        const auto samples = studyRobustness(planners, **run, request, std::stop_token());
        return samples && samples->size() == 3 ? noter->noted : std::vector<LimitNoter::Noted>();
    }

private Q_SLOTS:
    void eachPlanningHasTheLimitsOfTheRequest()
    {
        RobustnessRequest request;
        request.planner = "limit-noter";
        request.which = {.seeds = 2, .perturbed = 1};
        request.workLimit = 7;
        request.timeLimitSeconds = 3;
        request.threads = 5;
        const auto noted = studied(request);
        QCOMPARE(noted.size(), 3U);
        for (const LimitNoter::Noted& each : noted) {
            QCOMPARE(each.context.workLimit, 7U);
            QCOMPARE(each.context.threads, 5U);
            QVERIFY(each.context.deadline);
            // Three seconds from the begin of this planning, which is before the note.
            QVERIFY(*each.context.deadline <= each.at + std::chrono::seconds(3));
        }
        for (std::size_t k = 1; k < noted.size(); ++k)
            QVERIFY(*noted[k].context.deadline >= *noted[k - 1].context.deadline + std::chrono::milliseconds(2));
    }

    void noLimitIsNone()
    {
        RobustnessRequest request;
        request.planner = "limit-noter";
        request.which = {.seeds = 2, .perturbed = 1};
        const auto noted = studied(request);
        QCOMPARE(noted.size(), 3U);
        for (const LimitNoter::Noted& each : noted) {
            QCOMPARE(each.context.workLimit, 0U);
            QVERIFY(!each.context.deadline);
        }
    }
};

QTEST_GUILESS_MAIN(RobustnessStudyTest)
#include "tst_robustness_study.moc"
