// Tensors of ExecuTorch programs that keep their bytes between two runs are live throughout; results, scratch and what delegates
// write are not.
#include "plugins/executorch/program_importer.h"
#include "tests/plugins/foreign_support.h"
#include "tests/plugins/made_program.h"

#include <QTest>

#include <string>
#include <vector>

using namespace stowage;
using namespace stowage::test;

namespace {

Expected<Imported> import(const QByteArray& bytes)
{
    return importedBy<executorch::ProgramImporter>(bytes, "made.pte");
}

/// The buffer is state: live in all instructions of the method, and of the kind that keeps its value.
bool isState(const Expected<Imported>& imported, const std::string& name, Step end)
{
    const Buffer* buffer = bufferOf(problemsOf(*imported).at(0).problem, name);
    return buffer != nullptr && buffer->kind == BufferKind::variable && buffer->live == std::vector<Interval>{{0, end}};
}

} // namespace

class ExecutorchStateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// ExecuTorch's planner never frees a buffer of the model that a method changes: the next run reads it.
    void stateIsAlwaysLive()
    {
        MadeProgram made;
        const int copy = made.addOperator("aten::copy_");
        const auto in = made.tensor({8}, MadeProgram::Place{1, 0});
        const auto state = made.tensor({8}, MadeProgram::Place{1, 32});
        const auto a = made.tensor({8}, MadeProgram::Place{1, 64});
        const auto sum = made.tensor({8}, MadeProgram::Place{1, 96});
        const auto out = made.tensor({8}, MadeProgram::Place{1, 0});
        made.call({in, a, a});
        made.call({a, state, sum, sum});
        made.call({state, sum, state}, copy);
        made.call({sum, out, out});
        const auto imported = import(made.finish({in}, {out}, {0, 128}));
        QVERIFY2(imported, errorOf(imported).c_str());
        QVERIFY(isState(imported, "t1", 4));
        const Problem& problem = problemsOf(*imported).at(0).problem;
        const std::vector<Interval> ofIn{{0, 1}}, ofA{{0, 2}}, ofSum{{1, 4}}, ofOut{{3, 4}};
        QCOMPARE(bufferOf(problem, "t0")->live, ofIn);
        QCOMPARE(bufferOf(problem, "t2")->live, ofA);
        QCOMPARE(bufferOf(problem, "t3")->live, ofSum);
        QCOMPARE(bufferOf(problem, "t4")->live, ofOut);
        QVERIFY(bufferOf(problem, "t2")->kind != BufferKind::variable);
        QVERIFY(bufferOf(problem, "t3")->kind != BufferKind::variable);
    }

    /// A kernel changes a cache that it names among its inputs; scratch, which no other instruction names, is no state.
    void cachesThatKernelsChangeAreState()
    {
        MadeProgram made;
        const auto in = made.tensor({8}, MadeProgram::Place{1, 0});
        const auto cache = made.tensor({8}, MadeProgram::Place{1, 32});
        const auto scratch = made.tensor({8}, MadeProgram::Place{1, 64});
        const auto empty = made.tensor({0}, MadeProgram::Place{1, 0});
        const auto out = made.tensor({8}, MadeProgram::Place{1, 96});
        made.call({in, in, out, out});
        made.call({out, cache, empty, empty});
        made.call({in, cache, scratch, out, out});
        const auto imported = import(made.finish({in}, {out}, {0, 128}));
        QVERIFY2(imported, errorOf(imported).c_str());
        QVERIFY(isState(imported, "t1", 3));
        const std::vector<Interval> third{{2, 3}};
        QCOMPARE(bufferOf(problemsOf(*imported).at(0).problem, "t2")->live, third);
    }

    /// A delegate names its results among its operands: only what is copied back later, or has a name of the model, is state.
    void resultsOfDelegatesAreNoState()
    {
        MadeProgram made;
        const int copy = made.addOperator("aten::copy_");
        const auto in = made.tensor({8}, MadeProgram::Place{1, 0});
        const auto state = made.tensor({8}, MadeProgram::Place{1, 32});
        const auto named = made.tensor({8}, MadeProgram::Place{1, 64}, 6, 0, "model.cache");
        const auto result = made.tensor({8}, MadeProgram::Place{1, 96});
        const auto out = made.tensor({8}, MadeProgram::Place{1, 128});
        made.call({in, out, out});
        made.delegate({in, state, named, result});
        made.call({state, result, state}, copy);
        made.call({result, out, out});
        const auto imported = import(made.finish({in}, {out}, {0, 160}));
        QVERIFY2(imported, errorOf(imported).c_str());
        QVERIFY(isState(imported, "t1", 4));
        QVERIFY(isState(imported, "t2", 4));
        const std::vector<Interval> ofResult{{1, 4}};
        QCOMPARE(bufferOf(problemsOf(*imported).at(0).problem, "t3")->live, ofResult);
        QVERIFY(bufferOf(problemsOf(*imported).at(0).problem, "t3")->kind != BufferKind::variable);
    }

    /// Results are named before they are written, one by one or as the first operand of a copy: that is no read.
    void resultsAreNotReadBeforeTheyAreWritten()
    {
        MadeProgram made;
        const int copyItem = made.addOperator("executorch_prim::et_copy_index");
        const auto in = made.tensor({8}, MadeProgram::Place{1, 0});
        const auto low = made.tensor({8}, MadeProgram::Place{1, 32});
        const auto high = made.tensor({8}, MadeProgram::Place{1, 64});
        const auto both = made.list({low, high});
        const auto all = made.tensor({8}, MadeProgram::Place{1, 96});
        const auto out = made.tensor({8}, MadeProgram::Place{1, 128});
        made.call({in, out, out});
        made.call({in, low, high, both});
        made.call({all, low, in}, copyItem);
        made.call({all, high, out, out});
        const auto imported = import(made.finish({in}, {out}, {0, 160}));
        QVERIFY2(imported, errorOf(imported).c_str());
        const Problem& problem = problemsOf(*imported).at(0).problem;
        const std::vector<Interval> ofLow{{1, 3}}, ofHigh{{1, 4}}, ofAll{{2, 4}};
        QCOMPARE(bufferOf(problem, "t1")->live, ofLow);
        QCOMPARE(bufferOf(problem, "t2")->live, ofHigh);
        QCOMPARE(bufferOf(problem, "t4")->live, ofAll);
    }
};

QTEST_GUILESS_MAIN(ExecutorchStateTest)
#include "tst_executorch_state.moc"
