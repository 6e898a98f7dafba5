// What the ONNX format allows and no reference model shows, on models made to measure. Sizes and live ranges are worked out by
// hand beside each test; for local functions the same model with the calls written out is the yardstick.
#include "core/lower/lower.h"
#include "tests/plugins/onnx_support.h"
#include "tests/plugins/reference.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <map>

using namespace stowage;
using namespace stowage::test;

namespace {

const Function& mainOf(const Expected<Imported>& imported)
{
    return std::get<Program>(imported->content).main();
}

const Tensor* tensorNamed(const Function& function, std::string_view name)
{
    const auto found =
        std::find_if(function.tensors.begin(), function.tensors.end(), [&](const Tensor& t) { return t.name == name; });
    return found == function.tensors.end() ? nullptr : &*found;
}

const Op* opNamed(const Function& function, std::string_view name)
{
    const auto found = std::find_if(function.ops.begin(), function.ops.end(), [&](const Op& o) { return o.name == name; });
    return found == function.ops.end() ? nullptr : &*found;
}

std::vector<std::string> namesOf(const Function& function, const std::vector<TensorId>& ids)
{
    std::vector<std::string> names;
    for (const TensorId id : ids) names.push_back(function.tensors[static_cast<std::size_t>(id)].name);
    return names;
}

std::vector<std::string> kindsOf(const Function& function, const Region& region)
{
    std::vector<std::string> kinds;
    for (const OpId id : region.ops) kinds.push_back(function.ops[static_cast<std::size_t>(id)].kind);
    return kinds;
}

bool hasDiagnostic(const Imported& imported, std::string_view code)
{
    return std::any_of(imported.diagnostics.begin(), imported.diagnostics.end(),
                       [&](const Diagnostic& d) { return codeText(d) == code; });
}

std::map<std::string, Bytes> sizesOf(const Problem& problem)
{
    std::map<std::string, Bytes> sizes;
    for (const Buffer& buffer : problem.buffers) sizes[buffer.name] = buffer.size;
    return sizes;
}

std::map<std::string, std::vector<Interval>> livesOf(const Problem& problem)
{
    std::map<std::string, std::vector<Interval>> lives;
    for (const Buffer& buffer : problem.buffers) lives[buffer.name] = buffer.live;
    return lives;
}

using Strings = std::vector<std::string>;

} // namespace

class TestOnnxFeatures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- free dimensions -------------------------------------------------------------------------------------------------------

    void freeDimensionsAreNamedWhereTheyStayFree()
    {
        const auto imported = import(freeDimensions());
        VERIFY_IMPORTED(imported);
        QVERIFY(hasDiagnostic(*imported, "free-dimension"));
        QVERIFY(hasDiagnostic(*imported, "partial"));
        for (const Diagnostic& diagnostic : imported->diagnostics) {
            if (diagnostic.code == Code::freeDimension) QVERIFY(diagnostic.message.find("batch, u.0") != std::string::npos);
            if (diagnostic.code == Code::partial)
                QVERIFY2(diagnostic.message.find("'x', 'y', 'u', 'z', 'v'") != std::string::npos, diagnostic.message.c_str());
        }
        const Tensor* x = tensorNamed(mainOf(imported), "x");
        QVERIFY(x && !x->bytes);
        QCOMPARE(x->shape, (std::vector<std::int64_t>{-1, 4}));
    }

    void dimensionsAreBoundByNameAndByAxis()
    {
        const auto imported = import(freeDimensions(), {}, {{"batch", 5}, {"u.0", 7}});
        VERIFY_IMPORTED(imported);
        QVERIFY(imported->diagnostics.empty());
        const std::pair<const char*, Bytes> expected[] = {
            {"x", 5 * 4 * 4}, {"y", 5 * 4 * 4}, {"z", 5 * 4 * 4}, {"u", 7 * 3 * 4}, {"v", 7 * 3 * 4}};
        for (const auto& [name, bytes] : expected) {
            const Tensor* tensor = tensorNamed(mainOf(imported), name);
            QVERIFY(tensor);
            QCOMPARE(tensor->bytes.value_or(-1), bytes);
        }
    }

    void anAxisBindsAllDimensionsOfItsName()
    {
        const auto imported = import(freeDimensions(), {}, {{"x.0", 5}, {"u.0", 7}});
        VERIFY_IMPORTED(imported);
        QCOMPARE(tensorNamed(mainOf(imported), "y")->bytes.value_or(-1), Bytes{5 * 4 * 4});
    }

    /// It may have any number of axes, so that one more can be bound, and none is missing.
    void anInputWithoutAShapeOffersTheNextAxis()
    {
        auto model = onnxModel();
        addInput(*model.mutable_graph(), "x", {});
        model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
        addNode(*model.mutable_graph(), "Neg", {"x"}, {"y"});
        addOutput(*model.mutable_graph(), "y");
        using Dimensions = std::vector<FreeDimension>;
        const auto asIs = import(model);
        VERIFY_IMPORTED(asIs);
        QVERIFY(hasDiagnostic(*asIs, "free-dimension"));
        QCOMPARE(asIs->freeDimensions, (Dimensions{{"x.0", 0}}));
        const auto one = import(model, {}, {{"x.0", 5}});
        VERIFY_IMPORTED(one);
        QVERIFY(!hasDiagnostic(*one, "free-dimension"));
        QCOMPARE(one->freeDimensions, (Dimensions{{"x.1", 0}}));
        QCOMPARE(tensorNamed(mainOf(one), "y")->bytes.value_or(-1), Bytes{5 * 4});
        const auto two = import(model, {}, {{"x.0", 5}, {"x.1", 3}});
        VERIFY_IMPORTED(two);
        QCOMPARE(two->freeDimensions, (Dimensions{{"x.2", 0}}));
        QCOMPARE(tensorNamed(mainOf(two), "y")->bytes.value_or(-1), Bytes{5 * 3 * 4});
    }

    void outputsOfOtherDomainsHaveTheirDeclaredSize()
    {
        const auto imported = import(decoderStep(), {}, {{"batch", 2}, {"past", 7}, {"total", 8}});
        VERIFY_IMPORTED(imported);
        QVERIFY(!hasDiagnostic(*imported, "partial"));
        for (const char* name : {"present_key", "present_value"}) {
            const Tensor* cache = tensorNamed(mainOf(imported), name);
            QVERIFY(cache);
            QCOMPARE(cache->bytes.value_or(-1), Bytes{2 * 8 * 16 * 4});
        }
        const auto open = import(decoderStep(), {}, {{"batch", 2}, {"past", 7}});
        VERIFY_IMPORTED(open);
        QVERIFY(hasDiagnostic(*open, "partial"));
        QVERIFY(hasDiagnostic(*open, "free-dimension")); // and so `total` can be found
    }

    void wrongBindingsAreErrors_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<qint64>("size");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no such name") << QByteArray("bach") << qint64{1} << QByteArray("unknown-binding")
                                      << QByteArray("batch, u.0");
        QTest::newRow("no such input") << QByteArray("w.0") << qint64{1} << QByteArray("unknown-binding")
                                       << QByteArray("batch, u.0");
        QTest::newRow("an output's name") << QByteArray("z.0") << qint64{1} << QByteArray("unknown-binding")
                                          << QByteArray("batch");
        QTest::newRow("no such axis") << QByteArray("u.2") << qint64{1} << QByteArray("no-such-axis")
                                      << QByteArray("2 dimensions");
        QTest::newRow("fixed") << QByteArray("u.1") << qint64{4} << QByteArray("fixed-dimension")
                               << QByteArray("it is 3 already");
        QTest::newRow("negative") << QByteArray("batch") << qint64{-1} << QByteArray("negative-dimension") << QByteArray("-1");
        QTest::newRow("too large") << QByteArray("batch") << qint64{1} * (qint64{1} << 61) << QByteArray("size-overflow")
                                   << QByteArray("more than 2^62 bytes");
    }

    void wrongBindingsAreErrors()
    {
        QFETCH(QByteArray, name);
        QFETCH(qint64, size);
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, says);
        const auto imported = import(freeDimensions(), {}, {{name.toStdString(), size}});
        QVERIFY(!imported);
        const std::string text = toText(imported.error());
        QCOMPARE(std::string(codeText(imported.error())), code.toStdString());
        QVERIFY2(text.find(says.toStdString()) != std::string::npos, text.c_str());
        QVERIFY2(!imported.error().remedy.empty(), text.c_str());
    }

    void aBindingOfAFixedModelSaysThatNothingIsFree()
    {
        const auto imported = import(shapeChain(), {}, {{"batch", 1}});
        QVERIFY(!imported);
        QVERIFY2(imported.error().remedy.find("no free dimension") != std::string::npos, toText(imported.error()).c_str());
    }

    void tensorsAndOpsKnowWhereTheyAreFrom()
    {
        const auto model = branching();
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        QCOMPARE(tensorNamed(mainOf(imported), "x")->where.byte, placeOf(model, model.graph().input(1)));
        QCOMPARE(tensorNamed(mainOf(imported), "h")->where.byte, placeOf(model, model.graph().node(0)));
        QCOMPARE(opNamed(mainOf(imported), "make_b")->where.byte, placeOf(model, model.graph().node(1).attribute(0).g().node(1)));
    }

    // --- constants -------------------------------------------------------------------------------------------------------------

    void absentExternalDataIsNoError()
    {
        auto model = onnxModel();
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {2, 1000});
        *graph.add_initializer() = externalWeights("w", {1000, 500});
        addNode(graph, "MatMul", {"x", "w"}, {"y"});
        addOutput(graph, "y");
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        QVERIFY(imported->diagnostics.empty());
        const Tensor* weights = tensorNamed(mainOf(imported), "w");
        QVERIFY(weights);
        QCOMPARE(weights->kind, TensorKind::constant);
        QCOMPARE(weights->bytes.value_or(-1), Bytes{1000 * 500 * 4});
        QCOMPARE(weights->where.byte, placeOf(model, graph.initializer(0)));
        QCOMPARE(tensorNamed(mainOf(imported), "y")->bytes.value_or(-1), Bytes{2 * 500 * 4});
    }

    void whatConstantsMakeIsNotPlanned()
    {
        // Weights made by ConstantOfShape from a constant shape, as in the models of ONNX's own tests: 40,000 bytes that are
        // known before the model runs, and of which only the 400 bytes that depend on x are planned.
        auto model = onnxModel(13);
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {1, 100});
        addConstant(graph, integers("dims", {100, 100}));
        addNode(graph, "ConstantOfShape", {"dims"}, {"zeros"});
        addNode(graph, "Exp", {"zeros"}, {"w"});
        addNode(graph, "MatMul", {"x", "w"}, {"y"});
        addOutput(graph, "y");
        for (const char* shapes : {"inferred", "computed"}) {
            const auto imported = import(model, {{"shapes", shapes}});
            VERIFY_IMPORTED(imported);
            const auto lowering = lower(std::get<Program>(imported->content), {});
            QVERIFY(bool(lowering));
            QCOMPARE(sizesOf(lowering->problem), (std::map<std::string, Bytes>{{"x", 400}, {"y", 400}}));
            // Node 3 runs at step 4 although nodes before it are folded: numbers stay.
            QCOMPARE(livesOf(lowering->problem)["y"], (std::vector<Interval>{{4, 5}}));
        }
    }

    void shapeChainsAreFoldedWhenAskedFor()
    {
        const auto computed = import(shapeChain(), {{"shapes", "computed"}});
        VERIFY_IMPORTED(computed);
        QVERIFY(computed->diagnostics.empty());
        QCOMPARE(tensorNamed(mainOf(computed), "flat")->shape, (std::vector<std::int64_t>{6, 4}));
        const auto lowering = lower(std::get<Program>(computed->content), {});
        QVERIFY(bool(lowering));
        QCOMPARE(sizesOf(lowering->problem), (std::map<std::string, Bytes>{{"x", 96}, {"h", 96}, {"flat", 96}, {"y", 96}}));

        // Without that, ONNX's own inference does not see through the chain, and what depends on it is named.
        const auto inferred = import(shapeChain());
        VERIFY_IMPORTED(inferred);
        QVERIFY(hasDiagnostic(*inferred, "partial"));
        QVERIFY(!tensorNamed(mainOf(inferred), "y")->bytes);
        QCOMPARE(tensorNamed(mainOf(inferred), "dims")->bytes.value_or(-1), Bytes{3 * 8});
    }

    // --- control flow ----------------------------------------------------------------------------------------------------------

    void branchesAreRegions()
    {
        const auto imported = import(branching());
        VERIFY_IMPORTED(imported);
        const Function& main = mainOf(imported);
        const Op* pick = opNamed(main, "make_y");
        QVERIFY(pick && pick->control == Control::branch);
        QCOMPARE(pick->regions.size(), std::size_t{2});
        const Region& then = main.regions[static_cast<std::size_t>(pick->regions[0])];
        const Region& otherwise = main.regions[static_cast<std::size_t>(pick->regions[1])];
        QCOMPARE(kindsOf(main, then), (Strings{"Relu", "Exp", "Constant", "Constant", "Slice"}));
        QCOMPARE(kindsOf(main, otherwise), (Strings{"ReduceMean", "Constant", "Expand"}));
        QCOMPARE(namesOf(main, then.outputs), (Strings{"t"}));
        QCOMPARE(namesOf(main, otherwise.outputs), (Strings{"e"}));
        QCOMPARE(namesOf(main, opNamed(main, "make_a")->inputs), (Strings{"h"})); // of the graph around
        QCOMPARE(namesOf(main, opNamed(main, "make_m")->inputs), (Strings{"x"}));

        const auto lowering = lower(std::get<Program>(imported->content), {});
        QVERIFY(bool(lowering));
        const auto lives = livesOf(lowering->problem);
        // Steps: 0 entry, 1 Neg; then Relu 2, Exp 3, Slice 6; else ReduceMean 7, Expand 9; 10 Neg.
        QCOMPARE(lives.at("a"), (std::vector<Interval>{{2, 4}}));
        QCOMPARE(lives.at("b"), (std::vector<Interval>{{3, 7}}));
        QCOMPARE(lives.at("m"), (std::vector<Interval>{{7, 10}}));
        QCOMPARE(lives.at("z"), (std::vector<Interval>{{10, 11}}));
    }

    void aLoopIsARegionThatRunsAsOftenAsTheFileSays()
    {
        const auto imported = import(looping());
        VERIFY_IMPORTED(imported);
        const Function& main = mainOf(imported);
        const Op* loop = opNamed(main, "make_last");
        QVERIFY(loop && loop->control == Control::loop);
        QCOMPARE(loop->tripCount.value_or(-1), std::int64_t{3});
        const Region& body = main.regions[static_cast<std::size_t>(loop->regions.at(0))];
        QCOMPARE(kindsOf(main, body), (Strings{"Identity", "Exp", "Add", "Neg"}));
        std::map<std::string, std::string> carries;
        for (const Carry& carry : loop->carries) carries[namesOf(main, {carry.from})[0]] = namesOf(main, {carry.to})[0];
        QCOMPARE(carries, (std::map<std::string, std::string>{{"goOn", "go"}, {"next", "state"}}));
        QCOMPARE(tensorNamed(main, "rows")->bytes.value_or(-1), Bytes{3 * 8 * 4});
    }

    void aLoopThatMayEndEarlyHasNoTripCount()
    {
        auto model = looping();
        auto& body = *model.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_g();
        body.mutable_node(0)->set_op_type("Not");
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        QVERIFY(!opNamed(mainOf(imported), "make_last")->tripCount);
    }

    void aScanRunsOverItsSequence()
    {
        const auto imported = import(scanning());
        VERIFY_IMPORTED(imported);
        const Op* scan = opNamed(mainOf(imported), "make_total");
        QVERIFY(scan && scan->control == Control::loop);
        QCOMPARE(scan->tripCount.value_or(-1), std::int64_t{5});
        QCOMPARE(scan->carries.size(), std::size_t{1});
        QCOMPARE(namesOf(mainOf(imported), {scan->carries[0].from, scan->carries[0].to}), (Strings{"next", "sum"}));
    }

    void nestedGraphsCountAsTheOptionSays_data()
    {
        QTest::addColumn<int>("model");
        QTest::addColumn<int>("mainPeak");
        QTest::addColumn<int>("flatPeak");
        QTest::addColumn<int>("nestedPeak");
        // At the If: c 1, x 64, h 64, y 16. Flat, on top of it: a 64 and b 64 at Exp. Nested, at Relu: c, h and a; x is read in
        // the other branch only, and t lies in y.
        QTest::newRow("if") << 0 << 145 << 145 + 128 << 1 + 64 + 64;
        // At the Loop: x 32, last 32, rows 96. Flat, on top of it: goOn 1 and two of 32. Nested, next lies in last, and over the
        // whole loop are live, besides those three, what goes round: go, goOn, state; at Exp also grown.
        QTest::newRow("loop") << 1 << 160 << 160 + 65 << 160 + 1 + 1 + 32 + 32;
        // At the Scan: start 8, x 40, total 8, sums 40. Flat, on top of it: sum, element and next, 8 each. Nested, sum lies in
        // start and next in total; element is held over the loop, as whatever a body is given; at Neg also out.
        QTest::newRow("scan") << 2 << 96 << 96 + 24 << 96 + 8 + 8;
    }

    void nestedGraphsCountAsTheOptionSays()
    {
        QFETCH(int, model);
        QFETCH(int, mainPeak);
        QFETCH(int, flatPeak);
        QFETCH(int, nestedPeak);
        const auto peak = [&](const char* subgraphs) -> Bytes {
            const auto imported = import(exampleOnnxModels()[static_cast<std::size_t>(model)], {{"subgraphs", subgraphs}});
            if (!imported) return -1;
            const auto lowering = lower(std::get<Program>(imported->content), {});
            return lowering ? peakOf(lowering->problem) : -2;
        };
        QCOMPARE(peak("main"), Bytes{mainPeak});
        QCOMPARE(peak("flat"), Bytes{flatPeak});
        QCOMPARE(peak("nested"), Bytes{nestedPeak});
    }

    void peaksWithNestedGraphsEqualTheReference_data()
    {
        models_ = referenceModels("onnx");
        addModelRows(models_);
    }

    /// `peak_nested` is what `flat` says: the outer graph at the op, and the largest body on top of it.
    void peaksWithNestedGraphsEqualTheReference()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(int, model);
        const ReferenceModel& reference = models_[static_cast<std::size_t>(model)];
        QFile file(reference.path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string bytes = file.readAll().toStdString();
        const auto imported = OnnxImporter().import({"model.onnx", bytes, reference.bindings, {{"subgraphs", "flat"}}});
        VERIFY_IMPORTED(imported);
        const auto lowering = lowerLikeReference(std::get<Program>(imported->content), 1);
        QVERIFY(bool(lowering));
        QVERIFY(reference.graphs.front().peakNested.has_value());
        QCOMPARE(peakOf(lowering->problem), *reference.graphs.front().peakNested);
    }

    // --- local functions -------------------------------------------------------------------------------------------------------

    void callsAreReplacedByBodies()
    {
        // The same graph with every call written out.
        auto written = onnxModel(13);
        auto& graph = *written.mutable_graph();
        addInput(graph, "c", {}, onnx::TensorProto::BOOL);
        addInput(graph, "x", {16});
        addNode(graph, "Relu", {"x"}, {"h_t"});
        addNode(graph, "Exp", {"h_t"}, {"h"});
        addNode(graph, "Neg", {"h"}, {"k_t"});
        addNode(graph, "Relu", {"k_t"}, {"k_t_t"});
        addNode(graph, "Exp", {"k_t_t"}, {"k"});
        onnx::GraphProto then;
        addNode(then, "Relu", {"k"}, {"t_t"});
        addNode(then, "Exp", {"t_t"}, {"t"});
        addOutput(then, "t", {16});
        onnx::GraphProto otherwise;
        addNode(otherwise, "Neg", {"k"}, {"e"});
        addOutput(otherwise, "e", {16});
        auto& pick = addNode(graph, "If", {"c"}, {"y"});
        setGraph(pick, "then_branch", then);
        setGraph(pick, "else_branch", otherwise);
        addOutput(graph, "y", {16});

        for (const char* subgraphs : {"nested", "main", "flat"}) {
            const auto a = import(calling(), {{"subgraphs", subgraphs}});
            const auto b = import(written, {{"subgraphs", subgraphs}});
            VERIFY_IMPORTED(a);
            VERIFY_IMPORTED(b);
            const auto la = lower(std::get<Program>(a->content), {});
            const auto lb = lower(std::get<Program>(b->content), {});
            QVERIFY(la && lb);
            const auto shapesOf = [](const Problem& problem) {
                std::vector<std::pair<Bytes, std::vector<Interval>>> shapes;
                for (const Buffer& buffer : problem.buffers) shapes.emplace_back(buffer.size, buffer.live);
                return shapes;
            };
            QCOMPARE(la->problem.buffers.size(), lb->problem.buffers.size());
            QVERIFY(shapesOf(la->problem) == shapesOf(lb->problem));
            std::vector<std::string> ka, kb;
            for (const Op& op : mainOf(a).ops) ka.push_back(op.kind);
            for (const Op& op : mainOf(b).ops) kb.push_back(op.kind);
            QCOMPARE(ka, kb);
        }
    }

    void attributesOfACallReachTheBody()
    {
        auto model = onnxModel(13);
        auto& function = addFunction(model, "Joined", {"a", "b"}, {"c"}, 13);
        function.add_attribute("axis");
        setReference(addNode(function, "Concat", {"a", "b"}, {"c"}), "axis", "axis");
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {2, 3});
        addInput(graph, "y", {2, 3});
        for (const auto& [output, axis] : {std::pair{"rows", 0}, std::pair{"columns", 1}}) {
            auto& call = addNode(graph, "Joined", {"x", "y"}, {output});
            call.set_domain("local");
            setInteger(call, "axis", axis);
            addOutput(graph, output);
        }
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        QCOMPARE(tensorNamed(mainOf(imported), "rows")->shape, (std::vector<std::int64_t>{4, 3}));
        QCOMPARE(tensorNamed(mainOf(imported), "columns")->shape, (std::vector<std::int64_t>{2, 6}));
    }

    void aFunctionKeepsItsOwnOperatorSet()
    {
        // Before version 13, Squeeze took its axes as an attribute; the model itself is of version 13.
        auto model = onnxModel(13);
        auto& function = addFunction(model, "Flat", {"a"}, {"b"}, 11);
        setIntegers(addNode(function, "Squeeze", {"a"}, {"b"}), "axes", {1});
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {2, 1, 3});
        addNode(graph, "Flat", {"x"}, {"y"}).set_domain("local");
        addOutput(graph, "y");
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        QVERIFY(imported->diagnostics.empty());
        QCOMPARE(tensorNamed(mainOf(imported), "y")->shape, (std::vector<std::int64_t>{2, 3}));
    }

    void namesInsideAFunctionAreItsOwn()
    {
        // The function's `t` is not the graph's, and each call has one of its own.
        auto model = onnxModel(13);
        auto& function = addFunction(model, "Twice", {"a"}, {"b"}, 13);
        addNode(function, "Relu", {"a"}, {"t"});
        addNode(function, "Exp", {"t"}, {"b"});
        auto& graph = *model.mutable_graph();
        addInput(graph, "t", {8});
        addNode(graph, "Twice", {"t"}, {"u"}).set_domain("local");
        addNode(graph, "Twice", {"u"}, {"v"}).set_domain("local");
        addNode(graph, "Add", {"t", "v"}, {"y"});
        addOutput(graph, "y");
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        const auto lowering = lower(std::get<Program>(imported->content), {});
        QVERIFY(bool(lowering));
        QCOMPARE(lowering->problem.buffers.size(), std::size_t{6});
        QCOMPARE(livesOf(lowering->problem)["t"], (std::vector<Interval>{{0, 6}}));
    }

    void aFunctionDoesNotSeeTheGraphAroundIt()
    {
        auto model = calling();
        model.mutable_functions(0)->mutable_node(1)->set_input(0, "x"); // a name of the graph
        const auto imported = import(model);
        QVERIFY(!imported);
        QCOMPARE(imported.error().code, Code::undefinedName);
    }

    /// Nodes "n", "n#2", and from then on "n". Counting from 2 for each would look up 1,250,000,000 names.
    void equalNamesOfNodesAreNumbered()
    {
        constexpr int count = 50'000;
        auto model = onnxModel(13);
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {4});
        for (int i = 0; i < count; ++i)
            addNode(graph, "Relu", {"x"}, {("v" + std::to_string(i)).c_str()}).set_name(i == 1 ? "n#2" : "n");
        addOutput(graph, "v0");
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        const auto& ops = mainOf(imported).ops;
        QCOMPARE(ops.size(), std::size_t{count});
        QCOMPARE(ops[0].name, std::string("n"));
        QCOMPARE(ops[1].name, std::string("n#2"));
        QCOMPARE(ops[2].name, std::string("n#3"));
        QCOMPARE(ops.back().name, std::string("n#50000"));
    }

    /// The same for calls "call" of a function; the name "call_2" is a tensor's.
    void equalNamesOfCallsAreNumbered()
    {
        constexpr int count = 50'000;
        auto model = onnxModel(13);
        auto& function = addFunction(model, "Twice", {"a"}, {"b"}, 13);
        addNode(function, "Relu", {"a"}, {"t"});
        addNode(function, "Exp", {"t"}, {"b"});
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {4});
        for (int i = 0; i < count; ++i) {
            const std::string output = i == 0 ? "call_2" : "v" + std::to_string(i);
            auto& call = addNode(graph, "Twice", {"x"}, {output.c_str()});
            call.set_domain("local");
            call.set_name("call");
        }
        addOutput(graph, "call_2");
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        const auto& ops = mainOf(imported).ops;
        QCOMPARE(ops.size(), std::size_t{2 * count});
        QCOMPARE(ops[1].name, std::string("call/make_b"));
        QCOMPARE(ops[3].name, std::string("call_3/make_b"));
        QCOMPARE(ops.back().name, std::string("call_50001/make_b"));
        QVERIFY(tensorNamed(mainOf(imported), "call_50001/t"));
    }

    void everyOptionWorksOnEveryExample()
    {
        for (const auto& model : exampleOnnxModels())
            for (const char* subgraphs : {"nested", "main", "flat"})
                for (const char* shapes : {"inferred", "computed"})
                    for (const char* io : {"included", "excluded"}) {
                        const auto imported = import(model, {{"subgraphs", subgraphs}, {"shapes", shapes}, {"io", io}});
                        VERIFY_IMPORTED(imported);
                        QVERIFY(bool(lower(std::get<Program>(imported->content), {})));
                    }
        for (const auto& [key, value] :
             {std::pair{"subgraphs", "some"}, std::pair{"io", "maybe"}, std::pair{"shapes", "x"}, std::pair{"colour", "red"}}) {
            const auto imported = import(branching(), {{key, value}});
            QVERIFY(!imported);
            QVERIFY(!imported.error().remedy.empty());
        }
    }

private:
    std::vector<ReferenceModel> models_;
};

QTEST_GUILESS_MAIN(TestOnnxFeatures)
#include "tst_onnx_features.moc"
