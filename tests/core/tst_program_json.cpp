// Program JSON: what is read, what is refused and where, and that writing and reading again changes nothing.
#include "core/io/text.h"
#include "core/lower/lower.h"
#include "tests/core/random_program.h"
#include "tests/support/paths.h"
#include "tests/support/seed_shift.h"
#include "tests/support/shared.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace stowage;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string_view view(const QByteArray& text)
{
    return {text.constData(), static_cast<std::size_t>(text.size())};
}

QStringList samples()
{
    QStringList paths;
    const QDir folder(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples"));
    for (const QString& name : folder.entryList({QStringLiteral("*.json")}))
        if (name != QLatin1String("index.json") && !name.startsWith(QLatin1String("pipeline_"))) paths << folder.filePath(name);
    return paths;
}

/// A small program around the text of one tensor list and one op list.
QByteArray program(const char* tensors, const char* ops, const char* more = "")
{
    return QByteArray(
               "{\"format\": \"stowage.program/1\", \"name\": \"t\", \"functions\": [\n{\"name\": \"main\", \"inputs\": [\"x\"], "
               "\"outputs\": [\"z\"],\n\"tensors\": [{\"name\": \"x\", \"bytes\": 8}, {\"name\": \"z\", \"bytes\": 8}") +
           tensors + "],\n\"ops\": [" + ops + "]}]" + more + "}";
}

/// Gives tensors and ops whatever a file may say about them.
void decorate(Program& program, std::mt19937_64& random)
{
    const auto chance = [&](unsigned oneIn) { return random() % oneIn == 0; };
    const auto place = [&] {
        Position where;
        if (chance(2)) where.file = chance(2) ? "m.tflite" : "k.mlir";
        if (chance(2)) where.line = 1 + static_cast<std::int32_t>(random() % 90);
        if (chance(3)) where.column = 1 + static_cast<std::int32_t>(random() % 90);
        if (chance(3)) where.byte = static_cast<std::int64_t>(random() % 900);
        return where;
    };
    for (Function& function : program.functions) {
        for (Tensor& tensor : function.tensors) {
            tensor.where = place();
            if (chance(4)) tensor.alignment = Bytes{1} << (random() % 7);
            if (chance(5)) tensor.available = chance(2) ? Availability::compileTime : Availability::runTime;
            if (chance(6)) tensor.pools = {"sram", "dram \"fast\""};
            if (chance(9)) tensor.planned = false;
            if (chance(9)) tensor.pinnedOffset = static_cast<Bytes>(random() % 4096);
            if (chance(8)) tensor.multiBuffer = 2;
            if (chance(3)) tensor.dtype = chance(2) ? "f32" : "resource";
            tensor.handle = tensor.dtype == "resource"; // the reader states it by the type
            if (chance(3)) tensor.shape = {3, -1, 0};
            if (chance(9)) tensor.bytes.reset();
        }
        for (Op& op : function.ops) {
            op.where = place();
            if (chance(4)) op.pipe = "V";
            if (chance(5)) op.traits = {static_cast<OpEffect>(1 + random() % 6), static_cast<OpWork>(random() % 8), chance(2)};
            if (chance(4)) op.device = "npu";
            if (chance(4)) op.cost = {{"", 0.1}};
            if (chance(6)) op.cost = {{"cpu", 5}, {"npu", 1e-3}};
            if (!op.inPlace.empty() && chance(3)) op.inPlaceRequired = true;
        }
    }
}

/// Other numbers for all tensors and ops.
void renumber(Program& program, std::mt19937_64& random)
{
    const auto shuffled = [&](std::size_t count) {
        std::vector<Id> places(count);
        std::iota(places.begin(), places.end(), 0);
        std::shuffle(places.begin(), places.end(), random);
        return places;
    };
    const auto moved = [](const auto& things, const std::vector<Id>& places) {
        auto result = things;
        for (std::size_t i = 0; i < things.size(); ++i) result[static_cast<std::size_t>(places[i])] = things[i];
        return result;
    };
    for (Function& function : program.functions) {
        const std::vector<Id> tensors = shuffled(function.tensors.size()), ops = shuffled(function.ops.size());
        const auto follow = [](const std::vector<Id>& places, auto&... ids) {
            ((ids = ids == none ? none : places[static_cast<std::size_t>(ids)]), ...);
        };
        const auto all = [&](const std::vector<Id>& places, std::vector<Id>& ids) {
            for (Id& id : ids) follow(places, id);
        };
        for (Tensor& tensor : function.tensors) follow(tensors, tensor.aliasOf);
        for (Op& op : function.ops) {
            all(tensors, op.inputs);
            all(tensors, op.outputs);
            all(tensors, op.temps);
            for (InPlace& pair : op.inPlace) follow(tensors, pair.input, pair.output);
            for (Carry& carry : op.carries) follow(tensors, carry.from, carry.to);
        }
        for (Region& region : function.regions) {
            all(tensors, region.inputs);
            all(tensors, region.outputs);
            all(ops, region.ops);
            follow(ops, region.owner);
        }
        function.tensors = moved(function.tensors, tensors);
        function.ops = moved(function.ops, ops);
    }
}

} // namespace

class TestProgramJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsEveryFieldOfTheContract()
    {
        const QByteArray text = program(
            R"(, {"name": "w", "kind": "constant", "available": "compile-time", "dtype": "i4", "shape": [3, 3]},
                 {"name": "h", "dtype": "f32", "shape": [2, 4], "alignment": 64, "pools": ["dtcm", "sram"], "multi_buffer": 2},
                 {"name": "v", "alias_of": "h", "alias_offset": 16, "bytes": 8}, {"name": "s", "bytes": 4},
                 {"name": "d", "dtype": "f32", "shape": [-1, 2]})",
            R"({"name": "a", "kind": "conv2d", "inputs": ["x", "w"], "outputs": ["h"], "temps": ["s"],
                "pipe": "V", "device": "npu",
                "cost_us": {"cpu": 5, "npu": 1.5}, "x-note": [1]},
               {"name": "b", "inputs": ["v"], "outputs": ["z"], "inplace": [["v", "z"]],
                "inplace_required": true, "cost_us": 12})",
            R"(, "pools": [{"name": "dtcm", "capacity": 64}, {"name": "sram"}])");
        const auto read = io::readProgramJson(view(text), "t.json");
        QVERIFY2(read, read ? "" : toText(read.error()).c_str());
        const Program& made = read->value;
        QCOMPARE(made.pools.size(), std::size_t{2});
        const Function& main = made.main();
        QCOMPARE(main.tensors[0].kind, TensorKind::input);
        QCOMPARE(main.tensors[1].kind, TensorKind::output);
        QCOMPARE(*main.tensors[2].bytes, Bytes{5}); // nine 4-bit elements
        QCOMPARE(main.tensors[2].available, Availability::compileTime);
        QCOMPARE(*main.tensors[3].bytes, Bytes{32});
        QCOMPARE(main.tensors[3].alignment, Bytes{64});
        QCOMPARE(main.tensors[3].multiBuffer, 2);
        QCOMPARE(main.tensors[4].aliasOf, TensorId{3});
        QCOMPARE(main.tensors[4].aliasOffset, Bytes{16});
        QVERIFY(!main.tensors[6].bytes);
        QCOMPARE(main.ops[0].temps, std::vector<TensorId>{5});
        QCOMPARE(main.ops[0].cost.size(), std::size_t{2});
        QCOMPARE(main.ops[0].cost[1].microseconds, 1.5);
        QVERIFY(main.ops[1].inPlaceRequired);
        QCOMPARE(main.ops[1].inPlace[0].input, TensorId{4});
        QCOMPARE(main.ops[0].where.line, 7);
    }

    void placesOfViewsHaveNoEffect_data()
    {
        QTest::addColumn<QByteArray>("fields");
        QTest::addColumn<bool>("told");
        const QByteArray pinned = R"(, {"name": "h", "bytes": 8, "offset": 64, "pools": ["p"], "multi_buffer": 2})";
        const auto with = [&](const char* fields) -> QByteArray {
            return pinned + R"(, {"name": "v", "bytes": 4, "alias_of": "h", "alias_offset": 4)" + fields + "}";
        };
        QTest::newRow("nothing") << with("") << false;
        QTest::newRow("the same place") << with(R"(, "offset": 68, "pools": ["p"], "multi_buffer": 2)") << false;
        QTest::newRow("offset") << with(R"(, "offset": 64)") << true;
        QTest::newRow("pools") << with(R"(, "pools": ["q"])") << true;
        QTest::newRow("slots") << with(R"(, "multi_buffer": 3)") << true;
    }
    void placesOfViewsHaveNoEffect()
    {
        QFETCH(QByteArray, fields);
        QFETCH(bool, told);
        const QByteArray text = program(fields.constData(), R"({"name": "a", "inputs": ["x"], "outputs": ["h"]},
                                           {"name": "b", "inputs": ["v"], "outputs": ["z"]})");
        const auto read = io::readProgramJson(view(text), "t.json");
        QVERIFY2(read, read ? "" : toText(read.error()).c_str());
        QCOMPARE(read->diagnostics.size(), std::size_t{told ? 1U : 0U});
        if (!told) return;
        const Diagnostic& warned = read->diagnostics.front();
        QCOMPARE(warned.severity, Severity::warning);
        QVERIFY(warned.message.find("'v' is a view and lies in 'h'") != std::string::npos);
        QCOMPARE(warned.where.file, std::string("t.json"));
        QCOMPARE(warned.remedy, std::string("state them for the viewed tensor"));
    }

    void readsLoopsCasesAndCalls()
    {
        const QByteArray text =
            "{\"format\": \"stowage.program/1\", \"name\": \"t\", \"entry\": \"top\", \"functions\": ["
            "{\"name\": \"leaf\", \"inputs\": [\"a\"], \"outputs\": [\"b\"], \"tensors\": [{\"name\": \"a\", \"bytes\": 8}, "
            "{\"name\": \"b\", \"bytes\": 8}], \"ops\": [{\"name\": \"o\", \"inputs\": [\"a\"], \"outputs\": [\"b\"]}]},"
            "{\"name\": \"top\", \"inputs\": [\"x\", \"c\"], \"outputs\": [\"z\"], \"tensors\": [{\"name\": \"x\", \"bytes\": "
            "8}, "
            "{\"name\": \"c\", \"bytes\": 1}, {\"name\": \"y\", \"bytes\": 8}, {\"name\": \"u\", \"bytes\": 8}, {\"name\": "
            "\"z\", \"bytes\": 8}],"
            "\"ops\": [{\"name\": \"l\", \"kind\": \"while\", \"inputs\": [\"x\"], \"outputs\": [\"y\"], \"trip_count\": 5, "
            "\"carries\": [{\"from\": \"q\", \"to\": \"p\"}], \"body\": {\"inputs\": [\"p\"], \"outputs\": [\"q\"], "
            "\"tensors\": [{\"name\": \"p\", \"bytes\": 8}, {\"name\": \"q\", \"bytes\": 8}], "
            "\"ops\": [{\"name\": \"f\", \"inputs\": [\"p\"], \"outputs\": [\"q\"]}]}},"
            "{\"name\": \"k\", \"kind\": \"call\", \"callee\": \"leaf\", \"inputs\": [\"y\"], \"outputs\": [\"u\"]},"
            "{\"name\": \"i\", \"kind\": \"case\", \"inputs\": [\"c\", \"u\"], \"outputs\": [\"z\"], \"branches\": ["
            "{\"inputs\": [\"m\"], \"outputs\": [\"n\"], \"tensors\": [{\"name\": \"m\", \"bytes\": 8}, {\"name\": \"n\", "
            "\"bytes\": 8}], "
            "\"ops\": [{\"name\": \"g\", \"inputs\": [\"m\"], \"outputs\": [\"n\"]}]},"
            "{\"inputs\": [\"r\"], \"outputs\": [\"s\"], \"tensors\": [{\"name\": \"r\", \"bytes\": 8}, {\"name\": \"s\", "
            "\"bytes\": 8}], "
            "\"ops\": [{\"name\": \"h\", \"inputs\": [\"r\"], \"outputs\": [\"s\"]}]}]}]}]}";
        const auto read = io::readProgramJson(view(text), "t.json");
        QVERIFY2(read, read ? "" : toText(read.error()).c_str());
        const Function& top = read->value.main();
        QCOMPARE(top.name, std::string("top"));
        QCOMPARE(top.ops[0].control, Control::loop);
        QCOMPARE(*top.ops[0].tripCount, 5);
        QCOMPARE(top.ops[0].carries.size(), std::size_t{1});
        QCOMPARE(top.ops[2].control, Control::call);
        QCOMPARE(top.ops[2].callee, FunctionId{0});
        QCOMPARE(top.ops[3].control, Control::branch);
        QCOMPARE(top.ops[3].regions.size(), std::size_t{2});
    }

    void writingAndReadingAgainChangesNothing_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : samples()) QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
        const QDir nnc(test::sharedFile("bench/nnc"));
        for (const QString& name : nnc.entryList({QStringLiteral("*.program.json")}))
            QTest::newRow(qPrintable(name)) << nnc.filePath(name);
    }
    void writingAndReadingAgainChangesNothing()
    {
        QFETCH(QString, path);
        const QByteArray text = contents(path);
        const auto first = io::readProgramJson(view(text), path.toStdString());
        QVERIFY2(first, first ? "" : toText(first.error()).c_str());
        const std::string written = io::writeProgramJson(first->value);
        const auto second = io::readProgramJson(written, "again");
        QVERIFY2(second, second ? "" : toText(second.error()).c_str());
        QCOMPARE(io::writeProgramJson(second->value), written);
        QVERIFY(second->value == first->value); // positions and numbers of nested things included
        const auto a = lower(first->value, LowerOptions{});
        const auto b = lower(second->value, LowerOptions{});
        QVERIFY(a && b);
        QVERIFY(a->problem == b->problem);
        QVERIFY(!a->problem.buffers.empty());
    }

    void randomProgramsComeBackAsTheyWere()
    {
        int outOfOrder = 0;
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            test::RandomProgramOptions shape;
            if (seed % 4 == 0) shape.depth = 0; // nothing nested: in the order of the file
            Program program = test::randomProgram(seed, shape);
            std::mt19937_64 random(seed + stowage::test::seedShift());
            decorate(program, random);
            if (seed % 2 == 1) renumber(program, random);
            const std::string text = io::writeProgramJson(program);
            const auto read = io::readProgramJson(text, "t.json");
            QVERIFY2(read, read ? "" : ("seed " + std::to_string(seed) + ": " + toText(read.error())).c_str());
            QVERIFY2(read->value == program, text.c_str());
            QCOMPARE(io::writeProgramJson(read->value), text);
            outOfOrder += text.find("\"index\"") != std::string::npos;
        }
        QVERIFY(outOfOrder > 200);
        QVERIFY(outOfOrder < 400);
    }

    /// What an op does follows from its kind, unless the file states it.
    void opsSayWhatTheyDo()
    {
        const QByteArray text = program("", R"({"name": "a", "kind": "EXPAND_DIMS", "inputs": ["x"], "outputs": ["z"]},
                   {"name": "b", "kind": "mine", "inputs": ["x"], "traits": {"effect": "stateful", "work": "dense"}},
                   {"name": "c", "kind": "DepthwiseConv2d", "inputs": ["x"]},
                   {"name": "d", "kind": "my.domain:Relu", "inputs": ["x"]})");
        const auto read = io::readProgramJson(view(text), "t.json");
        QVERIFY2(read, read ? "" : toText(read.error()).c_str());
        const auto& ops = read->value.main().ops;
        QVERIFY(isView(ops[0]));
        QCOMPARE(ops[0].traits, (OpTraits{OpEffect::view, OpWork::moving, false}));
        QCOMPARE(ops[1].traits, (OpTraits{OpEffect::stateful, OpWork::dense, false}));
        QCOMPARE(ops[2].traits, (OpTraits{OpEffect::computes, OpWork::depthwiseConvolution, false}));
        QCOMPARE(ops[3].traits.effect, OpEffect::stateful);
        const std::string written = io::writeProgramJson(read->value);
        QCOMPARE(QString::fromStdString(written).count("\"traits\""), 1);
    }

    /// Of the types that name state outside the program, and of no other; the file has no field for it.
    void resourcesAndVariantsAreHandles()
    {
        const QByteArray text = program(
            R"(, {"name": "r", "kind": "variable", "dtype": "resource", "bytes": 4},
               {"name": "v", "kind": "variable", "dtype": "variant", "bytes": 4},
                                           {"name": "i", "kind": "constant", "dtype": "i32", "shape": [1]})",
            R"({"name": "a", "inputs": ["x", "r", "v", "i"], "outputs": ["z"]})");
        const auto read = io::readProgramJson(view(text), "t.json");
        QVERIFY2(read, read ? "" : toText(read.error()).c_str());
        QStringList handles;
        for (const Tensor& tensor : read->value.main().tensors)
            if (tensor.handle) handles << QString::fromStdString(tensor.name);
        QCOMPARE(handles, (QStringList{"r", "v"}));
        QVERIFY(!QString::fromStdString(io::writeProgramJson(read->value)).contains("\"handle\""));
    }

    void tellsMistakesByTheirPlaceInTheText()
    {
        // The position that an op brings along is its source's; a mistake is looked for in the text.
        const QByteArray text =
            program("", R"({"name": "o", "inputs": ["x"], "outputs": ["x"], "where": {"file": "m.mlir", "line": 77}})",
                    R"(, "positions": "kept")");
        const auto refused = io::readProgramJson(view(text), "t.json");
        QVERIFY(!refused);
        QCOMPARE(refused.error().where.file, std::string("t.json"));
        QCOMPARE(refused.error().where.line, 4);
        const QByteArray right = QByteArray(text).replace("\"outputs\": [\"x\"]", "\"outputs\": [\"z\"]");
        const auto read = io::readProgramJson(view(right), "t.json");
        QVERIFY2(read, read ? "" : toText(read.error()).c_str());
        QCOMPARE(read->value.main().ops[0].where, (Position{"m.mlir", 77, 0, -1}));
        QCOMPARE(read->value.main().tensors[0].where, Position{});
        const auto inFile = io::readProgramJson(view(QByteArray(right).replace(", \"positions\": \"kept\"", "")), "t.json");
        QVERIFY(inFile);
        QCOMPARE(inFile->value.main().tensors[0].where.line, 3);
    }

    void refusesWithThePlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("line");
        const char* copy = R"({"name": "o", "inputs": ["x"], "outputs": ["z"]})";
        QTest::newRow("a typo in a field") << program("", R"({"name": "o", "input": ["x"], "outputs": ["z"]})") << "unknown-field"
                                           << 4;
        QTest::newRow("an unknown tensor") << program("", R"({"name": "o", "inputs": ["y"], "outputs": ["z"]})")
                                           << "unknown-tensor" << 4;
        QTest::newRow("no size") << program(",\n{\"name\": \"q\"}", copy) << "missing-field" << 4;
        QTest::newRow("an unknown type") << program(",\n{\"name\": \"q\", \"dtype\": \"f33\", \"shape\": [1]}", copy)
                                         << "bad-value" << 4;
        QTest::newRow("too large") << program(",\n{\"name\": \"q\", \"dtype\": \"f64\", \"shape\": [4611686018427387904, 4]}",
                                              copy)
                                   << "out-of-range" << 4;
        QTest::newRow("two of one name") << program(",\n{\"name\": \"x\", \"bytes\": 1}", copy) << "duplicate-name" << 4;
        QTest::newRow("a condition alone") << program(
                                                  "",
                                                  "\n{\"name\": \"o\", \"inputs\": [\"x\"], \"outputs\": [\"z\"], \"cond\": {}}")
                                           << "missing-field" << 5;
        QTest::newRow("an unknown callee") << program("", R"({"name": "o", "callee": "f", "inputs": ["x"], "outputs": ["z"]})")
                                           << "unknown-function" << 4;
        QTest::newRow("an index twice") << program(",\n{\"name\": \"q\", \"bytes\": 1, \"index\": 0}", copy) << "bad-value" << 2;
        QTest::newRow("a wrong word for positions") << program("", copy, ",\n\"positions\": \"given\"") << "bad-value" << 5;
        QTest::newRow("cut off") << program("", copy).chopped(3) << "" << 0;
        QTest::newRow("another format") << QByteArray(R"({"format": "stowage.problem/1", "functions": []})") << "" << 1;
        QTest::newRow("empty") << QByteArray() << "" << 0;
    }
    void refusesWithThePlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, code);
        QFETCH(int, line);
        const auto read = io::readProgramJson(view(text), "t.json");
        QVERIFY(!read);
        if (!code.isEmpty()) QCOMPARE(QString::fromStdString(std::string(toText(read.error().code))), code);
        if (line > 0) QCOMPARE(read.error().where.line, line);
        QCOMPARE(read.error().where.file, std::string("t.json"));
    }

    void survivesMutatedText()
    {
        const QByteArray text = contents(samples().first());
        QVERIFY(!text.isEmpty());
        std::mt19937 random(20260101 + stowage::test::seedShift());
        int refused = 0;
        for (int round = 0; round < 3000; ++round) {
            QByteArray mutated = text;
            for (int edits = 1 + static_cast<int>(random() % 4); edits > 0; --edits) {
                const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(mutated.size()));
                switch (random() % 3) {
                case 0: mutated[at] = static_cast<char>(random() % 256); break;
                case 1: mutated.remove(at, static_cast<qsizetype>(random() % 40)); break;
                default:
                    mutated.insert(at, mutated.mid(static_cast<qsizetype>(random() % static_cast<unsigned>(mutated.size())), 20));
                }
            }
            if (const auto read = io::readProgramJson(view(mutated), "m"); !read) {
                ++refused;
                QVERIFY(!read.error().message.empty());
            }
        }
        QVERIFY(refused > 1000);
    }
};

QTEST_APPLESS_MAIN(TestProgramJson)
#include "tst_program_json.moc"
