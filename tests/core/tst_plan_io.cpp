// stowage.plan/1 and plans as tables: written as published, read from any writer.
#include "core/io/text.h"
#include "tests/core/mutation.h"
#include "tests/core/random_problem.h"
#include "tests/support/buffer_of.h"
#include "tests/support/seed_shift.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QTest>

#include <algorithm>

using namespace stowage;

namespace {

Run runOf(Problem problem, Plan plan)
{
    Run run;
    auto lowering = std::make_shared<Lowering>();
    lowering->problem = std::move(problem);
    LowerOptions options;
    options.loops = LoopMode::precise;
    options.alignment = 16;
    lowering->fingerprint = Fingerprint(options, lowering->problem.pools);
    run.report = evaluate(lowering->problem, plan);
    run.lowering = std::move(lowering);
    run.plan = std::move(plan);
    run.elapsedMs = 1.25;
    return run;
}

Problem sample()
{
    Problem problem;
    problem.name = "sample";
    problem.pools = {{.name = "sram", .capacity = 64}, {.name = "dram"}};
    problem.loops = {{.name = "L1", .live = {0, 9}}, {.name = "L2", .parent = 0, .live = {1, 8}}};
    problem.buffers = {test::bufferOf({.name = "a", .size = 16, .live = {{0, 5}}}),
                       test::bufferOf({.name = "b", .size = 8, .live = {{2, 6}}, .slots = 2, .loop = 1}),
                       test::bufferOf({.name = "c", .size = 4, .live = {{0, 9}}})};
    return problem;
}

Plan samplePlan()
{
    Plan plan;
    plan.planner = "greedy";
    plan.options = {{"rounds", "3"}, {"goal", "fit"}, {"rounds", "4"}};
    plan.seed = 18446744073709551615ULL;
    plan.work = 77;
    plan.placements = {{.pool = 0, .offset = 0},
                       {.pool = 0, .offset = 16, .offsets = {16, 24}, .rotations = {{.loop = 1, .period = 2}}},
                       {.pool = 1, .offset = 0}};
    return plan;
}

QJsonObject parsed(const std::string& text)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

#define READ_PLAN(variable, ...)                                                                                                 \
    auto variable = io::readPlan(__VA_ARGS__);                                                                                   \
    QVERIFY2(variable, variable ? "" : toText(variable.error()).c_str())

} // namespace

class TestPlanIo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesThePublishedFields()
    {
        const QJsonObject plan = parsed(io::writePlanJson(runOf(sample(), samplePlan())));
        QCOMPARE(plan["format"].toString(), QStringLiteral("stowage.plan/1"));
        QCOMPARE(plan["problem"].toString(), QStringLiteral("sample"));
        QCOMPARE(plan["planner"].toString(), QStringLiteral("greedy"));
        QCOMPARE(plan["options"].toObject(), (QJsonObject{{"goal", "fit"}, {"rounds", "4"}}));
        QCOMPARE(plan["lowering"].toObject(),
                 (QJsonObject{
                     {"order", "linear"}, {"loops", "precise"}, {"views", "separate"}, {"inplace", "off"}, {"alignment", "16"}}));
        QCOMPARE(plan["status"].toString(),
                 QStringLiteral("optimal")); // a and both slots of b need 32 together; c needs 4 wherever it is
        QCOMPARE(plan["stopped_by"].toString(), QStringLiteral("complete"));
        QCOMPARE(plan["proof"].toObject(), (QJsonObject{{"kind", "bound"}, {"by", "max-live"}}));
        QCOMPARE(plan["elapsed_ms"].toDouble(), 1.25);
        // c would rather lie in sram, whose upper 32 bytes are free: no more bytes are needed for it.
        const QJsonObject c{{"buffer", "c"}, {"pool", "dram"}, {"more_bytes", 0}};
        QCOMPARE(
            plan["pools"].toArray(),
            (QJsonArray{
                QJsonObject{{"name", "sram"}, {"size", 32}, {"lower_bound", 32}, {"capacity", 64}, {"displaced", QJsonArray{c}}},
                QJsonObject{{"name", "dram"}, {"size", 4}, {"lower_bound", 4}}}));
        const QJsonArray placements = plan["placements"].toArray();
        QCOMPARE(placements[0].toObject(), (QJsonObject{{"buffer", "a"}, {"pool", "sram"}, {"offset", 0}, {"size", 16}}));
        QCOMPARE(placements[1].toObject(), (QJsonObject{{"buffer", "b"},
                                                        {"pool", "sram"},
                                                        {"offset", 16},
                                                        {"size", 8},
                                                        {"offsets", QJsonArray{16, 24}},
                                                        {"select", QJsonObject{{"rotate", "L2"}, {"first", 0}}}}));
        QCOMPARE(placements.size(), qsizetype{3});
        QCOMPARE(plan["diagnostics"].toArray(), QJsonArray{});
    }

    void writesWhereBuffersComeFrom()
    {
        Run run = runOf(sample(), samplePlan());
        auto program = std::make_shared<Program>();
        program->functions.resize(1);
        program->functions[0].name = "main";
        program->functions[0].tensors = {{.name = "a", .where = {.file = "k.mlir", .line = 13}}};
        auto lowering = std::make_shared<Lowering>(*run.lowering);
        lowering->origins = {{.function = 0, .tensor = 0}};
        run.program = program;
        run.lowering = lowering;
        const QJsonArray placements = parsed(io::writePlanJson(run))["placements"].toArray();
        QCOMPARE(placements[0].toObject()["function"].toString(), QStringLiteral("main"));
        QCOMPARE(placements[0].toObject()["where"].toObject(), (QJsonObject{{"file", "k.mlir"}, {"line", 13}}));
        QVERIFY(!placements[1].toObject().contains("where"));
    }

    void writesWhatIsWrong()
    {
        Plan plan = samplePlan();
        plan.placements[1].offsets = {16, 60};
        const QJsonObject over = parsed(io::writePlanJson(runOf(sample(), plan)));
        QCOMPARE(over["status"].toString(), QStringLiteral("does-not-fit"));
        QVERIFY(!over.contains("proof"));
        QCOMPARE(over["diagnostics"].toArray().size(), qsizetype{1});
        QCOMPARE(over["diagnostics"].toArray()[0].toObject()["code"].toString(), QStringLiteral("overflow"));
        plan.diagnostics.push_back(failure(Code::overflow, "sram is too small", {}, "use dram")); // said once is enough
        const QJsonArray told = parsed(io::writePlanJson(runOf(sample(), plan)))["diagnostics"].toArray();
        QCOMPARE(told.size(), qsizetype{1});
        QCOMPARE(
            told[0].toObject(),
            (QJsonObject{{"severity", "error"}, {"code", "overflow"}, {"message", "sram is too small"}, {"remedy", "use dram"}}));
        plan.placements[1].offsets = {8, 24};
        plan.placements[1].offset = 8;
        plan.placements[2] = {};
        const QJsonObject invalid = parsed(io::writePlanJson(runOf(sample(), plan)));
        QCOMPARE(invalid["status"].toString(), QStringLiteral("invalid"));
        QCOMPARE(invalid["placements"].toArray().size(), qsizetype{2});
        QCOMPARE(invalid["diagnostics"].toArray()[1].toObject()["message"].toString(),
                 QStringLiteral("a [0x0, 0x10) and b [0x8, 0x10) overlap in sram at step 2 on [0x8, 0x10)"));
        QCOMPARE(invalid["diagnostics"].toArray()[2].toObject()["message"].toString(), QStringLiteral("c is not placed"));
    }

    void writtenPlansReadBackEqual()
    {
        const std::uint64_t seed = 17;
        test::Generator random(seed + stowage::test::seedShift());
        for (int round = 0; round < 600; ++round) {
            const auto bit = [&](int i) { return (round >> i) % 2 == 1; };
            const Problem problem = random.problem({.gaps = true,
                                                    .slots = bit(0),
                                                    .rotation = bit(1),
                                                    .nested = bit(2),
                                                    .explicitConflicts = bit(3),
                                                    .pools = bit(4)});
            Plan plan = random.plan(problem, 50);
            plan.options = {{"a", "b"}};
            plan.seed = static_cast<std::uint64_t>(round) << 55;
            plan.stoppedBy = static_cast<StoppedBy>(round % 4);
            const Position where{.file = "f", .line = 3, .column = 4};
            plan.diagnostics.push_back(bit(0) ? foreignFailure({"a-word-of-its-own"}, "m", where, "r")
                                              : failure(Code::partial, "m", where, "r"));
            if (round % 7 == 0) plan.placements[0] = {};
            const std::string text = io::writePlanJson(runOf(problem, plan));
            READ_PLAN(read, text, "p.json", problem);
            const auto context = QStringLiteral("seed %1 round %2\n%3").arg(seed).arg(round).arg(QString::fromStdString(text));
            QVERIFY2(read->value.placements == plan.placements, qPrintable(context));
            QVERIFY(read->value.options == plan.options);
            QCOMPARE(read->value.planner, plan.planner);
            QCOMPARE(read->value.seed, plan.seed);
            QVERIFY(read->value.stoppedBy == plan.stoppedBy);
            QCOMPARE(read->value.diagnostics[0], plan.diagnostics[0]);
            const bool missing = round % 7 == 0 && problem.buffers[0].size > 0;
            QCOMPARE(read->diagnostics.size(), std::size_t(missing ? 1 : 0));
        }
    }

    void whatAFileSaysOfItselfIsAClaim()
    {
        const std::string text = R"({"format": "stowage.plan/1", "status": "optimal", "proof": {"kind": "search", "by": "magic"},
            "placements": [{"buffer": "a", "pool": "sram", "offset": 40}, {"buffer": "b", "pool": "sram", "offsets": [0, 8]},
                           {"buffer": "c", "pool": "dram", "offset": 0}]})";
        READ_PLAN(read, text, "p.json", sample());
        QCOMPARE(read->value.claims.size(), std::size_t{1});
        const auto* claim = std::get_if<ForeignClaim>(&read->value.claims[0]);
        QVERIFY(claim);
        QCOMPARE(claim->statement, std::string("optimal by magic"));
        const Report report = evaluate(sample(), read->value);
        QVERIFY(report.status == Status::feasible);
        QVERIFY(report.proof == ProofKind::claim);
        // Offsets without a selection rotate with the buffer's own loop.
        QCOMPARE(read->value.placements[1],
                 (Placement{.pool = 0, .offset = 0, .offsets = {0, 8}, .rotations = {{.loop = 1, .period = 2}}}));
    }

    void tellsNamesThatOnlyOneSideKnows()
    {
        const std::string text =
            R"({"format": "stowage.plan/1", "placements": [{"buffer": "a", "pool": "sram", "offset": 0, "size": 17},
                                                           {"buffer": "z", "pool": "sram", "offset": 0},
            {"buffer": "y", "pool": "elsewhere", "offset": 0}]})";
        READ_PLAN(read, text, "p.json", sample());
        std::string codes;
        for (const Diagnostic& told : read->diagnostics) codes += std::string(codeText(told)) + ": " + told.message + "\n";
        QCOMPARE(codes, std::string("unknown-buffer: 2 buffers of the plan not in the problem: 'z', 'y'\n"
                                    "missing-buffer: 2 buffers of the problem not in the plan: 'b', 'c'\n"));
        QCOMPARE(read->mismatches.size(), std::size_t{3});
        QVERIFY(read->mismatches[0] == (Mismatch{MismatchKind::otherSize, "a", 0, none, 17, sample().buffers[0].size}));
        QVERIFY(read->mismatches[1].kind == MismatchKind::unknownBuffer && read->mismatches[1].name == "z");
        QVERIFY(read->value.placements[0].placed() && !read->value.placements[1].placed());
        // A plan of another problem altogether is a plan all the same: one that is not valid for this one.
        READ_PLAN(other, R"({"format": "stowage.plan/1", "placements": [{"buffer": "z", "pool": "sram", "offset": 0}]})",
                  "p.json", sample());
        QCOMPARE(other->mismatches.size(), std::size_t{1});
        QVERIFY(io::readPlan(R"({"format": "stowage.plan/1", "placements": []})", "p.json", sample()));
    }

    /// A plan for another target is read, and is not valid for this one.
    void aPoolThatTheProblemDoesNotHaveIsAMismatch()
    {
        const std::string text =
            R"({"format": "stowage.plan/1", "pools": [{"name": "rom", "size": 64}],
                "placements": [{"buffer": "a", "offset": 0, "pool": "rom"}, {"buffer": "b", "offset": 32, "pool": "rom"},
                               {"buffer": "c", "offset": 0, "pool": "sram"}]})";
        READ_PLAN(read, text, "p.json", sample());
        QCOMPARE(read->mismatches.size(), std::size_t{1}); // once, however many buffers lie there
        QVERIFY(read->mismatches[0] == (Mismatch{.kind = MismatchKind::otherPoolSize, .name = "rom"}));
        QVERIFY(!read->value.placements[0].placed() && !read->value.placements[1].placed());
        QVERIFY(read->value.placements[2].placed());
    }

    void refusesWithCodeAndPosition_data()
    {
        QTest::addColumn<QByteArray>("placement"); // line 2
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("column");
        const auto row = [](const char* name, QByteArray placement, const char* code, int column) {
            QTest::newRow(name) << placement << code << column;
        };
        row("no buffer", R"({"pool": "sram", "offset": 0})", "missing-field", 1);
        row("no offset", R"({"buffer": "a", "pool": "sram"})", "missing-field", 1);
        row("no pool of two", R"({"buffer": "a", "offset": 0})", "unknown-pool", 1);
        row("placed twice", R"({"buffer": "a", "pool": "sram", "offset": 0}, {"buffer": "a", "pool": "sram", "offset": 0})",
            "duplicate-placement", 47);
        row("unknown field", R"({"buffer": "a", "pool": "sram", "ofset": 0})", "unknown-field", 33);
        row("offset as text", R"({"buffer": "a", "pool": "sram", "offset": "0"})", "wrong-type", 43);
        row("offset above 64 bits", R"({"buffer": "a", "pool": "sram", "offset": 9223372036854775808})", "out-of-range", 43);
        row("select without offsets", R"({"buffer": "a", "pool": "sram", "offset": 0, "select": {"rotate": "L1"}})",
            "missing-field", 1);
        row("first of one", R"({"buffer": "a", "pool": "sram", "offsets": [0], "select": {"rotate": "L1", "first": 1}})",
            "out-of-range", 1);
        row("first of two", R"({"buffer": "a", "pool": "sram", "offsets": [0], "select": {"rotate": "L1", "first": 2}})",
            "out-of-range", 85);
        row("selection without loop", R"({"buffer": "a", "pool": "sram", "offsets": [0], "select": {"first": 0}})",
            "missing-field", 59);
        row("period 0", R"({"buffer": "a", "pool": "sram", "offsets": [0], "select": {"rotate": "L1", "period": 0}})",
            "out-of-range", 86);
    }

    void refusesWithCodeAndPosition()
    {
        QFETCH(QByteArray, placement);
        QFETCH(QString, code);
        QFETCH(int, column);
        const auto read = io::readPlan("{\"format\": \"stowage.plan/1\", \"placements\": [\n" + placement.toStdString() + "]}",
                                       "p.json", sample());
        QVERIFY(!read);
        const QString told = QString::fromStdString(toText(read.error()));
        QVERIFY2(QString::fromStdString(std::string(toText(read.error().code))) == code, qPrintable(told));
        QVERIFY2(read.error().where.line == 2 && read.error().where.column == column, qPrintable(told));
    }

    void onePoolNeedsNoName()
    {
        Problem problem = sample();
        problem.pools.pop_back();
        READ_PLAN(read, R"({"format": "stowage.plan/1", "placements": [{"buffer": "a", "offset": 4}]})", "p.json", problem);
        QCOMPARE(read->value.placements[0], (Placement{.pool = 0, .offset = 4}));
    }

    void anyOffsetIsReadAndLeftToTheChecker()
    {
        READ_PLAN(read,
                  R"({"format": "stowage.plan/1", "placements": [{"buffer": "a", "pool": "sram", "offset": -9223372036854775808},
                           {"buffer": "c", "pool": "dram", "offset": 9223372036854775807},
                           {"buffer": "b", "pool": "sram", "offsets": [1, 2, 3, 4], "select": [{"rotate": "L1", "period": 2},
                            {"rotate": "L2", "period": 3}]}]})",
                  "p.json", sample());
        const Report report = evaluate(sample(), read->value);
        QVERIFY(report.status == Status::invalid);
        QCOMPARE(report.verdict.violations.size(), std::size_t{3});
        QVERIFY(!usage(sample(), read->value, 0).empty());
        QVERIFY(!io::writePlanJson(runOf(sample(), read->value)).empty());
    }

    void severalFunctionsAreOneDocument()
    {
        const Run first = runOf(sample(), samplePlan());
        Plan moved = samplePlan();
        moved.placements[0].offset = 32;
        const Run second = runOf(sample(), moved);
        const io::FunctionRun functions[] = {{"main", &first}, {"sample", &second}};
        const std::string text = io::writePlanJson(functions);
        const QJsonArray list = parsed(text)["functions"].toArray();
        QCOMPARE(list.size(), qsizetype{2});
        QCOMPARE(list[0].toObject()["name"].toString(), QStringLiteral("main"));
        QCOMPARE(list[1].toObject()["pools"].toArray()[0].toObject()["size"].toInt(), 48);
        READ_PLAN(named, text, "p.json", sample(), "main");
        QCOMPARE(named->value.placements[0].offset, 0);
        READ_PLAN(likeTheProblem, text, "p.json", sample());
        QCOMPARE(likeTheProblem->value.placements[0].offset, 32);
        const auto unknown = io::readPlan(text, "p.json", sample(), "init");
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().remedy, std::string("it has main, sample"));
        READ_PLAN(only, io::writePlanJson(std::span(functions, 1)), "p.json", sample());
        QCOMPARE(only->value.placements[0].offset, 0);
    }

    void tablesPlaceByOffset()
    {
        Problem problem;
        problem.pools = {{.name = "p"}};
        problem.buffers = {test::bufferOf({.name = "a", .size = 4, .live = {{0, 3}}}),
                           test::bufferOf({.name = "b", .size = 4, .live = {{3, 9}, {10, 12}}})};
        Plan plan;
        plan.placements = {{.pool = 0, .offset = 4}, {.pool = 0, .offset = 0}};
        const auto text = io::writeProblemCsv(problem, &plan);
        QVERIFY(text);
        QCOMPARE(*text, std::string("id,lower,upper,size,gaps,offset\na,0,3,4,,4\nb,3,12,4,9-10,0\n"));
        READ_PLAN(read, *text, "p.csv", problem);
        QCOMPARE(read->value.placements, plan.placements);
        QVERIFY(read->diagnostics.empty());
        READ_PLAN(brief, "offset,id\n7,b\n-1,a\n", "p.csv", problem);
        QCOMPARE(brief->value.placements[1].offset, 7);
        QVERIFY(!brief->value.placements[0].placed());
        for (const auto& [bad, code] : {std::pair("id,size\na,4\n", "missing-column"),
                                        {"id,offset\na,1\na,2\n", "duplicate-placement"},
                                        {"id,offset\na,x\n", "bad-number"},
                                        {"", "syntax"}}) {
            const auto refused = io::readPlan(bad, "p.csv", problem);
            QVERIFY(!refused);
            QCOMPARE(std::string(codeText(refused.error())), std::string(code));
        }
        problem.pools.push_back({.name = "q"});
        QVERIFY(!io::readPlan(*text, "p.csv", problem));
        plan.placements[0].offsets = {4};
        plan.placements[0].rotations = {{}};
        problem.pools.pop_back();
        QCOMPARE(io::writeProblemCsv(problem, &plan).error().code, Code::notTabular);
    }

    void survivesMutations()
    {
        const Problem problem = sample();
        const auto judge = [&](const std::string& mutated) {
            const auto read = io::readPlan(mutated, "p", problem);
            if (!read) return !read.error().message.empty();
            const Report report = evaluate(problem, read->value); // whatever came in: judged without a crash
            usage(problem, read->value, 0);
            return report.pools.size() == 2;
        };
        test::mutate(io::writePlanJson(runOf(problem, samplePlan())), "{}[]\",:-0129abnt \n\\\x01\xFF", 10'000, judge);
        Problem one = problem;
        one.pools.pop_back();
        test::mutate("id,lower,upper,size,offset\na,0,5,16,0\nb,2,6,8,16\nc,0,9,4,24\n", ",\"-@: \r\n0129xab\xFF", 10'000,
                     [&](const std::string& mutated) {
                         const auto read = io::readPlan(mutated, "p", one);
                         return read ? evaluate(one, read->value).pools.size() == 1 : read.error().where.line > 0;
                     });
    }
};

QTEST_GUILESS_MAIN(TestPlanIo)
#include "tst_plan_io.moc"
