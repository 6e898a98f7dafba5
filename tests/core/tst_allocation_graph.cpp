// The allocation graph of plans: bytes are neither made nor lost, no buffer hands on to one that it meets.
#include "core/io/dot.h"
#include "core/plan/allocation_graph.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "tests/support/problems.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace stowage;
using namespace stowage::test;

namespace {

std::string at(const Features& features, std::uint64_t seed)
{
    return features.name + " seed " + std::to_string(seed);
}

Plan planned(const Problem& problem, const char* name)
{
    auto plan = PlannerRegistry::builtIn().find(name)->plan(problem, {}, {});
    if (!plan) qFatal("%s", toText(plan.error()).c_str());
    return *std::move(plan);
}

/// Bytes that some slot of the buffer lies on: values of different iterations may share some.
Bytes bytesOf(Bytes size, const Placement& placement)
{
    std::set<Bytes> offsets(placement.offsets.begin(), placement.offsets.end());
    offsets.insert(placement.offset);
    Bytes sum = 0, end = 0;
    for (const Bytes offset : offsets) {
        sum += offset + size - std::clamp(end, offset, offset + size);
        end = offset + size;
    }
    return sum;
}

} // namespace

class TestAllocationGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bytesFlowFromSourceToSink()
    {
        std::size_t edges = 0;
        for (const Features& features : allFeatures())
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                const Problem problem = randomProblem(features, seed);
                for (const char* name : {"nnc", "nnc-size-first", "nnc-merge", "greedy-by-size"}) {
                    const Plan plan = planned(problem, name);
                    if (!check(problem, plan).valid()) continue; // over a capacity, as it has to be
                    for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) {
                        const AllocationGraph graph = allocationGraph(problem, plan, pool);
                        QCOMPARE(graph.size, plan.poolSize(problem, pool));
                        std::map<BufferId, Bytes> in, out;
                        std::map<BufferId, std::size_t> rank;
                        for (std::size_t i = 0; i < graph.buffers.size(); ++i) rank[graph.buffers[i]] = i;
                        for (const AllocationEdge& edge : graph.edges) {
                            QVERIFY(edge.bytes > 0 && edge.offset >= 0 && edge.offset + edge.bytes <= graph.size);
                            out[edge.from] += edge.bytes;
                            in[edge.to] += edge.bytes;
                            if (edge.from < 0 || edge.to < 0) continue;
                            QVERIFY2(rank[edge.from] < rank[edge.to], at(features, seed).c_str()); // acyclic
                            if (!features.share && plan.placements[static_cast<std::size_t>(edge.from)].offsets.empty() &&
                                plan.placements[static_cast<std::size_t>(edge.to)].offsets.empty() && !features.windows)
                                QVERIFY2(!conflict(problem, edge.from, edge.to), at(features, seed).c_str());
                        }
                        QCOMPARE(out[allocationSource], graph.size);
                        QCOMPARE(in[allocationSink], graph.size);
                        for (const BufferId b : graph.buffers) {
                            QVERIFY2(in[b] == out[b], at(features, seed).c_str());
                            if (!features.share && !features.windows)
                                QCOMPARE(in[b], bytesOf(problem.buffers[static_cast<std::size_t>(b)].size,
                                                        plan.placements[static_cast<std::size_t>(b)]));
                        }
                        edges += graph.edges.size();
                    }
                }
            }
        QVERIFY(edges > 5000);
    }

    void pairsAreThoseThatConflict()
    {
        for (const Features& features : allFeatures())
            for (std::uint64_t seed = 0; seed < 10; ++seed) {
                const Problem problem = randomProblem(features, seed);
                if (features.unique || features.carried) continue; // in conflict beyond their hulls
                std::vector<std::pair<BufferId, BufferId>> wanted;
                for (BufferId a = 0; a < static_cast<BufferId>(problem.buffers.size()); ++a)
                    for (BufferId b = a + 1; b < static_cast<BufferId>(problem.buffers.size()); ++b)
                        if (conflict(problem, a, b)) wanted.emplace_back(a, b);
                const auto pairs = interferingPairs(problem, 1000);
                QVERIFY(pairs);
                QVERIFY2(*pairs == wanted, at(features, seed).c_str());
                if (wanted.size() > 1) QVERIFY(!interferingPairs(problem, wanted.size() - 1));
            }
    }

    void dotNamesBytesAndOffsets()
    {
        Problem problem;
        problem.name = "two \"quoted\"";
        problem.pools.resize(1);
        problem.pools[0].name = "arena";
        for (int i = 0; i < 2; ++i) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = i == 0 ? "large" : "small";
            buffer.size = i == 0 ? 80 : 48;
            buffer.live = {{2 * i, 2 * i + 1}};
        }
        const auto text = io::writeAllocationDot(problem, planned(problem, "nnc"));
        QVERIFY(text);
        for (const char* wanted :
             {"digraph \"two \\\"quoted\\\"\"", "source0 -> b0 [label=\"80 B at 0x0\"]", "b0 -> b1 [label=\"48 B at 0x0\"]",
              "b0 -> sink0 [label=\"32 B at 0x30\"]", "b1 -> sink0 [label=\"48 B at 0x0\"]", "arena, 80 B"})
            QVERIFY2(text->find(wanted) != std::string::npos, text->c_str());
        const auto interference = io::writeInterferenceDot(problem, nullptr);
        QVERIFY(interference && interference->starts_with("graph ") && interference->find("--") == std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestAllocationGraph)
#include "tst_allocation_graph.moc"
