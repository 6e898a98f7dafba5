// TIR given back with its plan: read again it is the same plan, and nothing else has changed.
#include "core/exec/arena.h"
#include "core/lower/lower.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "plugins/tvm/tir_importer.h"
#include "plugins/tvm/tir_writer.h"
#include "tests/core/mutation.h"
#include "tests/plugins/tir_texts.h"
#include "tests/support/paths.h"
#include "tests/support/seed_shift.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace stowage;
using namespace stowage::test;

namespace {

struct Planned {
    Program program;
    std::vector<PlannedFunction> functions;

    const Problem& problem() const { return functions[0].lowering.problem; }
    const Plan& plan() const { return functions[0].plan; }
};

/// Where a buffer lies, by name: memory, offset, size, live ranges.
using Places = std::map<std::string, std::tuple<std::string, Bytes, Bytes, std::vector<std::pair<Step, Step>>>>;

Places placesOf(const Planned& planned)
{
    Places places;
    const Problem& problem = planned.problem();
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const Buffer& buffer = problem.buffers[b];
        const Placement& placement = planned.plan().placements[b];
        std::vector<std::pair<Step, Step>> live;
        for (const Interval& range : buffer.live) live.emplace_back(range.begin, range.end);
        places[buffer.name] = {problem.pools[static_cast<std::size_t>(placement.pool)].name, placement.offset, buffer.size, live};
    }
    return places;
}

Expected<Program> programOf(const std::string& text)
{
    ImportRequest request;
    request.path = "x.tir";
    request.bytes = text;
    auto imported = tvm::TirImporter().import(request);
    if (!imported) return std::move(imported).error();
    return std::get<Program>(std::move(imported->content));
}

Expected<Planned> planOf(const std::string& text, const std::vector<Pool>& pools, const char* planner = "greedy-by-size")
{
    auto program = programOf(text);
    if (!program) return std::move(program).error();
    LowerOptions options;
    options.pools = pools;
    auto lowering = lower(*program, options);
    if (!lowering) return std::move(lowering).error();
    auto plan = PlannerRegistry::builtIn().find(planner)->plan(lowering->problem, {}, {});
    if (!plan) return std::move(plan).error();
    const Verdict verdict = check(lowering->problem, *plan);
    if (!verdict.valid() || verdict.overCapacity) return failure(Code::noPlan, "it does not fit");
    Planned planned{*std::move(program), {}};
    const FunctionId entry = planned.program.entry;
    planned.functions.push_back({entry, *std::move(lowering), *std::move(plan)});
    return planned;
}

Expected<Rewritten> rewritten(const std::string& text, const Planned& planned)
{
    return tvm::TirRewriter().rewrite({"x.tir", text, "plan-memory", {}, {}, {}, planned.program, planned.functions});
}

QByteArray said(const Error& error)
{
    return QByteArray::fromStdString(toText(error));
}

/// The text with its plan; ends the test program when there is none.
std::string written(const std::string& text, const std::vector<Pool>& pools)
{
    const auto planned = planOf(text, pools);
    if (!planned) qFatal("%s", said(planned.error()).constData());
    const auto result = rewritten(text, *planned);
    if (!result) qFatal("%s", said(result.error()).constData());
    return result->text;
}

std::string sample()
{
    QFile file(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/unified_planning.tir"));
    if (!file.open(QIODevice::ReadOnly)) qFatal("no sample");
    return file.readAll().toStdString();
}

/// U3 of the design document: two workspaces and two memories for constants, the first of each with a size.
std::vector<Pool> documentPools()
{
    return {{.name = "dtcm", .capacity = 1000},
            {.name = "sram"},
            {.name = "itcm", .capacity = 5000, .kind = PoolKind::constant},
            {.name = "flash", .kind = PoolKind::constant}};
}

/// `main` and `other` call `op`, and nobody calls them.
constexpr const char* sharedOperator =
    "@T.prim_func\ndef op(x: T.handle):\n    t = T.allocate([4], \"int8\", \"global\")\n    t[0] = x[0]\n"
    "@T.prim_func\ndef main(x: T.handle):\n    T.evaluate(T.call_extern(\"op\", x, dtype=\"int32\"))\n"
    "@T.prim_func\ndef other(x: T.handle):\n    T.evaluate(T.call_extern(\"op\", x, dtype=\"int32\"))\n";

QList<QByteArray> linesOf(const std::string& text)
{
    return QByteArray::fromStdString(text).split('\n');
}

/// Whether a line is one that the plan has to change: an allocation, the head of a function, a call of one of the module.
bool mayChange(const QByteArray& line)
{
    for (const char* word : {"allocate", "alloc_buffer", "decl_buffer", "def ", "call_", "Module."})
        if (line.contains(word)) return true;
    return false;
}

/// A module with operators that call nobody and a main function that calls them, some twice; buffers in every form.
std::string randomModule(std::mt19937& random)
{
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::string text = "from tvm.script import tir as T\n\n";
    const int operators = 1 + below(4);
    const auto allocation = [&](const std::string& indent, const std::string& name, int bytes) {
        const std::string pinned = std::vector<std::string>{"", ", pinned_memory=[\"a\", \"b\"]", ", pinned_memory=[2]",
                                                            ", pinned_memory=[\"b\"]"}[static_cast<std::size_t>(below(4))];
        switch (below(3)) {
        case 0:
            return indent + name + " = T.allocate([" + std::to_string(bytes) + "], \"int8\", \"global\"" + pinned + ")  # " +
                   name + "\n";
        case 1:
            return indent + name + ": T.Ptr[T.int8] = T.allocate(\n" + indent + "    [" + std::to_string(bytes) + "], \"int8\"" +
                   pinned + ")\n";
        default: return indent + name + " = T.alloc_buffer((" + std::to_string(bytes) + ",), \"int8\")\n";
        }
    };
    for (int f = 0; f < operators; ++f) {
        text += "@T.prim_func\ndef op" + std::to_string(f) + "(x: T.handle, y: T.handle" +
                (below(2) ? ",\n        n: T.int32):\n" : ", n: T.int32):\n") + "    # an operator\n" +
                "    T.func_attr({\"tir.noalias\": True, \"unknown\": [1, 2]})\n";
        const int buffers = below(4);
        std::string last = "x";
        for (int b = 0; b < buffers; ++b) {
            const std::string name = "t" + std::to_string(b);
            if (below(3) == 0) {
                text += "    for i in T.serial(4):\n" + allocation("        ", name, 1 + below(200)) + "        " + name +
                        "[i] = " + last + "[i]\n        y[i] = " + name + "[i]\n";
            } else {
                text += allocation("    ", name, 1 + below(200)) + "    for i in T.serial(4):\n        " + name +
                        "[i] = " + last + "[i] + 1\n";
                last = name;
            }
        }
        text += "    for i in T.serial(4): y[i] = " + last + "[i]\n\n";
    }
    text += "@T.prim_func\ndef main(input: T.handle, output: T.handle):\n";
    text += "    dynamic = T.allocate([output.shape], \"int8\", \"global\")  # its size is known when it runs\n";
    const int steps = 1 + below(5);
    std::string last = "input";
    std::string indent = "    ";
    for (int s = 0; s < steps; ++s) {
        const std::string name = "m" + std::to_string(s);
        if (below(3) == 0) {
            text += indent + "with T.allocate([" + std::to_string(1 + below(300)) + "], \"int8\", \"global\") as " + name + ":\n";
            indent += "    ";
        } else {
            text += allocation(indent, name, 1 + below(300));
        }
        text += indent + "T.evaluate(T.call_extern(\"op" + std::to_string(below(operators)) + "\", " + last + ", " + name +
                ", 4, dtype=\"int32\"))\n";
        last = name;
    }
    return text + indent + "T.evaluate(T.call_extern(\"op0\", " + last + ", output, 4, dtype=\"int32\"))\n";
}

} // namespace

class TestTvmRewrite : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The listing behind step 5 of the document: which memory each name of an operator lies in. There the functions take
    /// params_1, params_2, workspace_1 and workspace_2; here itcm, flash, dtcm and sram. What the listing contradicts itself in
    /// is not compared: the second call lacks the model's output, arguments are spelled params1 and parameters params_1, and the
    /// operators were called with weights that they hold themselves.
    void theDocumentsListing()
    {
        const std::string text = sample();
        const auto planned = planOf(text, documentPools());
        QVERIFY2(planned, planned ? "" : said(planned.error()).constData());
        const auto result = rewritten(text, *planned);
        QVERIFY2(result, result ? "" : said(result.error()).constData());

        std::map<std::string, std::string> lies;
        for (const auto& [name, place] : placesOf(*planned)) lies[name] = std::get<0>(place);
        const std::map<std::string, std::string> document{
            {"my_model_fused_op1/intermediate_tensor_1", "dtcm"}, // workspace_1
            {"my_model_fused_op1/intermediate_tensor_2", "dtcm"}, // workspace_1
            {"my_model_fused_op1", "dtcm"},                       // output of the first, input of the second: workspace_1
            {"my_model_fused_op1/weights", "itcm"},               // params_1
            {"my_model_fused_op1/biases", "itcm"},                // params_1
            {"my_model_fused_op2/intermediate_tensor_1", "dtcm"}, // workspace_1
            {"my_model_fused_op2/intermediate_tensor_2", "sram"}, // workspace_2
            {"my_model_fused_op2", "sram"},                       // output of the second: workspace_2
            {"my_model_fused_op2/weights", "itcm"},               // params_1
            {"my_model_fused_op2/biases", "flash"},               // params_2
        };
        QCOMPARE(lies, document);

        const QByteArray out = QByteArray::fromStdString(result->text);
        const QByteArray taken =
            ", itcm: T.handle(\"uint8\"), flash: T.handle(\"uint8\"), dtcm: T.handle(\"uint8\"), sram: T.handle(\"uint8\"))";
        QVERIFY2(out.contains("def main(input1: T.handle, output1: T.handle" + taken), out);
        QVERIFY2(out.contains("def my_model_fused_op1(input: T.handle, output: T.handle" + taken), out);
        QVERIFY2(out.contains("def my_model_fused_op2(input: T.handle, output: T.handle" + taken), out);
        const QByteArray handed = ", itcm_pool.data, flash_pool.data, dtcm_pool.data, sram_pool.data, dtype=\"int32\"))";
        QVERIFY2(out.contains("T.call_extern(\"my_model_fused_op1\", input1, my_model_fused_op1" + handed), out);
        QVERIFY2(out.contains("T.call_extern(\"my_model_fused_op2\", my_model_fused_op1, my_model_fused_op2" + handed), out);
        QVERIFY(!out.contains("T.allocate(") && !out.contains("T.allocate_const(") && !out.contains("pinned_memory"));
        // By hand: what lies in itcm is 2400, 2000 and 480 bytes, the largest first; the biases of the second operator, 400
        // bytes, no longer fit.
        for (const char* address : {"itcm_pool.data, 0, 2400, 1", "itcm_pool.data, 2400, 2000, 1", "itcm_pool.data, 4400, 480, 1",
                                    "flash_pool.data, 0, 400, 1"})
            QCOMPARE(out.count(address), 1);
        for (const char* memory : {"itcm_pool = T.match_buffer(itcm, [4880]", "flash_pool = T.match_buffer(flash, [400]",
                                   "dtcm_pool = T.match_buffer(dtcm, [1000]", "sram_pool = T.match_buffer(sram, [800]"})
            QCOMPARE(out.count(memory), 3); // one for each function
    }

    void whatIsWrittenReadsAsTheSamePlan_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("mobilenet") << QByteArray(mobilenet);
        QTest::newRow("newer form") << QByteArray(newer);
        QTest::newRow("sample") << QByteArray::fromStdString(sample());
    }
    void whatIsWrittenReadsAsTheSamePlan()
    {
        QFETCH(QByteArray, text);
        const std::vector<Pool> pools = text.contains("run_model") ? std::vector<Pool>{{.name = "fast", .capacity = 320000},
                                                                                       {.name = "slow", .alignment = 16}}
                                                                   : documentPools();
        const auto planned = planOf(text.toStdString(), pools);
        QVERIFY2(planned, planned ? "" : said(planned.error()).constData());
        const auto result = rewritten(text.toStdString(), *planned);
        QVERIFY2(result, result ? "" : said(result.error()).constData());
        for (const char* planner : {"naive", "greedy-by-size", "hill-climb"}) {
            const auto again = planOf(result->text, {}, planner);
            QVERIFY2(again, again ? "" : said(again.error()) + result->text.c_str());
            QVERIFY2(placesOf(*again) == placesOf(*planned), result->text.c_str());
        }
        // Given back once more it is what it was.
        const auto again = planOf(result->text, {});
        const auto twice = rewritten(result->text, *again);
        QVERIFY(twice);
        QCOMPARE(QByteArray::fromStdString(twice->text), QByteArray::fromStdString(result->text));
    }

    void nothingElseChanges_data() { whatIsWrittenReadsAsTheSamePlan_data(); }
    void nothingElseChanges()
    {
        QFETCH(QByteArray, text);
        const QList<QByteArray> before = linesOf(text.toStdString());
        const QList<QByteArray> after = linesOf(written(text.toStdString(), documentPools()));
        qsizetype at = 0;
        bool skipping = false; // the lines of a constant's data
        for (const QByteArray& line : before) {
            if (skipping) {
                skipping = !line.contains("pinned_memory");
                continue;
            }
            if (mayChange(line)) {
                skipping = line.contains("allocate_const") && !line.contains("])");
                continue;
            }
            const qsizetype found = after.indexOf(line, at);
            QVERIFY2(found >= 0, line);
            at = found + (line.trimmed().isEmpty() ? 0 : 1);
        }
    }

    void whatIsNotPlannedStays()
    {
        const std::string out = written(newer, {{.name = "dtcm"}, {.name = "sram"}});
        QVERIFY(out.find("h = T.allocate([m * 4], \"uint8\", \"global\")") != std::string::npos);     // dynamic
        QVERIFY(out.find("lost = T.allocate([8], \"int8\", \"global\")") != std::string::npos);       // once for each thread
        QVERIFY(out.find("w = T.allocate_const([1.0, 2.0], \"float32\", [2])") != std::string::npos); // no memory for constants
        QVERIFY(out.find("with T.LetStmt(T.tvm_access_ptr(") != std::string::npos);
        QVERIFY(out.find("T.handle(\"float32\", \"global\")) as t_1:") != std::string::npos); // type and scope are kept
        QVERIFY(out.find("mid: T.handle(\"float32\", \"global\") = T.tvm_access_ptr(") != std::string::npos);
    }

    void namesThatAreTakenAreNotTakenAgain()
    {
        const std::string text = "@T.prim_func\ndef main(sram: T.handle):\n    t = T.allocate([16], \"int8\", \"global\")\n    "
                                 "t[0] = sram[0]\n    sram[0] = t[0]\n";
        const auto planned = planOf(text, {{.name = "sram"}, {.name = "2 fast"}});
        QVERIFY(planned);
        const auto result = rewritten(text, *planned);
        QVERIFY(result);
        QVERIFY2(result->text.find("def main(sram: T.handle, sram_memory: T.handle(\"uint8\")):") != std::string::npos,
                 result->text.c_str());
        QCOMPARE(result->diagnostics.size(), std::size_t(1));
        QCOMPARE(result->diagnostics[0].code, Code::poolRenamed);
    }

    /// Python allows no annotation where several names get the value.
    void anAllocationOfTwoNamesTakesNoAnnotation()
    {
        const std::string text = "@T.prim_func\ndef main(x: T.handle):\n    t = u = T.allocate([16], \"int8\", \"global\")\n    "
                                 "t[0] = x[0]\n    x[0] = t[0]\n";
        const auto planned = planOf(text, {{.name = "m"}});
        QVERIFY(planned);
        const auto result = rewritten(text, *planned);
        QVERIFY(result);
        QVERIFY2(result->text.find("    t = u = T.tvm_access_ptr(") != std::string::npos, result->text.c_str());
        const auto again = planOf(result->text, {});
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QCOMPARE(placesOf(*again), placesOf(*planned));
    }

    void whatCannotBeSaidIsAnErrorWithItsPlace()
    {
        const std::string oneLine = "@T.prim_func\ndef main(a: T.handle): a[0] = 1\n";
        auto planned = planOf(oneLine, {{.name = "m"}});
        QVERIFY(planned);
        const auto untouched = rewritten(oneLine, *planned); // no memory is needed
        QVERIFY(untouched);
        QCOMPARE(untouched->text, oneLine);

        // Two functions that nobody calls, planned apart, reach a third.
        const std::string shared = sharedOperator;
        planned = planOf(shared, {{.name = "m"}});
        QVERIFY(planned);
        Program program = planned->program;
        program.entry = 2;
        LowerOptions options;
        options.pools = {{.name = "m"}};
        auto lowering = lower(program, options);
        QVERIFY(lowering);
        auto plan = PlannerRegistry::builtIn().find("naive")->plan(lowering->problem, {}, {});
        planned->functions.push_back({2, *lowering, *plan});
        const auto refused = rewritten(shared, *planned);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Code::plannedTwice);
        QCOMPARE(refused.error().where.line, 2);
        QVERIFY(refused.error().remedy.find("a copy of 'op'") != std::string::npos);
    }

    /// The call in `other`, which the plan of `main` does not reach, would lack the pool that `op` takes.
    void aCallerOutsideThePlanIsAnError()
    {
        const auto planned = planOf(sharedOperator, {{.name = "m"}});
        QVERIFY2(planned, planned ? "" : said(planned.error()).constData());
        const auto refused = rewritten(sharedOperator, *planned);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Code::notSupported);
        QCOMPARE(refused.error().where.line, 10);
        QCOMPARE(refused.error().where.column, 16);
        QVERIFY2(refused.error().message.find("'other' calls 'op'") != std::string::npos, said(refused.error()).constData());
        QVERIFY(refused.error().remedy.find("a copy of 'op'") != std::string::npos);

        // The remedy: a plan that reaches both callers.
        const std::string reaching =
            std::string(sharedOperator) + "    T.evaluate(T.call_extern(\"main\", x, dtype=\"int32\"))\n";
        auto program = programOf(reaching);
        QVERIFY2(program, program ? "" : said(program.error()).constData());
        program->entry = 2;
        LowerOptions options;
        options.pools = {{.name = "m"}};
        auto lowering = lower(*program, options);
        QVERIFY2(lowering, lowering ? "" : said(lowering.error()).constData());
        auto plan = PlannerRegistry::builtIn().find("naive")->plan(lowering->problem, {}, {});
        QVERIFY(plan);
        Planned whole{*std::move(program), {}};
        whole.functions.push_back({2, *std::move(lowering), *std::move(plan)});
        const auto result = rewritten(reaching, whole);
        QVERIFY2(result, result ? "" : said(result.error()).constData());
        QCOMPARE(QByteArray::fromStdString(result->text).count("x, m_pool.data, dtype"), 3); // each call passes the pool on
    }

    /// What TVM writes itself: T.address_of in a let, buffers declared over it.
    void whatTvmHasPlannedIsReadAsPlanned()
    {
        const std::string text = R"(@T.prim_func
def op(a: T.handle, b: T.handle, fast_6_var: T.Ptr[T.uint8], slow_7_var: T.Ptr[T.uint8]):
    x = T.match_buffer(a, [100], dtype="int8")
    y = T.match_buffer(b, [200], dtype="int8")
    slow_7_buffer_var = T.match_buffer(slow_7_var, [300], dtype="uint8", strides=[1], elem_offset=0, align=16)
    t_let = T.buffer_decl([25], dtype="int32", data=T.address_of(slow_7_buffer_var[200], dtype="handle"))
    for i in T.serial(25):
        t_let[i] = x[i]
    for i in T.serial(200):
        y[i] = t_let[i % 25]
@T.prim_func
def __tvm_main__(input: T.handle, fast_0_var: T.Ptr[T.uint8], slow_1_var: T.Ptr[T.uint8], output: T.handle):
    fast_0_buffer_var = T.match_buffer(fast_0_var, [256], dtype="uint8", strides=[1], elem_offset=0, align=16)
    slow_1_buffer_var = T.match_buffer(slow_1_var, [300], dtype="uint8", strides=[1], elem_offset=0, align=16)
    sid_9_let: T.Ptr[T.int8] = T.address_of(fast_0_buffer_var[16], dtype="handle")
    T.evaluate(T.call_extern("op", input, sid_9_let, fast_0_buffer_var.data, slow_1_buffer_var.data, dtype="int32"))
    T.evaluate(T.call_extern("op", sid_9_let, output, fast_0_buffer_var.data, slow_1_buffer_var.data, dtype="int32"))
)";
        const auto planned = planOf(text, {});
        QVERIFY2(planned, planned ? "" : said(planned.error()).constData());
        QCOMPARE(planned->program.pools.size(), std::size_t(2));
        QCOMPARE(planned->program.pools[0].name, std::string("fast_0_var"));
        QCOMPARE(planned->program.pools[1].capacity.value_or(-1), 300);
        const Places places = placesOf(*planned);
        QCOMPARE(std::get<0>(places.at("op/t_let")), std::string("slow_1_var"));
        QCOMPARE(std::get<1>(places.at("op/t_let")), 200);
        QCOMPARE(std::get<2>(places.at("op/t_let")), 100);
        QCOMPARE(std::get<1>(places.at("sid_9_let")), 16);
        QCOMPARE(std::get<2>(places.at("sid_9_let")), 200); // as the operator declares its output
    }

    /// Addresses of ordinary buffers make no memory of them.
    void aBufferWhoseAddressIsTakenIsNoMemory()
    {
        const auto program =
            programOf("@T.prim_func\ndef main(a: T.handle, b: T.handle):\n    x = T.match_buffer(a, [100], dtype=\"int8\")\n"
                      "    p: T.handle(\"int8\") = T.address_of(x[0], dtype=\"handle\")\n    "
                      "T.evaluate(T.call_extern(\"outside\", p, b, dtype=\"int32\"))\n");
        QVERIFY(program);
        QVERIFY(program->pools.empty());
        QCOMPARE(program->main().regions[0].inputs.size(), std::size_t(1));
    }

    void randomModulesComeBackAsPlanned()
    {
        const unsigned seed = 20261122;
        std::mt19937 random(seed + stowage::test::seedShift());
        int fitted = 0;
        for (int round = 0; round < 300; ++round) {
            const std::string text = randomModule(random);
            const QByteArray shown =
                "seed " + QByteArray::number(seed) + " round " + QByteArray::number(round) + "\n" + text.c_str();
            std::vector<Pool> pools{{.name = "a"}, {.name = "b"}};
            if (round % 3 != 0) pools[0].capacity = 50 + static_cast<Bytes>(random() % 600);
            if (round % 3 == 2) pools[1].alignment = 8;
            const auto planned = planOf(text, pools);
            if (!planned && planned.error().code == Code::noPlan)
                continue; // pinned_memory=["a"] alone is not among the forms, but sizes are random
            QVERIFY2(planned, shown + (planned ? QByteArray() : said(planned.error())));
            ++fitted;
            const auto result = rewritten(text, *planned);
            QVERIFY2(result, shown + (result ? QByteArray() : said(result.error())));
            const auto again = planOf(result->text, {}, "naive");
            QVERIFY2(again, shown + result->text.c_str() + (again ? QByteArray() : said(again.error())));
            QVERIFY2(placesOf(*again) == placesOf(*planned), shown + result->text.c_str());
            const auto run = execute(again->program, again->functions[0].lowering, again->plan(), {});
            QVERIFY2(run && !run->corruption, shown + result->text.c_str());
        }
        QVERIFY2(fitted > 250, QByteArray::number(fitted));
    }

    /// Whatever is done to the text: an error, or a text that reads as the same plan.
    void damagedTextNeverComesBackWrong()
    {
        int given = 0;
        for (const char* text : {mobilenet, newer})
            mutate(text, "()[]{}:=,.\"'#\n\t T0189_@-", 1500, [&](const std::string& mutated) {
                const auto planned = planOf(mutated, {{.name = "dtcm"}, {.name = "sram"}}, "naive");
                if (!planned) return !planned.error().message.empty();
                const auto result = rewritten(mutated, *planned);
                if (!result) return !result.error().message.empty();
                ++given;
                const auto again = planOf(result->text, {}, "naive");
                return again && (planned->problem().buffers.empty() || placesOf(*again) == placesOf(*planned));
            });
        QVERIFY(given > 300);
    }
};

QTEST_GUILESS_MAIN(TestTvmRewrite)
#include "tst_tvm_rewrite.moc"
