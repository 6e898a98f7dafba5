// The run-time of folded functions tells the document's own story: the first execution folds, later ones do not.
#include "core/exec/fold_runtime.h"

#include <QtTest/QTest>

#include <cstring>

using namespace stowage;

namespace {

/// A function of `count` folded tensors, each of `floats` f32, that counts its calls. Tensor i holds 10 i + 1.
struct Story {
    int folds = 0, compileTimeFolds = 0, entries = 0;
    std::vector<std::int64_t> made;
    bool right = true;

    static float value(std::int64_t id) { return static_cast<float>(10 * id + 1); }

    static void fill(std::span<const FoldBuffer> buffers)
    {
        for (const FoldBuffer& each : buffers) {
            auto* floats = reinterpret_cast<float*>(each.buffer->bytes.data());
            for (std::size_t i = 0; i < each.buffer->bytes.size() / sizeof(float); ++i) floats[i] = value(each.id);
        }
    }

    CompiledFunction compiled(std::size_t count, std::int64_t floats, std::size_t compileTime = 0)
    {
        CompiledFunction function;
        function.name = "entry";
        for (std::size_t i = 0; i < count; ++i) {
            FoldedTensor tensor;
            tensor.id = static_cast<std::int64_t>(i);
            tensor.size = floats * 4;
            tensor.shape = {floats};
            tensor.strides = {1};
            tensor.madeIn = i < compileTime ? FoldPlace::compileTimeFold : FoldPlace::runTimeFold;
            function.folded.push_back(tensor);
        }
        function.compileTimeFold = [this](auto buffers) {
            ++compileTimeFolds;
            fill(buffers);
        };
        function.runTimeFold = [this](auto buffers, auto) {
            ++folds;
            for (const FoldBuffer& each : buffers) made.push_back(each.id);
            fill(buffers);
        };
        function.entry = [this, count](std::span<const FoldBuffer> buffers) {
            ++entries;
            right &= buffers.size() == count;
            for (const FoldBuffer& each : buffers) {
                right &= reinterpret_cast<std::uintptr_t>(each.buffer->bytes.data()) % 64 == 0;
                const auto* data = reinterpret_cast<const float*>(each.buffer->bytes.data());
                right &= data[0] == value(each.id) && data[each.buffer->bytes.size() / 4 - 1] == value(each.id);
            }
        };
        return function;
    }
};

Execution run(FoldRuntime& runtime, std::size_t function)
{
    auto result = runtime.execute(function);
    if (!result) qFatal("%s", result.error().message.c_str());
    return *result;
}

} // namespace

class FoldRuntimeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstExecutionFoldsAndLaterOnesDoNot()
    {
        Story story;
        FoldRuntime runtime(CacheSharing::process);
        const std::size_t f = runtime.add(story.compiled(3, 16));
        QCOMPARE(story.folds, 0); // nothing runs before the first execution
        const Execution first = run(runtime, f);
        QCOMPARE(first.foldedNow, (std::vector<std::int64_t>{0, 1, 2}));
        for (int i = 0; i < 3; ++i) {
            const Execution later = run(runtime, f);
            QVERIFY(later.foldedNow.empty());
            QCOMPARE(later.hits, std::int64_t{3});
        }
        QCOMPARE(story.folds, 1);
        QCOMPARE(story.entries, 4);
        QCOMPARE(runtime.executionCount(f), std::int64_t{4});
        QVERIFY(story.right);
    }

    void compileTimeFoldRunsWhenTheFunctionIsCompiled()
    {
        Story story;
        FoldRuntime runtime(CacheSharing::process);
        const std::size_t f = runtime.add(story.compiled(3, 16, 2));
        QCOMPARE(story.compileTimeFolds, 1);
        QCOMPARE(story.folds, 0);
        QCOMPARE(run(runtime, f).foldedNow, (std::vector<std::int64_t>{2}));
        QCOMPARE(story.made, (std::vector<std::int64_t>{2}));
        run(runtime, f);
        QCOMPARE(story.compileTimeFolds, 1);
        QCOMPARE(story.folds, 1);
        QVERIFY(story.right);
    }

    void oneMapForTheProcessHasOneIndexForEachTensor()
    {
        Story a, b;
        FoldRuntime process(CacheSharing::process), function(CacheSharing::function);
        for (FoldRuntime* runtime : {&process, &function}) {
            const std::size_t first = runtime->add(a.compiled(2, 16)), second = runtime->add(b.compiled(3, 16));
            run(*runtime, first);
            run(*runtime, second);
            const bool shared = runtime == &process;
            QCOMPARE(&runtime->cache(first) == &runtime->cache(second), shared);
            QCOMPARE(runtime->cache(first).size(), shared ? std::size_t{5} : std::size_t{2});
            QCOMPARE(runtime->index(second, 0), shared ? CacheIndex{2} : CacheIndex{0});
        }
        QVERIFY(a.right && b.right);
    }

    void whatWasUsedLongestAgoLeavesAndIsFoldedAgain()
    {
        Story a, b, c;
        FoldRuntime runtime(CacheSharing::process, 128); // two places of 64 bytes
        const std::size_t fa = runtime.add(a.compiled(1, 16)), fb = runtime.add(b.compiled(1, 16)),
                          fc = runtime.add(c.compiled(1, 16));
        run(runtime, fa);
        run(runtime, fb);
        run(runtime, fa); // b is the one that was used longest ago now
        QCOMPARE(run(runtime, fc).evictions, std::int64_t{1});
        QVERIFY(run(runtime, fa).foldedNow.empty());
        QCOMPARE(run(runtime, fb).foldedNow, (std::vector<std::int64_t>{0})); // folded again, and c leaves
        QCOMPARE(run(runtime, fc).foldedNow, (std::vector<std::int64_t>{0}));
        QCOMPARE(a.folds, 1);
        QCOMPARE(b.folds, 2);
        QCOMPARE(c.folds, 2);
        QVERIFY(a.right && b.right && c.right);
        QVERIFY(runtime.cache(fa).used() <= 128);
    }

    void aFunctionLargerThanTheCacheRunsAllTheSame()
    {
        Story story;
        FoldRuntime runtime(CacheSharing::function, 128);
        const std::size_t f = runtime.add(story.compiled(3, 16));
        const Execution first = run(runtime, f);
        QCOMPARE(first.notKept, (std::vector<std::int64_t>{2}));
        const Execution second = run(runtime, f);
        QCOMPARE(second.foldedNow, (std::vector<std::int64_t>{2}));
        QCOMPARE(second.hits, std::int64_t{2});
        QCOMPARE(second.evictions, std::int64_t{0}); // an execution keeps what it reads
        QVERIFY(story.right);
    }

    void capacityCountsPlacesOf64Bytes()
    {
        ConstantCache cache(127);
        QVERIFY(cache.insert(0, 1, {1}, {1}));
        QCOMPARE(cache.used(), Bytes{64});
        QVERIFY(cache.insert(1, 64, {16}, {1})); // the first one leaves
        QVERIFY(!cache.contains(0));
        QVERIFY(!cache.insert(2, 65, {}, {})); // no capacity takes it
        QVERIFY(cache.contains(1));
        QVERIFY(!cache.insert(3, -1, {}, {}));
    }
};

QTEST_GUILESS_MAIN(FoldRuntimeTest)
#include "tst_fold_runtime.moc"
