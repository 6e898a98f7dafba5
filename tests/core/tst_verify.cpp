// Each rule of the program verifier, by a program that breaks it and nothing else.
#include "core/ir/checked.h"
#include "core/ir/region_tree.h"
#include "core/ir/verify.h"
#include "tests/core/program_builder.h"

#include <QTest>

#include <functional>

using namespace stowage;
using stowage::test::ProgramBuilder;

class TestVerify : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void acceptsEveryKindOfOp();
    void namesTheRuleThatIsBroken_data();
    void namesTheRuleThatIsBroken();
    void pointsAtTheOp();
    void stopsAtDeepNesting();
    void stopsAtDeepCalls();
    void survivesDamagedIndices();
    void countsWhatItDoesNotShow();
};

namespace {

/// A program with a call, a loop with a condition, a case, views, scratch and a constant.
ProgramBuilder everything()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), z = b.tensor("z", 8), s = b.tensor("s", 8), k = b.tensor("k", 8);
    const auto w = b.tensor("w", 8, TensorKind::constant), v = b.tensor("v", 8, TensorKind::variable);
    const auto part = b.view("part", h, 4, 4);
    const auto f = b.function("f");
    const auto i = b.input("i", 8), o = b.tensor("o", 8);
    b.op("f1", {i}, {o});
    b.output(o);
    b.use(0);
    b.op("first", {x, w}, {h}, {s});
    b.op("assign", {part, v}, {v});
    b.op("again", {v}, {v}, {s});
    b.call("call", f, {h}, {k});
    const auto loop = b.loop("loop", {k}, {z});
    b.begin(loop, RegionRole::condition);
    const auto q = b.input("q", 8), test = b.tensor("test", 1);
    b.op("less", {q}, {test});
    b.output(test);
    b.end();
    b.begin(loop, RegionRole::body);
    const auto p = b.input("p", 8), y = b.tensor("y", 8);
    const auto pick = b.pick("pick", {x, p}, {y});
    for (int n = 0; n < 2; ++n) {
        b.begin(pick, RegionRole::branch);
        const auto in = b.input("in" + std::to_string(n), 8), out = b.tensor("out" + std::to_string(n), 8);
        b.at(b.op("branch" + std::to_string(n), {in, h}, {out})).inPlace = {{in, out}};
        b.output(out);
        b.end();
    }
    b.output(y);
    b.end();
    b.at(loop).carries = {{y, p}};
    b.at(loop).tripCount = 3;
    b.output(z);
    return b;
}

TensorId named(const Program& program, std::string_view name)
{
    const auto& tensors = program.functions[0].tensors;
    for (std::size_t t = 0; t < tensors.size(); ++t)
        if (tensors[t].name == name) return static_cast<TensorId>(t);
    return none;
}

Op& op(Program& program, std::string_view name)
{
    for (Op& op : program.functions[0].ops)
        if (op.name == name) return op;
    qFatal("no such op");
}

Tensor& tensor(Program& program, std::string_view name)
{
    return program.functions[0].tensors[static_cast<std::size_t>(named(program, name))];
}

using Change = std::function<void(Program&)>;

} // namespace

void TestVerify::acceptsEveryKindOfOp()
{
    const Diagnostics found = verify(everything().program());
    QVERIFY2(found.empty(), found.empty() ? "" : toText(found.front()).c_str());
}

void TestVerify::namesTheRuleThatIsBroken_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, Change change, const char* code, const char* says) {
        QTest::newRow(name) << change << QString::fromUtf8(code) << QString::fromUtf8(says);
    };
    row(
        "no function", [](Program& p) { p.functions.clear(); }, "empty", "no function");
    row(
        "entry", [](Program& p) { p.entry = 2; }, "out-of-range", "entry");
    row(
        "function names", [](Program& p) { p.functions[1].name = "main"; }, "duplicate-name", "'main'");
    row(
        "pool names", [](Program& p) { p.pools.resize(2), p.pools[0].name = p.pools[1].name = "a"; }, "duplicate-name", "'a'");
    row(
        "pool capacity", [](Program& p) { p.pools.resize(1), p.pools[0].name = "a", p.pools[0].capacity = -1; }, "out-of-range",
        "-1");
    row(
        "tensor names", [](Program& p) { tensor(p, "h").name = "x"; }, "duplicate-name", "'x'");
    row(
        "unnamed tensor", [](Program& p) { tensor(p, "h").name.clear(); }, "unnamed", "tensor 1");
    row(
        "op names", [](Program& p) { op(p, "assign").name = "first"; }, "duplicate-name", "'first'");
    row(
        "size", [](Program& p) { tensor(p, "h").bytes = -5; }, "out-of-range", "-5");
    row(
        "huge size", [](Program& p) { tensor(p, "s").bytes = maxBytes + 1; }, "out-of-range", "'s'");
    row(
        "all sizes", [](Program& p) { tensor(p, "s").bytes = maxBytes; }, "too-large", "2^62");
    row(
        "alignment", [](Program& p) { tensor(p, "h").alignment = 0; }, "out-of-range", "alignment");
    row(
        "slots", [](Program& p) { tensor(p, "h").multiBuffer = 0; }, "out-of-range", "slots");
    row(
        "pin", [](Program& p) { tensor(p, "h").pinnedOffset = -8; }, "out-of-range", "-8");
    row(
        "extent",
        [](Program& p) {
            tensor(p, "h").shape = {4, -2};
        },
        "out-of-range", "-2");
    row(
        "view outside", [](Program& p) { tensor(p, "part").aliasOffset = 5; }, "view-outside", "[5, 9)");
    row(
        "view of itself",
        [](Program& p) {
            tensor(p, "h").aliasOf = named(p, "part"), tensor(p, "part").aliasOffset = 0, tensor(p, "part").bytes = 8;
        },
        "view-circle", "view of itself");
    row(
        "view inward", [](Program& p) { tensor(p, "part").aliasOf = named(p, "y"); }, "not-visible", "another region");
    row(
        "view of scratch", [](Program& p) { tensor(p, "part").aliasOf = named(p, "s"); }, "not-scratch", "'part'");
    row(
        "input is a view", [](Program& p) { tensor(p, "x").aliasOf = named(p, "w"); }, "view-input", "'w'");
    row(
        "input not listed", [](Program& p) { tensor(p, "h").kind = TensorKind::input; }, "not-listed", "'h'");
    row(
        "output not listed", [](Program& p) { tensor(p, "h").kind = TensorKind::output; }, "not-listed", "'h'");
    row(
        "read before written", [](Program& p) { op(p, "first").inputs.push_back(named(p, "k")); }, "read-early", "'k'");
    row(
        "never written", [](Program& p) { op(p, "first").outputs.clear(); }, "never-written", "nothing writes");
    row(
        "written twice", [](Program& p) { op(p, "assign").outputs.push_back(named(p, "h")); }, "written-twice", "'h'");
    row(
        "constant written", [](Program& p) { op(p, "assign").outputs.push_back(named(p, "w")); }, "written-input", "constant");
    row(
        "input written", [](Program& p) { op(p, "assign").outputs.push_back(named(p, "x")); }, "written-input", "input");
    row(
        "view of a constant written",
        [](Program& p) {
            tensor(p, "part").aliasOf = named(p, "w");
            op(p, "again").outputs.push_back(named(p, "part"));
        },
        "written-input", "constant");
    row(
        "read from outside", [](Program& p) { op(p, "call").inputs[0] = named(p, "y"); }, "not-visible", "'y'");
    row(
        "read from the other branch",
        [](Program& p) {
            tensor(p, "out0").region = tensor(p, "y").region;
            op(p, "branch1").inputs.push_back(named(p, "out0"));
        },
        "other-branch", "'out0'");
    row(
        "region input of elsewhere", [](Program& p) { p.functions[0].regions[2].inputs.push_back(named(p, "h")); }, "not-visible",
        "declared elsewhere");
    row(
        "region output of inside", [](Program& p) { p.functions[0].regions[0].outputs.push_back(named(p, "y")); }, "not-visible",
        "'y'");
    row(
        "scratch read", [](Program& p) { op(p, "call").inputs[0] = named(p, "s"); }, "not-scratch", "'s'");
    row(
        "scratch written", [](Program& p) { op(p, "again").outputs.push_back(named(p, "s")); }, "not-scratch", "'s'");
    row(
        "in-place pair",
        [](Program& p) { op(p, "branch0").inPlace[0].input = named(p, "h"), op(p, "branch0").inPlace[0].output = named(p, "x"); },
        "malformed", "'x' over 'h'");
    row(
        "cost",
        [](Program& p) {
            op(p, "first").cost = {{"cpu", -1}};
        },
        "malformed", "cost");
    row(
        "leaf with a trip count", [](Program& p) { op(p, "first").tripCount = 2; }, "malformed", "not a loop");
    row(
        "negative trip count", [](Program& p) { op(p, "loop").tripCount = -1; }, "malformed", "-1");
    row(
        "carry from outside", [](Program& p) { op(p, "loop").carries[0].from = named(p, "h"); }, "malformed", "'h'");
    row(
        "two carries to one", [](Program& p) { op(p, "loop").carries.push_back(op(p, "loop").carries[0]); }, "malformed", "'p'");
    row(
        "too few body outputs", [](Program& p) { p.functions[0].regions[2].outputs.clear(), op(p, "loop").carries.clear(); },
        "malformed", "body 0");
    row(
        "condition outputs", [](Program& p) { p.functions[0].regions[1].outputs.clear(); }, "malformed",
        "condition with 0 outputs");
    row(
        "case outputs", [](Program& p) { p.functions[0].regions[3].outputs.clear(); }, "malformed", "a branch 0");
    row(
        "case inputs", [](Program& p) { op(p, "pick").inputs.resize(1); }, "malformed", "a branch 1");
    row(
        "no selector", [](Program& p) { op(p, "pick").inputs.clear(); }, "malformed", "selector");
    row(
        "call arity", [](Program& p) { op(p, "call").inputs.clear(); }, "malformed", "'f', which has 1");
    row(
        "argument too small", [](Program& p) { p.functions[1].tensors[0].bytes = 9; }, "malformed", "'i' with 9");
    row(
        "recursion",
        [](Program& p) {
            Op& call = p.functions[1].ops[0];
            call.control = Control::call, call.callee = 1;
        },
        "recursion", "'f'");
    row(
        "callee out of range", [](Program& p) { op(p, "call").callee = 7; }, "out-of-range", "function 7");
    row(
        "tensor out of range", [](Program& p) { op(p, "first").inputs[0] = 99; }, "out-of-range", "tensor 99");
    row(
        "region held twice", [](Program& p) { op(p, "pick").regions[1] = op(p, "pick").regions[0]; }, "malformed", "held twice");
    row(
        "op listed twice", [](Program& p) { p.functions[0].regions[0].ops.push_back(0); }, "malformed", "'first'");
    row(
        "op listed nowhere", [](Program& p) { p.functions[0].regions[0].ops.erase(p.functions[0].regions[0].ops.begin()); },
        "malformed", "no region");
    row(
        "roles", [](Program& p) { p.functions[0].regions[1].role = RegionRole::branch; }, "malformed", "one body");
}

void TestVerify::namesTheRuleThatIsBroken()
{
    QFETCH(Change, change);
    QFETCH(QString, code);
    QFETCH(QString, says);
    Program program = everything().program();
    change(program);
    const Diagnostics found = verify(program);
    QVERIFY(!found.empty());
    QCOMPARE(QString::fromStdString(std::string(toText(found.front().code))), code);
    QVERIFY2(QString::fromStdString(found.front().message).contains(says), found.front().message.c_str());
}

void TestVerify::pointsAtTheOp()
{
    Program program = everything().program();
    op(program, "assign").outputs.push_back(named(program, "h"));
    op(program, "assign").where = {"m.json", 12, 4, -1};
    const Diagnostics found = verify(program);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.front().where, (Position{"m.json", 12, 4, -1}));
}

void TestVerify::stopsAtDeepNesting()
{
    const auto nested = [](int depth) {
        ProgramBuilder b;
        for (int i = 0; i < depth; ++i) b.begin(b.loop("loop" + std::to_string(i), {}, {}), RegionRole::body);
        b.op("innermost", {}, {});
        return b;
    };
    QVERIFY(verify(nested(maxNesting).program()).empty());
    const Diagnostics found = verify(nested(maxNesting + 1).program());
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].code, Code::tooDeep);
    QCOMPARE(verify(nested(200'000).program()).at(0).code, Code::tooDeep); // and no stack is blown
}

void TestVerify::stopsAtDeepCalls()
{
    ProgramBuilder b;
    FunctionId last = 0;
    for (int i = 0; i < 3 * maxNesting; ++i) {
        const FunctionId next = b.function("f" + std::to_string(i));
        b.use(last);
        b.call("call", next, {}, {});
        last = next;
    }
    QCOMPARE(verify(b.program()).at(0).code, Code::tooDeep);
}

void TestVerify::survivesDamagedIndices()
{
    // Every id of a good program, replaced by ids that are wrong in different ways: an error, or harmless, but never a crash.
    const Program good = everything().program();
    int refused = 0;
    for (const Id wrong : {-2, -1, 0, 1, 5, 1000, 2147483647}) {
        for (std::size_t f = 0; f < good.functions.size(); ++f) {
            const auto damaged = [&](const std::function<void(Function&)>& change) {
                Program program = good;
                change(program.functions[f]);
                refused += !verify(program).empty();
            };
            for (std::size_t o = 0; o < good.functions[f].ops.size(); ++o) {
                damaged([&](Function& fn) { fn.ops[o].inputs.push_back(wrong); });
                damaged([&](Function& fn) { fn.ops[o].outputs.push_back(wrong); });
                damaged([&](Function& fn) { fn.ops[o].temps.push_back(wrong); });
                damaged([&](Function& fn) { fn.ops[o].parent = wrong; });
                damaged([&](Function& fn) { fn.ops[o].regions.push_back(wrong); });
                damaged([&](Function& fn) { fn.ops[o].callee = wrong; });
                damaged([&](Function& fn) { fn.ops[o].carries.push_back({wrong, wrong}); });
                damaged([&](Function& fn) { fn.ops[o].inPlace.push_back({wrong, wrong}); });
                damaged([&](Function& fn) { fn.ops[o].control = static_cast<Control>(static_cast<unsigned>(wrong) % 4); });
            }
            for (std::size_t r = 0; r < good.functions[f].regions.size(); ++r) {
                damaged([&](Function& fn) { fn.regions[r].inputs.push_back(wrong); });
                damaged([&](Function& fn) { fn.regions[r].outputs.push_back(wrong); });
                damaged([&](Function& fn) { fn.regions[r].ops.push_back(wrong); });
                damaged([&](Function& fn) { fn.regions[r].owner = wrong; });
            }
            for (std::size_t t = 0; t < good.functions[f].tensors.size(); ++t) {
                damaged([&](Function& fn) { fn.tensors[t].aliasOf = wrong; });
                damaged([&](Function& fn) { fn.tensors[t].region = wrong; });
            }
        }
    }
    QVERIFY(refused > 500);
}

void TestVerify::countsWhatItDoesNotShow()
{
    ProgramBuilder b;
    for (int i = 0; i < 250; ++i) b.op("same", {}, {});
    const Diagnostics found = verify(b.program());
    QCOMPARE(found.size(), std::size_t{101});
    QCOMPARE(found.back().severity, Severity::note);
    QCOMPARE(QString::fromStdString(found.back().message), QStringLiteral("149 more errors are not shown"));
}

QTEST_APPLESS_MAIN(TestVerify)
#include "tst_verify.moc"
