// The rules behind the addresses of Ascend's PlanMemory, one kernel each. The right addresses are those of the compiler
// (AscendNPU-IR 52f96a130b52), worked out by hand from its rules in specs/hivm-details.md; they do not depend on the order of its
// shuffled attempts.
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "plugins/hivm/plan_writer.h"
#include "plugins/hivm/scopes.h"
#include "tests/plugins/hivm_support.h"

#include <QTest>

#include <optional>

using namespace stowage;
using namespace stowage::test;

namespace {

/// `body` with its short forms written out. $U: 64 x f32 in the unified buffer (256 B), $G the same in global memory; $L: 16384 x
/// f32 in the unified buffer (64 KB), $M the same in global memory; "$load %a": a load from global memory, "$store %a": a store
/// to it, "$loadL", "$storeL" for the large ones; "$mark %a …": an annotation of a $U.
std::string kernel(std::string body, const std::string& attributes = {}, const std::string& target = "Ascend910B1")
{
    const auto replace = [&](const std::string& what, const std::string& by) {
        for (std::size_t at = 0; (at = body.find(what, at)) != std::string::npos; at += by.size())
            body.replace(at, what.size(), by);
    };
    const auto statement = [&](const std::string& what, const std::string& before, const std::string& after) {
        for (std::size_t at = 0; (at = body.find(what + " ", at)) != std::string::npos;) {
            const std::size_t end = body.find('\n', at);
            const std::string operand = body.substr(at + what.size() + 1, end - at - what.size() - 1);
            body.replace(at, end - at, before + operand + after);
        }
    };
    statement("$loadL", "hivm.hir.load ins(%gl : $M) outs(", " : $L)");
    statement("$storeL", "hivm.hir.store ins(", " : $L) outs(%gl : $M)");
    statement("$load", "hivm.hir.load ins(%g : $G) outs(", " : $U)");
    statement("$store", "hivm.hir.store ins(", " : $U) outs(%g : $G)");
    statement("$mark", "annotation.mark ", " : $U");
    replace("$for", "scf.for");
    replace("$from", "= %c0 to %c8 step %c1");
    replace("$U", "memref<64xf32, #hivm.address_space<ub>>");
    replace("$G", "memref<64xf32, #hivm.address_space<gm>>");
    replace("$L", "memref<16384xf32, #hivm.address_space<ub>>");
    replace("$M", "memref<16384xf32, #hivm.address_space<gm>>");
    replace("$ub", "#hivm.address_space<ub>");
    replace("$gm", "#hivm.address_space<gm>");
    return "module attributes {hacc.target = #hacc.target<\"" + target +
           "\">} {\nfunc.func @k(%g : memref<64xf32, #hivm.address_space<gm>>, %gl : memref<16384xf32, "
           "#hivm.address_space<gm>>, %any : memref<?x?xf16, #hivm.address_space<gm>>, %half : memref<16xf16, "
           "#hivm.address_space<gm>>, %ws : memref<?xi8, #hivm.address_space<gm>>, %c : i1, %f : f32) " +
           attributes + " {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n" +
           body + "return\n}\n}\n";
}

/// A kernel through reader, lowering and planner.
struct Planned {
    Imported imported;
    Lowering lowering;
    Plan plan;

    [[nodiscard]] const Function& function() const { return std::get<Program>(imported.content).main(); }
    [[nodiscard]] BufferId bufferOf(const std::string& tensor) const
    {
        for (std::size_t t = 0; t < function().tensors.size(); ++t)
            if (function().tensors[t].name == tensor) return lowering.instances.front().bindings[t].buffer;
        return none;
    }
    /// "%a 0, %b 256 512" for the allocations, in the order of the text.
    [[nodiscard]] std::string addresses() const
    {
        std::string all;
        for (std::size_t t = 0; t < function().tensors.size(); ++t) {
            const Tensor& tensor = function().tensors[t];
            if (!tensor.planned || tensor.aliasOf != none) continue;
            all += (all.empty() ? "" : ", ") + tensor.name;
            const BufferId buffer = lowering.instances.front().bindings[t].buffer;
            if (buffer == none) {
                all += " none";
                continue;
            }
            const Placement& place = plan.placements[static_cast<std::size_t>(buffer)];
            for (const Bytes offset :
                 place.offsets.empty() ? std::vector<Bytes>{place.offset} : std::vector<Bytes>(place.offsets))
                all += " " + std::to_string(offset);
        }
        return all;
    }
};

using Options = std::vector<std::pair<std::string, std::string>>;

Expected<Planned> planned(const std::string& text, const Options& lower = {}, const OptionValues& options = {})
{
    auto imported = hivm::importKernel(text, "k.mlir");
    if (!imported) return std::move(imported).error();
    auto lowering = lowered(*imported, {}, lower);
    if (!lowering) return std::move(lowering).error();
    auto plan = PlannerRegistry::builtIn().find("hivm")->plan(lowering->problem, options, {});
    if (!plan) return std::move(plan).error();
    return Planned{*std::move(imported), *std::move(lowering), *std::move(plan)};
}

/// The text with its plan written into it.
Expected<std::string> written(const std::string& text, const Planned& kernel)
{
    const hivm::WrittenFunction function{std::get<Program>(kernel.imported.content).entry, &kernel.lowering, &kernel.plan};
    return hivm::writePlan(text, "k.mlir", std::get<Program>(kernel.imported.content), {&function, 1},
                           hivm::WorkspaceForm::offset);
}

} // namespace

#define PLANNED(name, ...)                                                                                                       \
    const auto name = planned(__VA_ARGS__);                                                                                      \
    QVERIFY2(name, name ? "" : toText(name.error()).c_str())

/// Compares the addresses of a kernel.
#define LIES_AT(text, wanted)                                                                                                    \
    do {                                                                                                                         \
        PLANNED(laidOut, text);                                                                                                  \
        QCOMPARE(laidOut->addresses(), std::string(wanted));                                                                     \
    } while (false)

class TestHivmDetails : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- 1. aliased allocations -----------------------------------------------------------------------------------------------

    /// The init and what the loop yields have one slot. It stands where the yielded one's own first write puts it: behind %t.
    void aCarriedBufferStandsWhereItsLastAliasIsWritten()
    {
        LIES_AT(kernel("%a = memref.alloc() : $U\n$load %a\n"
                       "%r = $for %i $from iter_args(%x = %a) -> ($U) {\n"
                       "%t = memref.alloc() : $U\n$load %t\n"
                       "%b = memref.alloc() : $U\nhivm.hir.vadd ins(%x, %t : $U, $U) outs(%b : $U)\n"
                       "scf.yield %b : $U\n}\n$store %r\n"),
                "%a 256, %t 0, %b 256");
    }

    /// Of three, the slot stands at the one that became an alias of the first last: the inner loop's, which is walked after the
    /// outer one's yield was linked.
    void ofThreeAliasesTheOneThatWasLinkedLastGivesThePlace()
    {
        LIES_AT(kernel("%a = memref.alloc() : $U\n$load %a\n"
                       "%r = $for %i $from iter_args(%x = %a) -> ($U) {\n"
                       "%q = $for %j $from iter_args(%y = %x) -> ($U) {\n"
                       "%b = memref.alloc() : $U\nhivm.hir.vadd ins(%y, %y : $U, $U) outs(%b : $U)\nscf.yield %b : $U\n}\n"
                       "%t = memref.alloc() : $U\n$load %t\n"
                       "%d = memref.alloc() : $U\nhivm.hir.vadd ins(%q, %t : $U, $U) outs(%d : $U)\nscf.yield %d : $U\n}\n"
                       "$store %r\n"),
                "%a 0, %b 0, %t 256, %d 0");
    }

    /// Nothing has been written to the init: what the loop yields gives it its bytes all the same.
    void aFreshInitLiesWithWhatTheLoopYields()
    {
        const std::string body = "%a = memref.alloc() : $U\n"
                                 "%r = $for %i $from iter_args(%x = %a) -> ($U) {\n"
                                 "%t = memref.alloc() : $U\n$load %t\n"
                                 "%b = memref.alloc() : $U\nhivm.hir.vabs ins(%t : $U) outs(%b : $U)\n"
                                 "scf.yield %b : $U\n}\n$store %r\n";
        LIES_AT(kernel(body), "%a 256, %t 0, %b 256");
        const std::string text = kernel(body);
        PLANNED(kept, text);
        QVERIFY(check(kept->lowering.problem, kept->plan).valid());
        const auto rewritten = written(text, *kept);
        QVERIFY(rewritten && rewritten->find("memref.alloc") == std::string::npos);
    }

    // --- 2. aliased allocations and in-place ----------------------------------------------------------------------------------

    void aliasedBuffersAreNeitherWrittenOverNorWriteOver()
    {
        LIES_AT(kernel("%s = memref.alloc() : $U\n$load %s\n"
                       "%a = memref.alloc() : $U\nhivm.hir.vexp ins(%s : $U) outs(%a : $U)\n"
                       "%r = $for %i $from iter_args(%x = %a) -> ($U) {\n"
                       "%b = memref.alloc() : $U\nhivm.hir.vadd ins(%x, %x : $U, $U) outs(%b : $U)\nscf.yield %b : $U\n}\n"
                       "%z = memref.alloc() : $U\nhivm.hir.vabs ins(%r : $U) outs(%z : $U)\n$store %z\n"),
                "%s 0, %a 256, %b 256, %z 512");
    }

    // --- 3. slots without a loop ----------------------------------------------------------------------------------------------

    void aMultiBufferOutsideLoopsHasAllItsSlots()
    {
        const std::string text = kernel("%a = memref.alloc() : $U\n$mark %a {hivm.multi_buffer = 2 : i32}\n$load %a\n$store %a\n"
                                        "%b = memref.alloc() : $U\n$load %b\n$store %b\n");
        PLANNED(kept, text);
        QCOMPARE(kept->addresses(), std::string("%a 0 512, %b 256"));
        QVERIFY(kept->lowering.diagnostics.empty());
        QVERIFY(check(kept->lowering.problem, kept->plan).valid());
        const auto rewritten = written(text, *kept);
        QVERIFY(rewritten && rewritten->find("%a = hivm.hir.pointer_cast(%c0_i64, %c512_i64) :") != std::string::npos);
    }

    void aPlaceHasAsManySlotsAsAnyOfItsMembers()
    {
        const std::string text = kernel("%a = memref.alloc() : $U\n$load %a\n"
                                        "%r = $for %i $from iter_args(%x = %a) -> ($U) {\n"
                                        "%t = memref.alloc() : $U\n$load %t\n"
                                        "%b = memref.alloc() : $U\n$mark %b {hivm.multi_buffer = 2 : i32}\n"
                                        "hivm.hir.vadd ins(%x, %t : $U, $U) outs(%b : $U)\nscf.yield %b : $U\n}\n$store %r\n");
        PLANNED(kept, text);
        QCOMPARE(kept->addresses(), std::string("%a 256 512, %t 0, %b 256 512"));
        // The marked one moves to the front of its loop; the other stays where it is.
        const auto rewritten = written(text, *kept);
        QVERIFY(rewritten);
        const std::size_t a = rewritten->find("%a = hivm.hir.pointer_cast(%c256_i64, %c512_i64)");
        const std::size_t loop = rewritten->find("scf.for");
        const std::size_t b = rewritten->find("%b = hivm.hir.pointer_cast(%c256_i64, %c512_i64)");
        const std::size_t t = rewritten->find("%t = hivm.hir.pointer_cast(%c0_i64)");
        QVERIFY(a < loop && loop < b && b < t && t != std::string::npos);
    }

    // --- 4. mem_unique and aliases --------------------------------------------------------------------------------------------

    void aUniqueBufferKeepsItsOwnSlotBesideItsAlias()
    {
        LIES_AT(kernel("%a = memref.alloc() : $U\n$mark %a {mem_unique}\n$load %a\n"
                       "%r = scf.if %c -> ($U) {\n%b = memref.alloc() : $U\n$load %b\nscf.yield %b : $U\n} else {\n"
                       "scf.yield %a : $U\n}\n$store %r\n"),
                "%a 0, %b 256");
    }

    // --- 5. class of a merged entry -------------------------------------------------------------------------------------------

    /// %b lies on %a, and its scalar load decides the class: they are placed last.
    void theFirstMemberWithAMarkDecidesTheClass()
    {
        PLANNED(kept, kernel("%a = memref.alloc() : $L\n$loadL %a\n"
                             "%b = memref.alloc() : $L\nhivm.hir.vexp ins(%a : $L) outs(%b : $L)\n"
                             "%d = memref.alloc() : $L\nhivm.hir.vbrc ins(%b : $L) outs(%d : $L)\n"
                             "%e = memref.alloc() : $L\nhivm.hir.vbrc ins(%d : $L) outs(%e : $L)\n"
                             "%x = memref.alloc() : $L\nhivm.hir.vbrc ins(%e : $L) outs(%x : $L)\n"
                             "%v = memref.load %b[%c0] : $L\n$storeL %x\n"));
        QCOMPARE(kept->addresses(), std::string("%a 131072, %b 131072, %d 0, %e 65536, %x 0"));
        QVERIFY(check(kept->lowering.problem, kept->plan).valid());
    }

    // --- 6. the test of level 3 -----------------------------------------------------------------------------------------------

    /// %a is loaded and read by the scalar pipe, %d touched by the scalar pipe alone: no conflict between them.
    void twoScalarBuffersDoNotConflictEvenWhenOneIsLoaded()
    {
        PLANNED(kept, kernel("%a = memref.alloc() : $L\n$loadL %a\n%v = memref.load %a[%c0] : $L\n"
                             "%b = memref.alloc() : $L\nhivm.hir.vbrc ins(%f : f32) outs(%b : $L)\n"
                             "%e = memref.alloc() : $L\nhivm.hir.vbrc ins(%b : $L) outs(%e : $L)\n"
                             "%d = memref.alloc() : $L\nmemref.store %v, %d[%c0] : $L\n%w = memref.load %d[%c1] : $L\n"
                             "%x = memref.load %e[%c1] : $L\n"));
        QCOMPARE(kept->addresses(), std::string("%a 0, %b 65536, %e 0, %d 131072"));
        QVERIFY(kept->plan.diagnostics.empty()); // all at level 3
    }

    // --- 7. in place where a load meets a store -------------------------------------------------------------------------------

    /// The pair of %in and %mid makes %mid a double buffer that a load reaches: what is stored may not lie on it.
    void aStoredDoubleBufferDoesNotLieOnALoadedOne()
    {
        PLANNED(kept, kernel("$for %i $from {\n"
                             "%in = memref.alloc() : memref<16xf16, $ub>\n"
                             "annotation.mark %in {hivm.multi_buffer = 2 : i32} : memref<16xf16, $ub>\n"
                             "hivm.hir.load ins(%half : memref<16xf16, $gm>) outs(%in : memref<16xf16, $ub>)\n"
                             "%mid = memref.alloc() : memref<16xf16, $ub>\n"
                             "hivm.hir.vexp ins(%in : memref<16xf16, $ub>) outs(%mid : memref<16xf16, $ub>)\n"
                             "%out = memref.alloc() : memref<16xf16, $ub>\n"
                             "annotation.mark %out {hivm.multi_buffer = 2 : i32} : memref<16xf16, $ub>\n"
                             "hivm.hir.vabs ins(%mid : memref<16xf16, $ub>) outs(%out : memref<16xf16, $ub>)\n"
                             "hivm.hir.store ins(%out : memref<16xf16, $ub>) outs(%half : memref<16xf16, $gm>)\n}\n"));
        QCOMPARE(kept->addresses(), std::string("%in 0 64, %mid 0 64, %out 32 96"));
        const auto& buffers = kept->lowering.problem.buffers;
        QCOMPARE(buffers[0].mayShare, std::vector<BufferId>{1}); // remembered for level 0
    }

    // --- 8. inline broadcast --------------------------------------------------------------------------------------------------

    void anInlineBroadcastIsInPlaceWhereTheOperandsHaveOneShape()
    {
        const std::string part = "memref<?x?xf16, strided<[16, 1]>, $ub>";
        std::string text =
            "%a = memref.alloc() : memref<64x16xf16, $ub>\n%b = memref.alloc() : memref<64x1xf16, $ub>\n"
            "%o = memref.alloc() : memref<64x16xf16, $ub>\n"
            "%as = memref.subview %a[0, 0] [%c8, %c8] [1, 1] : memref<64x16xf16, $ub> to $P\n"
            "%bs = memref.subview %b[0, 0] [%c8, 1] [1, 1] : memref<64x1xf16, $ub> to memref<?x1xf16, strided<[1, 1]>, $ub>\n"
            "%os = memref.subview %o[0, 0] [%c8, %c8] [1, 1] : memref<64x16xf16, $ub> to $P\n"
            "hivm.hir.load ins(%any : memref<?x?xf16, $gm>) outs(%as : $P)\n"
            "hivm.hir.load ins(%any : memref<?x?xf16, $gm>) outs(%bs : memref<?x1xf16, strided<[1, 1]>, $ub>)\n"
            "hivm.hir.vadd ins(%as, %bs : $P, memref<?x1xf16, strided<[1, 1]>, $ub>) outs(%os : $P) broadcast = [1]\n"
            "hivm.hir.store ins(%os : $P) outs(%any : memref<?x?xf16, $gm>)\n";
        for (std::size_t at = 0; (at = text.find("$P", at)) != std::string::npos;) text.replace(at, 2, part);
        LIES_AT(kernel(text), "%a 0, %b 2048, %o 0");
        PLANNED(asIsa, kernel(text), {{"restrict-inplace-as-isa", "on"}});
        QCOMPARE(asIsa->addresses(), std::string("%a 0, %b 2048, %o 2176"));
    }

    // --- 9. zero bytes --------------------------------------------------------------------------------------------------------

    void aBufferWithoutBytesHasAnAddress()
    {
        const std::string text = kernel(
            "%a = memref.alloc() : $U\n%b = memref.alloc() : memref<64xf16, $ub>\n%t = memref.alloc() : memref<0xf32, $ub>\n"
            "$load %a\nhivm.hir.vcast ins(%a : $U) outs(%b : memref<64xf16, $ub>) temp_buffer(%t : memref<0xf32, $ub>)\n"
            "hivm.hir.store ins(%b : memref<64xf16, $ub>) outs(%any : memref<?x?xf16, $gm>)\n");
        PLANNED(kept, text);
        QCOMPARE(kept->addresses(), std::string("%a 0, %b 256, %t 384"));
        const auto rewritten = written(text, *kept);
        QVERIFY(rewritten && rewritten->find("memref.alloc") == std::string::npos);
        QVERIFY(rewritten->find("%t = hivm.hir.pointer_cast(%c384_i64) : memref<0xf32") != std::string::npos);
    }

    /// Where buffers are reused it lies at 0, and nothing meets it.
    void aBufferWithoutBytesMeetsNothing()
    {
        LIES_AT(kernel("%a = memref.alloc() : $L\n$loadL %a\n%b = memref.alloc() : $L\nhivm.hir.vbrc ins(%a : $L) outs(%b : $L)\n"
                       "%t = memref.alloc() : memref<0xf32, $ub>\n%d = memref.alloc() : $L\n"
                       "hivm.hir.vbrc ins(%b : $L) outs(%d : $L) temp_buffer(%t : memref<0xf32, $ub>)\n"
                       "%e = memref.alloc() : $L\nhivm.hir.vbrc ins(%d : $L) outs(%e : $L)\n$storeL %e\n"),
                "%a 0, %b 131072, %t 0, %d 0, %e 65536");
    }

    // --- 10. tightly coupled buffers ------------------------------------------------------------------------------------------

    /// The vector core's own one is written by the cube core: it lives from its mark on, and is otherwise like any buffer.
    void anOwnedCoupledBufferLivesFromItsMark()
    {
        const std::string body =
            "%a = memref.alloc() : $U\n"
            "$mark %a {hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<1>}\n"
            "%b = memref.alloc() : $U\n$load %b\n"
            "%d = memref.alloc() : $U\nhivm.hir.vadd ins(%b, %a : $U, $U) outs(%d : $U)\n$store %d\n$store %b\n";
        const std::string aiv = "attributes {hivm.func_core_type = #hivm.func_core_type<AIV>}";
        LIES_AT(kernel(body, aiv, "Ascend950PR_950z"), "%a 0, %b 256, %d 0");
        PLANNED(apart, kernel(body, aiv, "Ascend950PR_950z"), {{"disable-tightly-coupled-buffer-reuse", "on"}});
        QVERIFY(apart->lowering.problem.buffers.front().unique);
    }

    /// The cube core's side of it is planned with its own function, and written where the vector core has it.
    void aCoupledPartnerIsWrittenAtItsOwnersAddress()
    {
        const std::string mark = "{hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<1>} : memref<64xf32, "
                                 "#hivm.address_space<ub>>\n";
        const std::string ub = "memref<64xf32, #hivm.address_space<ub>>";
        const std::string gm = "memref<64xf32, #hivm.address_space<gm>>";
        const std::string text =
            "module attributes {hacc.target = #hacc.target<\"Ascend950PR_950z\">} {\n"
            "func.func @aiv(%g : " +
            gm +
            ") attributes {hivm.func_core_type = #hivm.func_core_type<AIV>} {\n"
            "%first = memref.alloc() : " +
            ub + "\nhivm.hir.load ins(%g : " + gm + ") outs(%first : " + ub +
            ")\n"
            "%a = memref.alloc() : " +
            ub + "\nannotation.mark %a " + mark + "hivm.hir.store ins(%first : " + ub + ") outs(%g : " + gm +
            ")\n"
            "hivm.hir.store ins(%a : " +
            ub + ") outs(%g : " + gm +
            ")\nreturn\n}\n"
            "func.func @aic(%c : memref<16x16xf32, #hivm.address_space<cc>>) attributes {hivm.func_core_type = "
            "#hivm.func_core_type<AIC>} {\n"
            "%p = memref.alloc() : " +
            ub + "\nannotation.mark %p " + mark +
            "hivm.hir.fixpipe ins(%c : memref<16x16xf32, #hivm.address_space<cc>>) outs(%p : " + ub + ")\nreturn\n}\n}\n";
        auto imported = hivm::importKernel(text, "k.mlir");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Program& program = std::get<Program>(imported->content);
        const auto vector = lowered(*imported, "aiv"), cube = lowered(*imported, "aic");
        QVERIFY2(vector && cube, cube ? "" : toText(cube.error()).c_str());
        const auto planner = PlannerRegistry::builtIn().find("hivm");
        const auto vectorPlan = planner->plan(vector->problem, {}, {}), cubePlan = planner->plan(cube->problem, {}, {});
        QVERIFY(vectorPlan && cubePlan);
        const std::vector<hivm::WrittenFunction> both{{0, &*vector, &*vectorPlan}, {1, &*cube, &*cubePlan}};
        const auto rewritten = hivm::writePlan(text, "k.mlir", program, both, hivm::WorkspaceForm::offset);
        QVERIFY2(rewritten, rewritten ? "" : toText(rewritten.error()).c_str());
        QVERIFY2(rewritten->find("%a = hivm.hir.pointer_cast(%c256_i64)") != std::string::npos, rewritten->c_str());
        QVERIFY2(rewritten->find("%p = hivm.hir.pointer_cast(%c256_i64)") != std::string::npos, rewritten->c_str());
        const auto alone = hivm::writePlan(text, "k.mlir", program, std::span(both).subspan(1), hivm::WorkspaceForm::offset);
        QVERIFY(alone && alone->find("%p = hivm.hir.pointer_cast(%c0_i64)") != std::string::npos);
    }

    // --- 11. the reader -------------------------------------------------------------------------------------------------------

    void anOpWithoutOperandsEndsWhereTheNextStatementBegins()
    {
        const std::string text = kernel("hivm.hir.set_mask_norm\n%a = memref.alloc() : $U\n$load %a\n$store %a\n"
                                        "hivm.hir.set_mask_norm\nhivm.hir.set_mask_norm\n"
                                        "%b = memref.alloc() : $U\n$load %b\n$store %b\n");
        PLANNED(kept, text);
        QCOMPARE(kept->addresses(), std::string("%a 0, %b 256"));
        QCOMPARE(kept->function().ops[3].kind, std::string("hivm.hir.set_mask_norm"));
        QCOMPARE(kept->function().ops[4].kind, std::string("memref.alloc"));
        QCOMPARE(kept->lowering.problem.buffers.front().live.front(), (Interval{5, 7}));
        const auto rewritten = written(text, *kept);
        QVERIFY(rewritten && rewritten->find("memref.alloc") == std::string::npos);
        QVERIFY(rewritten->find("hivm.hir.set_mask_norm\n%a = hivm.hir.pointer_cast(%c0_i64)") != std::string::npos);
    }

    /// An allocation in a region of a switch gets its address where it stands.
    void allocationsInASwitchAreWritten()
    {
        const std::string text =
            kernel("%a = memref.alloc() : $U\n$load %a\nscf.index_switch %c0\ncase 0 {\n%x = memref.alloc() : $U\n"
                   "hivm.hir.vabs ins(%a : $U) outs(%x : $U)\n$store %x\nscf.yield\n}\ndefault {\nscf.yield\n}\n$store %a\n");
        PLANNED(kept, text);
        QCOMPARE(kept->addresses(), std::string("%a 0, %x 256"));
        const auto rewritten = written(text, *kept);
        QVERIFY(rewritten);
        QVERIFY(rewritten->find("memref.alloc") == std::string::npos);
        QVERIFY(rewritten->find("case 0 {\n%x = hivm.hir.pointer_cast(%c256_i64)") != std::string::npos);
    }

    /// The statement behind may begin with a label or an alias as well, and what loops and calls have behind their names stays
    /// theirs.
    void nothingElseEndsAStatementEarlier()
    {
        PLANNED(kept, kernel("%a = memref.alloc() : $U\n$load %a\n$for %i $from {\nfunc.call @f(%a) : ($U) -> ()\n}\n"
                             "cf.br ^bb1(%a : $U)\n^bb1(%x : $U):\nhivm.hir.set_mask_norm\n"));
        QCOMPARE(kept->addresses(), std::string("%a 0"));
        const auto kinds = [&](const std::string& kind) {
            int count = 0;
            for (const Op& op : kept->function().ops) count += op.kind == kind ? 1 : 0;
            return count;
        };
        QCOMPARE(kinds("scf.for"), 1);
        QCOMPARE(kinds("func.call"), 1);
        QCOMPARE(kinds("cf.br"), 1);
        QCOMPARE(kinds("hivm.hir.set_mask_norm"), 1);
    }

    // --- seen besides ---------------------------------------------------------------------------------------------------------

    /// Both buffers are written where the selected one is.
    void aSelectOfFreshBuffersIsWrittenThrough()
    {
        LIES_AT(kernel("%a = memref.alloc() : $U\n%b = memref.alloc() : $U\n%s = arith.select %c, %a, %b : $U\n$load %s\n"
                       "$store %s\n"),
                "%a 0, %b 256");
    }

    /// A branch writes nothing: the buffer of the second block lives from its own load.
    void aBranchGeneratesNothing()
    {
        PLANNED(kept, kernel("%a = memref.alloc() : $U\n%b = memref.alloc() : $U\ncf.cond_br %c, ^bb1, ^bb2\n"
                             "^bb1:\n$load %a\ncf.br ^bb3(%a : $U)\n^bb2:\n$load %b\ncf.br ^bb3(%b : $U)\n"
                             "^bb3(%x : $U):\n$store %x\n"));
        // constants 0 to 2, allocs 3 and 4, branch 5, load 6, branch 7, load 8, branch 9, store 10
        const auto& buffers = kept->lowering.problem.buffers;
        QCOMPARE(buffers[static_cast<std::size_t>(kept->bufferOf("%a"))].live.front(), (Interval{6, 11}));
        QCOMPARE(buffers[static_cast<std::size_t>(kept->bufferOf("%b"))].live.front(), (Interval{8, 11}));
    }

    /// A buffer lives as long as any value that may be it, or that the same select may give.
    void conditionalAliasesKeepEachOtherAlive()
    {
        PLANNED(kept, kernel("%a = memref.alloc() : $U\n$load %a\n%b = memref.alloc() : $U\n$load %b\n"
                             "%s = arith.select %c, %a, %b : $U\n$store %s\n$store %b\n"));
        // constants 0 to 2, alloc 3, load 4, alloc 5, load 6, select 7, store 8, store 9
        const auto& buffers = kept->lowering.problem.buffers;
        QCOMPARE(buffers[static_cast<std::size_t>(kept->bufferOf("%a"))].live.front(), (Interval{4, 10}));
    }

    /// The layout offset of every input counts, not only that of the one that dies.
    void anotherInputsLayoutOffsetForbidsInPlace()
    {
        const std::string text =
            "%a = memref.alloc() : $U\n$load %a\n%b = memref.alloc() : memref<128xf32, $ub>\n"
            "%p = memref.subview %b[64] [64] [1] : memref<128xf32, $ub> to memref<64xf32, strided<[1], offset: $OFF>, $ub>\n"
            "hivm.hir.load ins(%g : $G) outs(%p : memref<64xf32, strided<[1], offset: $OFF>, $ub>)\n"
            "%o = memref.alloc() : $U\n"
            "hivm.hir.vadd ins(%a, %p : $U, memref<64xf32, strided<[1], offset: $OFF>, $ub>) outs(%o : $U)\n$store %o\n";
        const auto with = [&](const std::string& offset) {
            std::string made = text;
            for (std::size_t at = 0; (at = made.find("$OFF", at)) != std::string::npos;) made.replace(at, 4, offset);
            return kernel(made);
        };
        LIES_AT(with("64"), "%a 0, %b 256, %o 768");
        LIES_AT(with("0"), "%a 0, %b 256, %o 0");
    }

    /// An input that is narrower than the output does not end the search: the next one is as wide.
    void inputsAreGoneThroughUntilOneIsWideEnough()
    {
        LIES_AT(kernel("%n = memref.alloc() : memref<64xf16, $ub>\nhivm.hir.load ins(%half : memref<16xf16, $gm>) outs(%n : "
                       "memref<64xf16, $ub>)\n%a = memref.alloc() : $U\n$load %a\n%o = memref.alloc() : $U\n"
                       "hivm.hir.vpow ins(%n, %a : memref<64xf16, $ub>, $U) outs(%o : $U)\n$store %o\n"),
                "%n 0, %a 128, %o 128");
    }

    void everyElementWiseOpMayWriteOverItsInput_data()
    {
        QTest::addColumn<QString>("op");
        for (const char* op : {"vatan", "vtan", "vexp2", "vexpm1", "vilogb", "vldexp", "visinf", "visnan", "vlog2", "vlog10",
                               "vlog1p", "vmodui", "vmulext", "vmulextui"})
            QTest::newRow(op) << QString::fromUtf8(op);
    }
    void everyElementWiseOpMayWriteOverItsInput()
    {
        QFETCH(QString, op);
        LIES_AT(kernel("%a = memref.alloc() : $U\n$load %a\n%b = memref.alloc() : $U\nhivm.hir." + op.toStdString() +
                       " ins(%a : $U) outs(%b : $U)\n$store %b\n"),
                "%a 0, %b 0");
    }

    /// Scratch of any op takes no part in in-place.
    void scratchTakesNoPart()
    {
        LIES_AT(kernel("%t = memref.alloc() : $U\n%a = memref.alloc() : $U\nhivm.hir.vreduce ins(%f : f32) outs(%a : $U) "
                       "temp_buffer(%t : $U)\n%b = memref.alloc() : $U\nhivm.hir.vadd ins(%t, %t : $U, $U) outs(%b : $U)\n"
                       "$store %b\n$store %a\n"),
                "%t 256, %a 0, %b 512");
    }

    /// `memref_ext.alloc_workspace` takes index operands only.
    void offsetsInWorkspacesAreIndexConstants()
    {
        const std::string text =
            kernel("%a = memref_ext.alloc_workspace() from %ws : from memref<?xi8, $gm> to memref<64xf32, $gm>\n"
                   "%b = memref_ext.alloc_workspace() from %ws : from memref<?xi8, $gm> to memref<64xf32, $gm>\n"
                   "%l = memref.alloc() : $U\n$load %l\nhivm.hir.store ins(%l : $U) outs(%a : $G)\n"
                   "hivm.hir.store ins(%l : $U) outs(%b : $G)\n");
        PLANNED(kept, text);
        QCOMPARE(kept->addresses(), std::string("%a 0, %b 256, %l 0"));
        const auto rewritten = written(text, *kept);
        QVERIFY(rewritten);
        // %c0 is the kernel's own name for a constant
        QVERIFY2(rewritten->find("%c0_0 = arith.constant 0 : index\n") != std::string::npos &&
                     rewritten->find("%c256 = arith.constant 256 : index\n") != std::string::npos,
                 rewritten->c_str());
        QVERIFY(rewritten->find("from %ws offset = [%c0_0] : from") != std::string::npos);
        QVERIFY(rewritten->find("from %ws offset = [%c256] : from") != std::string::npos);
        QVERIFY(rewritten->find("hivm.hir.pointer_cast(%c0_i64)") != std::string::npos);
        const auto again = hivm::importKernel(*rewritten, "k.mlir");
        QVERIFY2(again, again ? "" : toText(again.error()).c_str());
        QCOMPARE(again->plans.size(), std::size_t{1});
        QCOMPARE(again->plans.front().offsets.size(), std::size_t{3});
    }
};

QTEST_GUILESS_MAIN(TestHivmDetails)
#include "tst_hivm_details.moc"
