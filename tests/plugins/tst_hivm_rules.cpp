// In-place rules, lifetimes and marks one by one, on kernels of a few lines. What is expected follows from specs/hivm.md.
#include "plugins/hivm/scopes.h"
#include "tests/core/mutation.h"
#include "tests/plugins/hivm_support.h"

#include <QTest>

#include <algorithm>

using namespace stowage;
using namespace stowage::test;

namespace {

const std::string ub = "#hivm.address_space<ub>";

/// `body` in a function with a float buffer in global memory; T stands for memref<64xf32, ub>, G for the same in gm.
std::string kernel(std::string body)
{
    const auto replace = [&](const std::string& what, const std::string& by) {
        for (std::size_t at = 0; (at = body.find(what, at)) != std::string::npos; at += by.size())
            body.replace(at, what.size(), by);
    };
    replace("$T", "memref<64xf32, " + ub + ">");
    replace("$G", "memref<64xf32, #hivm.address_space<gm>>");
    replace("$ub", ub);
    return "module {\nfunc.func @k(%g : memref<64xf32, #hivm.address_space<gm>>, %ws : memref<?xi8, #hivm.address_space<gm>>) "
           "{\n%c0 = arith.constant 0 : index\n%c4 = arith.constant 4 : index\n"
           "%c1 = arith.constant 1 : index\n%f = arith.constant 0.5 : f32\n%t = arith.constant true\n" +
           body + "return\n}\n}\n";
}

const Buffer* named(const Problem& problem, const std::string& name)
{
    for (const Buffer& buffer : problem.buffers)
        if (buffer.name == name) return &buffer;
    return nullptr;
}

/// The buffer that a tensor lies in.
BufferId bufferOf(const Imported& imported, const Lowering& lowering, const std::string& tensor)
{
    const auto& tensors = std::get<Program>(imported.content).main().tensors;
    for (std::size_t t = 0; t < tensors.size(); ++t)
        if (tensors[t].name == tensor) return lowering.instances.front().bindings[t].buffer;
    return none;
}

} // namespace

#define READ_KERNEL(imported, lowering, text)                                                                                    \
    const auto imported = hivm::importKernel(kernel(text), "k.mlir");                                                            \
    QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());                                                        \
    const auto lowering = lowered(*imported);                                                                                    \
    QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str())

class TestHivmRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// %a dies where %b is written: may %b take its slot?
    void writesOver_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<QString>("op");
        QTest::addColumn<bool>("usual");
        QTest::addColumn<bool>("isa");
        const QString f = QStringLiteral("64xf32");
        const auto row = [&](const char* name, const QString& a, const QString& b, const char* op, bool usual, bool isa) {
            QTest::newRow(name) << a << b << QString::fromUtf8(op) << usual << isa;
        };
        for (const char* op : {"vadd", "vsub", "vmax", "vmin", "vor", "vand", "vmul"})
            row(op, f, f, (std::string("hivm.hir.") + op + " ins(%a, %a : $A, $A) outs(%b : $B)").c_str(), true, true);
        row("another element-wise op", f, f, "hivm.hir.vdiv ins(%a, %a : $A, $A) outs(%b : $B)", true, false);
        row("one operand", f, f, "hivm.hir.vexp ins(%a : $A) outs(%b : $B)", true, false);
        row("not element-wise", f, f, "hivm.hir.vtranspose ins(%a : $A) outs(%b : $B) permutation = [0]", false, false);
        row("inline transpose", f, f, "hivm.hir.vadd ins(%a, %a : $A, $A) outs(%b : $B) transpose = [0]", false, false);
        row("inline broadcast, one shape", f, f, "hivm.hir.vadd ins(%a, %a : $A, $A) outs(%b : $B) broadcast = [0]", true, false);
        row("inline broadcast, other shapes", QStringLiteral("128xf32"), f,
            "hivm.hir.vadd ins(%a, %a : $A, $A) outs(%b : $B) broadcast = [0]", false, false);
        row("scratch without a reason", f, f, "hivm.hir.vexp ins(%a : $A) outs(%b : $B) temp_buffer(%x : $T)", false, false);
        row("scratch for a broadcast", f, f,
            "hivm.hir.vdiv ins(%a, %a : $A, $A) outs(%b : $B) temp_buffer(%x : $T) broadcast = [0]", true, false);
        row("scratch for a scalar", f, f, "hivm.hir.vdiv ins(%a, %f : $A, f32) outs(%b : $B) temp_buffer(%x : $T)", true, false);
        row("two pieces of scratch", f, f, "hivm.hir.vdiv ins(%a, %f : $A, f32) outs(%b : $B) temp_buffer(%x, %y : $T, $T)",
            false, false);
        row("scratch of an op without that right", f, f, "hivm.hir.vsin ins(%a, %f : $A, f32) outs(%b : $B) temp_buffer(%x : $T)",
            false, false);
        row("cast of one width", f, QStringLiteral("64xi32"), "hivm.hir.vcast ins(%a : $A) outs(%b : $B)", true, false);
        row("cast to half, one dimension", f, QStringLiteral("64xf16"), "hivm.hir.vcast ins(%a : $A) outs(%b : $B)", true, false);
        row("cast to half, two dimensions", QStringLiteral("4x16xf32"), QStringLiteral("4x16xf16"),
            "hivm.hir.vcast ins(%a : $A) outs(%b : $B)", false, false);
        row("cast to what is wider", QStringLiteral("64xf16"), f, "hivm.hir.vcast ins(%a : $A) outs(%b : $B)", false, false);
        row("too small", QStringLiteral("32xf32"), f, "hivm.hir.vadd ins(%a, %a : $A, $A) outs(%b : $B)", false, false);
        row("compare", f, QStringLiteral("64xi1"), "hivm.hir.vcmp ins(%a, %a : $A, $A) outs(%b : $B)", true, false);
        row("select over its condition, 32 bits", QStringLiteral("4096xi1"), QStringLiteral("64xi32"),
            "hivm.hir.vsel ins(%a, %a : $A, $A) outs(%b : $B)", true, false);
        row("select over its condition, 64 bits", QStringLiteral("4096xi1"), QStringLiteral("64xi64"),
            "hivm.hir.vsel ins(%a, %a : $A, $A) outs(%b : $B)", false, false);
        row("another scope", f, QStringLiteral("64xf32, #hivm.address_space<cbuf>"),
            "hivm.hir.vadd ins(%a, %a : $A, $A) outs(%b : $B)", false, false);
    }
    void writesOver()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(QString, op);
        QFETCH(bool, usual);
        QFETCH(bool, isa);
        const auto type = [](const QString& t) {
            return QStringLiteral("memref<") + t +
                   (t.contains(QLatin1Char('#')) ? QStringLiteral(">") : QStringLiteral(", #hivm.address_space<ub>>"));
        };
        QString text =
            QStringLiteral(
                "%a = memref.alloc() : $A\n%b = memref.alloc() : $B\n%x = memref.alloc() : $T\n%y = memref.alloc() : $T\n"
                "hivm.hir.load ins(%g : $G) outs(%a : $A)\n") +
            op + QStringLiteral("\nhivm.hir.store ins(%b : $B) outs(%g : $G)\n");
        if (!op.contains(QLatin1String("%x"))) text.remove(QStringLiteral("%x = memref.alloc() : $T\n"));
        if (!op.contains(QLatin1String("%y"))) text.remove(QStringLiteral("%y = memref.alloc() : $T\n"));
        text.replace(QLatin1String("$A"), type(a)).replace(QLatin1String("$B"), type(b));
        const auto imported = hivm::importKernel(kernel(text.toStdString()), "k.mlir");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        for (const bool asIsa : {false, true}) {
            const auto lowering = lowered(*imported, {}, {{"restrict-inplace-as-isa", asIsa ? "on" : "off"}});
            QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
            const bool merged = bufferOf(*imported, *lowering, "%a") == bufferOf(*imported, *lowering, "%b");
            QCOMPARE(merged, asIsa ? isa : usual);
            if (merged) QCOMPARE(lowering->problem.buffers.front().name, std::string("%a")); // the slot is that of what died
        }
        const auto apart = lowered(*imported, {}, {{"inplace", "off"}});
        QVERIFY(apart && bufferOf(*imported, *apart, "%a") != bufferOf(*imported, *apart, "%b"));
    }

    void layoutsWithAnotherOffsetStayApart()
    {
        READ_KERNEL(
            imported, lowering,
            "%a = memref.alloc() : $T\n%b = memref.alloc() : memref<128xf32, $ub>\nhivm.hir.load ins(%g : $G) outs(%a : $T)\n"
            "%v = memref.subview %a[8] [32] [1] : $T to memref<32xf32, strided<[1], offset: 8>, $ub>\n%w = memref.alloc() : "
            "memref<32xf32, $ub>\n"
            "hivm.hir.vexp ins(%v : memref<32xf32, strided<[1], offset: 8>, $ub>) outs(%w : memref<32xf32, $ub>)\n"
            "hivm.hir.vbrc ins(%f : f32) outs(%b : memref<128xf32, $ub>)\nhivm.hir.store ins(%w : memref<32xf32, $ub>) outs(%g : "
            "$G)\n");
        QVERIFY(bufferOf(*imported, *lowering, "%a") != bufferOf(*imported, *lowering, "%w"));
    }

    /// A load would meet a store: the pair is remembered, and may be used where nothing else fits.
    void doubleBuffersOfLoadAndStoreAreRemembered()
    {
        const std::string text = "scf.for %i = %c0 to %c4 step %c1 {\n%a = memref.alloc() : $T\nannotation.mark %a "
                                 "{hivm.multi_buffer = 2 : i32} : $T\n%b = memref.alloc() : $T\n$MARK"
                                 "hivm.hir.load ins(%g : $G) outs(%a : $T)\nhivm.hir.vadd ins(%a, %a : $T, $T) outs(%b : "
                                 "$T)\nhivm.hir.store ins(%b : $T) outs(%g : $G)\n}\n";
        std::string both = text;
        both.replace(both.find("$MARK"), 5, "annotation.mark %b {hivm.multi_buffer = 2 : i32} : $T\n");
        READ_KERNEL(imported, lowering, both);
        QCOMPARE(lowering->problem.buffers.size(), std::size_t{2});
        QCOMPARE(lowering->problem.buffers[0].mayShare, std::vector<BufferId>{1});
        QCOMPARE(lowering->problem.buffers[1].mayShare, std::vector<BufferId>{0});
        QCOMPARE(lowering->problem.buffers[0].slots, 2);
        QVERIFY(lowering->problem.buffers[0].dma && lowering->problem.buffers[1].dma);
        std::string one = text;
        one.replace(one.find("$MARK"), 5, "");
        READ_KERNEL(single, merged, one);
        QCOMPARE(merged->problem.buffers.size(), std::size_t{1});
        QCOMPARE(merged->problem.buffers[0].slots, 2); // the larger number of the two
        QCOMPARE(merged->problem.buffers[0].loop, 0);
    }

    void sourcesOfASelectTakeNoPart()
    {
        READ_KERNEL(imported, lowering,
                    "%a = memref.alloc() : $T\n%b = memref.alloc() : $T\n%c = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) "
                    "outs(%a : $T)\n"
                    "hivm.hir.load ins(%g : $G) outs(%b : $T)\n%s = arith.select %t, %a, %b : $T\nhivm.hir.vadd ins(%s, %s : $T, "
                    "$T) outs(%c : $T)\n"
                    "hivm.hir.store ins(%c : $T) outs(%g : $G)\n");
        QCOMPARE(lowering->problem.buffers.size(), std::size_t{3});
        // constants 0 to 4, allocs 5 to 7, loads 8 and 9, select 10, vadd 11: both sources live as long as the result
        QCOMPARE(named(lowering->problem, "%a")->live.front(), (Interval{8, 12}));
        QCOMPARE(named(lowering->problem, "%b")->live.front(), (Interval{9, 12}));
    }

    /// A loop takes two numbers; what was allocated outside and is first written inside lives from its begin, what dies inside to
    /// its end.
    void loopsHoldWhatIsAllocatedOutside()
    {
        READ_KERNEL(imported, lowering,
                    "%a = memref.alloc() : $T\n%b = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%a : $T)\nscf.for %i = "
                    "%c0 to %c4 step %c1 {\n"
                    "hivm.hir.vadd ins(%a, %a : $T, $T) outs(%b : $T)\n}\nhivm.hir.store ins(%b : $T) outs(%g : $G)\n");
        // allocs 5 and 6, load 7, loop 8, vadd 9, yield 10, end 11, store 12
        QCOMPARE(named(lowering->problem, "%a")->live.front(), (Interval{7, 12}));
        QCOMPARE(named(lowering->problem, "%b")->live.front(), (Interval{8, 13}));
        QCOMPARE(lowering->problem.loops.size(), std::size_t{1});
        QCOMPARE(lowering->problem.loops[0].live, (Interval{9, 11}));
        QCOMPARE(lowering->problem.loops[0].tripCount, std::optional<std::int64_t>(4));
    }

    /// An `if` takes one number at its begin, one behind its first region, one more where there is an else.
    void branchesAreNumberedAsTheCompilerDoes()
    {
        READ_KERNEL(imported, lowering,
                    "%a = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%a : $T)\nscf.if %t {\nhivm.hir.store ins(%a : "
                    "$T) outs(%g : $G)\n}\n"
                    "%b = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%b : $T)\nscf.if %t {\n} else {\nhivm.hir.store "
                    "ins(%b : $T) outs(%g : $G)\n}\n");
        // alloc 5, load 6, if 7, store 8, yield 9, after 10; alloc 11, load 12, if 13, yield 14, after 15, store 16, yield 17,
        // end 18
        QCOMPARE(named(lowering->problem, "%a")->live.front(), (Interval{6, 11}));
        QCOMPARE(named(lowering->problem, "%b")->live.front(), (Interval{12, 19}));
    }

    /// Each region of an `index_switch` is a branch: what ops inside one use is live there, and what they allocate is planned.
    void regionsOfASwitchAreBranches()
    {
        READ_KERNEL(imported, lowering,
                    "%a = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%a : $T)\n%b = memref.alloc() : $T\n"
                    "hivm.hir.vexp ins(%a : $T) outs(%b : $T)\nscf.index_switch %c0\ncase 0 {\n%x = memref.alloc() : $T\n"
                    "hivm.hir.vabs ins(%a : $T) outs(%x : $T)\nhivm.hir.store ins(%x : $T) outs(%g : $G)\nscf.yield\n}\n"
                    "case 3 {\nscf.yield\n}\ndefault {\nscf.yield\n}\nhivm.hir.store ins(%b : $T) outs(%g : $G)\n");
        // alloc 5, load 6, alloc 7, vexp 8, switch 9; alloc 10, vabs 11, store 12, yield 13, after 14; yield 15, after 16;
        // yield 17, end 18; store 19
        QCOMPARE(named(lowering->problem, "%a")->live.front(), (Interval{6, 19}));
        QCOMPARE(named(lowering->problem, "%b")->live.front(), (Interval{8, 20}));
        QVERIFY(named(lowering->problem, "%x"));
        QCOMPARE(named(lowering->problem, "%x")->live.front(), (Interval{11, 13}));
        const auto& ops = std::get<Program>(imported->content).main().ops;
        const auto chosen = std::find_if(ops.begin(), ops.end(), [](const Op& op) { return op.kind == "scf.index_switch"; });
        QVERIFY(chosen != ops.end());
        QCOMPARE(chosen->regions.size(), std::size_t{3});
    }

    /// A region sees nothing of what the regions before it wrote, whichever of them did; after the switch all is written.
    void noRegionOfASwitchSeesWhatAnotherOneWrote()
    {
        READ_KERNEL(imported, lowering,
                    "%a = memref.alloc() : $T\n%b = memref.alloc() : $T\n%d = memref.alloc() : $T\nscf.index_switch %c0\n"
                    "case 0 {\nhivm.hir.load ins(%g : $G) outs(%a : $T)\nhivm.hir.load ins(%g : $G) outs(%b : $T)\nscf.yield\n}\n"
                    "case 1 {\nhivm.hir.load ins(%g : $G) outs(%a : $T)\nhivm.hir.load ins(%g : $G) outs(%d : $T)\nscf.yield\n}\n"
                    "default {\nhivm.hir.store ins(%a : $T) outs(%g : $G)\nhivm.hir.store ins(%b : $T) outs(%g : $G)\n"
                    "scf.yield\n}\n"
                    "hivm.hir.store ins(%a : $T) outs(%g : $G)\nhivm.hir.store ins(%d : $T) outs(%g : $G)\n");
        const auto reads = std::count_if(imported->diagnostics.begin(), imported->diagnostics.end(),
                                         [](const Diagnostic& told) { return told.code == Code::readFirst; });
        QCOMPARE(int(reads), 2); // %a and %b in the last region
    }

    /// The result of a switch holds what the region that runs hands out: each buffer handed out is live up to its last read.
    void resultsOfASwitchAreWhatItsRegionsHandOut()
    {
        READ_KERNEL(imported, lowering,
                    "%r:2 = scf.index_switch %c0 -> $T, $T\ncase 0 {\n%x = memref.alloc() : $T\n"
                    "hivm.hir.load ins(%g : $G) outs(%x : $T)\n%y = memref.alloc() : $T\n"
                    "hivm.hir.load ins(%g : $G) outs(%y : $T)\nscf.yield %x, %y : $T, $T\n}\ndefault {\n"
                    "%z = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%z : $T)\n%w = memref.alloc() : $T\n"
                    "hivm.hir.load ins(%g : $G) outs(%w : $T)\nscf.yield %z, %w : $T, $T\n}\n"
                    "hivm.hir.store ins(%r#0 : $T) outs(%g : $G)\nhivm.hir.store ins(%r#1 : $T) outs(%g : $G)\n");
        const auto bufferOfValue = [&](const char* name) { return bufferOf(*imported, *lowering, name); };
        QVERIFY(bufferOfValue("%x") != none && bufferOfValue("%y") != none);
        QVERIFY(bufferOfValue("%r#0") != none && bufferOfValue("%r#1") != none);
        QVERIFY(bufferOfValue("%r#0") != bufferOfValue("%r#1"));
        // switch 5; alloc 6, load 7, alloc 8, load 9, yield 10, after 11; 12 to 16, end 17; stores 18 and 19
        for (const Buffer& buffer : lowering->problem.buffers) QVERIFY(buffer.live.back().end >= 19);
    }

    /// Vector ops that name the memory first write that one; the others write the last one.
    void vectorStoresWriteTheirMemory_data()
    {
        QTest::addColumn<QString>("store");
        QTest::newRow("store") << "vector.store %v, %b[%c0] : $T, vector<16xf32>\n";
        QTest::newRow("masked store") << "vector.maskedstore %b[%c0], %t, %v : $T, vector<16xi1>, vector<16xf32>\n";
        QTest::newRow("scatter") << "vector.scatter %b[%c0] [%t], %t, %v : $T, vector<16xi32>, vector<16xi1>, vector<16xf32>\n";
        QTest::newRow("compressed store") << "vector.compressstore %b[%c0], %t, %v : $T, vector<16xi1>, vector<16xf32>\n";
        QTest::newRow("affine") << "affine.vector_store %v, %b[%c0] : $T, vector<16xf32>\n";
    }
    void vectorStoresWriteTheirMemory()
    {
        QFETCH(QString, store);
        // alloc 5, load 6, alloc 7, vector.load 8, the store 9, hivm.hir.store 10
        READ_KERNEL(imported, lowering,
                    "%a = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%a : $T)\n%b = memref.alloc() : $T\n"
                    "%v = vector.load %a[%c0] : $T, vector<16xf32>\n" +
                        store.toStdString() + "hivm.hir.store ins(%b : $T) outs(%g : $G)\n");
        QVERIFY(named(lowering->problem, "%b"));
        QCOMPARE(named(lowering->problem, "%b")->live.front(), (Interval{9, 11}));
    }

    void whatIsCarriedRoundSharesOneSlot()
    {
        READ_KERNEL(imported, lowering,
                    "%a = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%a : $T)\n%r = scf.for %i = %c0 to %c4 step %c1 "
                    "iter_args(%x = %a) -> ($T) {\n"
                    "%b = memref.alloc() : $T\nhivm.hir.vadd ins(%x, %x : $T, $T) outs(%b : $T)\nscf.yield %b : "
                    "$T\n}\nhivm.hir.store ins(%r : $T) outs(%g : $G)\n");
        QCOMPARE(lowering->problem.buffers.size(), std::size_t{1});
        QCOMPARE(lowering->problem.buffers[0].live.front(), (Interval{6, 13})); // load 6, loop 7 … 11, store 12
    }

    void marksAreRead()
    {
        READ_KERNEL(
            imported, lowering,
            "%a = memref.alloc() : $T\nannotation.mark %a {mem_unique} : $T\nhivm.hir.load ins(%g : $G) outs(%a : "
            "$T)\nhivm.hir.store ins(%a : $T) outs(%g : $G)\n"
            "%b = memref.alloc() : $T\nannotation.mark %b {hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<3>} : "
            "$T\nhivm.hir.load ins(%g : $G) outs(%b : $T)\n"
            "scf.for %i = %c0 to %c4 step %c1 {\n%p = memref.alloc() : $T\nannotation.mark %p {hivm.preload_local_buffer} : $T\n"
            "hivm.hir.load ins(%g : $G) outs(%p : $T)\nhivm.hir.vadd ins(%p, %b : $T, $T) outs(%p : $T)\nhivm.hir.store ins(%p : "
            "$T) outs(%g : $G)\n}\n");
        QVERIFY(named(lowering->problem, "%a")->unique);
        QCOMPARE(named(lowering->problem, "%b")->coupled, 3);
        const Interval loop = lowering->problem.loops.front().live;
        QCOMPARE(named(lowering->problem, "%p")->live.front(), (Interval{loop.begin - 1, loop.end + 1}));
    }

    void pipesMarkBuffers()
    {
        READ_KERNEL(imported, lowering,
                    "%a = memref.alloc() : $T\n%b = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%a : $T)\nhivm.hir.vbrc "
                    "ins(%f : f32) outs(%b : $T)\n"
                    "%v = memref.load %b[%c0] : $T\nmemref.store %v, %b[%c1] : $T\nhivm.hir.vexp ins(%a : $T) outs(%a : $T)\n");
        QVERIFY(named(lowering->problem, "%a")->dma && !named(lowering->problem, "%a")->scalar);
        QVERIFY(named(lowering->problem, "%b")->scalar && !named(lowering->problem, "%b")->dma);
        const auto& ops = std::get<Program>(imported->content).main().ops;
        const auto pipe = [&](std::string_view kind) {
            for (const Op& op : ops)
                if (op.kind == kind) return op.pipe;
            return std::string("none");
        };
        QCOMPARE(pipe("hivm.hir.load"), std::string("MTE2"));
        QCOMPARE(pipe("hivm.hir.vexp"), std::string("V"));
        QCOMPARE(pipe("memref.store"), std::string("S"));
    }

    void workspacesGetAPoolEach()
    {
        READ_KERNEL(imported, lowering,
                    "%a = memref_ext.alloc_workspace() from %ws : from memref<?xi8, #hivm.address_space<gm>> to memref<64xf32, "
                    "#hivm.address_space<gm>>\n"
                    "%l = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%l : $T)\nhivm.hir.store ins(%l : $T) outs(%a : "
                    "$G)\nhivm.hir.load ins(%a : $G) outs(%l : $T)\n"
                    "hivm.hir.store ins(%l : $T) outs(%g : $G)\n");
        const Buffer* buffer = named(lowering->problem, "%a");
        QVERIFY(buffer);
        QCOMPARE(lowering->problem.pools[static_cast<std::size_t>(buffer->pools.front())].name, std::string("workspace:ws"));
        QVERIFY(!lowering->problem.pools[static_cast<std::size_t>(buffer->pools.front())].capacity);
    }

    void errorsHavePlaces_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("line");
        QTest::newRow("never written") << "%a = memref.alloc() : $T\nhivm.hir.store ins(%a : $T) outs(%g : $G)\n"
                                       << "never-written" << 8;
        QTest::newRow("no space")
            << "%a = memref.alloc() : memref<64xf32>\nhivm.hir.load ins(%g : $G) outs(%a : memref<64xf32>)\n"
            << "no-space" << 8;
        QTest::newRow("dynamic") << "%a = memref.alloc(%c4) : memref<?xf32, $ub>\n"
                                 << "dynamic-shape" << 8;
        QTest::newRow("unknown op") << "%a = memref.alloc() : $T\nmystery.op %a : $T\n"
                                    << "unknown-op" << 9;
        QTest::newRow("inside an op that is not read")
            << "%a = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%a : $T)\nscf.mystery {\n"
               "hivm.hir.load ins(%g : $G) outs(%a : $T)\n}\n"
            << "unknown-op" << 11;
        QTest::newRow("allocated in an op that is not read") << "memref.alloca_scope {\n%a = memref.alloc() : $T\n}\n"
                                                             << "unknown-op" << 9;
        QTest::newRow("backwards") << "cf.br ^bb1\n^bb1:\ncf.br ^bb1\n"
                                   << "not-available" << 10;
        QTest::newRow("brace") << "%a = memref.alloc() : $T\n}\n}\n}\n"
                               << "syntax" << 11;
    }
    void errorsHavePlaces()
    {
        QFETCH(QString, text);
        QFETCH(QString, code);
        QFETCH(int, line);
        const auto imported = hivm::importKernel(kernel(text.toStdString()), "k.mlir");
        const auto lowering = imported ? lowered(*imported) : Expected<Lowering>(imported.error());
        QVERIFY(!lowering);
        QCOMPARE(std::string(codeText(lowering.error())), code.toStdString());
        QCOMPARE(lowering.error().where.line, line);
        QCOMPARE(lowering.error().where.file, std::string("k.mlir"));
    }

    /// A memory of which nobody has said how large it is holds everything: that must not pass for a plan that fits.
    void memoriesOfUnknownSizeAreToldOf()
    {
        const auto told = [](const Lowering& lowering, std::string_view code) {
            std::string all;
            for (const Diagnostic& each : lowering.diagnostics)
                if (codeText(each) == code) all += each.message + " (" + each.remedy + ")";
            return all;
        };
        const std::string body =
            "%a = memref.alloc() : memref<64xf32, #hivm.address_space<bt>>\nhivm.hir.load ins(%g : $G) outs(%a : memref<64xf32, "
            "#hivm.address_space<bt>>)\n"
            "%b = memref.alloc() : $T\nhivm.hir.load ins(%g : $G) outs(%b : $T)\nhivm.hir.store ins(%b : $T) outs(%g : $G)\n";
        READ_KERNEL(imported, lowering, body);
        QCOMPARE(told(*lowering, "no-target"), std::string("no target is named: 'ub', 'bt' have no capacity, and nothing "
                                                           "overflows (--target ascend910b1, for example)"));
        QCOMPARE(told(*lowering, "capacity-not-known"), std::string());
        // Named by the user, not by the text: nothing is missing, but what is not published.
        LowerOptions options;
        QVERIFY(!options.set("order", "hivm"));
        options.pools = hivm::scopesOf("Ascend910B1");
        const auto named = lower(std::get<Program>(imported->content), options);
        QVERIFY(named);
        QCOMPARE(told(*named, "no-target"), std::string());
        QCOMPARE(
            told(*named, "capacity-not-known"),
            std::string(
                "the capacity of bt is not published: whether its buffers fit cannot be said (say it with --pool bt=BYTES)"));
        for (Pool& pool : options.pools)
            if (pool.name == "bt") pool.capacity = 1024;
        const auto whole = lower(std::get<Program>(imported->content), options);
        QVERIFY(whole && whole->diagnostics.empty());
    }

    void anUnknownOpIsKept()
    {
        READ_KERNEL(imported, lowering,
                    "%m:2 = mystery.op %c0 {a = 1} : index -> (index, index)\n%a = memref.alloc() : $T\nhivm.hir.load ins(%g : "
                    "$G) outs(%a : $T) strange = <thing> more = [1, 2]\n"
                    "hivm.hir.store ins(%a : $T) outs(%g : $G) loc(\"x.py\":3:4)\n");
        QCOMPARE(std::get<Program>(imported->content).main().ops[5].kind, std::string("mystery.op"));
        QCOMPARE(lowering->problem.buffers.front().live.front(), (Interval{7, 9}));
    }

    /// Damaged text gives an error with a place, or a program that can be lowered or is refused: no crash, no hang.
    void damagedTextIsSurvived()
    {
        const std::string text =
            kernel("%a = memref.alloc() : $T\nannotation.mark %a {hivm.multi_buffer = 2 : i32} : $T\nhivm.hir.load ins(%g : $G) "
                   "outs(%a : $T)\n"
                   "%r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a, %y = %c0) -> ($T, index) {\n%b = memref.alloc() : "
                   "$T\n%s = memref.subview %x[%i] [8] [1] : $T to "
                   "memref<8xf32, strided<[1], offset: ?>, $ub>\nhivm.hir.vadd ins(%x, %f : $T, f32) outs(%b : $T) "
                   "temp_buffer(%s : memref<8xf32, strided<[1], offset: ?>, $ub>) broadcast = [0]\n"
                   "%q = scf.if %t -> ($T) {\nscf.yield %b : $T\n} else {\nscf.yield %x : $T\n}\nscf.yield %q, %i : $T, index\n} "
                   "{mark}\n"
                   "%w:2 = scf.while (%u = %r#0, %o = %c0) : ($T, index) -> ($T, index) {\nscf.condition(%t) %u, %o : $T, "
                   "index\n} do {\n^bb0(%z : $T, %k : index):\nscf.yield %z, %k : $T, index\n}\n"
                   "%sc = scope.scope : () -> $T {\nscope.return %w#0 : $T\n} {no_inline}\nhivm.hir.store ins(%sc : $T) outs(%g "
                   ": $G)\ncf.cond_br %t, ^bb1(%a : $T), ^bb1(%r#0 : $T)\n^bb1(%m : $T):\n");
        {
            const auto whole = hivm::importKernel(text, "k.mlir");
            QVERIFY2(whole, whole ? "" : toText(whole.error()).c_str());
            const auto lowering = lowered(*whole);
            QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
        }
        mutate(text, "%#@!^<>(){}[]=:,-\"\n /x0129abcS", 3000, [](const std::string& mutated) {
            const auto imported = hivm::importKernel(mutated, "k.mlir");
            if (!imported) return !imported.error().message.empty() && !imported.error().where.file.empty();
            const auto lowering = lowered(*imported);
            return lowering || !lowering.error().message.empty();
        });
    }

    void deepNestingIsRefused()
    {
        std::string deep = kernel("$X");
        std::string inside;
        for (int i = 0; i < 100000; ++i) inside += "scf.if %t {\n";
        deep.replace(deep.find("$X"), 2, inside);
        const auto refused = hivm::importKernel(deep, "k.mlir");
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Code::syntax);
        QVERIFY(!hivm::importKernel(std::string(1 << 20, '<'), "k.mlir"));
        QVERIFY(!hivm::importKernel("func.func @f() { %a = " + std::string(1 << 20, '('), "k.mlir"));
        QVERIFY(!hivm::importKernel(std::string(1 << 19, '^') + "a(", "k.mlir"));
    }
};

QTEST_GUILESS_MAIN(TestHivmRules)
#include "tst_hivm_rules.moc"
