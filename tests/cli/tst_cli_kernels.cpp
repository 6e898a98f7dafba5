// Kernels of Ascend's compiler given back with their plan: through the worker, from the command line.
#include "tests/cli/cli_process.h"

#include <QTest>

using namespace stowage::test;

namespace {

QByteArray kernel(int elements)
{
    QByteArray text =
        "module attributes {hacc.target = #hacc.target<\"Ascend910B1\">} {\n"
        "  func.func @scale(%in : $G, %out : $G, %ws : memref<?xi8, #hivm.address_space<gm>>) attributes {hacc.entry} {\n"
        "    %c0 = arith.constant 0 : index\n"
        "    %c4 = arith.constant 4 : index // kept as it is\n"
        "    %c1 = arith.constant 1 : index\n"
        "    %w = memref_ext.alloc_workspace() from %ws : from memref<?xi8, #hivm.address_space<gm>> to $G\n"
        "    scf.for %i = %c0 to %c4 step %c1 {\n"
        "      %x = memref.alloc() : $T\n"
        "      annotation.mark %x {hivm.multi_buffer = 2 : i32} : $T\n"
        "      %y = memref.alloc() {alignment = 64 : i64} : $T\n"
        "      annotation.mark %y {hivm.multi_buffer = 2 : i32} : $T\n"
        "      hivm.hir.load ins(%in : $G) outs(%x : $T)\n"
        "      hivm.hir.vmul ins(%x, %x : $T, $T) outs(%y : $T)\n"
        "      hivm.hir.store ins(%y : $T) outs(%w : $G)\n"
        "      hivm.hir.store ins(%y : $T) outs(%out : $G)\n"
        "    }\n    return\n  }\n}\n";
    text.replace("$G", "memref<" + QByteArray::number(elements) + "xf32, #hivm.address_space<gm>>");
    text.replace("$T", "memref<" + QByteArray::number(elements) + "xf32, #hivm.address_space<ub>>");
    return text;
}

} // namespace

class TestCliKernels : public QObject {
    Q_OBJECT

private:
    Cli cli_;

private Q_SLOTS:
    void comesBackPlanned()
    {
        const QString file = cli_.file("k.mlir", kernel(8192));
        const auto rewritten = cli_({"rewrite", file, "--pass", "plan-memory", "-o", cli_.path("planned.mlir")});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        const QByteArray text = cli_.contents("planned.mlir");
        // 4 x 32 KiB fit end to end: slots in gen order, then the further slots.
        QVERIFY2(text.contains("%x = hivm.hir.pointer_cast(%c0_i64, %c65536_i64) : memref<8192xf32, #hivm.address_space<ub>>\n"),
                 text);
        QVERIFY2(
            text.contains("%y = hivm.hir.pointer_cast(%c32768_i64, %c98304_i64) : memref<8192xf32, #hivm.address_space<ub>>\n"),
            text);
        QVERIFY2(text.contains("%w = memref_ext.alloc_workspace() from %ws offset = [%c0_0] : from"), text);
        QVERIFY2(text.contains("attributes {WorkspaceSize = {ws = 32768 : i64}, hacc.entry}"), text);
        QVERIFY2(text.contains("    %c4 = arith.constant 4 : index // kept as it is\n"), text);
        QVERIFY(!text.contains("memref.alloc()"));
        // Read again it is a plan, the one that was written.
        const auto compared = cli_({"compare", cli_.path("planned.mlir"), "--planners", "hivm", "--format", "json"});
        QVERIFY2(compared.status == 0, compared.err);
        int brought = 0;
        for (const QJsonValue& row : compared.object()["rows"].toArray()) {
            QVERIFY(row["valid"].toBool());
            QCOMPARE(row["size"].toInt(), 4 * 32768 + 32768);
            brought += row["planner"].toString() == QLatin1String("pointer_cast") ? 1 : 0;
        }
        QCOMPARE(brought, 1);
        // Written once more, nothing is left to change.
        const auto twice = cli_({"rewrite", cli_.path("planned.mlir"), "--pass", "plan-memory"});
        QVERIFY2(twice.status == 0, twice.err);
    }

    void workspacesInTheFormOfTheDocument()
    {
        const QString file = cli_.file("k.mlir", kernel(64));
        const auto rewritten = cli_({"rewrite", file, "--pass", "plan-memory", "--option", "workspace-form=document"});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        QVERIFY2(rewritten.out.contains("%w = hivm.hir.pointer_cast(%c0_i64) : memref<64xf32, #hivm.address_space<gm>>\n"),
                 rewritten.out);
    }

    void whatDoesNotFitIsNotWritten()
    {
        const QString file = cli_.file("big.mlir", kernel(65536));
        const auto result = cli_({"rewrite", file, "--pass", "plan-memory", "-o", cli_.path("no.mlir")});
        QCOMPARE(result.status, 1);
        QVERIFY(!QFile::exists(cli_.path("no.mlir")));
    }

    void mistakesHaveAPlace()
    {
        QByteArray text = kernel(64);
        text.replace("hivm.hir.vmul ins(%x, %x", "mystery.op ins(%x, %x");
        text.replace("      hivm.hir.load",
                     "      mystery.touch %x : memref<64xf32, #hivm.address_space<ub>>\n      hivm.hir.load");
        const auto result = cli_({"plan", cli_.file("bad.mlir", text)});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("bad.mlir:12:7") && result.err.contains("mystery.touch"), result.err);
        QCOMPARE(cli_({"plan", cli_.file("k.mlir", kernel(64)), "--function", "nobody"}).status, 2);
        QCOMPARE(
            cli_({"plan", cli_.path("k.mlir"), "--function", "scale", "--target", "ASCEND910B1", "--planner", "hivm"}).status, 0);
        QCOMPARE(cli_({"verify", cli_.path("k.mlir"), "--planner", "hivm"}).status, 0);
    }
};

QTEST_GUILESS_MAIN(TestCliKernels)
#include "tst_cli_kernels.moc"
