// The networks that tests and benchmarks build: their parameters as published, their liveness as in the graphs beside libnnc's
// figures.
#include "core/io/text.h"
#include "core/ir/verify.h"
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/support/networks.h"
#include "tests/support/nnc_figures.h"
#include "tests/support/shared.h"

#include <QTest>

using namespace stowage;
using namespace stowage::test;

class TestNetworks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void haveThePublishedNumberOfParameters()
    {
        QCOMPARE(networks().size(), 9U);
        for (const NetworkMaker& maker : networks()) {
            const Network network = maker.make({});
            QVERIFY2(network.parameters == maker.published,
                     qPrintable(QString("%1: %2").arg(QLatin1String(maker.name.data())).arg(network.parameters)));
        }
    }

    void areProgramsThatCanBeWrittenAndRead()
    {
        for (const NetworkMaker& maker : networks())
            for (const bool training : {false, true}) {
                const Program program = maker.make({.batch = 2, .training = training}).program;
                for (const Diagnostic& said : verify(program)) QVERIFY2(said.severity != Severity::error, toText(said).c_str());
                const auto again = io::readProgramJson(io::writeProgramJson(program), "x.json");
                QVERIFY2(again, again ? "" : toText(again.error()).c_str());
                QCOMPARE(again->value.functions.front().ops.size(), program.functions.front().ops.size());
            }
    }

    /// Same bytes live at the peak as in the graphs that libnnc planned, in both orders and in-place modes.
    void haveTheBoundsOfTheReferenceGraphs()
    {
        STOWAGE_NEEDS_SHARED();
        const std::string folder = sharedFile("bench/nnc").toStdString();
        const std::pair<const char*, const char*> same[] = {{"vgg16", "vgg16_infer_b1"},
                                                            {"resnet50", "resnet50_infer_b1"},
                                                            {"densenet121", "densenet121_infer_concat_b1"},
                                                            {"googlenet", "googlenet_infer_b1"},
                                                            {"lstm_unrolled", "lstm_unrolled_T8_L1_H512"},
                                                            {"transformer_encoder", "transformer_enc_L12_S256"}};
        for (const auto& [name, graph] : same) {
            const auto reference = nncGraph(folder, graph);
            QVERIFY(reference);
            const Program ours = makeNetwork(name).program;
            for (const bool dag : {false, true})
                for (const bool inPlace : {false, true}) {
                    const auto a = lower(*reference, nncLowering(dag, inPlace));
                    const auto b = lower(ours, nncLowering(dag, inPlace));
                    QVERIFY(a && b);
                    const Bytes wanted = lowerBound(a->problem, none).bytes;
                    const Bytes got = lowerBound(b->problem, none).bytes;
                    QVERIFY2(got == wanted, qPrintable(QString("%1 %2 %3: %4 instead of %5")
                                                           .arg(name, dag ? "dag" : "linear", inPlace ? "in place" : "")
                                                           .arg(got)
                                                           .arg(wanted)));
                }
        }
    }

    /// Nine in ten of all, inference and training, within 2 per cent of the bound in the listed order.
    void nncMergeComesCloseToTheBound()
    {
        int all = 0, close = 0;
        for (const NetworkMaker& maker : networks())
            for (const bool training : {false, true})
                for (const bool inPlace : {false, true}) {
                    const auto lowering = lower(maker.make({.training = training}).program, nncLowering(false, inPlace));
                    QVERIFY(lowering);
                    const auto plan = PlannerRegistry::builtIn().find("nnc-merge")->plan(lowering->problem, {}, {});
                    QVERIFY(plan && check(lowering->problem, *plan).valid());
                    const Bytes bound = lowerBound(lowering->problem, none).bytes;
                    const Bytes size = plan->poolSize(lowering->problem, 0);
                    ++all;
                    close += size * 100 <= bound * 102;
                    if (size > bound)
                        qInfo("%s%s: %.4f of the bound", maker.name.data(), training ? " training" : "",
                              double(size) / double(bound));
                }
        QVERIFY2(close * 10 >= all * 9, qPrintable(QString("%1 of %2").arg(close).arg(all)));
    }

    void aBatchScalesTheActivationsAndTrainingKeepsThem()
    {
        for (const char* name : {"resnet18", "unet", "mobilenet_v2"}) {
            const auto bound = [&](const NetworkOptions& options) {
                const auto lowering = lower(makeNetwork(name, options).program, nncLowering(false, true));
                return lowering ? lowerBound(lowering->problem, none).bytes : 0;
            };
            const Bytes one = bound({});
            QVERIFY(bound({.batch = 4}) >= 4 * one - 4096); // but for what 64-byte steps add to small ones
            QVERIFY(bound({.batch = 4}) <= 4 * one);
            // Backwards every convolution needs its input: the sum of them is there at the turn.
            QVERIFY(bound({.training = true}) > 3 * one);
        }
    }
};

QTEST_GUILESS_MAIN(TestNetworks)
#include "tst_networks.moc"
