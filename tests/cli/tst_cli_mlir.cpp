// MLIR modules: folded as the shared table says, verified by mlir-opt, run in MLIR's JIT and in our interpreter
// to equal bits; arenas; hostile texts.
#include "tests/cli/cli_process.h"
#include "tests/cli/mlir_modules.h"
#include "tests/support/instrumented.h"
#include "tests/support/paths.h"
#include "tests/support/shared.h"

#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

using namespace stowage;

namespace {

/// As a file: names of maps may only be given outside of a module op.
QByteArray module(const QByteArray& body)
{
    return body + '\n';
}

/// Modules of the kinds on which a known implementation crashes or writes what does not verify.
struct Hostile {
    const char* name;
    const char* text;
};
const Hostile hostile[] = {
    {"several functions", R"(func.func private @helper(%x: tensor<8xf32>) -> tensor<8xf32> {
  %n = arith.negf %x : tensor<8xf32>
  return %n : tensor<8xf32>
}
func.func @entry(%a: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> attributes {runtime_const_args_index = [1 : i32]} {
  %n = arith.negf %w : tensor<8xf32>
  %c = func.call @helper(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %t = arith.addf %c, %n : tensor<8xf32>
  return %t : tensor<8xf32>
})"},
    {"a literal with several uses", R"(func.func @entry(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %n = arith.negf %w : tensor<8xf32>
  %m = arith.mulf %w, %w : tensor<8xf32>
  %s = arith.addf %a, %n : tensor<8xf32>
  %t = arith.addf %m, %w : tensor<8xf32>
  %u = arith.addf %s, %w : tensor<8xf32>
  return %u, %t : tensor<8xf32>, tensor<8xf32>
})"},
    {"an op with several results", R"(#id = affine_map<(d0) -> (d0)>
func.func @entry(%a: tensor<8xf32>, %w: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {runtime_const_args_index = [1 : i32]} {
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%w : tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32):
    %n = arith.negf %in : f32
    %m = arith.mulf %in, %in : f32
    linalg.yield %n, %m : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %s = arith.addf %a, %r#0 : tensor<8xf32>
  return %s, %r#1 : tensor<8xf32>, tensor<8xf32>
})"},
    {"an argument used raw and folded",
     R"(func.func @entry(%a: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32>
    attributes {runtime_const_args_index = [1 : i32]} {
  %n = arith.negf %w : tensor<8xf32>
  %s = arith.addf %a, %w : tensor<8xf32>
  %t = arith.mulf %s, %n : tensor<8xf32>
  return %t : tensor<8xf32>
})"},
    {"returned constants",
     R"(func.func @entry(%a: tensor<8xf32>, %w: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
    attributes {runtime_const_args_index = [1 : i32]} {
  %c = arith.constant dense<2.0> : tensor<8xf32>
  %m = arith.mulf %w, %c : tensor<8xf32>
  return %m, %w, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
})"},
    {"a broadcast around linalg.index", R"(#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @entry(%x: tensor<64x8xf32>, %c: tensor<8xf32>) -> tensor<64x8xf32> attributes {runtime_const_args_index = [1 : i32]} {
  %e1 = tensor.empty() : tensor<64x8xf32>
  %cb = linalg.broadcast ins(%c : tensor<8xf32>) outs(%e1 : tensor<64x8xf32>) dimensions = [0]
  %n = arith.negf %cb : tensor<64x8xf32>
  %e2 = tensor.empty() : tensor<64x8xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%n : tensor<64x8xf32>) outs(%e2 : tensor<64x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %s = arith.addf %in, %k : f32
    linalg.yield %s : f32
  } -> tensor<64x8xf32>
  %r = arith.addf %g, %x : tensor<64x8xf32>
  return %r : tensor<64x8xf32>
})"},
    {"literals through every kind of op", R"(#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @entry(%x: tensor<2x2x4x4xbf16>, %y: tensor<8x6xf32>) -> (tensor<2x2x4x4xbf16>, tensor<8x6xf32>) {
  %w = arith.constant dense<[[0.1, -1.7, 2.3, 3.9, -4.1, 5.5], [6.25, 7.75, -8.125, 9.3, 10.1, 11.7],
      [0.3, 1.1, 2.9, -3.3, 4.7, 5.9], [1.0e-3, 1.0e3, 3.3e5, -7.7e-5, 0.0, -0.0],
      [12.5, 13.5, 14.5, 15.5, 16.5, 17.5], [0.7, 0.07, 0.007, 7.0e-4, 7.0e-5, 7.0e-6]]> : tensor<6x6xf32>
  %half = arith.constant dense<0.5> : tensor<6x6xf32>
  %zero = arith.constant 0.0 : bf16
  %m = arith.mulf %w, %half : tensor<6x6xf32>
  %e0 = tensor.empty() : tensor<6x6xf32>
  %ex = linalg.exp ins(%half : tensor<6x6xf32>) outs(%e0 : tensor<6x6xf32>) -> tensor<6x6xf32>
  %a = arith.addf %m, %ex : tensor<6x6xf32>
  %e1 = tensor.empty() : tensor<6x6xf32>
  %t = linalg.transpose ins(%a : tensor<6x6xf32>) outs(%e1 : tensor<6x6xf32>) permutation = [1, 0]
  %b = arith.truncf %t : tensor<6x6xf32> to tensor<6x6xbf16>
  %e2 = tensor.empty() : tensor<2x2x4x4xbf16>
  %p = tensor.pack %b padding_value(%zero : bf16) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 4]
      into %e2 : tensor<6x6xbf16> -> tensor<2x2x4x4xbf16>
  %q = arith.mulf %p, %p : tensor<2x2x4x4xbf16>
  %r = arith.addf %x, %q : tensor<2x2x4x4xbf16>
  %s = tensor.extract_slice %w[1, 2] [1, 3] [1, 1] : tensor<6x6xf32> to tensor<1x3xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
  %e3 = tensor.empty() : tensor<2x3xf32>
  %d = linalg.broadcast ins(%c : tensor<3xf32>) outs(%e3 : tensor<2x3xf32>) dimensions = [0]
  %f = tensor.collapse_shape %d [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %e4 = tensor.empty() : tensor<8x6xf32>
  %g = linalg.broadcast ins(%f : tensor<6xf32>) outs(%e4 : tensor<8x6xf32>) dimensions = [0]
  %h = arith.addf %y, %g : tensor<8x6xf32>
  return %r, %h : tensor<2x2x4x4xbf16>, tensor<8x6xf32>
})"},
    {"literals of quantised and half types",
     R"(#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @entry(%x: tensor<8x6xf32>, %y: tensor<8x12xf32>) -> (tensor<8x6xf32>, tensor<8x12xf32>) {
  %q = arith.constant
      dense<"0x789B34CAF54F2E220ACD941E71B88D5836866D0D858B63549E94BE2CACC67F5B7EF28F2D9903959F63D3D893DCE75277"> : tensor<8x6xi8>
  %zero = arith.constant dense<3> : tensor<8x6xi32>
  %scale = arith.constant dense<[0.5, 0.25, 0.0125, 1.5, -2.0, 0.003]> : tensor<6xf32>
  %wide = arith.extsi %q : tensor<8x6xi8> to tensor<8x6xi32>
  %sub = arith.subi %wide, %zero : tensor<8x6xi32>
  %f = arith.sitofp %sub : tensor<8x6xi32> to tensor<8x6xf32>
  %e0 = tensor.empty() : tensor<8x6xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%f, %scale : tensor<8x6xf32>, tensor<6xf32>) outs(%e0 : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %g = arith.cmpf ogt, %m, %b : f32
    %s = arith.select %g, %m, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  %r = arith.addf %x, %d : tensor<8x6xf32>
  %h = arith.constant dense<"0x58B0B323C5C390A99F3978B190BA965A7E54E6316B3534BCA9349DCE4F3648AB883117B145B913C4A3A3E63)"
     R"(6C6C464AF792459215344FEC5FAA046D39D3D483FC0A1FDBDB9D540AC0632AA41173A6934EFC452D8BEB852ADC5B35CD7254)"
     R"(A23DB3DA6282327525655C7C71FDB065041590F460C3B6D40A52A84DB46240E3EE6221550C6D6A1277DAEE4AF9EA4ED5A8DB)"
     R"(B9149D4DB56A54DD5314DB5BE09C07E22E240DFD3F64158D671AD6C48BCC386DB20B9E5D277AB2645F932CD463827F936"> )"
     R"(: tensor<2x3x4x4xf16>
  %h2 = arith.mulf %h, %h : tensor<2x3x4x4xf16>
  %e1 = tensor.empty() : tensor<8x12xf16>
  %u = tensor.unpack %h2 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e1 : tensor<2x3x4x4xf16> -> tensor<8x12xf16>
  %v = arith.extf %u : tensor<8x12xf16> to tensor<8x12xf32>
  %w = tensor.expand_shape %v [[0, 1], [2]] output_shape [2, 4, 12] : tensor<8x12xf32> into tensor<2x4x12xf32>
  %c = arith.constant 0.7 : f32
  %e2 = tensor.empty() : tensor<2x4x12xf32>
  %fill = linalg.fill ins(%c : f32) outs(%e2 : tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
  %p = arith.mulf %w, %fill : tensor<2x4x12xf32>
  %k = tensor.collapse_shape %p [[0, 1], [2]] : tensor<2x4x12xf32> into tensor<8x12xf32>
  %t = arith.addf %y, %k : tensor<8x12xf32>
  return %r, %t : tensor<8x6xf32>, tensor<8x12xf32>
})"},
};

QStringList kindsIn(const QByteArray& generic, const QString& function)
{
    // One function of the printed module: from its line to the next function's.
    const QString text = QString::fromUtf8(generic);
    const qsizetype begin = text.indexOf("func.func @" + function + "(");
    if (begin < 0) return {};
    const qsizetype end = text.indexOf("func.func ", begin + 5);
    static const QRegularExpression op("(?:= |^\\s+)((?:linalg|tensor|arith|math)\\.[a-z0-9_]+)",
                                       QRegularExpression::MultilineOption);
    QStringList kinds;
    int depth = 0; // inside of a linalg.generic's body
    for (const QString& line : text.mid(begin, end < 0 ? -1 : end - begin).split('\n')) {
        const auto match = op.match(line);
        const QString kind = match.captured(1);
        if (depth == 0 && !kind.isEmpty() && kind != "tensor.empty" && kind != "arith.constant") kinds << kind;
        if (depth > 0 || kind == "linalg.generic") depth += int(line.count('{') - line.count('}'));
    }
    return kinds;
}

QStringList listed(const QString& cell)
{
    return cell == QString::fromUtf8("–") ? QStringList() : cell.split(", ");
}

} // namespace

class CliMlirTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Every row of the table in ../shared/bench/fold/README.md.
    void modulesFoldAsTheTableSays_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QStringList>("compileTime");
        QTest::addColumn<QStringList>("runTime");
        QTest::addColumn<QStringList>("entry");
        QFile table(test::sharedFile("bench/fold/README.md"));
        if (test::sharedFolder().isEmpty() || !table.open(QIODevice::ReadOnly)) return;
        for (const QString& line : QString::fromUtf8(table.readAll()).split('\n')) {
            const QStringList cells = line.split(" | ");
            if (!line.contains(".mlir") || cells.size() != 5) continue;
            const QString file = cells[0].mid(2), mode = cells[1];
            QTest::addRow("%s, %s", qPrintable(file), qPrintable(mode))
                << test::sharedFile("bench/fold/") + file << mode << listed(cells[2]) << listed(cells[3])
                << listed(cells[4].left(cells[4].size() - 2));
        }
    }
    void modulesFoldAsTheTableSays()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(const QString, path);
        QFETCH(const QString, mode);
        QFETCH(const QStringList, compileTime);
        QFETCH(const QStringList, runTime);
        QFETCH(const QStringList, entry);
        const auto folded = cli_({"rewrite", path, "--pass", "constant-fold", "--mode", mode});
        QVERIFY2(folded.status == 0, folded.err);
        QCOMPARE(kindsIn(folded.out, "compiletime_fold"), compileTime);
        QCOMPARE(kindsIn(folded.out, "runtime_fold"), runTime);
        QCOMPARE(kindsIn(folded.out, "entry"), entry);
        // `fold -o` is the same code.
        QCOMPARE(cli_({"fold", path, "--mode", mode, "-o", cli_.path("same.mlir")}).status, 0);
        QCOMPARE(cli_.contents("same.mlir"), folded.out);
    }

    /// The listings of the document of constant tensor folding, made whole.
    void listingsOfTheDocument()
    {
        const QString weights = test::Cli::sample("fold_three_weights.mlir");
        const QStringList packs(3, "tensor.pack"),
            fillsAndProducts{"linalg.fill", "linalg.mmt4d", "linalg.fill", "linalg.mmt4d", "linalg.fill", "linalg.mmt4d"};
        const auto simple = cli_({"rewrite", weights, "--pass", "constant-fold"});
        QCOMPARE(kindsIn(simple.out, "runtime_fold"), packs);
        QCOMPARE(kindsIn(simple.out, "entry"), fillsAndProducts);
        QVERIFY(!simple.out.contains("compiletime_fold"));
        const auto split = cli_({"rewrite", weights, "--pass", "constant-fold", "--mode", "split"});
        QCOMPARE(kindsIn(split.out, "compiletime_fold"), packs.mid(1));
        QCOMPARE(kindsIn(split.out, "runtime_fold"), packs.mid(2));
        QCOMPARE(kindsIn(split.out, "entry"), fillsAndProducts);
        const auto postponed = cli_({"rewrite", test::Cli::sample("fold_postponed_broadcast.mlir"), "--pass", "constant-fold"});
        QCOMPARE(kindsIn(postponed.out, "runtime_fold"),
                 (QStringList{"tensor.pack", "arith.extf", "linalg.generic", "arith.truncf"}));
        QCOMPARE(kindsIn(postponed.out, "entry"), (QStringList{"linalg.broadcast", "linalg.add"}));
        QVERIFY(postponed.out.contains("arith.truncf") && postponed.out.contains("tensor<8x32xf32> to tensor<8x32xbf16>"));
    }

    /// The figures of the specification's two-layer MLP.
    void packedWeightsAreFolded()
    {
        const auto result = cli_({"fold", test::Cli::sample("mlp_packed_weights.mlir"), "--format", "json"});
        QVERIFY2(result.status == 0, result.err);
        const QJsonObject f = result.object()["functions"].toArray().at(0).toObject();
        QCOMPARE(f["peak"]["before"].toInteger(), 1'376'256);
        QCOMPARE(f["peak"]["after"].toInteger(), 524'288);
        QCOMPARE(f["arena"]["after"].toInteger(), 524'288);
        QCOMPARE(f["persistent_bytes"].toInteger(), 1'577'984);
        QCOMPARE(f["saved"]["ops"].toInteger(), 2);
        QCOMPARE(f["saved"]["bytes"].toInteger(), 3'145'728);
    }

    /// Of each module, the original and the folded form of every mode.
    void bothFormsComputeEqualBits_data()
    {
        QTest::addColumn<QString>("path");
        QStringList files;
        for (const Hostile& each : hostile) files << cli_.file(QString(each.name).replace(' ', '_') + ".mlir", module(each.text));
        for (const char* sample : {"fold_three_weights.mlir", "fold_postponed_broadcast.mlir", "mlp_packed_weights.mlir"})
            files << test::Cli::sample(sample);
        if (!test::sharedFolder().isEmpty()) {
            const QDir dir(test::sharedFile("bench/fold"));
            for (const QString& name : dir.entryList({"*.mlir"}, QDir::Files, QDir::Name)) files << dir.filePath(name);
        }
        for (const QString& file : files) QTest::addRow("%s", qPrintable(QFileInfo(file).completeBaseName())) << file;
    }
    void bothFormsComputeEqualBits()
    {
        if (test::mlirTools().isEmpty()) QSKIP("mlir-19-tools is not installed");
        QFETCH(const QString, path);
        // 25 million products, interpreted four times: the other modules show what a sanitizer looks for.
        if (test::instrumented && path.endsWith(u"mlp_packed_weights.mlir")) QSKIP("takes minutes in an instrumented build");
        const QStringList modes{"run-time", "split", "evaluate"};
        const auto compared = test::comparedWithFolded(path, modes);
        QVERIFY2(compared.status == 0, compared.err + compared.out);
        QCOMPARE(compared.out.count(" elements compared"), modes.size());
    }

    void evaluatedLiteralsAreInTheModule()
    {
        const QString path = cli_.file("literal.mlir", module(hostile[1].text));
        const auto folded = cli_({"rewrite", path, "--pass", "constant-fold", "--mode", "evaluate"});
        QVERIFY2(folded.status == 0, folded.err);
        QVERIFY(!folded.out.contains("_fold"));
        QCOMPARE(kindsIn(folded.out, "entry"), QStringList(2, "arith.addf")); // w * w + w is a literal, too
        QVERIFY(folded.out.contains("dense<[-1.000000e+00, -2.000000e+00"));
        QVERIFY(folded.out.contains("7.200000e+01]>"));
    }

    void everyKindOfOpIsComputed_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const Hostile& each : hostile)
            if (QByteArray(each.name).startsWith("literals ")) QTest::newRow(each.name) << module(each.text);
    }
    void everyKindOfOpIsComputed()
    {
        QFETCH(const QByteArray, text);
        const auto folded = cli_({"rewrite", cli_.file("literals.mlir", text), "--pass", "constant-fold", "--mode", "evaluate"});
        QVERIFY2(folded.status == 0, folded.err);
        QVERIFY2(!folded.out.contains("_fold"), folded.out);
        QCOMPARE(kindsIn(folded.out, "entry"), QStringList(2, "arith.addf"));
    }

    /// Integer division may be undefined: the interpreter leaves it, and what hangs on it, to a function, and says so.
    void whatCannotBeComputedStaysAFunction()
    {
        const QString path = cli_.file("division.mlir", R"(func.func @entry(%a: tensor<4xi32>) -> tensor<4xi32> {
  %w = arith.constant dense<[7, 8, 9, 10]> : tensor<4xi32>
  %m = arith.muli %w, %w : tensor<4xi32>
  %d = arith.divsi %m, %w : tensor<4xi32>
  %r = arith.addi %a, %d : tensor<4xi32>
  return %r : tensor<4xi32>
}
)");
        const auto folded = cli_({"fold", path, "--mode", "evaluate", "-o", cli_.path("left.mlir")});
        QVERIFY2(folded.status == 0, folded.err);
        const QByteArray text = cli_.contents("left.mlir");
        QCOMPARE(kindsIn(text, "compiletime_fold"), QStringList("arith.divsi"));
        QVERIFY2(text.contains("dense<[49, 64, 81, 100]>"), text);
        QVERIFY2(folded.err.contains("left to compiletime_fold") && folded.err.contains("arith.divsi"), folded.err);
    }

    /// t of one branch and v of the other share bytes above a, which both read; the loop's two lie where nothing is live.
    void allocationsInRegionsArePlanned()
    {
        const QString path = cli_.file("regions.mlir", R"(func.func @f(%in: memref<256xf32>, %out: memref<256xf32>, %c: i1) {
  %a = memref.alloc() : memref<256xf32>
  linalg.exp ins(%in : memref<256xf32>) outs(%a : memref<256xf32>)
  scf.if %c {
    %t = memref.alloc() : memref<256xf32>
    linalg.exp ins(%a : memref<256xf32>) outs(%t : memref<256xf32>)
    linalg.exp ins(%t : memref<256xf32>) outs(%out : memref<256xf32>)
    memref.dealloc %t : memref<256xf32>
  } else {
    %v = memref.alloc() : memref<256xf32>
    linalg.exp ins(%a : memref<256xf32>) outs(%v : memref<256xf32>)
    linalg.exp ins(%v : memref<256xf32>) outs(%out : memref<256xf32>)
    memref.dealloc %v : memref<256xf32>
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i : index
  } do {
  ^bb0(%i: index):
    %w = memref.alloc() : memref<128xf32>
    %x = memref.alloc() : memref<128xf32>
    linalg.exp ins(%in : memref<256xf32>) outs(%out : memref<256xf32>)
    linalg.exp ins(%w : memref<128xf32>) outs(%x : memref<128xf32>)
    memref.dealloc %w : memref<128xf32>
    memref.dealloc %x : memref<128xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  memref.dealloc %a : memref<256xf32>
  return
}
)");
        const auto planned = cli_({"plan", path, "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        QCOMPARE(planned.object()["pools"].toArray().at(0)["size"].toInteger(), 2048);
        QCOMPARE(planned.object()["placements"].toArray().size(), 5);
        const QString out = cli_.path("regions_arena.mlir");
        QCOMPARE(cli_({"rewrite", path, "--pass", "plan-memory", "-o", out}).status, 0);
        QCOMPARE(cli_.contents("regions_arena.mlir").count("memref.view"), 5);
        if (test::mlirTools().isEmpty()) return;
        QProcess verifier;
        verifier.start(test::mlirTools() + "/mlir-opt", {out});
        QVERIFY(verifier.waitForFinished(60'000));
        QVERIFY2(verifier.exitCode() == 0, verifier.readAllStandardError());
    }

    /// 64 MiB in 128 MiB of digits: read by the worker, and nothing of them in the process that asks.
    void aLargeLiteralIsNotCopied()
    {
        const QByteArray type(" : tensor<16777216xf32>\n");
        const QString path =
            cli_.file("literal64.mlir",
                      "func.func @f(%x: tensor<16777216xf32>) -> tensor<16777216xf32> {\n  %w = arith.constant dense<\"0x" +
                          QByteArray("0000803F").repeated(1 << 24) + "\">" + type + "  %y = arith.addf %x, %w" + type +
                          "  return %y" + type + "}\n");
        const double before = test::secondsOfChildren();
        QProcess process;
        process.start(test::Cli::program(), {"fold", path, "--format", "json"});
        QVERIFY(process.waitForStarted());
        qint64 most = 0; // KiB
        while (!process.waitForFinished(1)) {
            QFile status(QString("/proc/%1/status").arg(process.processId()));
            if (!status.open(QIODevice::ReadOnly)) continue;
            for (const QByteArray& line : status.readAll().split('\n'))
                if (line.startsWith("VmHWM:")) most = std::max(most, line.mid(6).trimmed().split(' ').first().toLongLong());
        }
        const double took = test::secondsOfChildren() - before;
        qInfo() << "read after" << took << "s of a processor, with" << most << "KiB in the process that asks";
        QFile::remove(path);
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
        const QJsonObject fold = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
        QCOMPARE(fold["functions"].toArray().size(), 1);
        QVERIFY(most > 0);
        if (!test::instrumented) QVERIFY(most < (64 << 10)); // KiB: as large as the literal
        QVERIFY(took < (test::instrumented ? 60 : 4));       // about half a second here
    }

    /// LLVM's static memory planner writes this form: an arena of bytes, and views at constant offsets.
    void arenasAreReadAsPlansAndWritten()
    {
        const QString path = cli_.file("buffers.mlir", R"(module {
  func.func @f(%in: memref<256xf32>, %out: memref<256xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = memref.alloc() : memref<256xf32>
    %b = memref.alloc() : memref<256xf32>
    %c = memref.alloc() : memref<256xf32>
    linalg.exp ins(%in : memref<256xf32>) outs(%a : memref<256xf32>)
    linalg.exp ins(%a : memref<256xf32>) outs(%b : memref<256xf32>)
    scf.for %i = %c0 to %c8 step %c1 {
      %t = memref.alloc() : memref<256xf32>
      linalg.exp ins(%b : memref<256xf32>) outs(%t : memref<256xf32>)
      linalg.exp ins(%t : memref<256xf32>) outs(%c : memref<256xf32>)
      memref.dealloc %t : memref<256xf32>
    }
    linalg.exp ins(%c : memref<256xf32>) outs(%out : memref<256xf32>)
    memref.dealloc %a : memref<256xf32>
    memref.dealloc %b : memref<256xf32>
    memref.dealloc %c : memref<256xf32>
    return
  }
})");
        // b, c and the loop's t are live together; a's bytes are one of theirs: 3 * 1,024.
        const auto planned = cli_({"plan", path, "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        QCOMPARE(planned.object()["pools"].toArray().at(0)["size"].toInteger(), 3072);
        const QString out = cli_.path("arena.mlir");
        const auto rewritten = cli_({"rewrite", path, "--pass", "plan-memory", "-o", out});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        const QByteArray text = cli_.contents("arena.mlir");
        QVERIFY(text.contains("memref<3072xi8>"));
        QCOMPARE(text.count("memref.view"), 4);
        QCOMPARE(text.count("memref.alloc("), 1);
        if (!test::mlirTools().isEmpty()) {
            QProcess verifier;
            verifier.start(test::mlirTools() + "/mlir-opt", {out});
            QVERIFY(verifier.waitForFinished(60'000));
            QVERIFY2(verifier.exitCode() == 0, verifier.readAllStandardError());
        }
        // What was written is a plan of the same buffers.
        const auto compared = cli_({"compare", out, "--planners", "auto", "--format", "json"});
        QVERIFY2(compared.status == 0, compared.err);
        QVERIFY2(compared.out.contains("static-memory-planner") && !compared.out.contains("\"invalid\""), compared.out);
    }

    void hostileTextsAreErrors_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("nested regions") << QByteArray("module {\n").repeated(100'000) + QByteArray("}\n").repeated(100'000)
                                        << QByteArray("nest deeper than");
        QTest::newRow("nested types") << QByteArray("func.func @f(%a: ") + QByteArray("tuple<").repeated(100'000) + "i1" +
                                             QByteArray(">").repeated(100'000) + ") {\n  return\n}\n"
                                      << QByteArray("nest deeper than");
        QTest::newRow("no MLIR") << QByteArray("func.func @f( {") << QByteArray(":1:");
        QTest::newRow("does not verify")
            << QByteArray("func.func @f(%a: tensor<4xf32>) -> tensor<8xf32> {\n  return %a : tensor<4xf32>\n}\n")
            << QByteArray(":2:");
        // MLIR's parser takes a bare word as the op of a map, and its printer writes '.exp', which cannot be read again (found by
        // tests/fuzz/fuzz_mlir.cpp).
        QTest::newRow("op without a dialect") << QByteArray("func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
                                                            "  %y0 = tensor.empty() : tensor<8xf32>\n"
                                                            "  %y = linalg.map {exp} ins(%x : tensor<8xf32>) outs(%y0 : "
                                                            "tensor<8xf32>)\n"
                                                            "  return %y : tensor<8xf32>\n}")
                                              << QByteArray("hostile.mlir:3:8: op 'exp' has no dialect");
        QTest::newRow("no function") << QByteArray("module { memref.global @g : memref<4xf32> }") << QByteArray("no function");
    }
    void hostileTextsAreErrors()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, says);
        const auto result = cli_({"fold", cli_.file("hostile.mlir", text)});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains(says), result.err);
    }

    /// The plugin of a build without MLIR, which comes first here, in the place of the real one.
    void aBuildWithoutMlirSaysWhatIsMissing()
    {
        for (const char* command : {"info", "fold", "plan"}) {
            const auto result = cli_(
                {command, test::Cli::sample("mlp_packed_weights.mlir"), "--plugin-dir", STOWAGE_TEST_PLUGINS "/without-mlir"});
            QCOMPARE(result.status, 2);
            for (const char* word : {"mlp_packed_weights.mlir", "made without MLIR", "-DSTOWAGE_MLIR=ON", "libmlir-19-dev"})
                QVERIFY2(result.err.contains(word), result.err);
        }
        // Everything else is read as before.
        const auto kernel = cli_(
            {"info", test::Cli::sample("flash_attention_vector.mlir"), "--plugin-dir", STOWAGE_TEST_PLUGINS "/without-mlir"});
        QVERIFY2(kernel.status == 0, kernel.err);
    }

    /// A literal of 1 GiB in a file of 2 GiB that takes no place on the disk: between its quotes there are zeros instead of
    /// digits.
    void aLiteralOfOneGibibyteIsRefusedWithItsSize()
    {
        const QByteArray head("func.func @f() -> tensor<268435456xf32> {\n  %w = arith.constant dense<\"0x");
        const QByteArray tail("\"> : tensor<268435456xf32>\n  return %w : tensor<268435456xf32>\n}\n");
        const QString path = cli_.file("large.mlir", head);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(head.size() + (qint64{2} << 30)));
        QCOMPARE(file.write(tail), tail.size());
        file.close();
        const double before = test::secondsOfChildren();
        const auto result = cli_({"fold", path});
        const double took = test::secondsOfChildren() - before;
        qInfo() << "refused after" << took << "s of a processor";
        file.remove();
        QCOMPARE(result.status, 2);
        for (const char* word : {"large.mlir:2:", "1073741824 bytes", "536870912"})
            QVERIFY2(result.err.contains(word), result.err);
        QVERIFY(took < 15); // it is looked through once; the parser would take as long for each of its copies
    }

    /// Ascend's kernels are MLIR, too: their own reader takes them.
    void kernelsStillGoToTheirOwnReader()
    {
        const QDir dir(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/ascend"));
        const QStringList kernels = dir.entryList({"*.mlir"}, QDir::Files, QDir::Name);
        QVERIFY(!kernels.isEmpty());
        for (const QString& name : kernels) {
            const auto info = cli_({"info", dir.filePath(name)});
            QVERIFY2(info.status == 0, info.err);
            QVERIFY2(!info.out.contains("upstream"), info.out);
        }
    }

private:
    test::Cli cli_;
};

QTEST_GUILESS_MAIN(CliMlirTest)
#include "tst_cli_mlir.moc"
