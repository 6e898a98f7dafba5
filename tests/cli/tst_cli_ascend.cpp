// Every kernel of models/ascend from the command line: planned, compared, given back with its plan and read again, and the
// compiler's own plan judged.
#include "tests/cli/cli_process.h"
#include "tests/support/shared.h"

#include <QFileInfo>
#include <QTest>

using namespace stowage::test;

namespace {

QString ascend(const QString& file)
{
    return sharedFolder() + "/models/ascend/" + file;
}

void rows(std::initializer_list<const char*> folders)
{
    QTest::addColumn<QString>("path");
    if (sharedFolder().isEmpty()) {
        QTest::newRow("none") << QString();
        return;
    }
    for (const char* folder : folders)
        for (const QString& name : QDir(ascend(folder)).entryList({"*.mlir"}, QDir::Files, QDir::Name))
            if (!name.startsWith("gated_delta"))
                QTest::newRow(qPrintable(name))
                    << ascend(QString::fromUtf8(folder) + '/' + name); // that one has no address spaces
}

/// A kernel with a buffer on the chip and a workspace, of `mode` if that is not empty.
QByteArray twoMemories(const QByteArray& mode, const QByteArray& chip, int elements)
{
    QByteArray text = "module attributes {hacc.target = #hacc.target<\"" + chip +
                      "\">} {\n"
                      "  func.func @k(%in : $G, %ws : memref<?xi8, #hivm.address_space<gm>>) attributes {hacc.entry$MODE} {\n"
                      "    %w = memref_ext.alloc_workspace() from %ws : from memref<?xi8, #hivm.address_space<gm>> to $G\n"
                      "    %x = memref.alloc() : $T\n"
                      "    hivm.hir.load ins(%in : $G) outs(%x : $T)\n"
                      "    hivm.hir.store ins(%x : $T) outs(%w : $G)\n"
                      "    return\n  }\n}\n";
    text.replace("$MODE", mode.isEmpty() ? QByteArray() : ", hivm.vf_mode = #hivm.vf_mode<" + mode + ">");
    text.replace("$G", "memref<" + QByteArray::number(elements) + "xf32, #hivm.address_space<gm>>");
    text.replace("$T", "memref<" + QByteArray::number(elements) + "xf32, #hivm.address_space<ub>>");
    return text;
}

} // namespace

class TestCliAscend : public QObject {
    Q_OBJECT

private:
    Cli cli_;

private Q_SLOTS:
    /// Planned for the target by the compiler's name; given back; what comes back is read as the same plan, valid by the checker,
    /// and runs.
    void everyKernelComesBackPlanned_data() { rows({"kernels", "repo"}); }
    void everyKernelComesBackPlanned()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        const bool overflows = path.contains("softmax_rows_20x1024") || path.contains("layer_norm_4x4096") ||
                               path.contains("flash_attention_vector_56");
        const auto planned = cli_({"plan", path, "--target", "ascend910b1", "--planner", "hivm", "--format", "json"});
        QVERIFY2(planned.status == (overflows ? 1 : 0), planned.err);
        const auto rewritten = cli_({"rewrite", path, "--pass", "plan-memory", "--target", "ascend910b1", "--planner", "hivm",
                                     "-o", cli_.path("planned.mlir")});
        QVERIFY2(rewritten.status == (overflows ? 1 : 0), rewritten.err);
        QCOMPARE(cli_({"check", path, cli_.file("plan.json", planned.out), "--target", "ascend910b1"}).status, overflows ? 1 : 0);
        if (overflows) return;
        // Planned once more it fits again, in the same bytes: what lay in place does so still.
        const auto compared =
            cli_({"compare", cli_.path("planned.mlir"), "--target", "ascend910b1", "--planners", "hivm", "--format", "json"});
        QVERIFY2(compared.status == 0, compared.err + compared.out);
        int brought = 0;
        qint64 size = 0, again = 0;
        const QJsonObject first = planned.object();
        const auto functions = first.contains("functions") ? first["functions"].toArray() : QJsonArray{first};
        for (const QJsonValue& function : functions)
            for (const QJsonValue& pool : function["pools"].toArray()) size += pool["size"].toInteger();
        const qint64 all = size;
        for (const QJsonValue& row : compared.object()["rows"].toArray()) {
            if (row["planner"].toString() == "hivm") again += row["size"].toInteger();
            if (row["planner"].toString() != "pointer_cast") continue;
            ++brought;
            QVERIFY2(row["valid"].toBool() && row["fits"].toBool(), compared.out);
            size -= row["size"].toInteger();
        }
        QCOMPARE(size, 0);
        QCOMPARE(again, all);
        QVERIFY2(brought > 0, compared.out);
        QVERIFY(QFile::remove(cli_.path("planned.mlir")));
    }

    /// What the compiler wrote of its own plan, judged on the kernel, from another folder than the kernel's.
    void theCompilersOwnPlanIsJudged_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<int>("status");
        for (const char* name :
             {"flash_attention_cube", "flash_attention_vector_48", "layer_norm_4x3072", "vec_add_double_buffer"})
            QTest::newRow(name) << QString(name) << QString("kernels/%1.mlir").arg(name) << 0;
        QTest::newRow("overflows") << QString("flash_attention_vector_56") << QString("kernels/flash_attention_vector_56.mlir")
                                   << 1;
    }
    void theCompilersOwnPlanIsJudged()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, name);
        QFETCH(QString, kernel);
        QFETCH(int, status);
        const QString info = ascend("memory_info/" + name + ".memory_info.json");
        const auto checked = cli_({"check", ascend(kernel), info, "--target", "ascend910b1", "--format", "json"});
        QVERIFY2(checked.status == status, checked.err + checked.out);
        QVERIFY2(checked.object()["valid"].toBool(), checked.out);
        QCOMPARE(checked.object()["fits"].toBool(), status == 0);
        // One address moved onto another buffer: the pair is named.
        QFile file(info);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject document = QJsonDocument::fromJson(file.readAll()).object();
        QJsonArray scopes = document["Record"].toArray();
        QJsonObject scope = scopes.at(0).toObject();
        QJsonArray entries = scope["memory_info_array"].toArray();
        // The one with the longest life meets whoever lies at address 0.
        int longest = 0;
        const auto life = [&](qsizetype i) {
            return entries.at(i)["life_time_in_ir"][1].toInt() - entries.at(i)["life_time_in_ir"][0].toInt();
        };
        const auto offset = [&](qsizetype i) { return entries.at(i)["offset"][0].toInt(); };
        for (int i = 0; i < entries.size(); ++i)
            if (offset(i) > 0 && (offset(longest) == 0 || life(i) > life(longest))) longest = i;
        QJsonObject moved = entries.at(longest).toObject();
        QJsonArray places;
        for (qsizetype i = 0; i < moved["offset"].toArray().size(); ++i) places.append(0);
        moved["offset"] = places;
        entries[longest] = moved;
        scope["memory_info_array"] = entries;
        scopes[0] = scope;
        document["Record"] = scopes;
        const auto wrong = cli_({"check", ascend(kernel), cli_.file("moved.json", QJsonDocument(document).toJson()), "--target",
                                 "ascend910b1", "--format", "json"});
        QVERIFY2(wrong.status == 1, wrong.err + wrong.out);
        QVERIFY2(!wrong.object()["valid"].toBool() && !wrong.object()["violations"].toArray().isEmpty(), wrong.out);
    }

    void anotherKernelsPlanIsRefused()
    {
        STOWAGE_NEEDS_SHARED();
        const auto wrong =
            cli_({"check", ascend("kernels/softmax_rows_16x512.mlir"), ascend("memory_info/layer_norm_4x3072.memory_info.json")});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains(
                     "layer_norm_4x3072.memory_info.json: it is a plan for 'layer_norm_4x3072', not for 'softmax_rows_16x512'"),
                 wrong.err);
    }

    /// The sample's positions are those of a text that is not here, and one of them meets an allocation by chance.
    void aPlanOfAnotherTextIsRefused()
    {
        STOWAGE_NEEDS_SHARED();
        const auto wrong = cli_({"check", ascend("memory_info/overflow_status_fail.mlir"),
                                 ascend("memory_info/overflow_status_fail.memory_info.json")});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("1 of its 2 buffers are not where '_attn_fwd' allocates one"), wrong.err);
    }

    /// Four allocations of the kernel have no address space, on purpose: the error names all of them, and what to do.
    void whatIsNotReadyForPlanningSaysWhatIsMissing()
    {
        STOWAGE_NEEDS_SHARED();
        const auto result = cli_({"plan", ascend("repo/gated_delta_rule_bwd_mix_aiv.mlir"), "--target", "ascend910b1"});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("gated_delta_rule_bwd_mix_aiv.mlir:261:") &&
                     result.err.contains("3 more: lines 262, 336, 418"),
                 result.err);
        QVERIFY2(result.err.contains("infers memory scopes"), result.err);
    }

    void eachModePlansWhatIsItsOwn()
    {
        const QString file = cli_.file("k.mlir", twoMemories({}, "Ascend910B1", 64));
        const auto poolsOf = [&](const char* mode) {
            QStringList names;
            const auto result =
                cli_({"plan", file, "--planner", "hivm", "--option", QString("mem-plan-mode=%1").arg(mode), "--format", "json"});
            if (result.status != 0) qWarning("%s", result.err.constData());
            for (const QJsonValue& pool : result.object()["pools"].toArray()) names += pool["name"].toString();
            return names;
        };
        QCOMPARE(poolsOf("both"), (QStringList{"ub", "workspace:ws"}));
        QCOMPARE(poolsOf("local-mem-plan"), QStringList{"ub"});
        QCOMPARE(poolsOf("global-work-space-plan"), QStringList{"workspace:ws"});
        // What the other mode is for stays in the text as it is.
        const auto local =
            cli_({"rewrite", file, "--pass", "plan-memory", "--planner", "hivm", "--option", "mem-plan-mode=local-mem-plan"});
        QVERIFY2(local.status == 0, local.err);
        QVERIFY2(local.out.contains("%x = hivm.hir.pointer_cast") && local.out.contains("alloc_workspace() from %ws : from"),
                 local.out);
        const auto workspace = cli_(
            {"rewrite", file, "--pass", "plan-memory", "--planner", "hivm", "--option", "mem-plan-mode=global-work-space-plan"});
        QVERIFY2(workspace.status == 0, workspace.err);
        QVERIFY2(workspace.out.contains("%x = memref.alloc()") &&
                     workspace.out.contains("alloc_workspace() from %ws offset = [%c0] : from"),
                 workspace.out);
    }

    /// A function of SIMT or MIX mode has 216 KB of A5's 248, or what the option says; of a smaller memory it has all.
    void simtFunctionsHaveLess_data()
    {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<QByteArray>("chip");
        QTest::addColumn<int>("capacity");
        QTest::newRow("SIMD") << QByteArray("SIMD") << QByteArray("Ascend950PR_950z") << 248 * 1024;
        QTest::newRow("none") << QByteArray() << QByteArray("Ascend950PR_950z") << 248 * 1024;
        QTest::newRow("SIMT") << QByteArray("SIMT") << QByteArray("Ascend950PR_950z") << 216 * 1024;
        QTest::newRow("MIX") << QByteArray("MIX") << QByteArray("Ascend950PR_950z") << 216 * 1024;
        QTest::newRow("A2") << QByteArray("SIMT") << QByteArray("Ascend910B1") << 192 * 1024;
    }
    void simtFunctionsHaveLess()
    {
        QFETCH(QByteArray, mode);
        QFETCH(QByteArray, chip);
        QFETCH(int, capacity);
        const QString file = cli_.file("k.mlir", twoMemories(mode, chip, 64));
        const auto capacityOf = [&](const QStringList& more) {
            const auto result = cli_(QStringList{"plan", file, "--planner", "hivm", "--format", "json"} + more);
            const QJsonObject plan = result.object();
            return plan["pools"][0]["capacity"].toInt();
        };
        QCOMPARE(capacityOf({}), capacity);
        const bool simt = (mode == "SIMT" || mode == "MIX");
        QCOMPARE(capacityOf({"--option", "simt-vf-dynamic-size=128"}), simt ? 128 * 1024 : capacity);
        QCOMPARE(cli_({"plan", file, "--planner", "hivm", "--lower", "simt-vf-dynamic-size=0"}).status, 2);
    }
};

QTEST_GUILESS_MAIN(TestCliAscend)
#include "tst_cli_ascend.moc"
