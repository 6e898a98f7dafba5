// Constant folding of ops whose destination is a value that this op or a later one reads, and of literals that ops of different
// shapes share: the fold functions read the same values as the original.
#include "tests/cli/cli_process.h"
#include "tests/cli/mlir_modules.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace stowage;

namespace {

struct Module {
    const char* name;
    const char* text;
};
/// "$W" is a tensor of 64 rows, "$R" is a row.
const Module modules[] = {
    // mlir-opt --convert-elementwise-to-linalg gives ops in place.
    {"an op in place after a broadcast", R"(
func.func @entry(%x: $W, %c: $R) -> $W attributes {runtime_const_args_index = [1 : i32]} {
  %e = tensor.empty() : $W
  %b = linalg.broadcast ins(%c : $R) outs(%e : $W) dimensions = [0]
  %n = linalg.negf ins(%b : $W) outs(%b : $W) -> $W
  %y = linalg.add ins(%x, %n : $W, $W) outs(%e : $W) -> $W
  return %y : $W
})"},
    {"a literal in place after a broadcast", R"(
func.func @entry(%x: $W) -> $W {
  %c = arith.constant dense<[0.5, -1.0, 1.5, -2.0, 2.5, -3.0, 3.5, -4.0]> : $R
  %e = tensor.empty() : $W
  %b = linalg.broadcast ins(%c : $R) outs(%e : $W) dimensions = [0]
  %n = linalg.negf ins(%b : $W) outs(%b : $W) -> $W
  %y = linalg.add ins(%x, %n : $W, $W) outs(%e : $W) -> $W
  return %y : $W
})"},
    {"a literal that is a destination first", R"(
func.func @entry(%x: $R, %w: $R) -> $R attributes {runtime_const_args_index = [1 : i32]} {
  %two = arith.constant dense<2.0> : $R
  %e = tensor.empty() : $R
  %p = linalg.add ins(%w, %w : $R, $R) outs(%two : $R) -> $R
  %q = linalg.mul ins(%p, %two : $R, $R) outs(%e : $R) -> $R
  %y = linalg.add ins(%x, %q : $R, $R) outs(%e : $R) -> $R
  return %y : $R
})"},
    {"values of a chain as later destinations", R"(
func.func @entry(%x: $W, %w: $W, %c: $R) -> $W attributes {runtime_const_args_index = [1 : i32, 2 : i32]} {
  %e = tensor.empty() : $W
  %b = linalg.broadcast ins(%c : $R) outs(%e : $W) dimensions = [0]
  %n = linalg.negf ins(%b : $W) outs(%e : $W) -> $W
  %p = linalg.add ins(%w, %w : $W, $W) outs(%b : $W) -> $W
  %q = linalg.mul ins(%w, %p : $W, $W) outs(%n : $W) -> $W
  %s = linalg.add ins(%x, %q : $W, $W) outs(%e : $W) -> $W
  %y = linalg.add ins(%s, %n : $W, $W) outs(%e : $W) -> $W
  return %y : $W
})"},
    {"a literal at both shapes", R"(
func.func @entry(%x: $W, %w: $W, %c: $R) -> $W attributes {runtime_const_args_index = [1 : i32, 2 : i32]} {
  %two = arith.constant dense<2.0> : $W
  %e = tensor.empty() : $W
  %p = linalg.mul ins(%w, %two : $W, $W) outs(%e : $W) -> $W
  %b = linalg.broadcast ins(%c : $R) outs(%e : $W) dimensions = [0]
  %n = linalg.add ins(%b, %two : $W, $W) outs(%e : $W) -> $W
  %s = linalg.add ins(%x, %p : $W, $W) outs(%e : $W) -> $W
  %y = linalg.add ins(%s, %n : $W, $W) outs(%e : $W) -> $W
  return %y : $W
})"},
};

/// The inputs of ops of the function that are empty tensors; "no function" if it is not there.
QStringList emptyInputs(const QByteArray& printed, const QString& function)
{
    const QString text = QString::fromUtf8(printed);
    const qsizetype begin = text.indexOf("func.func @" + function + "(");
    if (begin < 0) return QStringList("no function");
    const qsizetype end = text.indexOf("func.func ", begin + 5);
    static const QRegularExpression empty("(%\\w+) = tensor\\.empty");
    static const QRegularExpression inputs(" ins\\(([^:]*):");
    static const QRegularExpression name("%\\w+");
    QSet<QString> made;
    QStringList read;
    for (const QString& line : text.mid(begin, end < 0 ? -1 : end - begin).split('\n')) {
        if (const auto match = empty.match(line); match.hasMatch()) made << match.captured(1);
        for (auto it = name.globalMatch(inputs.match(line).captured(1)); it.hasNext();)
            if (const QString input = it.next().captured(); made.contains(input)) read << input;
    }
    return read;
}

} // namespace

class CliMlirDestinationsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noOpOfAFoldFunctionReadsAnEmptyTensor_data()
    {
        QTest::addColumn<QString>("path");
        for (const Module& each : modules) {
            QString text = QString::fromUtf8(each.text);
            text.replace("$W", "tensor<64x8xf32>").replace("$R", "tensor<8xf32>");
            QTest::newRow(each.name) << cli_.file(QString(each.name).replace(' ', '_') + ".mlir", text.toUtf8() + '\n');
        }
    }
    void noOpOfAFoldFunctionReadsAnEmptyTensor()
    {
        QFETCH(const QString, path);
        const auto folded = cli_({"rewrite", path, "--pass", "constant-fold"});
        QVERIFY2(folded.status == 0, folded.err);
        QCOMPARE(emptyInputs(folded.out, "runtime_fold"), QStringList());
    }

    void bothFormsComputeEqualBits_data() { noOpOfAFoldFunctionReadsAnEmptyTensor_data(); }
    void bothFormsComputeEqualBits()
    {
        if (test::mlirTools().isEmpty()) QSKIP("mlir-19-tools is not installed");
        QFETCH(const QString, path);
        const QStringList modes{"run-time", "split", "evaluate"};
        const auto compared = test::comparedWithFolded(path, modes);
        QVERIFY2(compared.status == 0, compared.err + compared.out);
        QCOMPARE(compared.out.count(" elements compared"), modes.size());
    }

private:
    test::Cli cli_;
};

QTEST_GUILESS_MAIN(CliMlirDestinationsTest)
#include "tst_cli_mlir_destinations.moc"
