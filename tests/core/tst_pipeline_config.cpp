// Configurations of pipelines: both forms, conversion, every fault with its place, hostile texts.
#include "core/io/devices_json.h"
#include "core/io/pipeline_config.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stowage;
using namespace stowage::pipeline;

namespace {

/// The example of the design document (TVM RFC 14, 3.2): three modules, two outputs of the pipeline. In JSON for its Python.
const char* const documentExample = R"doc([
 {"target_host": null, "mod_name": "default", "build": null, "params": null, "target": "cuda", "dev": "gpu(0)",
  "pipeline": {"mod_indx": 1, "output": [
    {"output_indx": 1, "dependent": [{"mod_indx": 2, "input_name": "data_0"}]},
    {"output_indx": 2, "dependent": [{"mod_indx": 3, "input_name": "data_0"}]},
    {"output_indx": 3, "dependent": [{"mod_indx": 0, "input_name": "1"}]}]}},
 {"target_host": null, "mod_name": "default", "build": null, "params": null, "target": "llvm", "dev": "cpu(0)",
  "pipeline": {"mod_indx": 2, "output": [
    {"output_indx": 1, "dependent": [{"mod_indx": 3, "input_name": "data_1"}]}]}},
 {"target_host": null, "mod_name": "default", "build": null, "params": null, "target": "llvm", "dev": "cpu(0)",
  "pipeline": {"mod_indx": 3, "output": [{"output_indx": 1, "dependent": [{"mod_indx": 0, "input_name": "2"}]}]}}
])doc";

/// Two modules; `%1` to `%3` are put into places where a test breaks something.
QString shipped(const QString& inputs, const QString& first, const QString& second)
{
    return QStringLiteral(R"({"param_connection": [], "input_connection": [%1], "module_connection": [
 {"mod_idx": 0, "output": [%2]},
 {"mod_idx": 1, "output": [%3]}]})")
        .arg(inputs, first, second);
}

const QString goodInput = R"({"global_interface_name": "x", "mod_idx": 0, "module_interface_name": "data"})";
const QString goodFirst = R"({"output_idx": 0, "dependencies": [{"mod_idx": 1, "input_name": "data_n_0"}]})";
const QString goodSecond = R"({"output_idx": 0, "dependencies": [{"global_output_index": 0}]})";

std::vector<Fault> faultsOf(const QString& text, std::span<const std::optional<ModuleInterface>> interfaces = {})
{
    const auto read = io::readPipelineConfig(text.toStdString(), "c.json");
    if (!read) return {{FaultCode::missingSection, {}, "unreadable", read.error().message, {}}};
    std::vector<Fault> faults = read->faults;
    for (const Fault& fault : check(read->config, interfaces)) faults.push_back(fault);
    return faults;
}

PipelineConfig randomConfig(std::mt19937& random)
{
    const auto upTo = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n + 1)); };
    PipelineConfig config;
    const std::int64_t modules = 1 + upTo(12);
    std::vector<int> bound(static_cast<std::size_t>(modules), 0);
    std::int64_t globals = 0;
    for (std::int64_t m = 0; m < modules; ++m) {
        Module module;
        module.index = m;
        if (upTo(1) == 1) module.cpuAffinity = "0,1";
        if (upTo(1) == 1) module.fields.emplace_back("target", "\"llvm -mcpu=\\\"x\\\"\"");
        if (upTo(1) == 1) module.fields.emplace_back("params", R"({"a": [1, 2.5e3, null], "b": true})");
        if (upTo(2) == 1) module.stage.cost = 0.1 * static_cast<double>(upTo(1000));
        if (upTo(2) == 1) module.stage.device = "npu" + std::to_string(m);
        if (upTo(1) == 1)
            config.inputs.push_back({"in" + std::to_string(upTo(3)), m, "data_" + std::to_string(bound[at(m)]++), {}});
        config.modules.push_back(std::move(module));
    }
    for (std::int64_t m = 0; m < modules; ++m)
        for (std::int64_t o = 0; o <= upTo(2); ++o) {
            ModuleOutput output;
            output.index = o;
            for (std::int64_t d = upTo(2); d > 0; --d) {
                Dependency to;
                if (m + 1 < modules) {
                    to.module = m + 1 + upTo(static_cast<int>(modules - m - 2));
                    to.input = "data_" + std::to_string(bound[at(to.module)]++);
                } else {
                    to.globalOutput = globals++;
                }
                output.dependencies.push_back(std::move(to));
            }
            config.modules[at(m)].outputs.push_back(std::move(output));
        }
    Dependency last;
    last.globalOutput = globals;
    config.modules.back().outputs.front().dependencies.push_back(last);
    // Something feeds every module, as the check of the shipped form wants.
    for (std::int64_t m = 0; m < modules; ++m)
        if (bound[at(m)] == 0) config.inputs.push_back({"lonely", m, "data", {}});
    if (upTo(1) == 1) config.parameters.push_back({"params_0", upTo(static_cast<int>(modules - 1)), {}});
    if (upTo(1) == 1) config.fields.emplace_back("x-note", "[\"kept\"]");
    if (upTo(1) == 1) config.devices = R"({"format": "stowage.devices/1", "devices": [{"name": "npu0"}]})";
    config.chain = upTo(1) == 1;
    return config;
}

} // namespace

class PipelineConfigTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theExampleOfTheDocumentIsReadWithAllItsFields()
    {
        const auto read = io::readPipelineConfig(documentExample, "example.json");
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(read->faults.empty());
        const PipelineConfig& config = read->config;
        QVERIFY(config.form == ConfigForm::document);
        QCOMPARE(config.modules.size(), 3U);
        const Module& first = config.modules[0];
        QCOMPARE(first.index, 0);
        QCOMPARE(first.outputs.size(), 3U);
        QCOMPARE(first.outputs[0].dependencies[0].module, 1);
        QCOMPARE(first.outputs[0].dependencies[0].input, std::string("data_0"));
        QCOMPARE(first.outputs[1].dependencies[0].module, 2);
        QVERIFY(first.outputs[2].dependencies[0].globalOutput == 0);
        QVERIFY(config.modules[2].outputs[0].dependencies[0].globalOutput == 1);
        const std::vector<KeptField> kept{{"target_host", "null"}, {"mod_name", "\"default\""}, {"build", "null"},
                                          {"params", "null"},      {"target", "\"cuda\""},      {"dev", "\"gpu(0)\""}};
        QCOMPARE(first.fields, kept);
        QVERIFY(check(config).empty());
    }

    void theExampleConvertsToTheShippedFormAndBack()
    {
        const auto read = io::readPipelineConfig(documentExample, "example.json");
        const std::string text = io::writePipelineConfig(read->config, ConfigForm::shipped);
        const auto converted = io::readPipelineConfig(text, "shipped.json");
        QVERIFY2(converted, converted ? "" : converted.error().message.c_str());
        QVERIFY(converted->faults.empty());
        QVERIFY(converted->config.form == ConfigForm::shipped);
        QVERIFY(converted->config.sameAs(read->config));
        QVERIFY(text.find("\"mod_idx\": 0") != std::string::npos);
        QVERIFY(text.find("\"global_output_index\": 1") != std::string::npos);
        const auto back = io::readPipelineConfig(io::writePipelineConfig(converted->config, ConfigForm::document), "back.json");
        QVERIFY(back && back->config.form == ConfigForm::document);
        QVERIFY(back->config.sameAs(read->config));
    }

    /// The document's form leaves out the inputs of the application; where the programs are known they can be told.
    void inputsThatNothingFeedsAreThoseOfTheApplication()
    {
        const auto read = io::readPipelineConfig(documentExample, "example.json");
        PipelineConfig config = read->config;
        const std::vector<std::optional<ModuleInterface>> known{ModuleInterface{{"image", "size"}, {"a", "b", "c"}},
                                                                ModuleInterface{{"data_0", "size"}, {"d"}}, std::nullopt};
        config.inputs = unfedInputs(config, known);
        const std::vector<GlobalInput> wanted{{"image", 0, "image", {}}, {"size", 0, "size", {}}, {"size", 1, "size", {}}};
        QCOMPARE(config.inputs, wanted);
        config.form = ConfigForm::shipped;
        QVERIFY(check(config, known).empty());
        QVERIFY(unfedInputs(config, known).empty());
        // Without programs the first module has no input that the shipped form could name.
        config.inputs.clear();
        const std::vector<Fault> faults = check(config);
        QCOMPARE(faults.size(), std::size_t{1});
        QVERIFY(faults[0].code == FaultCode::unboundInput && faults[0].module == 0);
        QVERIFY(unfedInputs(config, {}).empty());
    }

    void anObjectOfNamedModulesIsTheDocumentsFormToo()
    {
        const char* const text = R"({"mods[0]": {"target": "cuda", "pipeline": {"mod_indx": 1, "output":
            [{"output_indx": 1, "dependent": [{"mod_indx": 0, "input_name": "1"}]}]}}})";
        const auto read = io::readPipelineConfig(text, "c.json");
        QVERIFY(read && read->faults.empty());
        QCOMPARE(read->config.modules[0].label, std::string("mods[0]"));
        const auto shippedForm = io::readPipelineConfig(io::writePipelineConfig(read->config, ConfigForm::shipped), "s.json");
        QVERIFY(shippedForm && shippedForm->config.sameAs(read->config));
        const auto back = io::readPipelineConfig(io::writePipelineConfig(shippedForm->config, ConfigForm::document), "d.json");
        QVERIFY(back && back->config.sameAs(read->config));
    }

    void randomConfigurationsComeBackFromBothForms()
    {
        for (unsigned seed = 0; seed < test::randomCases(500U); ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            const PipelineConfig config = randomConfig(random);
            const QByteArray hint = "seed " + QByteArray::number(seed);
            for (const Fault& fault : check(config))
                QFAIL((hint + ": " + describe(fault, ConfigForm::shipped).c_str()).constData());
            for (const ConfigForm form : {ConfigForm::shipped, ConfigForm::document}) {
                const std::string text = io::writePipelineConfig(config, form);
                const auto read = io::readPipelineConfig(text, "c.json");
                QVERIFY2(read, hint.constData());
                QVERIFY2(read->faults.empty(), hint.constData());
                QVERIFY2(read->config.form == form, hint.constData());
                QVERIFY2(read->config.sameAs(config), hint.constData());
                QCOMPARE(QByteArray::fromStdString(io::writePipelineConfig(read->config, form)), QByteArray::fromStdString(text));
            }
        }
    }

    void everyFaultHasItsCodeModuleInterfaceAndPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("module"); // -1: the pipeline
        QTest::addColumn<QString>("interface");
        QTest::addColumn<int>("line");
        const auto dependency = [](const char* text) {
            return QStringLiteral(R"({"output_idx": 0, "dependencies": [%1]})").arg(text);
        };
        QTest::newRow("cycle") << shipped(goodInput, goodFirst,
                                          dependency(R"({"mod_idx": 0, "input_name": "b"}, {"global_output_index": 0})"))
                               << "cycle" << 0 << "output 0" << 2;
        QTest::newRow("self") << shipped(goodInput, goodFirst,
                                         dependency(R"({"mod_idx": 1, "input_name": "b"}, {"global_output_index": 0})"))
                              << "self-connection" << 1 << "output 0" << 3;
        QTest::newRow("unknown module") << shipped(goodInput, goodFirst,
                                                   dependency(R"({"mod_idx": 7, "input_name": "b"}, {"global_output_index": 0})"))
                                        << "unknown-module" << 7 << "b" << 3;
        QTest::newRow("unknown module of an input")
            << shipped(goodInput + R"(, {"global_interface_name": "y", "mod_idx": 9, "module_interface_name": "q"})", goodFirst,
                       goodSecond)
            << "unknown-module" << 9 << "q" << 1;
        QTest::newRow("negative index") << shipped(goodInput, goodFirst,
                                                   R"({"output_idx": -1, "dependencies": []}, )" + goodSecond)
                                        << "out-of-range" << 1 << "output_idx" << 3;
        QTest::newRow("huge index")
            << shipped(goodInput, goodFirst,
                       dependency(R"({"mod_idx": 99999999999999999999, "input_name": "b"}, {"global_output_index": 0})"))
            << "out-of-range" << 1 << "mod_idx" << 3;
        QTest::newRow("input bound twice")
            << shipped(goodInput + R"(, {"global_interface_name": "y", "mod_idx": 1, "module_interface_name": "data_n_0"})",
                       goodFirst, goodSecond)
            << "input-bound-twice" << 1 << "data_n_0" << 2;
        QTest::newRow("output bound twice") << shipped(goodInput, goodFirst,
                                                       dependency(R"({"global_output_index": 0}, {"global_output_index": 0})"))
                                            << "output-bound-twice" << 1 << "output 0" << 3;
        QTest::newRow("unbound input") << shipped(goodInput, dependency(R"({"global_output_index": 1})"), goodSecond)
                                       << "unbound-input" << 1 << "" << 3;
        QTest::newRow("missing output") << shipped(goodInput, goodFirst, dependency(R"({"global_output_index": 1})"))
                                        << "missing-output" << -1 << "output 0" << 0;
        QTest::newRow("no output at all") << shipped(goodInput, goodFirst, "") << "missing-output" << -1 << "output 0" << 0;
        QTest::newRow("unknown key") << shipped(goodInput, goodFirst, goodSecond)
                                            .replace("\"mod_idx\": 1, \"output\"", "\"mod_idx\": 1, \"outptu\": 1, \"output\"")
                                     << "unknown-key" << 1 << "outptu" << 3;
        QTest::newRow("wrong type") << shipped(goodInput, goodFirst, goodSecond)
                                           .replace("\"mod_idx\": 1, \"output\"",
                                                    "\"mod_idx\": 1, \"cpu_affinity\": 3, \"output\"")
                                    << "wrong-type" << 1 << "cpu_affinity" << 3;
        QTest::newRow("fraction") << shipped(goodInput, goodFirst,
                                             dependency(R"({"mod_idx": 1.5, "input_name": "b"}, {"global_output_index": 0})"))
                                  << "wrong-type" << 1 << "mod_idx" << 3;
        QTest::newRow("missing section") << QString(R"({"input_connection": []})") << "missing-section" << -1
                                         << "module_connection" << 1;
        QTest::newRow("missing name") << shipped(goodInput, goodFirst,
                                                 dependency(R"({"mod_idx": 0}, {"global_output_index": 0})"))
                                      << "missing-section" << 1 << "input_name" << 3;
        QTest::newRow("duplicate module")
            << shipped(goodInput, goodFirst, goodSecond).replace("\"mod_idx\": 1, \"output\"", "\"mod_idx\": 0, \"output\"")
            << "duplicate-module" << 0 << "" << 3;
    }

    void everyFaultHasItsCodeModuleInterfaceAndPlace()
    {
        QFETCH(QString, text);
        QFETCH(QString, code);
        QFETCH(int, module);
        QFETCH(QString, interface);
        QFETCH(int, line);
        const auto faults = faultsOf(text);
        const auto found = std::find_if(faults.begin(), faults.end(), [&](const Fault& f) {
            return QString::fromUtf8(toText(f.code).data(), static_cast<int>(toText(f.code).size())) == code;
        });
        QString all;
        for (const Fault& f : faults) all += QString::fromStdString(describe(f, ConfigForm::shipped)) + "; ";
        QVERIFY2(found != faults.end(), qPrintable(all));
        QCOMPARE(found->module.value_or(-1), module);
        QCOMPARE(QString::fromStdString(found->interface), interface);
        QCOMPARE(found->place.line, line);
    }

    void aGoodConfigurationHasNoFault() { QVERIFY(faultsOf(shipped(goodInput, goodFirst, goodSecond)).empty()); }

    void knownProgramsShowUnknownAndUnboundInterfaces()
    {
        const std::vector<std::optional<ModuleInterface>> interfaces{ModuleInterface{{"data", "extra"}, {"y"}},
                                                                     ModuleInterface{{"other"}, {"z"}}};
        const auto faults =
            faultsOf(shipped(goodInput, goodFirst + R"(, {"output_idx": 3, "dependencies": []})", goodSecond), interfaces);
        const auto has = [&](FaultCode code, std::int64_t module, const char* name) {
            return std::any_of(faults.begin(), faults.end(),
                               [&](const Fault& f) { return f.code == code && f.module == module && f.interface == name; });
        };
        QVERIFY(has(FaultCode::unknownInput, 1, "data_n_0"));
        QVERIFY(has(FaultCode::unknownOutput, 0, "output 3"));
        QVERIFY(has(FaultCode::unboundInput, 0, "extra"));
        QVERIFY(has(FaultCode::unboundInput, 1, "other"));
        QCOMPARE(faults.size(), 4U);
    }

    void anOutputMayFeedTwoInputsOfOneModule()
    {
        const QString both =
            R"({"output_idx": 0, "dependencies": [{"mod_idx": 1, "input_name": "a"}, {"mod_idx": 1, "input_name": "b"}]})";
        const auto read = io::readPipelineConfig(shipped(goodInput, both, goodSecond).toStdString(), "c.json");
        QVERIFY(read->faults.empty() && check(read->config).empty());
        QCOMPARE(read->config.modules[0].outputs[0].dependencies.size(), 2U);
    }

    void theDocumentsFormCountsFromOne()
    {
        QString text = documentExample;
        text.replace(R"("output_indx": 1, "dependent": [{"mod_indx": 2,)", R"("output_indx": 0, "dependent": [{"mod_indx": 2,)");
        const auto faults = faultsOf(text);
        QVERIFY(!faults.empty());
        QCOMPARE(faults.front().code, FaultCode::outOfRange);
        QCOMPARE(describe(faults.front(), ConfigForm::document),
                 std::string("module 1: 'output_indx' is out of range, indices go from 1 to 1000000000"));
    }

    void aMillionModulesAreCheckedAndTheirCircleFound()
    {
        // A chain whose last module feeds the first one: every module lies on the circle.
        PipelineConfig config;
        constexpr std::int64_t count = 1'000'000;
        config.modules.resize(count);
        for (std::int64_t m = 0; m < count; ++m) {
            config.modules[at(m)].index = m;
            config.modules[at(m)].outputs.resize(1);
            Dependency to;
            to.module = (m + 1) % count;
            to.input = "x";
            config.modules[at(m)].outputs[0].dependencies.push_back(to);
        }
        Dependency out;
        out.globalOutput = 0;
        config.modules.back().outputs[0].dependencies.push_back(out);
        const auto faults = check(config);
        QCOMPARE(faults.size(), 1U);
        QCOMPARE(faults[0].code, FaultCode::cycle);
        QVERIFY(faults[0].detail.find("1000000 modules") != std::string::npos);
        config.modules.back().outputs[0].dependencies.erase(config.modules.back().outputs[0].dependencies.begin());
        config.inputs.push_back({"in", 0, "x", {}});
        const std::string text = io::writePipelineConfig(config, ConfigForm::shipped);
        const auto read = io::readPipelineConfig(text, "big.json");
        QVERIFY(read && read->faults.empty());
        QVERIFY(check(read->config).empty());
    }

    void hostileTextsAreErrors_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("scalar") << QByteArray("42");
        QTest::newRow("other") << QByteArray(R"({"a": 1})");
        QTest::newRow("cut off") << QByteArray(R"({"module_connection": [{"mod_idx": 0)");
        QTest::newRow("deep") << QByteArray(R"({"module_connection": [{"mod_idx": 0, "params": )") + QByteArray(100'000, '[');
        QTest::newRow("duplicate field") << QByteArray(R"({"module_connection": [{"mod_idx": 0, "mod_idx": 1}]})");
    }

    void hostileTextsAreErrors()
    {
        QFETCH(QByteArray, text);
        const auto read =
            io::readPipelineConfig(std::string_view(text.constData(), static_cast<std::size_t>(text.size())), "c.json");
        QVERIFY(!read);
        QVERIFY(!read.error().message.empty());
    }

    /// A look at all earlier links for each link would compare 30,000,000,000 pairs of names.
    void manyLinksOfDevicesAreReadInOnePass()
    {
        constexpr int count = 500; // devices, each with a link to each other one
        std::string devices, links;
        for (int from = 0; from < count; ++from) {
            const std::string name = "\"d" + std::to_string(from) + "\"";
            devices += (from > 0 ? ", " : "") + ("{\"name\": " + name + "}");
            for (int to = 0; to < count; ++to) {
                if (from == to) continue;
                links += (links.empty() ? "" : ", ") + ("{\"from\": " + name + ", \"to\": \"d" + std::to_string(to) + "\"}");
            }
        }
        const std::string head = R"({"format": "stowage.devices/1", "devices": [)" + devices + R"(], "links": [)";
        const auto read = io::readDevices(head + links + "]}", "d.json");
        QVERIFY2(read, read ? "" : toText(read.error()).c_str());
        QCOMPARE(read->links.size(), std::size_t{count * (count - 1)});
        QCOMPARE(read->links.back().from, std::string("d499"));
        QCOMPARE(read->links.back().to, std::string("d498"));
        const auto twice = io::readDevices(head + links + R"(, {"from": "d3", "to": "d1"}]})", "d.json");
        QVERIFY(!twice);
        QCOMPARE(twice.error().code, Code::duplicateLink);
        QVERIFY2(twice.error().message.find("from 'd3' to 'd1'") != std::string::npos, twice.error().message.c_str());
    }

    void brokenTextsNeverCrash()
    {
        const std::string good = shipped(goodInput, goodFirst, goodSecond).toStdString();
        for (unsigned seed = 0; seed < 3000; ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            std::string text = good;
            for (unsigned n = 1 + random() % 3; n > 0; --n) {
                const std::size_t place = random() % text.size();
                if (random() % 2 == 0)
                    text.erase(place, 1 + random() % 8);
                else
                    text[place] = "{}[]\",:019-nt"[random() % 13];
                if (text.empty()) text = " ";
            }
            if (const auto read = io::readPipelineConfig(text, "c.json"))
                for (const Fault& fault : check(read->config)) QVERIFY(!describe(fault, read->config.form).empty());
        }
    }
};

QTEST_APPLESS_MAIN(PipelineConfigTest)
#include "tst_pipeline_config.moc"
