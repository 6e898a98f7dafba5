// Constant folding decides and splits as its specification says.
#include "core/ir/verify.h"
#include "core/passes/fold_split.h"
#include "core/passes/fold_traits.h"
#include "tests/core/program_builder.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QtTest/QTest>

#include <algorithm>
#include <map>

using namespace stowage;
using test::ProgramBuilder;
using test::Random;

namespace {

TensorId weight(ProgramBuilder& b, const std::string& name, Bytes bytes, Availability available = Availability::runTime)
{
    const TensorId id = b.tensor(name, bytes, TensorKind::constant);
    b.get(id).available = available;
    return id;
}

OpId kind(ProgramBuilder& b, OpId op, const std::string& kind)
{
    b.at(op).kind = kind;
    return op;
}

/// f32 with a shape.
TensorId shaped(ProgramBuilder& b, const std::string& name, std::vector<std::int64_t> shape,
                TensorKind kindOfIt = TensorKind::intermediate)
{
    Bytes bytes = 4;
    for (const std::int64_t extent : shape) bytes *= extent;
    const TensorId id = b.tensor(name, bytes, kindOfIt);
    b.get(id).dtype = "f32";
    b.get(id).shape = std::move(shape);
    return id;
}

FunctionFold decide(ProgramBuilder& b, const FoldOptions& options = {})
{
    const Diagnostics wrong = verify(b.program());
    if (!wrong.empty()) qFatal("%s", toText(wrong.front()).c_str());
    auto fold = decideFolds(b.program(), 0, options);
    if (!fold) qFatal("%s", fold.error().message.c_str());
    return *fold;
}

FoldedProgram split(const Program& program, const FoldOptions& options = {})
{
    const std::vector<FunctionId> functions = foldableFunctions(program);
    auto folded = foldProgram(program, functions, options);
    if (!folded) qFatal("%s", folded.error().message.c_str());
    return *std::move(folded);
}

/// What each tensor of a function without regions holds, as a term over the constants and inputs: "pack(w)".
std::map<std::string, std::string> terms(const Function& function, std::map<std::string, std::string> known)
{
    const auto name = [&](TensorId id) { return function.tensors[at(id)].name; };
    for (const Tensor& tensor : function.tensors) known.emplace(tensor.name, tensor.name);
    for (const OpId id : function.body().ops) {
        const Op& op = function.ops[at(id)];
        std::string term = op.kind + '(';
        for (const TensorId input : op.inputs) term += known.at(name(input)) + ',';
        for (std::size_t i = 0; i < op.outputs.size(); ++i) known[name(op.outputs[i])] = term + std::to_string(i) + ')';
    }
    return known;
}

std::vector<std::string> outputs(const Function& function, const std::map<std::string, std::string>& terms)
{
    std::vector<std::string> values;
    for (const TensorId id : function.body().outputs) values.push_back(terms.at(function.tensors[at(id)].name));
    return values;
}

/// The outputs of the folded program: fold functions first, their results by name into the entry.
std::vector<std::string> runFolded(const FoldedProgram& folded)
{
    const SplitFunction& split = folded.functions.front();
    std::map<std::string, std::string> kept;
    for (const FunctionId id : {split.compileTimeFold, split.runTimeFold}) {
        if (id == none) continue;
        const Function& function = folded.program.functions[at(id)];
        const auto values = terms(function, kept);
        for (const TensorId output : function.body().outputs) {
            const std::string& name = function.tensors[at(output)].name;
            kept[name] = values.at(name);
        }
    }
    const Function& entry = folded.program.functions[at(split.entry)];
    return outputs(entry, terms(entry, kept));
}

} // namespace

class FoldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aValueIsFoldedUpToTheThresholdInclusive_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<bool>("folds");
        QTest::newRow("eight times its root") << qint64(800) << true;
        QTest::newRow("a byte more") << qint64(801) << false;
    }
    void aValueIsFoldedUpToTheThresholdInclusive()
    {
        QFETCH(const qint64, bytes);
        QFETCH(const bool, folds);
        ProgramBuilder b;
        const auto x = b.input("x", 4), w = weight(b, "w", 100), p = b.tensor("p", bytes), y = b.tensor("y", 4);
        const OpId pack = b.op("pack", {w}, {p});
        b.op("use", {x, p}, {y});
        b.output(y);
        const FunctionFold fold = decide(b);
        QCOMPARE(fold.ops[at(pack)].folded(), folds);
        QCOMPARE(fold.ops[at(pack)].reason, folds ? FoldReason::folded : FoldReason::grows);
        QCOMPARE(fold.ops[at(pack)].rootBytes, Bytes{100});
    }

    void rootsCountOnceHoweverManyWaysLeadToThem()
    {
        ProgramBuilder b;
        const auto w = weight(b, "w", 100), a = b.tensor("a", 100), c = b.tensor("c", 100), j = b.tensor("j", 801),
                   y = b.tensor("y", 4);
        b.op("a", {w}, {a});
        b.op("c", {w}, {c});
        const OpId join = b.op("join", {a, c}, {j});
        b.op("use", {j, b.input("x", 4)}, {y});
        b.output(y);
        const FunctionFold fold = decide(b);
        QCOMPARE(fold.ops[at(join)].rootBytes, Bytes{100});
        QCOMPARE(fold.ops[at(join)].reason, FoldReason::grows);
    }

    /// w (100) -> a (100) -> b (60), and a -> c (40); b and c are kept, and u (8) -> d (8) is apart from them.
    void oneTensorAgainCostsWhatLeadsToIt()
    {
        ProgramBuilder b;
        const auto w = weight(b, "w", 100), u = weight(b, "u", 8), a = b.tensor("a", 100), big = b.tensor("b", 60),
                   small = b.tensor("c", 40), d = b.tensor("d", 8), y = b.tensor("y", 4);
        b.op("a", {w}, {a});
        b.op("b", {a}, {big});
        b.op("c", {a}, {small});
        b.op("d", {u}, {d});
        b.op("use", {b.input("x", 4), big, small, d}, {y});
        b.output(y);
        const FunctionId entry[] = {0};
        const auto folded = foldProgram(b.program(), entry, {});
        QVERIFY(bool(folded));
        const SplitFunction& split = folded->functions.front();
        QCOMPARE(split.fold.folded.size(), std::size_t(3));
        const auto again = [&](std::vector<std::int64_t> ids) { return refoldBytes(*folded, split, ids); };
        QCOMPARE(again({}), Bytes{0});
        QCOMPARE(again({0}), Bytes{200 + 160});
        QCOMPARE(again({1}), Bytes{200 + 140});
        QCOMPARE(again({0, 1}), Bytes{200 + 160 + 140}); // a is made once
        QCOMPARE(again({2}), Bytes{16});
        QCOMPARE(again({0, 1, 2}), split.costs.movedByFold);
    }

    void theLatticeJoinsUpward()
    {
        ProgramBuilder b;
        const auto c = weight(b, "c", 8, Availability::compileTime), r = weight(b, "r", 8), x = b.input("x", 8);
        const auto v = b.tensor("v", 8, TensorKind::variable);
        const auto cc = b.tensor("cc", 8), cr = b.tensor("cr", 8), rx = b.tensor("rx", 8), vv = b.tensor("vv", 8);
        b.op("c", {c}, {cc});
        b.op("cr", {cc, r}, {cr});
        b.op("rx", {cr, x}, {rx});
        b.op("v", {v, c}, {vv});
        for (const TensorId id : {rx, vv}) b.output(id);
        const FunctionFold fold = decide(b);
        QCOMPARE(fold.tensors[at(cc)], ConstLevel::compileTime);
        QCOMPARE(fold.tensors[at(cr)], ConstLevel::runTime);
        QCOMPARE(fold.tensors[at(rx)], ConstLevel::notConstant);
        QCOMPARE(fold.tensors[at(vv)], ConstLevel::notConstant);
    }

    void splitKeepsCompileTimeApartAndRunTimeReadsIt()
    {
        ProgramBuilder b;
        const auto c = weight(b, "c", 8, Availability::compileTime), r = weight(b, "r", 8), x = b.input("x", 8);
        const auto cc = b.tensor("cc", 8), cr = b.tensor("cr", 8), y = b.tensor("y", 8);
        b.op("pc", {c}, {cc});
        b.op("pcr", {cc, r}, {cr});
        b.op("use", {cr, x}, {y});
        b.output(y);
        FoldOptions options;
        options.mode = FoldMode::split;
        const FoldedProgram folded = split(b.program(), options);
        const SplitFunction& f = folded.functions.front();
        QVERIFY(f.compileTimeFold != none && f.runTimeFold != none);
        QCOMPARE(folded.program.functions[at(f.compileTimeFold)].name, std::string("compiletime_fold"));
        QCOMPARE(folded.program.functions[at(f.runTimeFold)].name, std::string("runtime_fold"));
        QCOMPARE(f.fold.folded.size(), std::size_t{2});
        QVERIFY(!f.fold.folded[0].entryReads && f.fold.folded[0].runTimeFoldReads);
        QVERIFY(f.fold.folded[1].entryReads);
        // In the default mode the same ops are in one function, and only what the entry reads is kept.
        const FoldedProgram one = split(b.program());
        QCOMPARE(one.functions.front().compileTimeFold, none);
        QCOMPARE(one.functions.front().fold.folded.size(), std::size_t{1});
    }

    void anExpandingOpMovesAfterItsElementWiseUsers_data()
    {
        QTest::addColumn<QString>("broken");
        QTest::addColumn<int>("chain"); ///< ops that fold
        QTest::newRow("both") << "" << 2;
        QTest::newRow("the second is no element-wise op") << "softmax" << 1;
        QTest::newRow("the second's other operand changes") << "x" << 1;
        QTest::newRow("the first value is read twice") << "twice" << 1;
        QTest::newRow("the wide value itself is read twice") << "wide twice" << 0;
        QTest::newRow("off") << "off" << 0;
    }
    void anExpandingOpMovesAfterItsElementWiseUsers()
    {
        QFETCH(const QString, broken);
        QFETCH(const int, chain);
        ProgramBuilder b;
        const auto w = shaped(b, "w", {8}, TensorKind::constant), x = shaped(b, "x", {64, 8}, TensorKind::input);
        b.region().inputs.push_back(x);
        b.get(w).available = Availability::runTime;
        const auto wide = shaped(b, "wide", {64, 8}), e = shaped(b, "e", {64, 8}), s = shaped(b, "s", {64, 8}),
                   y = shaped(b, "y", {64, 8});
        const OpId expanding = kind(b, b.op("broadcast", {w}, {wide}), "Expand");
        const OpId exp = kind(b, b.op("exp", {wide}, {e}), "Exp");
        const OpId second =
            kind(b, b.op("second", broken == "x" ? ProgramBuilder::Tensors{e, x} : ProgramBuilder::Tensors{e}, {s}),
                 broken == "softmax" ? "Softmax"
                 : broken == "x"     ? "Add"
                                     : "Neg");
        kind(b, b.op("use", {s, x, broken == "twice" ? e : broken == "wide twice" ? wide : s}, {y}), "Sum");
        b.output(y);
        FoldOptions options;
        options.postpone = broken != "off";
        const FunctionFold fold = decide(b, options);
        QCOMPARE(fold.ops[at(exp)].folded(), chain > 0);
        QCOMPARE(fold.ops[at(second)].folded(), chain > 1);
        QCOMPARE(fold.ops[at(expanding)].reason, chain > 0 ? FoldReason::postponed : FoldReason::grows);
        if (chain == 0) return;
        QCOMPARE(fold.folded.size(), std::size_t{1});
        QCOMPARE(fold.folded.front().shape, (std::vector<std::int64_t>{8}));
        QCOMPARE(fold.folded.front().size, Bytes{32});
        const FoldedProgram folded = split(b.program(), options);
        QVERIFY(verify(folded.program).empty());
        // In the entry the broadcast reads the folded tensor, and gives what the chain gave.
        const Function& entry = folded.program.main();
        const Op& moved = entry.ops[at(entry.body().ops.front())];
        QCOMPARE(moved.name, std::string("broadcast"));
        QCOMPARE(entry.tensors[at(moved.inputs.front())].kind, TensorKind::variable);
        QCOMPARE(entry.tensors[at(moved.outputs.front())].name, std::string(chain == 2 ? "s" : "e"));
        QCOMPARE(entry.tensors[at(moved.outputs.front())].bytes, std::optional<Bytes>(64 * 8 * 4));
    }

    /// w (compile-time, 32 bytes) is expanded; one op of its chain also needs s (run-time, 4 bytes). Only ops before that one can
    /// be executed by the compiler.
    void aChainFoldsAtTheLevelOfAllItsOperands_data()
    {
        QTest::addColumn<bool>("first"); ///< the first op of the chain needs s; otherwise the second one
        QTest::newRow("the first op") << true;
        QTest::newRow("the second op") << false;
    }
    void aChainFoldsAtTheLevelOfAllItsOperands()
    {
        QFETCH(const bool, first);
        ProgramBuilder b;
        const auto w = shaped(b, "w", {8}, TensorKind::constant), s = shaped(b, "s", {1}, TensorKind::constant),
                   x = b.input("x", 4), wide = shaped(b, "wide", {64, 8}), c = shaped(b, "c", {64, 8}),
                   d = shaped(b, "d", {64, 8}), y = b.tensor("y", 4);
        b.get(s).available = Availability::runTime;
        kind(b, b.op("broadcast", {w}, {wide}), "Expand");
        const OpId one =
            kind(b, b.op("one", first ? ProgramBuilder::Tensors{wide, s} : ProgramBuilder::Tensors{wide}, {c}), "Max");
        const OpId two = kind(b, b.op("two", first ? ProgramBuilder::Tensors{c} : ProgramBuilder::Tensors{c, s}, {d}), "Max");
        b.op("use", {d, x}, {y});
        b.output(y);
        FoldOptions options;
        for (const FoldMode mode : {FoldMode::split, FoldMode::evaluate}) {
            options.mode = mode;
            const FunctionFold fold = decide(b, options);
            QCOMPARE(fold.ops[at(one)].level, first ? ConstLevel::runTime : ConstLevel::compileTime);
            QCOMPARE(fold.ops[at(one)].place, first ? FoldPlace::runTimeFold : FoldPlace::compileTimeFold);
            QCOMPARE(fold.ops[at(one)].rootBytes, Bytes{first ? 36 : 32});
            QCOMPARE(fold.ops[at(two)].place, FoldPlace::runTimeFold);
            QCOMPARE(fold.ops[at(two)].rootBytes, Bytes{36});
            for (const FoldedTensor& kept : fold.folded) QCOMPARE(kept.shape, (std::vector<std::int64_t>{8}));
            QVERIFY(verify(split(b.program(), options).program).empty());
        }
    }

    void argumentsStayWhereSomethingReadsThemRaw()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 8), both = b.input("both", 8), folded = b.input("folded", 8),
                   returned = b.input("returned", 8);
        const auto p = b.tensor("p", 8), q = b.tensor("q", 8), y = b.tensor("y", 8);
        b.op("p", {both}, {p});
        b.op("q", {folded}, {q});
        b.op("use", {x, p, q, both}, {y});
        for (const TensorId id : {y, returned, q}) b.output(id);
        FoldOptions options;
        options.runTimeArguments = {1, 2, 3};
        const FunctionFold fold = decide(b, options);
        QCOMPARE(fold.entryArguments, (std::vector<TensorId>{x, both, returned}));
        QCOMPARE(fold.runTimeArguments, (std::vector<TensorId>{both, folded}));
        const FoldedProgram split_ = split(b.program(), options);
        QCOMPARE(split_.program.main().body().inputs.size(), std::size_t{5}); // three, and two folded tensors
        QCOMPARE(runFolded(split_), outputs(b.program().main(), terms(b.program().main(), {})));
    }

    void optionsOutOfRangeAreErrors()
    {
        ProgramBuilder b;
        b.output(b.input("x", 8));
        FoldOptions options;
        options.runTimeArguments = {1};
        QVERIFY(!decideFolds(b.program(), 0, options));
        options = {};
        options.threshold = 0;
        QVERIFY(!decideFolds(b.program(), 0, options));
    }

    void deadOpsAndEffectsStay()
    {
        ProgramBuilder b;
        const auto w = weight(b, "w", 8), x = b.input("x", 8), d = b.tensor("d", 8), dd = b.tensor("dd", 8), r = b.tensor("r", 8);
        const auto y = b.tensor("y", 8);
        const OpId dead = b.op("dead", {w}, {d}), deader = b.op("deader", {d}, {dd});
        const OpId random = kind(b, b.op("random", {w}, {r}), "RandomNormalLike");
        b.op("use", {x, r}, {y});
        b.output(y);
        const FunctionFold fold = decide(b);
        QCOMPARE(fold.ops[at(dead)].reason, FoldReason::unused);
        QCOMPARE(fold.ops[at(deader)].reason, FoldReason::unused);
        QCOMPARE(fold.ops[at(random)].reason, FoldReason::notPure);
        QVERIFY(!fold.any());
    }

    /// What an op overwrites in each run is constant in none of its bytes, whichever way they are read.
    void aTensorWrittenThroughAViewIsNotConstant()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 64), w = weight(b, "w", 64);
        const auto u = b.tensor("u", 64), uv = b.view("uv", u, 32), p = b.tensor("p", 64);
        const auto parts = b.tensor("parts", 64), low = b.view("low", parts, 32), high = b.view("high", parts, 32, 32);
        const auto q = b.tensor("q", 64);
        const OpId pack = b.op("pack", {w}, {u});
        b.op("update", {x}, {uv});
        const OpId use = b.op("use", {u}, {p});
        b.op("low", {w}, {low});
        b.op("high", {x}, {high});
        const OpId whole = b.op("whole", {parts, w}, {q});
        b.output(p);
        b.output(q);
        const FunctionFold fold = decide(b);
        QCOMPARE(fold.ops[at(pack)].reason, FoldReason::notPure);
        QCOMPARE(fold.ops[at(use)].reason, FoldReason::notConstant);
        QCOMPARE(fold.ops[at(whole)].reason, FoldReason::notConstant);
        for (const TensorId id : {u, uv, parts, low, high}) QCOMPARE(fold.tensors[at(id)], ConstLevel::notConstant);
        QVERIFY(!fold.any());
    }

    /// A result that an op must overwrite, as a whole or through a view, is made in each run; the permission of another op does
    /// not count. The obligations over it and over a variable remain in the new entry.
    void aResultThatAnOpMustOverwriteIsNotFolded()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 64), w = weight(b, "w", 64), state = b.tensor("state", 64, TensorKind::variable);
        const auto whole = b.tensor("whole", 64), part = b.tensor("part", 64), view = b.view("view", part, 32, 32);
        const auto kept = b.tensor("kept", 64), u = b.tensor("u", 64), v = b.tensor("v", 32), s = b.tensor("s", 64);
        const auto over = b.tensor("over kept", 64), y = b.tensor("y", 64);
        const OpId packWhole = b.op("pack whole", {w}, {whole}), packPart = b.op("pack part", {w}, {part});
        const OpId pack = b.op("pack", {w}, {kept});
        const auto overwrites = [&](const std::string& name, TensorId input, TensorId output, bool required) {
            const OpId id = b.op(name, {input, x}, {output});
            b.at(id).inPlace = {{input, output}};
            b.at(id).inPlaceRequired = required;
        };
        overwrites("over whole", whole, u, true);
        overwrites("over view", view, v, true);
        overwrites("over state", state, s, true);
        overwrites("permitted", kept, over, false);
        b.op("sum", {u, v, s, over}, {y});
        b.output(y);
        const FunctionFold fold = decide(b);
        for (const OpId id : {packWhole, packPart}) QCOMPARE(fold.ops[at(id)].reason, FoldReason::notPure);
        QVERIFY(fold.ops[at(pack)].folded());
        QCOMPARE(fold.folded.size(), std::size_t(1));

        const FoldedProgram folded = split(b.program());
        std::map<std::string, std::size_t> pairs;
        for (const Op& op : folded.program.functions[at(folded.functions.front().entry)].ops)
            if (op.inPlaceRequired || !op.inPlace.empty()) pairs[op.name] = op.inPlace.size();
        QCOMPARE(pairs, (std::map<std::string, std::size_t>{{"over whole", 1}, {"over view", 1}, {"over state", 1}}));
    }

    /// A view that an op declares changes no byte.
    void aDeclaredViewLeavesItsTensorConstant()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 64), w = weight(b, "w", 64), t = b.tensor("t", 64), flat = b.view("flat", t, 64);
        const auto a = b.tensor("a", 64), y = b.tensor("y", 64);
        b.op("pack", {w}, {t});
        kind(b, b.op("flatten", {t}, {flat}), "reshape");
        const OpId again = b.op("again", {flat}, {a});
        b.op("use", {x, a}, {y});
        b.output(y);
        QVERIFY(decide(b).ops[at(again)].folded());
        QVERIFY(verify(split(b.program()).program).empty());
    }

    /// A tensor counts as read where a view of it is.
    void aFoldedTensorMayBeReadThroughAView()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 64), w = weight(b, "w", 64), t = b.tensor("t", 64), tv = b.view("tv", t, 32);
        const auto a = b.tensor("a", 64), y = b.tensor("y", 64), z = b.tensor("z", 64);
        const auto only = b.tensor("only", 64), ov = b.view("ov", only, 32, 32);
        b.op("pack", {w}, {t});
        b.op("again", {t}, {a});
        const OpId pack = b.op("pack 2", {w}, {only});
        b.op("product", {x, a}, {y});
        b.op("sum", {y, tv, ov}, {z});
        b.output(z);
        const FunctionFold fold = decide(b);
        QVERIFY(fold.ops[at(pack)].folded());
        QCOMPARE(fold.folded.size(), std::size_t(3));
        QCOMPARE(fold.folded[0].tensor, t);
        QCOMPARE(fold.folded[1].tensor, a);
        QCOMPARE(fold.folded[2].tensor, only);
        for (const FoldedTensor& kept : fold.folded) QVERIFY(kept.entryReads);
        QVERIFY(verify(split(b.program()).program).empty());
    }

    /// w (100) -> t (100), whose first 50 bytes -> c (40).
    void whatLeadsToATensorThroughAViewIsMadeAgain()
    {
        ProgramBuilder b;
        const auto w = weight(b, "w", 100), t = b.tensor("t", 100), tv = b.view("tv", t, 50), c = b.tensor("c", 40);
        const auto y = b.tensor("y", 4);
        b.op("t", {w}, {t});
        b.op("c", {tv}, {c});
        b.op("use", {b.input("x", 4), c}, {y});
        b.output(y);
        const FoldedProgram folded = split(b.program());
        const std::vector<std::int64_t> ids{0};
        QCOMPARE(refoldBytes(folded, folded.functions.front(), ids), Bytes{200 + 90});
    }

    void anExpandingOpStaysWhereAViewOfItsResultIsRead()
    {
        for (const bool seen : {false, true}) {
            ProgramBuilder b;
            const auto x = b.input("x", 64), w = shaped(b, "w", {8}, TensorKind::constant), wide = shaped(b, "wide", {512, 8});
            const auto v = b.view("v", wide, 64), r = shaped(b, "r", {512, 8}), y = b.tensor("y", 64), z = b.tensor("z", 64);
            const OpId expand = kind(b, b.op("expand", {w}, {wide}), "broadcast");
            kind(b, b.op("relu", {wide}, {r}), "relu");
            b.op("use", {r, x}, {y});
            b.op("peek", {seen ? v : x}, {z});
            b.output(y);
            b.output(z);
            QCOMPARE(decide(b).ops[at(expand)].reason, seen ? FoldReason::grows : FoldReason::postponed);
        }
    }

    void anOpWithoutOperandsIsConstantWhereItSaysSo_data()
    {
        QTest::addColumn<QString>("kindOfIt");
        QTest::addColumn<QString>("stated");
        QTest::addColumn<bool>("literal");
        QTest::addColumn<bool>("folds");
        QTest::newRow("a device") << "camera" << QString() << false << false;
        QTest::newRow("a constant") << "constant" << QString() << false << true;
        QTest::newRow("stated as pure") << "camera"
                                        << "pure known" << false << true;
        QTest::newRow("a literal") << "camera" << QString() << true << true;
    }
    void anOpWithoutOperandsIsConstantWhereItSaysSo()
    {
        QFETCH(const QString, kindOfIt);
        QFETCH(const QString, stated);
        QFETCH(const bool, literal);
        QFETCH(const bool, folds);
        ProgramBuilder b;
        const auto w = weight(b, "w", 64), made = b.tensor("made", 64), r = b.tensor("r", 64);
        if (literal) b.get(made).available = Availability::compileTime;
        const OpId make = kind(b, b.op("make", {}, {made}), kindOfIt.toStdString());
        if (!stated.isEmpty()) b.at(make).attributes.emplace_back(foldAttribute, stated.toStdString());
        const OpId blend = b.op("blend", {made, w}, {r});
        b.output(r);
        const FunctionFold fold = decide(b);
        QCOMPARE(fold.ops[at(blend)].folded(), folds);
        QCOMPARE(fold.ops[at(make)].level, folds ? ConstLevel::compileTime : ConstLevel::notConstant);
    }

    void opsInsideLoopsFoldAndCarriedValuesDoNot()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 8), w = weight(b, "w", 8), result = b.tensor("result", 8);
        const OpId loop = b.loop("loop", {x}, {result});
        b.begin(loop, RegionRole::body);
        const auto carried = b.input("carried", 8), p = b.tensor("p", 8), next = b.tensor("next", 8);
        const OpId pack = b.op("pack", {w}, {p}), use = b.op("use", {carried, p}, {next});
        b.output(next);
        b.end();
        b.at(loop).carries = {{next, carried}};
        b.output(result);
        const FunctionFold fold = decide(b);
        QVERIFY(fold.ops[at(pack)].folded());
        QCOMPARE(fold.ops[at(use)].reason, FoldReason::notConstant);
        QCOMPARE(fold.ops[at(loop)].reason, FoldReason::controlFlow);
        QVERIFY(verify(split(b.program()).program).empty());
    }

    /// Whatever folds, both forms compute the same terms, and each op runs in exactly one function unless it is a source.
    void foldedProgramsComputeTheSame()
    {
        Random random(20260817 + stowage::test::seedShift());
        int foldedOps = 0;
        for (int round = 0; round < 400; ++round) {
            ProgramBuilder b;
            std::vector<TensorId> values;
            for (auto i = random(0, 2); i >= 0; --i) values.push_back(b.input("x" + std::to_string(i), 8));
            for (auto i = random(0, 3); i >= 0; --i)
                values.push_back(weight(b, "w" + std::to_string(i), random(1, 40),
                                        random(0, 1) ? Availability::runTime : Availability::compileTime));
            const auto scalar = weight(b, "scalar", 4, Availability::compileTime);
            b.get(scalar).attributes.emplace_back(scalarAttribute, "");
            values.push_back(scalar);
            for (auto i = random(1, 14); i > 0; --i) {
                ProgramBuilder::Tensors ins, outs;
                for (auto k = random(1, 3); k > 0; --k)
                    ins.push_back(values[static_cast<std::size_t>(random(0, static_cast<std::int64_t>(values.size()) - 1))]);
                for (auto k = random(1, 2); k > 0; --k)
                    outs.push_back(b.tensor("t" + std::to_string(i) + '_' + std::to_string(k), random(1, 60)));
                b.op("op" + std::to_string(i), ins, outs);
                values.insert(values.end(), outs.begin(), outs.end());
            }
            for (auto k = random(1, 4); k > 0; --k) {
                const TensorId out = values[static_cast<std::size_t>(random(0, static_cast<std::int64_t>(values.size()) - 1))];
                const auto& listed = b.region().outputs;
                if (std::find(listed.begin(), listed.end(), out) == listed.end()) b.output(out);
            }
            FoldOptions options;
            options.mode = random(0, 1) ? FoldMode::split : FoldMode::runTime;
            options.threshold = static_cast<double>(random(1, 8));
            const Function& original = b.program().main();
            const FoldedProgram folded = split(b.program(), options);
            QVERIFY2(verify(folded.program).empty(), qPrintable(QString("seed 20260817, round %1").arg(round)));
            QVERIFY2(runFolded(folded) == outputs(original, terms(original, {})),
                     qPrintable(QString("seed 20260817, round %1").arg(round)));
            const FunctionFold& fold = folded.functions.front().fold;
            std::size_t ops = 0;
            for (const Function& function : folded.program.functions) ops += function.ops.size();
            const auto copies = std::count_if(fold.ops.begin(), fold.ops.end(), [](const OpFold& op) { return op.source(); });
            QVERIFY(ops >= original.ops.size() && ops <= original.ops.size() + 2 * static_cast<std::size_t>(copies));
            foldedOps +=
                static_cast<int>(std::count_if(fold.ops.begin(), fold.ops.end(), [](const OpFold& o) { return o.folded(); }));
            Bytes end = 0;
            for (const FoldedTensor& kept : fold.folded) {
                QVERIFY(kept.offset % 64 == 0 && kept.offset >= end);
                end = kept.offset + kept.size;
            }
            QCOMPARE(end, fold.persistentBytes);
        }
        QVERIFY2(foldedOps > 150, qPrintable(QString::number(foldedOps)));
    }

    void manyRootsBehindOneValueStayBounded()
    {
        ProgramBuilder b;
        TensorId sum = weight(b, "w", 8);
        for (int i = 0; i < 20'000; ++i) {
            const TensorId next = b.tensor("s" + std::to_string(i), 8);
            b.op("add" + std::to_string(i), {sum, weight(b, "w" + std::to_string(i), 8)}, {next});
            sum = next;
        }
        const TensorId y = b.tensor("y", 8);
        b.op("use", {sum, b.input("x", 8)}, {y});
        b.output(y);
        const FunctionFold fold = decide(b);
        QCOMPARE(fold.folded.size(), std::size_t{1});
        QCOMPARE(fold.ops[19'999].rootBytes, Bytes{8 * 20'001});
    }
};

QTEST_GUILESS_MAIN(FoldTest)
#include "tst_fold.moc"
