// What the answers say: plans of other problems, unknown sizes, colliding pins, alignment by elements, limits, easy targets.
#include "tests/cli/cli_process.h"
#include "tests/cli/terminal.h"
#include "tests/support/shared.h"

#include <QMap>
#include <QRegularExpression>
#include <QTest>

using namespace stowage::test;

namespace {

const QByteArray twoBuffers = "id,lower,upper,size\na,0,2,8\nb,1,3,8\n";

QByteArray planOf(const QByteArray& placements, const QByteArray& pools = R"([{"name": "arena", "size": 16}])")
{
    return R"({"format": "stowage.plan/1", "pools": )" + pools + R"(, "placements": [)" + placements + "]}";
}

/// x (5 bytes of i8), then y and its rectified r (one f32 each), r written over y.
const QByteArray mixed = R"({"format": "stowage.program/1", "name": "mixed", "functions": [{"name": "main",
    "inputs": ["x"], "outputs": ["z"],
    "tensors": [{"name": "x", "kind": "input", "dtype": "i8", "shape": [5]}, {"name": "y", "dtype": "f32", "shape": [1]},
                {"name": "r", "dtype": "f32", "shape": [1]}, {"name": "z", "kind": "output", "dtype": "i8", "shape": [3]}],
    "ops": [{"name": "sum", "kind": "sum", "inputs": ["x"], "outputs": ["y"]},
            {"name": "relu", "kind": "relu", "inputs": ["y"], "outputs": ["r"], "inplace": [["y", "r"]]},
            {"name": "cut", "kind": "cut", "inputs": ["r", "x"], "outputs": ["z"]}]}]})";

/// h has a free dimension.
const QByteArray open = R"({"format": "stowage.program/1", "name": "open", "functions": [{"name": "main",
    "inputs": ["x"], "outputs": ["z"],
    "tensors": [{"name": "x", "kind": "input", "bytes": 64}, {"name": "h", "dtype": "f32", "shape": [-1, 4]},
                {"name": "z", "kind": "output", "bytes": 64}],
    "ops": [{"name": "f", "kind": "f", "inputs": ["x"], "outputs": ["h"]},
            {"name": "g", "kind": "g", "inputs": ["h"], "outputs": ["z"]}]}]})";

} // namespace

class CliAnswersTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;

    QByteArray firstLine(const CliResult& result) const { return result.out.left(result.out.indexOf('\n')); }

private Q_SLOTS:
    /// The caches come out of an operator that ONNX's shape inference does not know: their sizes stand in the graph's outputs.
    void shapesThatOnlyTheOutputsDeclareAreUsed()
    {
        const auto result = cli_({"plan", Cli::sample("onnx/decoder_step.onnx"), "--format", "json"});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY(!result.out.contains("unknown_sizes"));
        // The widest step is the first attention: both new caches (1 x 2 x 128 x 32 of f32), the old ones of both layers (127
        // positions), four values of 128 numbers, four of 64, and two of one.
        constexpr int cache = 2 * 32 * 4;
        constexpr int bytes = 2 * 128 * cache + 4 * 127 * cache + 4 * 128 * 4 + 4 * 64 * 4 + 2 * 4;
        QVERIFY2(result.out.contains("\"size\": " + QByteArray::number(bytes)), result.out.left(600));
    }
    void aPlanOfAnotherProblemIsNotValid_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("named");
        const QByteArray a = R"({"buffer": "a", "pool": "arena", "offset": 0, "size": 8})";
        const QByteArray b = R"({"buffer": "b", "pool": "arena", "offset": 8, "size": 8})";
        QTest::newRow("its own") << planOf(a + "," + b) << QByteArray() << QByteArray();
        QTest::newRow("a size that differs")
            << planOf(a + R"(, {"buffer": "b", "pool": "arena", "offset": 8, "size": 4})") << QByteArray("other-size")
            << QByteArray("b has 4 bytes in the plan and 8 in the problem");
        QTest::newRow("an unknown buffer") << planOf(a + "," + b +
                                                     R"(, {"buffer": "c", "pool": "arena", "offset": 0, "size": 1})")
                                           << QByteArray("unknown-buffer") << QByteArray("places c");
        QTest::newRow("a missing buffer") << planOf(a, R"([{"name": "arena", "size": 8}])") << QByteArray("not-placed")
                                          << QByteArray("b is not placed");
        QTest::newRow("no buffer of the problem") << planOf(R"({"buffer": "x", "pool": "arena", "offset": 0, "size": 16})")
                                                  << QByteArray("unknown-buffer") << QByteArray("places x");
        QTest::newRow("a wrong pool size") << planOf(a + "," + b, R"([{"name": "arena", "size": 12}])")
                                           << QByteArray("other-pool-size")
                                           << QByteArray("arena takes 12 bytes, but its placements take 16");
        QTest::newRow("an unknown pool") << planOf(a + "," + b, R"([{"name": "arena", "size": 16}, {"name": "sram", "size": 4}])")
                                         << QByteArray("other-pool-size") << QByteArray("sram");
        QTest::newRow("a CSV with another size")
            << QByteArray("id,size,offset\na,8,0\nb,9,8\n") << QByteArray("other-size") << QByteArray("9 bytes");
    }
    void aPlanOfAnotherProblemIsNotValid()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, named);
        const QString problem = cli_.file("two.csv", twoBuffers), file = cli_.file("two.plan", plan);
        const CliResult text = cli_({"check", problem, file});
        const QJsonObject verdict = cli_({"check", problem, file, "--format", "json"}).object();
        QCOMPARE(text.status, kind.isEmpty() ? 0 : 1);
        QCOMPARE(verdict["valid"].toBool(), kind.isEmpty());
        if (kind.isEmpty()) return;
        QVERIFY2(firstLine(text).startsWith("Not valid: "), text.out.constData());
        QVERIFY2(text.out.contains(named), text.out.constData());
        QCOMPARE(verdict["status"].toString(), QString("invalid"));
        QCOMPARE(verdict["violations"].toArray().at(0).toObject()["kind"].toString().toUtf8(), kind);
    }

    void noGapIsNegative()
    {
        const QString problem = cli_.file("odd.csv", "id,lower,upper,size\na,0,2,9\nb,1,3,9\n");
        const QString plan = cli_.file("odd.plan", "id,offset\na,0\nb,9\n");
        const CliResult text = cli_({"check", problem, plan, "--alignment", "64"});
        QCOMPARE(text.status, 1);
        QVERIFY2(!text.out.contains("-"), text.out.constData());
    }

    void aForeignPlanIsARowOfTheComparison()
    {
        const QString problem = cli_.file("two.csv", twoBuffers);
        const QString plan = cli_.file("mine.csv", "id,size,offset\na,8,0\nb,8,24\n");
        const CliResult rows = cli_({"compare", problem, "--planners", "naive", "--plan", plan, "--format", "json"});
        QCOMPARE(rows.status, 0);
        const QJsonArray list = rows.object()["rows"].toArray();
        QCOMPARE(list.size(), qsizetype{2});
        QCOMPARE(list[1].toObject()["planner"].toString(), QString("mine.csv"));
        QCOMPARE(list[1].toObject()["size"].toInt(), 32);
        QCOMPARE(list[1].toObject()["status"].toString(), QString("feasible"));
    }

    void aPlanAmongTheInputsIsRefusedWithBothWays_data()
    {
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<int>("status");
        QTest::newRow("every row is placed") << QByteArray("id,lower,upper,size,offset\nq,0,2,8,0\n") << 2;
        QTest::newRow("its ids are the model's") << QByteArray("id,lower,upper,size\nx,0,2,5\ny,1,3,4\n") << 2;
        QTest::newRow("a problem of its own") << twoBuffers << 0;
    }
    void aPlanAmongTheInputsIsRefusedWithBothWays()
    {
        QFETCH(QByteArray, table);
        QFETCH(int, status);
        const QString model = cli_.file("mixed.json", mixed), file = cli_.file("mine.csv", table);
        const CliResult result = cli_({"compare", model, file, "--planners", "naive"});
        QCOMPARE(result.status, status);
        if (status == 0) return;
        QVERIFY2(result.err.contains("--plan") && result.err.contains("--importer csv"), result.err.constData());
        QCOMPARE(cli_({"compare", model, file, "--planners", "naive", "--importer", "csv"}).status, 0);
    }

    void unknownSizesAreNeverOptimal()
    {
        const QString model = cli_.file("open.json", open);
        const CliResult text = cli_({"plan", model});
        QVERIFY2(firstLine(text).startsWith("Partial:"), text.out.constData());
        const QJsonObject plan = cli_({"plan", model, "--format", "json"}).object();
        QCOMPARE(plan["status"].toString(), QString("feasible"));
        QCOMPARE(plan["partial"].toBool(), true);
        QCOMPARE(plan["unknown_sizes"].toArray(), (QJsonArray{"h"}));
        QVERIFY(!plan.contains("proof"));
        const CliResult compared = cli_({"compare", model, "--planners", "auto,naive"});
        QVERIFY2(firstLine(compared).startsWith("Partial:"), compared.out.constData());
        QVERIFY2(!compared.out.toLower().contains("optimal"), compared.out.constData());
        const QString file = cli_.file("open.plan", QJsonDocument(plan).toJson());
        const CliResult checked = cli_({"check", model, file});
        QVERIFY2(firstLine(checked).startsWith("Partial:"), (checked.out + checked.err).constData());
    }

    /// Green, red and yellow are 32, 31 and 33 in ECMA-48. What is left out makes an answer neither a success nor a failure.
    void verdictsHaveThreeColoursOnATerminal()
    {
        const QString fits = cli_.file("two.csv", twoBuffers), part = cli_.file("open.json", open);
        const auto begins = [](const QStringList& arguments, const QByteArray& words) {
            const CliResult result = onTerminal(arguments);
            if (!result.out.contains(words)) qWarning("%s%s", result.out.constData(), result.err.constData());
            return result.out.contains(words);
        };
        QVERIFY(begins({"plan", fits, "--capacity", "16"}, "\x1b[32mFits: "));
        QVERIFY(begins({"plan", fits, "--capacity", "15"}, "\x1b[31mInfeasible: "));
        QVERIFY(begins({"plan", part}, "\x1b[33mPartial: "));
        QVERIFY(begins({"fit", part, "--capacity", "1KiB"}, "\x1b[33mPartial: "));
        QVERIFY(begins({"compare", part, "--planners", "naive"}, "\x1b[33mPartial: "));
        QVERIFY(begins({"compare", part, fits, "--planners", "naive"}, "\x1b[33mPartial: "));
        QVERIFY(begins({"compare", fits, "--planners", "auto", "--capacity", "15"}, "\x1b[31mInfeasible: "));
    }

    /// The second slice has the size that a function returns. The other two, of 100 bytes each, are live together at step 1.
    void slicesOfUnknownSizeAreNeverOptimal()
    {
        const QString pack = cli_.file("pack.mlir", "util.func public @main() {\n"
                                                    "  %c100 = arith.constant 100 : index\n"
                                                    "  %n = util.call @size() : () -> index\n"
                                                    "  %r:3 = stream.resource.pack slices({\n"
                                                    "    [0, 1] = %c100,\n    [0, 2] = %n,\n    [1, 3] = %c100\n"
                                                    "  }) : index\n  util.return\n}\n");
        const QString problem = cli_.path("pack.json");
        QCOMPARE(cli_({"convert", pack, "-o", problem}).status, 0);
        for (const QString& model : {pack, problem}) {
            const CliResult text = cli_({"plan", model});
            QVERIFY2(firstLine(text).startsWith("Partial: 1 buffer of unknown size is left out"), text.out.constData());
            const QJsonObject plan = cli_({"plan", model, "--format", "json"}).object();
            QCOMPARE(plan["status"].toString(), QString("feasible"));
            QCOMPARE(plan["partial"].toBool(), true);
            QCOMPARE(plan["unknown_sizes"].toArray(), (QJsonArray{"slice1"}));
            QVERIFY(!plan.contains("proof"));
            const CliResult compared = cli_({"compare", model, "--planners", "auto,naive"});
            QVERIFY2(firstLine(compared).startsWith("Partial:"), compared.out.constData());
            QVERIFY2(!compared.out.toLower().contains("optimal"), compared.out.constData());
            const QJsonObject row = cli_({"compare", model, "--planners", "greedy-by-size", "--format", "json"})
                                        .object()["rows"]
                                        .toArray()[0]
                                        .toObject();
            QCOMPARE(row["unknown_sizes"].toArray(), (QJsonArray{"slice1"}));
        }
    }

    void elementsDecideTheAlignmentThatAFileDoesNotState()
    {
        const QString model = cli_.file("mixed.json", mixed);
        const auto offsets = [&](const QStringList& more) {
            QMap<QString, qint64> found;
            const QJsonObject plan = cli_(QStringList{"plan", model, "--format", "json"} + more).object();
            for (const QJsonValue& tensor : plan["tensors"].toArray())
                found[tensor["name"].toString()] = tensor["offset"].toInteger();
            return found;
        };
        for (const char* planner : {"auto", "naive", "greedy-by-size", "tflm-greedy", "nnc"}) {
            const auto found = offsets({"--planner", planner});
            QVERIFY2(found["y"] % 4 == 0 && found["r"] % 4 == 0, planner);
        }
        QCOMPARE(cli_({"plan", model, "--planner", "naive", "--format", "json", "--lower", "inplace=off"})
                     .object()["pools"]
                     .toArray()[0]
                     .toObject()["size"]
                     .toInt(),
                 8 + 4 + 4 + 3); // x, padding to 8, y, r, z: sizes are not rounded
        QCOMPARE(cli_({"plan", model, "--planner", "naive", "--alignment", "1", "--format", "json", "--lower", "inplace=off"})
                     .object()["pools"]
                     .toArray()[0]
                     .toObject()["size"]
                     .toInt(),
                 5 + 4 + 4 + 3);
        QVERIFY(cli_({"plan", model}).out.contains("alignment=element"));
    }

    void aPlanListsEveryTensor()
    {
        const QString model = cli_.file("mixed.json", mixed);
        const QJsonObject plan = cli_({"plan", model, "--format", "json", "--lower", "inplace=allowed"}).object();
        QMap<QString, QJsonObject> tensors;
        for (const QJsonValue& tensor : plan["tensors"].toArray()) tensors[tensor["name"].toString()] = tensor.toObject();
        QCOMPARE(tensors.keys(), (QStringList{"r", "x", "y", "z"}));
        QCOMPARE(tensors["r"]["buffer"].toString(), tensors["y"]["buffer"].toString());
        QCOMPARE(tensors["r"]["offset"].toInt(), tensors["y"]["offset"].toInt());
        QCOMPARE(tensors["x"]["size"].toInt(), 5);
        const QString two = cli_.file("two.csv", twoBuffers);
        QVERIFY(!cli_({"plan", two, "--format", "json"}).object().contains("tensors"));
    }

    /// A compiler reads either the placements or the list of tensors: both have to say the same.
    void aListOfTensorsThatContradictsItsPlacementsIsNotValid()
    {
        const QString model = Cli::sample("lstm_loop.json");
        const CliResult planned = cli_({"plan", model, "--planner", "greedy-by-size", "--lower", "views=merged", "--lower",
                                        "inplace=allowed", "--format", "json"});
        QCOMPARE(planned.status, 0);
        const auto checked = [&](const QJsonArray& tensors) {
            QJsonObject plan = planned.object();
            plan["tensors"] = tensors;
            return cli_({"check", model, cli_.file("edited.plan.json", QJsonDocument(plan).toJson()), "--format", "json"});
        };
        const QJsonArray all = planned.object()["tensors"].toArray();
        QVERIFY(all.size() > 3);
        const CliResult same = checked(all);
        QVERIFY2(same.status == 0, same.out + same.err);
        QCOMPARE(checked({}).status, 0); // a list is not obligatory
        const auto edited = [&](const char* field, const QJsonValue& value) {
            QJsonArray tensors = all;
            QJsonObject tensor = tensors[1].toObject();
            tensor[field] = value;
            tensors[1] = tensor;
            return tensors;
        };
        QJsonArray fewer = all, more = all;
        fewer.removeAt(1);
        QJsonObject twin = all[1].toObject();
        twin["name"] = "nobody's";
        more.append(twin);
        const QByteArray name = all[1].toObject()["name"].toString().toUtf8();
        const std::pair<QJsonArray, QByteArray> wrong[] = {
            {edited("offset", all[1].toObject()["offset"].toInt() + 64), "lists tensor " + name + " at offset"},
            {edited("buffer", "zz"), "in another buffer or pool"},
            {edited("pool", "zz"), "in another buffer or pool"},
            {fewer, "but not " + name},
            {more, "lists tensor nobody's"}};
        for (const auto& [tensors, said] : wrong) {
            const CliResult result = checked(tensors);
            QVERIFY2(result.status == 1 && result.out.contains("other-tensor") && result.out.contains(said), result.out);
        }
    }

    /// Whatever the lowering: views, results in place, loops, calls.
    void everyPlanOfASampleIsOneOfItsOwnProblem_data()
    {
        QTest::addColumn<QString>("sample");
        for (const char* sample : {"lstm_loop.json", "refine_loop.json", "transformer_block.json", "double_buffered_matmul.json",
                                   "microcontroller_two_memories.json", "unified_planning.tir", "flash_attention_vector.mlir"})
            QTest::newRow(sample) << QString::fromLatin1(sample);
    }
    void everyPlanOfASampleIsOneOfItsOwnProblem()
    {
        QFETCH(QString, sample);
        const QString model = Cli::sample(sample.toUtf8().constData()), file = cli_.path("own.plan.json");
        int plans = 0;
        for (const QStringList& lowering :
             {QStringList{}, QStringList{"--lower", "loops=precise"}, QStringList{"--lower", "order=dag"},
              QStringList{"--lower", "views=merged", "--lower", "inplace=allowed"},
              QStringList{"--lower", "order=dag", "--lower", "loops=precise", "--lower", "views=merged", "--lower",
                          "inplace=allowed"},
              QStringList{"--alignment", "64"}}) {
            const CliResult planned =
                cli_(QStringList{"plan", model, "--planner", "greedy-by-size", "--format", "json", "-o", file} + lowering);
            if (planned.status != 0) continue; // the planner does not take this lowering, or it does not fit
            ++plans;
            const CliResult checked = cli_({"check", model, file});
            QVERIFY2(checked.status == 0, lowering.join(' ').toUtf8() + checked.out + checked.err);
        }
        QVERIFY(plans >= 1);
    }

    void pinsThatCollideAreInfeasible()
    {
        const QString problem =
            cli_.file("pins.csv", "id,lower,upper,size,offset\nfirst,0,2,8,0\nsecond,1,3,8,4\nthird,0,3,8,-1\n");
        for (const char* planner : {"auto", "exact", "greedy-by-size", "nnc", "hill-climb"}) {
            const CliResult text = cli_({"plan", problem, "--planner", planner});
            QCOMPARE(text.status, 1);
            QVERIFY2(firstLine(text).startsWith("Infeasible:"), text.out.constData());
            QVERIFY2(firstLine(text).contains("first") && firstLine(text).contains("second"), text.out.constData());
            QVERIFY2(!(text.out + text.err).contains("nothing smaller is possible"), text.err.constData());
            // Words may have hyphens, but nothing is negative.
            QVERIFY2(!QString::fromUtf8(text.out).contains(QRegularExpression("(^|[\\s,(\\[])-\\s?\\d")), text.out.constData());
        }
    }

    /// The second pin can only be in `near`, so the first has to leave it.
    void pinsWithAChoiceOfPoolsAreHonouredByEveryPlanner()
    {
        const QString problem = cli_.file("choice.json", R"({"format": "stowage.problem/1", "name": "choice",
            "pools": [{"name": "near", "capacity": 64}, {"name": "far", "capacity": 64}],
            "buffers": [{"name": "a", "size": 8, "live": [[0, 3]], "pools": ["near", "far"], "offset": 0},
                        {"name": "b", "size": 8, "live": [[1, 4]], "pools": ["near"], "offset": 0},
                        {"name": "c", "size": 8, "live": [[0, 4]]}]})");
        const CliResult result = cli_({"compare", problem, "--planners", "all", "--format", "json"});
        for (const QJsonValue& row : result.object()["rows"].toArray()) {
            if (row["status"].toString() == "refused") continue; // it says that it takes no pins
            QVERIFY2(row["valid"].toBool(), qPrintable(row["planner"].toString()));
        }
        QCOMPARE(result.status, 0);
    }

    void aTimeLimitAloneLiftsTheWorkLimit()
    {
        STOWAGE_NEEDS_SHARED();
        const QString hard = sharedFile("bench/tight/aln_n2628_s11.opt1048576.csv");
        const auto stoppedBy = [&](const QStringList& limits) {
            return cli_(QStringList{"plan", hard, "--format", "json"} + limits).object()["stopped_by"].toString();
        };
        QCOMPARE(stoppedBy({"--time-limit", "1.5"}), QString("deadline"));
        QCOMPARE(stoppedBy({"--time-limit", "50", "--work-limit", "1000"}), QString("work-limit"));
    }

    void whatNoMemoryTakesIsNotSearched()
    {
        const QString model = cli_.file("large.csv", "id,lower,upper,size\nlarge,0,2,9000000\nsmall,0,1,8\n");
        const CliResult result = cli_({"plan", model, "--target", "cortex-m7", "--format", "json"});
        QCOMPARE(result.status, 1);
        QCOMPARE(result.object()["status"].toString(), QString("infeasible"));
        QVERIFY(result.object()["work"].toInteger() < 100); // the quick heuristics alone
    }

    void easyTargetsAreSettledByTheQuickHeuristics_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("status");
        QTest::newRow("person_detect") << "person_detect"
                                       << "esp32-s3"
                                       << "optimal";
        QTest::newRow("mobilenet 0.25") << "mobilenet_v1_0.25_128_quant"
                                        << "esp32-s3"
                                        << "optimal";
        // Every pool is at its bound and holds what prefers it. Another choice of pools might save some bytes of padding
        // between its constants all the same, so that the proof is of the preferred pools.
        QTest::newRow("vww") << "mlperf_vww96_int8"
                             << "cortex-m7"
                             << "optimal";
    }
    /// Less than a thousandth of the default work limit: the quick heuristics, and no search of the constants.
    void easyTargetsAreSettledByTheQuickHeuristics()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, model);
        QFETCH(QString, target);
        const QString file = sharedFile("models/tflite/") + model + ".tflite";
        const QJsonObject plan = cli_({"plan", file, "--target", target, "--format", "json"}).object();
        QFETCH(QString, status);
        QCOMPARE(plan["status"].toString(), status);
        QVERIFY2(plan["work"].toInteger() < 10'000, qPrintable(QString::number(plan["work"].toInteger())));
    }
};

QTEST_GUILESS_MAIN(CliAnswersTest)
#include "tst_cli_answers.moc"
