// ExecuTorch programs: the real files give what was computed apart, made ones have what those lack, damaged ones are refused.
#include "core/io/plan_tables.h"
#include "core/io/text.h"
#include "core/lower/lower.h"
#include "core/plan/report.h"
#include "plugins/executorch/lifetimes.h"
#include "plugins/executorch/program_importer.h"
#include "tests/plugins/foreign_support.h"
#include "tests/plugins/made_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cstring>

using namespace stowage;
using namespace stowage::test;
using namespace stowage::executorch;

namespace {

Expected<Imported> import(const QByteArray& bytes, const std::string& path = "made.pte")
{
    return test::importedBy<ProgramImporter>(bytes, path);
}

} // namespace

class ExecutorchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void realFilesGiveWhatWasComputedApart_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"executorch/add_model.pte", "executorch/module_linear.pte"})
            QTest::newRow(name) << QString(name);
    }
    void realFilesGiveWhatWasComputedApart()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, name);
        const auto imported = import(foreignFile(name), name.toStdString());
        QVERIFY2(imported, errorOf(imported).c_str());
        const QJsonObject expected = QJsonDocument::fromJson(foreignFile("expected.json")).object()[name].toObject();
        const QJsonArray methods = expected["methods"].toArray();
        const auto& problems = std::get<std::vector<NamedProblem>>(imported->content);
        QCOMPARE(qsizetype(problems.size()), methods.size());
        const QJsonObject method = methods[0].toObject();
        const Problem& problem = problems[0].problem;
        QCOMPARE(QString::fromStdString(problems[0].name), method["name"].toString());
        QCOMPARE(qsizetype(problem.buffers.size()), method["placed"].toArray().size());
        for (const auto& entry : method["placed"].toArray()) {
            const QJsonObject placed = entry.toObject();
            const std::string own = "t" + std::to_string(placed["value"].toInt());
            const Buffer* buffer = bufferOf(problem, own);
            QVERIFY(buffer != nullptr);
            QCOMPARE(buffer->size, Bytes((placed["bytes"].toInt() + 15) / 16 * 16));
            QCOMPARE(offsetOf(*imported, own), Bytes(placed["offset"].toInt()));
            QCOMPARE(buffer->live.size(), std::size_t(1));
            QCOMPARE(buffer->live[0].begin, Step(placed["live"].toArray()[0].toInt()));
            QCOMPARE(buffer->live[0].end, Step(placed["live"].toArray()[1].toInt()));
            QCOMPARE(problem.pools.at(at(buffer->pools.at(0))).name, "arena" + std::to_string(placed["memory_id"].toInt()));
        }
        const QJsonObject arena = method["pools"].toObject()["1"].toObject();
        const std::vector<std::pair<std::string, Bytes>> theirs{{"arena1", arena["arena"].toInt()}};
        QCOMPARE(imported->plans.at(0).sizes, theirs);
        QCOMPARE(imported->plans.at(0).name, std::string("executorch"));
        QCOMPARE(maxLive(problem, 0), Bytes(arena["max_live_16"].toInt()));
    }

    void elidedViewsLengthenWhatTheyView()
    {
        MadeProgram made;
        const auto in = made.tensor({8}, MadeProgram::Place{1, 0});
        const auto a = made.tensor({8}, MadeProgram::Place{1, 32});
        const auto view = made.tensor({2, 4}, MadeProgram::Place{1, 32}); // the bytes of a, read and never written
        const auto other = made.tensor({8}, MadeProgram::Place{1, 0});
        const auto out = made.tensor({8}, MadeProgram::Place{1, 64});
        made.call({in, a, a});
        made.call({in, other, other});
        made.call({view, other, out, out});
        const auto imported = import(made.finish({in}, {out}, {0, 96}));
        QVERIFY2(imported, errorOf(imported).c_str());
        const Problem& problem = problemsOf(*imported).at(0).problem;
        QVERIFY(bufferOf(problem, "t1") == nullptr);
        QVERIFY(bufferOf(problem, "t1+t2") != nullptr);
        const std::vector<Interval> whole{{0, 3}};
        QCOMPARE(bufferOf(problem, "t1+t2")->live, whole);
        // A tensor that is written at the place of an earlier one is another tensor.
        QVERIFY(bufferOf(problem, "t3") != nullptr);
    }

    void itemsOfListsAreInUseWhereTheListIs()
    {
        MadeProgram made;
        const auto a = made.tensor({4}, MadeProgram::Place{1, 0});
        const auto b = made.tensor({4}, MadeProgram::Place{1, 16});
        const auto both = made.list({a, b, -1});
        const auto out = made.tensor({8}, MadeProgram::Place{2, 0});
        made.call({a, a});
        made.call({b, b});
        made.call({both, out, out});
        const auto imported = import(made.finish({}, {out}, {0, 32, 32}));
        QVERIFY2(imported, errorOf(imported).c_str());
        const std::vector<Interval> first{{0, 3}}, second{{1, 3}};
        QCOMPARE(bufferOf(problemsOf(*imported).at(0).problem, "t0")->live, first);
        QCOMPARE(bufferOf(problemsOf(*imported).at(0).problem, "t1")->live, second);
        QCOMPARE(problemsOf(*imported).at(0).problem.pools.size(), std::size_t(2));
    }

    /// The runtime copies the handle of a tensor that is moved: its bytes are read by the other name, also after a second move.
    void movedTensorsLiveAsLongAsTheirOtherNames()
    {
        MadeProgram made;
        const auto a = made.tensor({8}, MadeProgram::Place{1, 0});
        const auto b = made.tensor({8}, MadeProgram::Place{1, 32});
        const auto c = made.tensor({8}, MadeProgram::Place{1, 64});
        const auto other = made.tensor({8}, MadeProgram::Place{1, 96});
        const auto out = made.tensor({8}, MadeProgram::Place{2, 0});
        made.call({a, a});
        made.move(a, b);
        made.call({other, other});
        made.move(b, c);
        made.call({other, other});
        made.call({c, out, out});
        const auto imported = import(made.finish({}, {out}, {0, 128, 32}));
        QVERIFY2(imported, errorOf(imported).c_str());
        const Problem& problem = problemsOf(*imported).at(0).problem;
        const std::vector<Interval> toTheLastName{{0, 6}}, second{{1, 6}}, third{{3, 6}}, others{{2, 5}};
        QCOMPARE(bufferOf(problem, "t0")->live, toTheLastName); // c names its bytes at 5
        QCOMPARE(bufferOf(problem, "t1")->live, second);
        QCOMPARE(bufferOf(problem, "t2")->live, third);
        QCOMPARE(bufferOf(problem, "t3")->live, others);
    }

    void aMovedListDoesNotLengthenItsItems()
    {
        MadeProgram made;
        const auto a = made.tensor({4}, MadeProgram::Place{1, 0});
        const auto b = made.tensor({4}, MadeProgram::Place{1, 16});
        const auto first = made.list({a});
        const auto second = made.list({b});
        const auto out = made.tensor({8}, MadeProgram::Place{2, 0});
        made.call({a, a});
        made.move(first, second);
        made.call({out, out});
        made.call({second, out, out});
        const auto imported = import(made.finish({}, {out}, {0, 32, 32}));
        QVERIFY2(imported, errorOf(imported).c_str());
        const std::vector<Interval> toTheMove{{0, 2}}, fromTheMove{{1, 4}};
        QCOMPARE(bufferOf(problemsOf(*imported).at(0).problem, "t0")->live, toTheMove);
        QCOMPARE(bufferOf(problemsOf(*imported).at(0).problem, "t1")->live, fromTheMove);
    }

    /// A value that is made before a loop and read in it is live to its end, however many loops there are.
    void whatCrossesOneOfManyLoopsLivesThroughAllOfIt_data()
    {
        QTest::addColumn<int>("count");
        QTest::newRow("each for itself") << 256;
        QTest::newRow("joined") << 257;
    }
    void whatCrossesOneOfManyLoopsLivesThroughAllOfIt()
    {
        QFETCH(const int, count);
        std::vector<Touches> instructions; // 0: x =; 1: (loop) read x; 2: jump to 1; and so on
        for (int loop = 0; loop < count; ++loop) {
            instructions.push_back({{}, {loop}});
            instructions.push_back({{loop}, {}});
            instructions.push_back({{}, {}, Step{3} * loop + 1});
        }
        const auto lifetimes = lifetimesOf(instructions, std::size_t(count), {}, {});
        for (int loop = 0; loop < count; ++loop) {
            const Interval needed{Step{3} * loop, Step{3} * loop + 3}, live = lifetimes[std::size_t(loop)].live;
            QVERIFY2(live.begin <= needed.begin && needed.end <= live.end, std::to_string(loop).c_str());
        }
    }

    void whatCrossesALoopLivesThroughAllOfIt()
    {
        // 0: x =; 1: (loop) t = x; 2: y = t; 3: z reads state, writes state; 4: jump to 1; 5: out = y
        const auto touches = [](std::vector<std::int32_t> read, std::vector<std::int32_t> written, Step jump = none) {
            return Touches{std::move(read), std::move(written), jump};
        };
        enum { x, t, y, state, unused };
        const auto lifetimes = lifetimesOf({touches({}, {x}), touches({x}, {t}), touches({t}, {y}), touches({state}, {state}),
                                            touches({}, {}, 1), touches({y}, {})},
                                           5, {}, {});
        QCOMPARE(lifetimes[x].live, (Interval{0, 5}));     // read in each iteration
        QCOMPARE(lifetimes[t].live, (Interval{1, 3}));     // of one iteration
        QCOMPARE(lifetimes[y].live, (Interval{1, 6}));     // of the last iteration, but nothing tells which that is
        QCOMPARE(lifetimes[state].live, (Interval{1, 5})); // read before it is written: it comes from the iteration before
        QVERIFY(lifetimes[unused].live.empty());
    }

    void whatALoopMovesIsReadInTheNextIteration()
    {
        const auto touches = [](std::vector<std::int32_t> read, std::vector<std::int32_t> written, Step jump = none) {
            return Touches{std::move(read), std::move(written), jump};
        };
        const auto moves = [](std::int32_t from, std::int32_t to) { return Touches{{from}, {to}, none, Move{from, to}}; };
        // 0: first =; 1: state names first; 2: (loop) t = state; 3: next = t; 4: state names next; 5: jump to 2
        enum { first, state, t, next };
        const auto carried = lifetimesOf({touches({}, {first}), moves(first, state), touches({state}, {t}), touches({t}, {next}),
                                          moves(next, state), touches({}, {}, 2)},
                                         4, {}, {});
        QCOMPARE(carried[state].live, (Interval{1, 6}));
        QCOMPARE(carried[first].live, (Interval{0, 6})); // nothing tells which iteration is the first
        QCOMPARE(carried[t].live, (Interval{2, 4}));
        QCOMPARE(carried[next].live, (Interval{2, 6})); // made at 3, and read at 2 of the next iteration
        // 0: b =; 1: (loop) c names b; 2: a =; 3: b names a; 4: jump to 1; 5: read c, which may be the a of an iteration before
        enum { a, b, c };
        const auto chained = lifetimesOf(
            {touches({}, {b}), moves(b, c), touches({}, {a}), moves(a, b), touches({}, {}, 1), touches({c}, {})}, 3, {}, {});
        QCOMPARE(chained[a].live, (Interval{1, 6}));
        QCOMPARE(chained[b].live, (Interval{0, 6}));
        QCOMPARE(chained[c].live, (Interval{1, 6}));
    }

    void dataOfTheFileIsAlwaysLive()
    {
        MadeProgram made;
        const auto state = made.tensor({4}, MadeProgram::Place{1, 0}, 6, 1);
        const auto out = made.tensor({4}, MadeProgram::Place{1, 16});
        made.call({out, out});
        made.call({state, out, out});
        made.call({out, out});
        const auto imported = import(made.finish({}, {out}));
        QVERIFY2(imported, errorOf(imported).c_str());
        const std::vector<Interval> whole{{0, 3}};
        QCOMPARE(bufferOf(problemsOf(*imported).at(0).problem, "t0")->live, whole);
        QVERIFY(bufferOf(problemsOf(*imported).at(0).problem, "t0")->kind == BufferKind::variable);
    }

    void sizesAreThoseOfTheScalarTypes_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("bytes"); // of 8 elements, rounded up to 16
        const std::pair<int, int> rows[] = {{0, 16}, {1, 16},  {2, 16},  {3, 32},  {4, 64},  {5, 16},  {6, 32},
                                            {7, 64}, {11, 16}, {15, 16}, {22, 16}, {27, 16}, {28, 32}, {29, 64}};
        for (const auto& [type, bytes] : rows) QTest::addRow("%d", type) << type << bytes;
    }
    void sizesAreThoseOfTheScalarTypes()
    {
        QFETCH(int, type);
        QFETCH(int, bytes);
        MadeProgram made;
        const auto only = made.tensor({8}, MadeProgram::Place{}, type);
        made.call({only, only});
        const auto imported = import(made.finish({}, {only}));
        QVERIFY2(imported, errorOf(imported).c_str());
        QCOMPARE(problemsOf(*imported).at(0).problem.buffers.at(0).size, Bytes(bytes));
    }

    void wrongNumbersAreRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, auto fill, const char* says) {
            MadeProgram made;
            QTest::newRow(name) << fill(made) << QString(says);
        };
        row(
            "operand",
            [](auto& m) {
                m.call({7, 7});
                return m.finish({}, {});
            },
            "an operand is value 7 of 0");
        row(
            "operator",
            [](auto& m) {
                m.call({}, 3);
                return m.finish({}, {});
            },
            "calls operator 3 of 1");
        row(
            "input", [](auto& m) { return m.finish({-2}, {}); }, "an input is value -2 of 0");
        row(
            "extent",
            [](auto& m) {
                m.tensor({-1}, MadeProgram::Place{});
                return m.finish({}, {});
            },
            "an extent of -1");
        row(
            "product",
            [](auto& m) {
                m.tensor({1 << 30, 1 << 30, 1 << 30}, MadeProgram::Place{});
                return m.finish({}, {});
            },
            "too many bytes");
        row(
            "type",
            [](auto& m) {
                m.tensor({1}, MadeProgram::Place{}, 99);
                return m.finish({}, {});
            },
            "scalar type 99");
        row(
            "memory 0",
            [](auto& m) {
                m.tensor({1}, MadeProgram::Place{0, 0});
                return m.finish({}, {});
            },
            "memory 0");
        row(
            "jump",
            [](auto& m) {
                const auto t = m.tensor({1}, MadeProgram::Place{});
                m.jumpFalse(t, 9);
                return m.finish({}, {});
            },
            "jumps to 9 of 1");
        row(
            "arena",
            [](auto& m) {
                return m.finish({}, {}, {0, -1});
            },
            "has -1 bytes");
        row(
            "list",
            [](auto& m) {
                const auto t = m.list({4});
                m.call({t});
                return m.finish({}, {});
            },
            "names value 4 of 1");
        row(
            "two methods",
            [](auto& m) {
                const auto t = m.tensor({1}, MadeProgram::Place{});
                m.call({t, t});
                return m.finish({}, {}, {0, 16}, 2);
            },
            "two methods are named 'forward'");
        row(
            "nothing placed",
            [](auto& m) {
                m.tensor({1}, {});
                return m.finish({}, {});
            },
            "no tensor of the program has a place");
    }
    void wrongNumbersAreRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const auto imported = import(bytes);
        QVERIFY(!imported);
        QVERIFY2(QString::fromStdString(imported.error().message).contains(says), errorOf(imported).c_str());
        QVERIFY(!imported.error().remedy.empty());
    }

    void executorchTablesHaveTheMemoriesOfTheRuntime_data()
    {
        QTest::addColumn<QByteArray>("pool");
        QTest::addColumn<bool>("written");
        QTest::newRow("first") << QByteArray("arena1") << true;
        QTest::newRow("last") << QByteArray("arena256") << true;
        QTest::newRow("constants") << QByteArray("arena0") << false;
        QTest::newRow("one more") << QByteArray("arena257") << false;
        QTest::newRow("32 GB of sizes") << QByteArray("arena4000000000") << false;
        QTest::newRow("largest number") << QByteArray("arena9223372036854775807") << false;
    }
    void executorchTablesHaveTheMemoriesOfTheRuntime()
    {
        QFETCH(const QByteArray, pool);
        QFETCH(const bool, written);
        Problem problem;
        problem.pools.emplace_back().name = pool.toStdString();
        Buffer& buffer = problem.buffers.emplace_back();
        buffer.name = "t3";
        buffer.size = 48;
        buffer.live = {{0, 1}};
        Run run;
        auto lowering = lower(problem, {});
        QVERIFY(lowering);
        run.lowering = std::make_shared<const Lowering>(*std::move(lowering));
        run.plan.placements.push_back({.pool = 0, .offset = 0});
        run.report = evaluate(run);
        const std::vector<io::FunctionRun> methods{{"forward", &run}};
        const auto table = io::writeExecutorchTable(methods);
        QCOMPARE(bool(table), written);
        if (!table) {
            QCOMPARE(table.error().code, Code::outOfRange);
            QVERIFY2(table.error().message.find("1 to 256") != std::string::npos, table.error().message.c_str());
            return;
        }
        const QJsonObject method = QJsonDocument::fromJson(QByteArray::fromStdString(*table)).object()["forward"].toObject();
        const int memory = pool.mid(5).toInt();
        QCOMPARE(method["sizes"].toArray().size(), qsizetype(memory + 1));
        QCOMPARE(method["sizes"].toArray()[memory].toInt(), 48);
        QCOMPARE(method["tensors"].toObject()["3"].toObject()["mem_id"].toInt(), memory);
    }

    void headersThatLieAreRefused()
    {
        STOWAGE_NEEDS_SHARED();
        const QByteArray whole = foreignFile("executorch/add_model.pte"); // has the extended header
        QCOMPARE(whole.mid(8, 4), QByteArray("eh00"));
        for (const auto& [at, value] : {std::pair(12, 5), std::pair(12, 1 << 20), std::pair(16, 1 << 20), std::pair(16, 8)}) {
            QByteArray bytes = whole;
            std::memcpy(bytes.data() + at, &value, sizeof value);
            const auto imported = import(bytes);
            QVERIFY(!imported);
            QCOMPARE(imported.error().code, Code::damaged);
            QVERIFY(imported.error().where.byte >= 8);
        }
    }

    void bundlesHoldAProgram()
    {
        STOWAGE_NEEDS_SHARED();
        const QByteArray program = foreignFile("executorch/module_linear.pte");
        flatbuffers::FlatBufferBuilder builder;
        builder.ForceVectorAlignment(std::size_t(program.size()), 1, 16);
        const auto inside =
            builder.CreateVector(reinterpret_cast<const std::uint8_t*>(program.constData()), std::size_t(program.size()));
        builder.Finish(fb::CreateBundle(builder, inside), "BP08");
        const QByteArray bundle(reinterpret_cast<const char*>(builder.GetBufferPointer()), qsizetype(builder.GetSize()));
        const auto imported = import(bundle);
        QVERIFY2(imported, errorOf(imported).c_str());
        QCOMPARE(problemsOf(*imported).at(0).problem.buffers.size(), std::size_t(3));
        QCOMPARE(ProgramImporter().claims({bundle.constData(), std::size_t(bundle.size())}, "x"), 100);
    }

    /// Each shorter file and each file with one byte changed is read or refused, never more; sanitizers look on.
    void damagedFilesAreReadOrRefused()
    {
        STOWAGE_NEEDS_SHARED();
        const QByteArray whole = foreignFile("executorch/module_linear.pte");
        int refused = 0;
        for (qsizetype size = 0; size < whole.size(); ++size) refused += !import(whole.left(size));
        QVERIFY(refused > whole.size() / 2);
        for (qsizetype i = 0; i < whole.size(); ++i)
            for (const int flip : {0x01, 0x80, 0xff}) {
                QByteArray bytes = whole;
                bytes[i] = char(bytes[i] ^ flip);
                const auto imported = import(bytes);
                QVERIFY(imported || !imported.error().message.empty());
            }
    }
};

QTEST_GUILESS_MAIN(ExecutorchTest)
#include "tst_executorch.moc"
