// `export --as c-source` in the three use cases of the design document: the generated code compiles without a warning, and an
// application that uses it runs. Its operators write every buffer and check every input, byte by byte, and at which address they
// lie.
#include "tests/cli/c_loop_model.h"
#include "tests/cli/c_source_parts.h"
#include "tests/cli/cli_process.h"

#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace stowage::test;

class TestCSource : public QObject {
    Q_OBJECT

private:
    Cli cli_;

    [[nodiscard]] static bool hasCompiler()
    {
        QProcess process;
        process.start("cc", {"--version"});
        return process.waitForFinished() && process.exitCode() == 0;
    }

    QString export_(const QString& folder, QStringList files, const QStringList& options)
    {
        const auto result =
            cli_(QStringList{"export"} + files + QStringList{"--as", "c-source", "-o", cli_.path(folder)} + options);
        return result.status == 0 ? QString() : QString::fromUtf8(result.err);
    }
    QJsonArray placements(const QString& file, const QStringList& options)
    {
        return cli_(QStringList{"plan", file, "--format", "json"} + options).object()["placements"].toArray();
    }

    /// Builds `folder`/app.c with the sources named, and runs it. Empty when all is well.
    QString buildAndRun(const QString& folder, const QString& application, const QStringList& sources)
    {
        cli_.file(folder + "/app.c", application.toUtf8());
        QStringList arguments{"-std=c99",
                              "-Wall",
                              "-Wextra",
                              "-Werror",
                              "-pedantic",
                              "-o",
                              cli_.path(folder + "/app"),
                              cli_.path(folder + "/app.c")};
        for (const QString& source : sources) arguments += cli_.path(folder + "/" + source + ".c");
        QProcess compiler;
        compiler.start("cc", arguments);
        if (!compiler.waitForFinished(60'000) || compiler.exitCode() != 0) return "cc: " + compiler.readAllStandardError();
        for (const QString& source : sources) { // the headers are for C++ as well
            QProcess check;
            check.start("c++", {"-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-x", "c++",
                                cli_.path(folder + "/" + source + ".h")});
            if (check.waitForFinished(60'000) && check.exitCode() != 0 && check.error() == QProcess::UnknownError)
                if (const QByteArray said = check.readAllStandardError(); !said.contains("#pragma once in main file"))
                    return "c++: " + said;
        }
        QProcess run;
        run.start(cli_.path(folder + "/app"), QStringList());
        if (!run.waitForFinished(20'000) || run.exitStatus() != QProcess::NormalExit) return "the application does not end";
        return run.exitCode() == 0 ? QString()
                                   : QString("status %1: %2").arg(run.exitCode()).arg(QString(run.readAllStandardOutput()));
    }

    /// Macro of each buffer of a model: the prefix, and its name in capitals.
    static QMap<QString, QString> macros(const QString& model, const QJsonArray& placements)
    {
        QMap<QString, QString> result;
        QSet<QString> taken;
        for (const QJsonValue& placement : placements) {
            QString name = placement["buffer"].toString().toUpper();
            name.replace(QRegularExpression("[^A-Z0-9_]"), "_");
            QString unique = name;
            for (int number = 2; taken.contains(unique); ++number) unique = QString("%1_%2").arg(name).arg(number);
            taken.insert(unique);
            result.insert(placement["buffer"].toString(), QString("TVM_%1_%2").arg(model.toUpper(), unique));
        }
        return result;
    }

    static void everyBufferIsTouched(const Application& application, const QJsonArray& placements)
    {
        for (const QJsonValue& placement : placements)
            QVERIFY2(application.touched().contains(placement["buffer"].toString()), qPrintable(placement["buffer"].toString()));
        QCOMPARE(application.touched().size(), placements.size());
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!hasCompiler()) QSKIP("there is no C compiler");
    }

    /// U1: one workspace, inside the generated code; constants compiled in.
    void oneModelWithItsOwnWorkspace()
    {
        const QString file = cli_.file("my_model.json", firstModel);
        const QJsonArray placed = placements(file, {});
        const Application operators("my_model", firstModel, placed, macros("my_model", placed));
        QVERIFY(QDir().mkpath(cli_.path("data")));
        cli_.file("data/w0.bin", pattern(operators.idOf("w0"), 12));
        cli_.file("data/w1.bin", pattern(operators.idOf("w1"), 200));
        const QString wrong = export_("u1", {file}, {"--constants", cli_.path("data")});
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        everyBufferIsTouched(operators, placed);
        const QString application = QString("#include \"my_model.h\"\n") + helpers + operators.code() +
                                    QString(R"(
int main(void)
{
    static uint8_t my_data[48];
    static uint8_t output_space[20];
    TVMInputs_my_model inputs = {my_data};
    TVMOutputs_my_model outputs = {output_space};
    fill(my_data, %1, 48);
    if (TVMExecute(&my_model, &inputs, &outputs, NULL) != 0) return 10;
    if (!holds(output_space, %2, 0, 20)) return 11;
    return operators == 6 ? 0 : 12;
})")
                                        .arg(operators.idOf("x"))
                                        .arg(operators.idOf("y"));
        const QString said = buildAndRun("u1", application, {"my_model"});
        QVERIFY2(said.isEmpty(), qPrintable(said));
    }

    /// U2: two models, one after the other in one workspace of the larger size.
    void twoModelsShareAWorkspace()
    {
        const QString first = cli_.file("my_model_1.json", firstModel);
        const QString second = cli_.file("my_model_2.json", secondModel);
        const QStringList pools{"--with-workspace-buffer=", "name=sram;target=c,accel"}; // with the document's blank
        const QJsonArray placed1 = placements(first, pools);
        const QJsonArray placed2 = placements(second, pools);
        const Application one("my_model_1", firstModel, placed1, macros("my_model_1", placed1));
        const Application two("my_model_2", secondModel, placed2, macros("my_model_2", placed2));
        everyBufferIsTouched(one, placed1);
        everyBufferIsTouched(two, placed2);
        const QString wrong = export_("u2", {first, second}, pools);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const QString application = QString("#include \"tvm_models.h\"\n") + helpers + one.code() + two.code() +
                                    QString(R"(
static TVM_ALIGNED(TVM_MODELS_COMMON_SRAM_WORKSPACE_BUFFER_ALIGNMENT)
uint8_t workspace_buffer[TVM_MODELS_COMMON_SRAM_WORKSPACE_BUFFER_SIZE + 1];
int main(void)
{
    static uint8_t w0[12], w1[200], data_1[48], data_2[100], data_3[8], space_1[20], space_2[10];
    TVMContext context;
    TVMInputs_my_model_1 inputs1 = {data_1};
    TVMOutputs_my_model_1 outputs1 = {space_1};
    TVMWorkspaces_my_model_1 workspaces1 = {workspace_buffer};
    TVMTensors_my_model_1 tensors1 = {w0, w1};
    TVMInputs_my_model_2 inputs2 = {data_2, data_3};
    TVMOutputs_my_model_2 outputs2 = {space_2};
    TVMWorkspaces_my_model_2 workspaces2 = {workspace_buffer};
    size_t largest = TVM_MY_MODEL_1_SRAM_WORKSPACE_BUFFER_SIZE;
    if (TVM_MY_MODEL_2_SRAM_WORKSPACE_BUFFER_SIZE > TVM_MY_MODEL_1_SRAM_WORKSPACE_BUFFER_SIZE)
        largest = TVM_MY_MODEL_2_SRAM_WORKSPACE_BUFFER_SIZE;
    if (largest != TVM_MODELS_COMMON_SRAM_WORKSPACE_BUFFER_SIZE) return 9;
    workspace_buffer[TVM_MODELS_COMMON_SRAM_WORKSPACE_BUFFER_SIZE] = 0x5a;
    fill(w0, %1, 12);
    fill(w1, %2, 200);
    fill(data_1, %3, 48);
    fill(data_2, %4, 100);
    fill(data_3, %5, 8);
    TVMSetWorkspaces(&context, &workspaces1);
    TVMSetTensors(&context, &tensors1);
    if (TVMExecute(&my_model_1, &inputs1, &outputs1, &context) != 0) return 10;
    if (!holds(space_1, %6, 0, 20)) return 11;
    if (operators != 6) return 12;
    TVMSetWorkspaces(&context, &workspaces2);
    if (TVMExecute(&my_model_2, &inputs2, &outputs2, &context) != 0) return 13;
    if (!holds(space_2, %7, 0, 10)) return 14;
    if (operators != 9) return 15;
    if (known != 2 || bases[0].base != (uintptr_t)workspace_buffer || bases[1].base != (uintptr_t)workspace_buffer) return 16;
    if (workspace_buffer[TVM_MODELS_COMMON_SRAM_WORKSPACE_BUFFER_SIZE] != 0x5a) return 17;
    TVMSetWorkspaces(&context, NULL);
    return TVMExecute(&my_model_2, &inputs2, &outputs2, &context) == TVM_MISSING_POINTER ? 0 : 18;
})")
                                        .arg(one.idOf("w0"))
                                        .arg(one.idOf("w1"))
                                        .arg(one.idOf("x"))
                                        .arg(two.idOf("in/0"))
                                        .arg(two.idOf("1st"))
                                        .arg(one.idOf("y"))
                                        .arg(two.idOf("int"));
        const QString said = buildAndRun("u2", application, {"my_model_1", "my_model_2"});
        QVERIFY2(said.isEmpty(), qPrintable(said));
    }

    /// U3: buffers in several memories, constants too; sizes are limits.
    void buffersInDifferentMemories()
    {
        const QString file = cli_.file("my_model.json", firstModel);
        const QStringList pools{"--with-workspace-buffer",  "name=dtcm;target=c;size=100", "--with-workspace-buffer",
                                "name=sram;target=c,accel", "--with-workspace-buffer",     "name=dram;target=c,accel",
                                "--with-parameter-buffer",  "name=itcm;target=c;size=50",  "--with-parameter-buffer",
                                "name=flash;target=c,accel"};
        const QJsonArray placed = placements(file, pools);
        QSet<QString> used;
        for (const QJsonValue& placement : placed) used.insert(placement["pool"].toString());
        QCOMPARE(used, (QSet<QString>{"dtcm", "sram", "itcm", "flash"})); // dram holds nothing
        const Application operators("my_model", firstModel, placed, macros("my_model", placed));
        everyBufferIsTouched(operators, placed);
        QVERIFY(QDir().mkpath(cli_.path("data")));
        cli_.file("data/w0.bin", pattern(operators.idOf("w0"), 12));
        cli_.file("data/w1.bin", pattern(operators.idOf("w1"), 200));
        const QString wrong = export_("u3", {file}, pools + QStringList{"--constants", cli_.path("data")});
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const QString application = QString("#include \"my_model.h\"\n") + helpers + operators.code() +
                                    QString(R"(
TVM_ALIGNED(16) static uint8_t workspace_buffer_1[TVM_MY_MODEL_DTCM_WORKSPACE_BUFFER_SIZE];
TVM_ALIGNED(16) static uint8_t workspace_buffer_2[TVM_MY_MODEL_SRAM_WORKSPACE_BUFFER_SIZE];
#if TVM_MY_MODEL_DRAM_WORKSPACE_BUFFER_SIZE != 0
#error a memory that holds nothing has a size
#endif
static int base_is(const char* pool, const uint8_t* memory)
{
    int i;
    for (i = 0; i < known; ++i)
        if (strcmp(bases[i].pool, pool) == 0) return bases[i].base == (uintptr_t)memory;
    return 0;
}
int main(void)
{
    static uint8_t input[48];
    static uint8_t output[20];
    TVMContext context;
    TVMInputs_my_model inputs = {input};
    TVMOutputs_my_model outputs = {output};
    TVMWorkspaces_my_model workspaces = {
        .sram = workspace_buffer_2,
        .dtcm = workspace_buffer_1,
        .dram = NULL,
    };
    TVMParameters_my_model parameters = {
        .flash = my_model_parameters_flash,
        .itcm = my_model_parameters_itcm,
    };
    fill(input, %1, 48);
    TVMSetWorkspaces(&context, &workspaces);
    TVMSetParameters(&context, &parameters);
    if (TVMExecute(&my_model, &inputs, &outputs, &context) != 0) return 10;
    if (!holds(output, %2, 0, 20)) return 11;
    if (!base_is("my_model dtcm", workspace_buffer_1) || !base_is("my_model sram", workspace_buffer_2)) return 12;
    if (!base_is("my_model itcm", my_model_parameters_itcm) || !base_is("my_model flash", my_model_parameters_flash)) return 13;
    if (TVM_MY_MODEL_DTCM_WORKSPACE_BUFFER_SIZE > 100 || TVM_MY_MODEL_ITCM_PARAMETER_BUFFER_SIZE > 50) return 14;
    return operators == 6 ? 0 : 15;
})")
                                        .arg(operators.idOf("x"))
                                        .arg(operators.idOf("y"));
        const QString said = buildAndRun("u3", application, {"my_model"});
        QVERIFY2(said.isEmpty(), qPrintable(said));
    }

    void loopsBranchesAndCallsRun_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("one workspace") << QStringList{};
        QTest::newRow("in place") << QStringList{"--lower", "inplace=allowed", "--lower", "views=merged"};
        QTest::newRow("two memories") << QStringList{"--pool", "dtcm=40", "--pool", "sram=1000"};
        QTest::newRow("no sharing") << QStringList{"--planner", "naive"};
        QTest::newRow("nothing moved") << QStringList{"--lower", "loops=precise"};
        QTest::newRow("nothing moved, in any order") << QStringList{"--planner", "nnc-merge"};
        QTest::newRow("nothing moved, in place")
            << QStringList{"--lower", "loops=precise", "--lower", "inplace=allowed", "--lower", "views=merged"};
    }
    /// A loop with a condition whose body picks one of three branches by number, calls a function and collects what it makes; a
    /// loop that never runs; a loop that hands two values on. What comes out is worked out here by hand, with memory for
    /// everything.
    void loopsBranchesAndCallsRun()
    {
        QFETCH(QStringList, options);
        const auto made = [](int id, int size, const QList<QByteArray>& inputs) {
            unsigned sum = static_cast<unsigned>(id) * 17;
            for (const QByteArray& input : inputs)
                for (int i = 0; i < input.size(); ++i) sum += static_cast<unsigned char>(input[i]) * static_cast<unsigned>(i + 3);
            QByteArray bytes;
            for (int i = 0; i < size; ++i) bytes.append(static_cast<char>(sum + static_cast<unsigned>(i) * 7));
            return bytes;
        };
        const QByteArray x = pattern(1, 16), w = pattern(2, 8);
        QByteArray state = made(1, 16, {x}), all;
        for (int c = 0; c < 5; ++c) {
            const QByteArray picked = c % 3 == 0 ? made(3, 16, {state}) : c % 3 == 1 ? made(4, 16, {state}) : state;
            state = made(5, 16, {made(6, 24, {picked}), w});
            all += state;
        }
        QByteArray p = state, q = state; // the second loop never runs: what it would hand on is its first value
        for (int i = 0; i < 3; ++i) {
            const QByteArray r = made(8, 16, {p, q});
            q = p;
            p = r;
        }
        const QByteArray y = made(9, 20, {all, p, q});

        const QString file = cli_.file("flow.json", flowModel);
        QDir(cli_.path("flow")).removeRecursively();
        const QString wrong = export_("flow", {file}, options);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const auto array = [](const QByteArray& bytes) {
            QStringList numbers;
            for (const char byte : bytes) numbers += QString::number(static_cast<unsigned char>(byte));
            return numbers.join(',');
        };
        const bool handed = options.contains("--pool");
        QString application = QString(R"(#include "flow.h"
#include <string.h>
static void made(uint8_t* out, int size, int id, const uint8_t* a, int na, const uint8_t* b, int nb, const uint8_t* c, int nc)
{
    unsigned sum = (unsigned)id * 17u;
    int i;
    for (i = 0; i < na; ++i) sum += a[i] * (unsigned)(i + 3);
    for (i = 0; i < nb; ++i) sum += b[i] * (unsigned)(i + 3);
    for (i = 0; i < nc; ++i) sum += c[i] * (unsigned)(i + 3);
    for (i = 0; i < size; ++i) out[i] = (uint8_t)(sum + (unsigned)i * 7u);
}
int32_t flow_op_begin(const uint8_t* a, uint8_t* out, void* device)
{ (void)device; made(out, 16, 1, a, 16, NULL, 0, NULL, 0); return 0; }
int32_t flow_op_zero(const uint8_t* a, uint8_t* out, void* device) { (void)device; (void)a; out[0] = 0; return 0; }
int32_t flow_op_less(const uint8_t* a, uint8_t* out, void* device) { (void)device; out[0] = a[0] < 5; return 0; }
int32_t flow_op_inc(const uint8_t* a, uint8_t* out, void* device) { (void)device; out[0] = (uint8_t)(a[0] + 1); return 0; }
int32_t flow_op_third(const uint8_t* a, uint8_t* out, void* device)
{ int32_t n = a[0] % 3; (void)device; memcpy(out, &n, 4); return 0; }
int32_t flow_op_f0(const uint8_t* a, uint8_t* out, void* device)
{ (void)device; made(out, 16, 3, a, 16, NULL, 0, NULL, 0); return 0; }
int32_t flow_op_f1(const uint8_t* a, uint8_t* out, void* device)
{ (void)device; made(out, 16, 4, a, 16, NULL, 0, NULL, 0); return 0; }
int32_t flow_op_fused_wide(const uint8_t* a, uint8_t* out, void* device)
{ (void)device; made(out, 24, 6, a, 16, NULL, 0, NULL, 0); return 0; }
int32_t flow_op_fused_dot(const uint8_t* a, const uint8_t* b, uint8_t* out, void* device)
{ (void)device; made(out, 16, 5, a, 24, b, 8, NULL, 0); return 0; }
int32_t flow_op_g(const uint8_t* a, uint8_t* out, void* device) { (void)device; (void)a; (void)out; return 77; }
int32_t flow_op_h(const uint8_t* a, const uint8_t* b, uint8_t* out, void* device)
{ (void)device; made(out, 16, 8, a, 16, b, 16, NULL, 0); return 0; }
int32_t flow_op_end(const uint8_t* a, const uint8_t* b, const uint8_t* c, uint8_t* out, void* device)
{ (void)device; made(out, 20, 9, a, 80, b, 16, c, 16); return 0; }
int main(void)
{
    static const uint8_t x[16] = {%1};
    static const uint8_t w[8] = {%2};
    static const uint8_t expected[20] = {%3};
    static uint8_t y[20];
    TVMContext context;
    TVMInputs_flow inputs = {x};
    TVMOutputs_flow outputs = {y};
    TVMTensors_flow tensors = {w};
    int32_t status;
    memset(&context, 0, sizeof context);
%4    TVMSetTensors(&context, &tensors);
    status = TVMExecute(&flow, &inputs, &outputs, &context);
    if (status != 0) return (int)status;
    return memcmp(y, expected, 20) == 0 ? 0 : 1;
})")
                                  .arg(array(x), array(w), array(y),
                                       handed ? "    static uint8_t dtcm[40], sram[1000];\n    TVMWorkspaces_flow workspaces = "
                                                "{dtcm, sram};\n    TVMSetWorkspaces(&context, &workspaces);\n"
                                              : "");
        const QString said = buildAndRun("flow", application, {"flow"});
        QVERIFY2(said.isEmpty(), qPrintable(said + "\n" + cli_.contents("flow/flow.c")));
    }

    /// Left after each number of iterations, at either exit, or never; a branch hands on the result, or what the loop was given.
    void loopsAreLeftAtTheirExits()
    {
        const QString file = cli_.file("leave.json", leaveModel);
        for (const QStringList& options :
             {QStringList{}, QStringList{"--lower", "loops=precise"}, QStringList{"--planner", "nnc-merge"}}) {
            QDir(cli_.path("leave")).removeRecursively();
            const QString wrong = export_("leave", {file}, options);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            const QString said = buildAndRun("leave", leaveApplication, {"leave"});
            QVERIFY2(said.isEmpty(), qPrintable(said + "\n" + cli_.contents("leave/leave.c")));
        }
    }

    /// Where the end of a loop is not known the application calls the operators; the header still compiles, and a note names the
    /// op.
    void loopsWithoutAnEndAreLeftToTheApplication()
    {
        const QString file =
            cli_.file("endless.json", R"({"format": "stowage.program/1", "name": "endless", "entry": "main", "functions": [
  {"name": "main", "inputs": ["x"], "outputs": ["y"],
   "tensors": [{"name": "x", "kind": "input", "bytes": 8}, {"name": "y", "kind": "output", "bytes": 8}],
   "ops": [{"name": "again", "kind": "scan", "inputs": ["x"], "outputs": ["y"], "carries": [{"from": "n", "to": "p"}],
            "body": {"inputs": ["p"], "outputs": ["n"], "tensors": [{"name": "p", "bytes": 8}, {"name": "n", "bytes": 8}],
                     "ops": [{"name": "step", "kind": "add", "inputs": ["p"], "outputs": ["n"]}]}}]}]})");
        const auto result = cli_({"export", file, "--as", "c-source", "-o", cli_.path("loop")});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.err.contains("endless_main") && result.err.contains("'again'"), result.err);
        const QString header = QString::fromUtf8(cli_.contents("loop/endless.h"));
        QString application = "#include \"endless.h\"\n";
        const auto declared = QRegularExpression("int32_t endless_main\\(([^)]*)\\);").match(header);
        QVERIFY(declared.hasMatch());
        QString definition = declared.captured(0);
        definition.chop(1);
        application += definition + "\n{\n";
        for (const QString& parameter : declared.captured(1).split(','))
            application += "    (void)" + parameter.trimmed().section(' ', -1).remove('*') + ";\n";
        application += "    return 7;\n}\nint main(void) { return endless.entrypoint != 0 ? 0 : 1; }\n";
        const QString said = buildAndRun("loop", application, {"endless"});
        QVERIFY2(said.isEmpty(), qPrintable(said));
    }

    void slicesAreLeftToTheApplication()
    {
        const QString file =
            cli_.file("slices.json", R"({"format": "stowage.program/1", "name": "slices", "entry": "main", "functions": [
  {"name": "main", "inputs": ["x"], "outputs": ["y"],
   "tensors": [{"name": "x", "kind": "input", "bytes": 16}, {"name": "y", "kind": "output", "bytes": 16}],
   "ops": [{"name": "each", "kind": "Scan", "trip_count": 4, "inputs": ["x"], "outputs": ["y"],
            "body": {"inputs": ["p"], "outputs": ["n"], "tensors": [{"name": "p", "bytes": 4}, {"name": "n", "bytes": 4}],
                     "ops": [{"name": "step", "kind": "add", "inputs": ["p"], "outputs": ["n"]}]}}]}]})");
        const auto result = cli_({"export", file, "--as", "c-source", "-o", cli_.path("slices")});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.err.contains("op 'each' (Scan) takes an input slice by slice") && result.err.contains("slices_main"),
                 result.err);
    }

    void namesOfTheLibraryAreLeftToIt_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("called");
        QTest::newRow("entry of the program") << "main"
                                              << "main_";
        QTest::newRow("function") << "memcpy"
                                  << "memcpy_";
        QTest::newRow("function of the compiler") << "exp"
                                                  << "exp_";
        QTest::newRow("its variant for float") << "expf"
                                               << "expf_";
        QTest::newRow("macro") << "NULL"
                               << "NULL_";
        QTest::newRow("header") << "string"
                                << "string_";
        QTest::newRow("type of ours") << "TVMModel"
                                      << "TVMModel_";
        QTest::newRow("free, but for the guard") << "model"
                                                 << "model";
    }
    /// The generated code compiles with an application that includes the library's headers, and a warning tells the other name.
    void namesOfTheLibraryAreLeftToIt()
    {
        QFETCH(QString, name);
        QFETCH(QString, called);
        const QString file =
            cli_.file(name + ".json", R"({"format": "stowage.program/1", "name": "m", "entry": "main", "functions": [
  {"name": "main", "inputs": ["x"], "outputs": ["y"],
   "tensors": [{"name": "x", "kind": "input", "bytes": 8}, {"name": "y", "kind": "output", "bytes": 8}],
   "ops": [{"name": "step", "kind": "copy", "inputs": ["x"], "outputs": ["y"]}]}]})");
        const QString folder = "library-" + name;
        const auto result = cli_({"export", file, "--as", "c-source", "-o", cli_.path(folder)});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY(QFile::exists(cli_.path(folder + "/" + called + ".h")));
        const QString told = QString("'%1' is called '%2'").arg(name, called);
        QVERIFY2(result.err.contains(told.toUtf8()) == (name != called), result.err);
        const QString application = QString(R"(#include "%1.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int32_t %1_op_step(const uint8_t* from, uint8_t* to, void* device) { (void)device; memcpy(to, from, 8); return 0; }
int main(void)
{
    static const uint8_t x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static uint8_t y[8];
    TVMInputs_%1 inputs = {x};
    TVMOutputs_%1 outputs = {y};
    if (TVMExecute(&%1, &inputs, &outputs, NULL) != 0) return 10;
    return memcmp(x, y, 8) == 0 ? 0 : 11;
})")
                                        .arg(called);
        const QString said = buildAndRun(folder, application, {called});
        QVERIFY2(said.isEmpty(), qPrintable(said));
    }

    void namesNeitherOpenNorCloseComments()
    {
        const QString file =
            cli_.file("comments.json", R"({"format": "stowage.program/1", "name": "m", "entry": "main", "functions": [
  {"name": "main", "inputs": ["x/*"], "outputs": ["*/y"],
   "tensors": [{"name": "x/*", "kind": "input", "bytes": 8}, {"name": "*/y", "kind": "output", "bytes": 8}],
   "ops": [{"name": "step", "kind": "/*/copy*/", "inputs": ["x/*"], "outputs": ["*/y"]}]}]})");
        const QString wrong = export_("comments", {file}, {});
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const QString said = buildAndRun("comments", R"(#include "comments.h"
int32_t comments_op_step(const uint8_t* from, uint8_t* to, void* device) { (void)device; to[0] = from[0]; return 0; }
int main(void) { return comments.entrypoint != 0 ? 0 : 1; })",
                                         {"comments"});
        QVERIFY2(said.isEmpty(), qPrintable(said + "\n" + cli_.contents("comments/comments.h")));
    }

    /// An array of constants in the generated source has its data from files, or is not written.
    void constantsInsideTheSourceNeedTheirData()
    {
        const QByteArray model = R"({"format": "stowage.program/1", "name": "m", "entry": "main",
  "pools": [{"name": "ram"}, {"name": "rom", "kind": "constant", "internal": true}],
  "functions": [{"name": "main", "inputs": ["x"], "outputs": ["y"],
   "tensors": [{"name": "x", "kind": "input", "bytes": 4}, {"name": "w", "kind": "constant", "bytes": 4},
               {"name": "y", "kind": "output", "bytes": 4}],
   "ops": [{"name": "add", "kind": "add", "inputs": ["x", "w"], "outputs": ["y"]}]}]})";
        const QString file = cli_.file("inner.json", model);
        const QString without = export_("inner", {file}, {});
        QVERIFY2(without.contains("'rom'") && without.contains("'w'") && without.contains("--constants"), qPrintable(without));
        QVERIFY(!QFile::exists(cli_.path("inner")));
        QVERIFY(QDir().mkpath(cli_.path("given")));
        cli_.file("given/w.bin", "\x07\x08\x09\x0a");
        const QString wrong = export_("inner", {file}, {"--constants", cli_.path("given")});
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const QString said = buildAndRun("inner", R"(#include "inner.h"
int32_t inner_op_add(const uint8_t* x, const uint8_t* w, uint8_t* y, void* device)
{ int i; (void)device; for (i = 0; i < 4; ++i) y[i] = (uint8_t)(x[i] + w[i]); return 0; }
int main(void)
{
    static uint8_t ram[8];
    static const uint8_t x[4] = {1, 2, 3, 4};
    static uint8_t y[4];
    TVMContext context = {0};
    TVMInputs_inner inputs = {x};
    TVMOutputs_inner outputs = {y};
    TVMWorkspaces_inner workspaces = {ram};
    TVMSetWorkspaces(&context, &workspaces);
    if (TVMExecute(&inner, &inputs, &outputs, &context) != 0) return 10;
    return y[0] == 8 && y[1] == 10 && y[2] == 12 && y[3] == 14 ? 0 : 11;
})",
                                         {"inner"});
        QVERIFY2(said.isEmpty(), qPrintable(said + "\n" + cli_.contents("inner/inner.c")));

        // The application provides the pool: no data is needed.
        const QString outer = cli_.file("outer.json", QByteArray(model).replace(", \"internal\": true", ""));
        QVERIFY2(export_("outer", {outer}, {}).isEmpty(), "outer");

        // The constants of a problem are those in its constant pools.
        const QString problem = cli_.file("given.json", R"({"format": "stowage.problem/1", "name": "given",
  "pools": [{"name": "ram"}, {"name": "rom", "kind": "constant", "internal": true}],
  "buffers": [{"name": "x", "size": 4, "live": [[0, 1]]},
              {"name": "w", "size": 4, "live": [[0, 1]], "pools": ["rom"], "kind": "constant"}]})");
        QVERIFY(!export_("problem", {problem}, {}).isEmpty());
        const QString read = export_("problem", {problem}, {"--constants", cli_.path("given")});
        QVERIFY2(read.isEmpty(), qPrintable(read));
        QVERIFY2(cli_.contents("problem/given.c").contains("7, 8, 9, 10,"), cli_.contents("problem/given.c"));
    }

    void aFolderWithoutConstantsIsTold()
    {
        QVERIFY(QDir().mkpath(cli_.path("empty")));
        const auto exported = [&](const QString& file) {
            return cli_({"export", file, "--as", "c-source", "--constants", cli_.path("empty"), "-o", cli_.path("told")});
        };
        const auto model = exported(cli_.file("my_model.json", firstModel));
        QVERIFY2(model.status == 0 && model.err.contains("no file in") && model.err.contains("'w0.bin'"), model.err);
        const auto table = exported(cli_.file("three.csv", threeBuffers));
        QVERIFY2(table.status == 0 && table.err.contains("no constants"), table.err);
    }

    /// The arena of a model without named pools is an array of the source; a named one is an array of the application.
    void arraysAreAlignedToPowersOfTwo()
    {
        const QString file = cli_.file("odd.csv", "id,lower,upper,size,alignment\na,0,2,10,24\n");
        const QString wrong = export_("odd", {file}, {});
        QVERIFY2(wrong.contains("24") && wrong.contains("powers of two"), qPrintable(wrong));
        QVERIFY(!QFile::exists(cli_.path("odd")));
        QVERIFY2(export_("odd", {file}, {"--pool", "sram=100"}).isEmpty(), "sram");
    }

    void whatDoesNotFitIsNotWritten()
    {
        const QString file = cli_.file("my_model.json", firstModel);
        const auto result = cli_({"export", file, "--as", "c-source", "-o", cli_.path("none"), "--capacity", "20"});
        QCOMPARE(result.status, 1);
        QVERIFY(!QFile::exists(cli_.path("none")));
        const auto twice = cli_({"export", file, file, "--as", "c-source", "-o", cli_.path("none")});
        QCOMPARE(twice.status, 2);
        QVERIFY2(twice.err.contains("my_model"), twice.err);
    }
};

QTEST_GUILESS_MAIN(TestCSource)
#include "tst_c_source.moc"
