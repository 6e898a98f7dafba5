// The options of a pipeline run that name stages are read whole, or refused.
#include "app/session/mpi_engine.h"
#include "app/session/stage_options.h"

#include <QTest>

#include <cstdint>
#include <string>

using namespace stowage;

class StageOptionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void factorsAreReadWhole()
    {
        const auto empty = parseFactors("", 1);
        QVERIFY(empty && empty->empty());
        const auto two = parseFactors("2:1.5,0:1e3", 3);
        QVERIFY(two);
        QVERIFY(*two == (StageFactors{{2, 1.5}, {0, 1000.0}}));
    }

    void otherFactorsAreErrors()
    {
        for (const char* text : {"2=3", "2", ":", "2:", ":3", "2:3x", "2x:3", "2:0", "2:-1", "2:nan", "2:inf", "2:1e7", "-1:2",
                                 "2:1.5;1:2", "2:1.5,,1:2", " 2:3"}) {
            const auto read = parseFactors(text, 3);
            QVERIFY2(!read && read.error().code == Code::usage, text);
            QVERIFY2(read.error().message.find(text) != std::string::npos && !read.error().remedy.empty(), text);
        }
        const auto missing = parseFactors("0:2,3:2", 3);
        QVERIFY(!missing && missing.error().code == Code::outOfRange);
        QCOMPARE(missing.error().message, std::string("there is no stage 3: there are 3"));
    }

    void failuresAreReadWhole()
    {
        const auto kernel = parseFailure("1:5:kernel", false);
        QVERIFY(kernel);
        QVERIFY(kernel->stage == 1 && kernel->frame == 5 && !kernel->crash);
        const auto crash = parseFailure("0:12:crash", true);
        QVERIFY(crash);
        QVERIFY(crash->stage == 0 && crash->frame == 12 && crash->crash);
    }

    void otherFailuresAreErrors()
    {
        for (const char* text : {"", ":", "::", "1", "1:5", "1:5:", "1:5:crsh", "1:5:kernel ", "1:5x:kernel", "1x:5:kernel",
                                 "1::kernel", ":5:kernel", "-1:5:kernel", "1:-5:kernel", "1:5:kernel:crash"}) {
            const auto read = parseFailure(text, true);
            QVERIFY2(!read && read.error().code == Code::usage, text);
        }
        const auto thread = parseFailure("1:5:crash", false); // a thread cannot end alone
        QVERIFY(!thread);
        QCOMPARE(thread.error().remedy, std::string("write STAGE:FRAME:kernel"));
        QVERIFY(!missingStage(2, 3) && missingStage(3, 3) && missingStage(-1, 3));
        QVERIFY(!missingFrame(99, 100) && missingFrame(100, 100) && missingFrame(-1, 100));
    }

    void stagesOfOneDeviceAreNotForRanks()
    {
        pipeline::PipelineModel model;
        model.resources = 2;
        for (const std::int32_t resource : {0, 1, 1}) {
            pipeline::StageModel stage;
            stage.resource = resource;
            stage.device = resource == 0 ? "npu0" : "npu1";
            model.stages.push_back(stage);
        }
        const auto shared = rankObstacle(model);
        QVERIFY(shared && shared->code == Code::sharedDevice);
        QVERIFY(shared->message.find("stages 1 and 2 share the device 'npu1'") != std::string::npos);
        model.stages.pop_back();
        QVERIFY(!rankObstacle(model));
    }
};

QTEST_APPLESS_MAIN(StageOptionsTest)
#include "tst_stage_options.moc"
