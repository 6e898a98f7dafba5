// Which results of TensorFlow Lite operators have the batch in axis 0.
#include "tests/plugins/made_import.h"
#include "tests/plugins/made_model.h"

#include <QTest>

#include <cstdint>
#include <vector>

using namespace stowage;
using namespace stowage::test;

namespace {

/// Little endian.
std::vector<std::uint8_t> bytesOfNumbers(const QList<int>& numbers)
{
    std::vector<std::uint8_t> bytes;
    for (const int number : numbers) {
        for (int shift = 0; shift < 32; shift += 8) bytes.push_back(std::uint8_t(std::uint32_t(number) >> shift));
    }
    return bytes;
}

std::vector<std::int32_t> vectorOf(const QList<int>& list)
{
    return {list.begin(), list.end()};
}

} // namespace

class TestTfliteRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// 7 rows of 4 are 28 in one axis. What WHERE finds is no batch, and nothing that is made of it.
    void batchIsNotTheNumberOfRowsThatDataMake()
    {
        constexpr std::int32_t addition = 0, reshape = 22, mean = 40, where = 109;
        MadeModel model;
        MadeGraph graph{"main", {{"x", {1, 4}, 0, 0, false, {-1, 4}}}, {0}, {}, {}};
        graph.tensors.push_back({"flat", {1}, 0, 0, false, {-1}});
        graph.tensors.push_back({"mean", {1, 1}, 0, 0, false, {-1, 1}});
        graph.tensors.push_back({"found", {1, 2}, 4, 0, false, {-1, 2}});
        graph.tensors.push_back({"sum", {1, 2}, 4, 0, false, {-1, 2}});
        graph.tensors.push_back({"mean of found", {1, 1}, 4, 0, false, {-1, 1}});
        graph.operators = {{reshape, {0}, {1}, {}, {}},
                           {mean, {0}, {2}, {}, {}},
                           {where, {0}, {3}, {}, {}},
                           {addition, {3, 3}, {4}, {}, {}},
                           {mean, {3}, {5}, {}, {}}};
        graph.outputs = {1, 2, 4, 5};
        model.graphs = {graph};
        const auto imported = importMade(model, "nested", {{"batch", 7}});
        VERIFY_IMPORTED(imported);
        const Function& main = program(imported).main();
        QCOMPARE(tensorNamed(main, "x")->bytes.value_or(-1), Bytes{7 * 4 * 4});
        QCOMPARE(tensorNamed(main, "flat")->bytes.value_or(-1), Bytes{28 * 4});
        QCOMPARE(tensorNamed(main, "mean")->bytes.value_or(-1), Bytes{7 * 4});
        for (const char* name : {"found", "sum", "mean of found"}) QVERIFY2(!tensorNamed(main, name)->bytes, name);
    }

    /// 4 * 16 * 4 * 8 numbers of 4 bytes; the scores are 16 * 16 for each of 4 heads.
    void batchGoesThroughAttention()
    {
        MadeModel model{{attentionBlock()}, {{std::vector<std::uint8_t>(16)}}, {}, false};
        const auto imported = importMade(model, "nested", {{"batch", 4}});
        VERIFY_IMPORTED(imported);
        for (const char* name : {"x", "positive", "heads", "mixed", "words", "flat", "y"})
            QCOMPARE(tensorNamed(program(imported).main(), name)->bytes.value_or(-1), Bytes{8'192});
        for (const char* name : {"scores", "weights"})
            QCOMPARE(tensorNamed(program(imported).main(), name)->bytes.value_or(-1), Bytes{16'384});
        QVERIFY(!hasDiagnostic(*imported, "partial"));
    }

    /// The operand has 4 rows if its axis 0 is open; its other open axes are not known. -1: the result may have other rows
    /// than 4.
    void rowsThatMayBeOthersAreNotTheBatch_data()
    {
        QTest::addColumn<QList<int>>("operand");
        QTest::addColumn<int>("code");
        QTest::addColumn<QList<int>>("result");
        QTest::addColumn<qint64>("elements");
        constexpr int fullyConnected = 9, reshape = 22, transpose = 39, mean = 40, slice = 45, argMax = 56, unpack = 88,
                      fill = 94, product = 126;
        const QList<int> picture{-1, -1, -1, 3}, known{-1, 6, 6, 3};
        QTest::newRow("reshape") << picture << reshape << QList<int>{-1, 3} << qint64{-1};
        QTest::newRow("reshape, known") << known << reshape << QList<int>{-1, 3} << qint64{4 * 6 * 6 * 3};
        QTest::newRow("reshape, known, in two axes") << known << reshape << QList<int>{-1, -1, 3} << qint64{4 * 6 * 6 * 3};
        QTest::newRow("reshape that leaves a rest") << known << reshape << QList<int>{-1, 7} << qint64{-1};
        QTest::newRow("fully connected") << picture << fullyConnected << QList<int>{-1, 5} << qint64{-1};
        QTest::newRow("fully connected, known") << known << fullyConnected << QList<int>{-1, 5} << qint64{4 * 6 * 6 * 5};
        QTest::newRow("some of fixed rows") << QList<int>{100, 4} << slice << QList<int>{-1, 4} << qint64{-1};
        QTest::newRow("shape as operand") << QList<int>{2} << fill << QList<int>{-1, 4} << qint64{4 * 4};
        QTest::newRow("first one") << QList<int>{-1, -1, 3} << slice << QList<int>{-1, 3} << qint64{-1};
        QTest::newRow("mean") << picture << mean << QList<int>{-1, 3} << qint64{-1};
        QTest::newRow("mean, known") << known << mean << QList<int>{-1, 3} << qint64{4 * 3};
        QTest::newRow("largest") << QList<int>{-1, -1} << argMax << QList<int>{-1} << qint64{-1};
        QTest::newRow("parts, known") << QList<int>{-1, 2} << unpack << QList<int>{-1} << qint64{4};
        QTest::newRow("product of matrices") << QList<int>{-1, 6} << product << QList<int>{-1, 7} << qint64{4 * 7};
        QTest::newRow("product, open in both axes") << QList<int>{-1, -1} << product << QList<int>{-1, 7} << qint64{-1};
        QTest::newRow("transposed") << QList<int>{-1, 6} << transpose << QList<int>{6, -1} << qint64{6 * 4};
    }

    void rowsThatMayBeOthersAreNotTheBatch()
    {
        QFETCH(QList<int>, operand);
        QFETCH(int, code);
        QFETCH(QList<int>, result);
        QFETCH(qint64, elements);
        constexpr std::int32_t resize = 23;
        MadeGraph graph{"main", {openTensor("x", {-1, 2, 2, 3}), {"w", {5, 3}, 0, 1}}, {0}, {3}, {}};
        graph.tensors.push_back(openTensor("operand", {operand.begin(), operand.end()}));
        graph.tensors.push_back(openTensor("result", {result.begin(), result.end()}));
        graph.operators = {{resize, {0}, {2}, {}, {}}, {code, {2, 1}, {3}, {}, {}}};
        const auto imported = importMade({{graph}, {{std::vector<std::uint8_t>(60)}}, {}, false}, "nested", {{"batch", 4}});
        VERIFY_IMPORTED(imported);
        const Tensor* made = tensorNamed(program(imported).main(), "result");
        QCOMPARE(made->bytes.value_or(-1), elements < 0 ? Bytes{-1} : Bytes{elements * 4});
        QCOMPARE(hasDiagnostic(*imported, "partial"), elements < 0 || operand.count(-1) > 1);
    }

    /// Inputs that are lists are constants; an empty one is the operand, 4 rows of 100. -1: the result may have other rows.
    void rowsThatAnOperatorLeavesAreTheBatch_data()
    {
        using Lists = QList<QList<int>>;
        QTest::addColumn<int>("code");
        QTest::addColumn<Lists>("inputs");
        QTest::addColumn<QList<int>>("options");
        QTest::addColumn<QList<int>>("result");
        QTest::addColumn<qint64>("elements");
        const auto row = [](const char* name, int code, const Lists& inputs, const QList<int>& result, qint64 elements,
                            const QList<int>& options = {}) {
            QTest::newRow(name) << code << inputs << options << result << elements;
        };
        constexpr int concatenation = 2, pad = 34, gather = 36, stridedSlice = 45, topK = 48, split = 49, padV2 = 60, slice = 65,
                      tile = 69, pack = 83, oneHot = 85, mirrorPad = 100, splitV = 102, update = 151, unheardOf = 999;
        row("padded columns", pad, {{}, {0, 0, 2, 2}}, {-1, 104}, 4 * 104);
        row("padded rows", pad, {{}, {4, 4, 0, 0}}, {-1, 100}, -1);
        row("padded rows, one side", padV2, {{}, {0, 4, 0, 0}, {0}}, {-1, 100}, -1);
        row("padded columns, mirrored", mirrorPad, {{}, {0, 0, 1, 1}}, {-1, 102}, 4 * 102);
        row("padded, by what a run decides", pad, {{}, {}}, {-1, 100}, -1);
        row("split columns", split, {{1}, {}}, {-1, 50}, 4 * 50);
        row("split columns, from the end", split, {{-1}, {}}, {-1, 50}, 4 * 50);
        row("split rows", split, {{0}, {}}, {-1, 100}, -1);
        row("split rows, from the end", split, {{-2}, {}}, {-1, 100}, -1);
        row("unequal columns", splitV, {{}, {30, 70}, {1}}, {-1, 30}, 4 * 30);
        row("unequal rows", splitV, {{}, {1, -1}, {0}}, {-1, 100}, -1);
        row("some columns", slice, {{}, {0, 3}, {-1, 4}}, {-1, 4}, 4 * 4);
        row("rows without the first ones", slice, {{}, {3, 0}, {-1, 100}}, {-1, 100}, -1);
        row("some of all columns", stridedSlice, {{}, {0, 3}, {0, 7}, {1, 1}}, {-1, 4}, 4 * 4, {1, 1, 0});
        row("one of all columns", stridedSlice, {{}, {0, 3}, {0, 4}, {1, 1}}, {-1}, 4, {1, 1, 2});
        row("begin at the first row", stridedSlice, {{}, {0, 3}, {0, 7}, {1, 1}}, {-1, 4}, 4 * 4, {0, 1, 0});
        row("begin at another row", stridedSlice, {{}, {3, 0}, {0, 0}, {1, 1}}, {-1, 100}, -1, {2, 3, 0});
        row("end at another row", stridedSlice, {{}, {0, 0}, {2, 0}, {1, 1}}, {-1, 100}, -1, {3, 2, 0});
        row("every second row", stridedSlice, {{}, {0, 0}, {0, 0}, {2, 1}}, {-1, 100}, -1, {3, 3, 0});
        row("one of all rows", stridedSlice, {{}, {0, 0}, {1, 0}, {1, 1}}, {-1}, -1, {3, 3, 1});
        row("largest of each row", topK, {{}, {5}}, {-1, 5}, 4 * 5);
        row("a place for each value", oneHot, {{}, {10}, {1}, {0}}, {-1, 100, 10}, 4 * 100 * 10);
        row("as many places as a run decides", oneHot, {{}, {}, {1}, {0}}, {-1, 100, 10}, -1);
        row("side by side", pack, {{}, {}}, {-1, 2, 100}, 4 * 2 * 100);
        row("one after the other", concatenation, {{}, {}}, {-1, 100}, 2 * 4 * 100, {0});
        row("repeated", tile, {{}, {2, 1}}, {-1, 100}, -1);
        row("repeated side by side", tile, {{}, {1, 2}}, {-1, 200}, 4 * 200);
        row("some rows", gather, {{}, {2, 3}}, {-1, 100}, -1);
        row("a part is written", update, {{}, {1, 7}, {0, 0}}, {-1, 100}, 4 * 100);
        row("an operator that nobody knows", unheardOf, {QList<int>()}, {-1, 100}, -1);
    }

    void rowsThatAnOperatorLeavesAreTheBatch()
    {
        QFETCH(int, code);
        QFETCH(QList<QList<int>>, inputs);
        QFETCH(QList<int>, options);
        QFETCH(QList<int>, result);
        QFETCH(qint64, elements);
        constexpr int wholeNumbers = 2;
        MadeModel model;
        MadeGraph graph{"main", {openTensor("x", {-1, 100}), openTensor("result", vectorOf(result))}, {0}, {1}, {}};
        MadeOperator op{code, {}, {1}, {}, {}, vectorOf(options)};
        for (const QList<int>& list : inputs) {
            op.inputs.push_back(list.isEmpty() ? 0 : std::int32_t(graph.tensors.size()));
            if (list.isEmpty()) continue;
            model.buffers.push_back({bytesOfNumbers(list)});
            const auto buffer = std::uint32_t(model.buffers.size()); // buffer 0 is none of them
            graph.tensors.push_back({"numbers" + std::to_string(buffer), {std::int32_t(list.size())}, wholeNumbers, buffer});
        }
        graph.operators = {op};
        model.graphs = {graph};
        const auto imported = importMade(model, "nested", {{"batch", 4}});
        VERIFY_IMPORTED(imported);
        QCOMPARE(tensorNamed(program(imported).main(), "x")->bytes.value_or(-1), Bytes{4 * 100 * 4});
        const Tensor* made = tensorNamed(program(imported).main(), "result");
        QCOMPARE(made->bytes.value_or(-1), elements < 0 ? Bytes{-1} : Bytes{elements * 4});
        QCOMPARE(hasDiagnostic(*imported, "partial"), elements < 0);
    }

    /// Of two open axes, constants say which one comes where, and which one a mean loses.
    void constantsTellOpenAxesApart()
    {
        constexpr std::int32_t transpose = 39, mean = 40;
        constexpr int wholeNumbers = 2;
        MadeModel model;
        MadeGraph graph{"main", {openTensor("x", {-1, -1, 3})}, {0}, {4, 5, 6}, {}};
        for (const QList<int>& list : {QList<int>{0, 2, 1}, QList<int>{1}, QList<int>{0}}) {
            model.buffers.push_back({bytesOfNumbers(list)});
            const auto buffer = std::uint32_t(model.buffers.size()); // buffer 0 is none of them
            graph.tensors.push_back({"numbers" + std::to_string(buffer), {std::int32_t(list.size())}, wholeNumbers, buffer});
        }
        graph.tensors.push_back(openTensor("turned", {-1, 3, -1}));
        graph.tensors.push_back(openTensor("of columns", {-1, 3}));
        graph.tensors.push_back(openTensor("of rows", {-1, 3}));
        graph.operators = {{transpose, {0, 1}, {4}, {}, {}}, {mean, {0, 2}, {5}, {}, {}}, {mean, {0, 3}, {6}, {}, {}}};
        model.graphs = {graph};
        const auto imported = importMade(model, "nested", {{"batch", 4}, {"x:1", 6}});
        VERIFY_IMPORTED(imported);
        const Function& main = program(imported).main();
        QCOMPARE(tensorNamed(main, "turned")->bytes.value_or(-1), Bytes{4 * 3 * 6 * 4});
        QCOMPARE(tensorNamed(main, "of columns")->bytes.value_or(-1), Bytes{4 * 3 * 4});
        QVERIFY(!tensorNamed(main, "of rows")->bytes);
    }

    /// Each branch may give other rows than those it takes.
    void rowsOfBranchesAreNotTheBatch()
    {
        constexpr std::int32_t relu = 19, conditional = 118;
        MadeGraph graph{"main", {{"c", {1}, 6}, openTensor("x", {-1, 100}), openTensor("y", {-1, 100})}, {0, 1}, {2}, {}};
        graph.operators = {{conditional, {0, 1}, {2}, {1, 1}, {}}};
        const MadeGraph branch{
            "branch", {openTensor("in", {-1, 100}), openTensor("out", {-1, 100})}, {0}, {1}, {{relu, {0}, {1}, {}, {}}}};
        const auto imported = importMade({{graph, branch}, {}, {}, false}, "nested", {{"batch", 4}});
        VERIFY_IMPORTED(imported);
        QCOMPARE(tensorNamed(program(imported).main(), "x")->bytes.value_or(-1), Bytes{4 * 100 * 4});
        QVERIFY(!tensorNamed(program(imported).main(), "y")->bytes);
        QVERIFY(hasDiagnostic(*imported, "partial"));
    }

    /// 7 rows of 4 are 28 in one axis, also inside the branch that takes them.
    void branchesTakeTheRowsThatTheyAreHanded()
    {
        constexpr std::int32_t relu = 19, reshape = 22, conditional = 118;
        MadeGraph graph{
            "main", {{"c", {1}, 6}, openTensor("x", {-1, 4}), openTensor("flat", {-1}), openTensor("y", {-1})}, {0, 1}, {3}, {}};
        graph.operators = {{reshape, {1}, {2}, {}, {}}, {conditional, {0, 2}, {3}, {1, 1}, {}}};
        const MadeGraph branch{"branch", {openTensor("in", {-1}), openTensor("out", {-1})}, {0}, {1}, {{relu, {0}, {1}, {}, {}}}};
        const auto imported = importMade({{graph, branch}, {}, {}, false}, "nested", {{"batch", 7}});
        VERIFY_IMPORTED(imported);
        std::size_t inside = 0;
        for (const Tensor& tensor : program(imported).main().tensors) {
            if (!tensor.name.ends_with("/in") && !tensor.name.ends_with("/out")) continue;
            QCOMPARE(tensor.bytes.value_or(-1), Bytes{28 * 4});
            ++inside;
        }
        QCOMPARE(inside, std::size_t{4}); // two branches
    }

    /// The second iteration takes 5 words where the first one takes 4, and as many rows as it.
    void loopsHandOnOnlyWhatTheyLeave()
    {
        constexpr std::int32_t concatenation = 2, relu = 19, less = 58, loop = 119;
        MadeGraph graph{"main", {{"words", {1, 4}}, {"kept", {1, 4}}}, {0, 1}, {2, 3}, {}};
        graph.tensors.push_back(openTensor("grown", {1, -1}));
        graph.tensors.push_back(openTensor("same", {1, -1}));
        graph.operators = {{loop, {0, 1}, {2, 3}, {1, 2}, {}}};
        MadeGraph condition{"condition", {openTensor("a", {1, -1}), openTensor("b", {1, -1}), {"c", {1}, 6}}, {0, 1}, {2}, {}};
        condition.operators = {{less, {0, 1}, {2}, {}, {}}};
        MadeGraph body{"body", {openTensor("in", {1, -1}), openTensor("other", {1, -1})}, {0, 1}, {3, 1}, {}};
        body.tensors.push_back(openTensor("positive", {1, -1}));
        body.tensors.push_back(openTensor("longer", {1, -1}));
        body.tensors.push_back(openTensor("of other", {1, -1}));
        body.operators = {{relu, {0}, {2}, {}, {}}, {concatenation, {2, 2}, {3}, {}, {}, {1}}, {relu, {1}, {4}, {}, {}}};
        const auto imported = importMade({{graph, condition, body}, {}, {}, false});
        VERIFY_IMPORTED(imported);
        QVERIFY(hasDiagnostic(*imported, "partial"));
        std::size_t known = 0, unknown = 0;
        for (const Tensor& tensor : program(imported).main().tensors) {
            if (tensor.name.ends_with("/in") || tensor.name.ends_with("/positive") || tensor.name.ends_with("/longer")) {
                QVERIFY2(!tensor.bytes, tensor.name.c_str());
                ++unknown;
            } else if (tensor.name.ends_with("/of other")) {
                QCOMPARE(tensor.bytes.value_or(-1), Bytes{4 * 4});
                ++known;
            }
        }
        QVERIFY(unknown >= 2);
        QVERIFY(known == 1);
    }

    /// A recurrent cell makes its state anew in each iteration, with the rows that it took; also in a loop within a loop.
    void aStateThatIsMadeAnewKeepsItsRows()
    {
        constexpr std::int32_t logistic = 14, mul = 18, relu = 19, tanh = 28, less = 58, loop = 119;
        const auto state = [](const std::string& name) { return openTensor(name, {-1, 4}); };
        MadeGraph main{"main", {openTensor("x", {-1, 3}), state("h"), openTensor("x out", {-1, 3})}, {0, 1}, {4}, {}};
        main.tensors.insert(main.tensors.end(), {state("h out"), state("y")});
        main.operators = {{loop, {0, 1}, {2, 3}, {1, 2}, {}}, {relu, {3}, {4}, {}, {}}};
        MadeGraph condition{"condition", {openTensor("a", {-1, 3}), state("b"), {"c", {1}, 6}}, {0, 1}, {2}, {}};
        condition.operators = {{less, {1, 1}, {2}, {}, {}}};
        MadeGraph body{"body", {openTensor("in", {-1, 3}), state("before"), state("gate")}, {0, 1}, {0, 4}, {}};
        body.tensors.insert(body.tensors.end(), {state("squashed"), state("after"), state("deep")});
        body.operators = {
            {logistic, {1}, {2}, {}, {}}, {loop, {1}, {5}, {3, 4}, {}}, {tanh, {5}, {3}, {}, {}}, {mul, {2, 3}, {4}, {}, {}}};
        const MadeGraph innerCondition{"again", {state("d"), {"e", {1}, 6}}, {0}, {1}, {{less, {0, 0}, {1}, {}, {}}}};
        const MadeGraph innerBody{"inner", {state("f"), state("g")}, {0}, {1}, {{tanh, {0}, {1}, {}, {}}}};
        const auto imported =
            importMade({{main, condition, body, innerCondition, innerBody}, {}, {}, false}, "nested", {{"batch", 5}});
        VERIFY_IMPORTED(imported);
        QVERIFY(!hasDiagnostic(*imported, "partial"));
        std::size_t states = 0;
        for (const Tensor& tensor : program(imported).main().tensors) {
            QVERIFY2(tensor.bytes, tensor.name.c_str());
            if (tensor.shape.size() != 2) continue;
            QCOMPARE(tensor.bytes.value_or(-1), Bytes{5 * tensor.shape[1] * 4});
            ++states;
        }
        QVERIFY(states >= 8);
    }

    /// The second state follows the first one, which grows: in the third iteration it is larger, too.
    void aStateIsNotKnownIfItFollowsOneThatGrows()
    {
        constexpr std::int32_t concatenation = 2, relu = 19, less = 58, loop = 119;
        const auto open = [](const std::string& name) { return openTensor(name, {1, -1}); };
        MadeGraph main{
            "main", {{"first", {1, 4}}, {"second", {1, 4}}, open("grown"), open("follows"), open("y")}, {0, 1}, {2, 4}, {}};
        main.operators = {{loop, {0, 1}, {2, 3}, {1, 2}, {}}, {relu, {3}, {4}, {}, {}}};
        MadeGraph condition{"condition", {open("a"), open("b"), {"c", {1}, 6}}, {0, 1}, {2}, {}};
        condition.operators = {{less, {0, 0}, {2}, {}, {}}};
        MadeGraph body{"body", {open("in"), open("other"), open("longer"), open("copied")}, {0, 1}, {2, 3}, {}};
        body.operators = {{concatenation, {0, 0}, {2}, {}, {}, {1}}, {relu, {0}, {3}, {}, {}}};
        const auto imported = importMade({{main, condition, body}, {}, {}, false}, "nested");
        VERIFY_IMPORTED(imported);
        for (const char* name : {"grown", "follows", "y"}) QVERIFY2(!tensorNamed(program(imported).main(), name)->bytes, name);
    }
};

QTEST_APPLESS_MAIN(TestTfliteRows)
#include "tst_tflite_rows.moc"
