// Memory snapshots of PyTorch: lifetimes and reserved bytes as computed apart, odd traces, and pickles that want to run
// something.
#include "core/plan/report.h"
#include "plugins/pytorch/snapshot.h"
#include "plugins/pytorch/snapshot_importer.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"
#include "tests/support/shared.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

using namespace stowage;
using namespace stowage::pytorch;

namespace {

/// Writes pickles of protocol 4 as Python does, without the memo.
struct Pickle {
    static QByteArray text(const QByteArray& value) { return QByteArray("\x8c") + char(value.size()) + value; }
    static QByteArray number(qint64 value)
    {
        QByteArray out("\x8a\x08");
        for (int i = 0; i < 8; ++i) out += char(quint64(value) >> (8 * i));
        return out;
    }
    static QByteArray list(const QList<QByteArray>& items) { return "](" + items.join() + "e"; }
    static QByteArray dict(const QList<std::pair<QByteArray, QByteArray>>& items)
    {
        QByteArray out("}(");
        for (const auto& [key, value] : items) out += text(key) + value;
        return out + "u";
    }
    static QByteArray event(const char* action, qint64 address, qint64 size, qint64 stream = 0)
    {
        return dict({{"action", text(action)}, {"addr", number(address)}, {"size", number(size)}, {"stream", number(stream)}});
    }
    static QByteArray block(qint64 address, qint64 size, qint64 requested, const char* state)
    {
        return dict({{"address", number(address)},
                     {"size", number(size)},
                     {"requested_size", number(requested)},
                     {"state", text(state)}});
    }
    static QByteArray segment(qint64 address, qint64 total, const QList<QByteArray>& blocks, qint64 stream = 0)
    {
        return dict({{"device", number(0)},
                     {"address", number(address)},
                     {"total_size", number(total)},
                     {"stream", number(stream)},
                     {"blocks", list(blocks)}});
    }
    static QByteArray document(const QByteArray& value) { return "\x80\x04" + value + "."; }
    static QByteArray snapshot(const QList<QByteArray>& segments, const QList<QByteArray>& events)
    {
        return document(dict({{"segments", list(segments)}, {"device_traces", list({list(events)})}}));
    }
};

Expected<Snapshot> read(const QByteArray& bytes)
{
    return readSnapshot({bytes.constData(), std::size_t(bytes.size())}, "test.pickle");
}

QByteArray fileOf(const QString& name)
{
    QFile file(test::sharedFile("models/foreign/pytorch/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What `expected.json` hashes: "begin,end,rounded" a line, sorted.
QByteArray hashOf(std::vector<std::tuple<Step, Step, Bytes>> lives)
{
    std::sort(lives.begin(), lives.end());
    QByteArray text;
    for (const auto& [begin, end, size] : lives)
        text += QByteArray::number(qint64(begin)) + ',' + QByteArray::number(qint64(end)) + ',' +
                QByteArray::number(qint64(size)) + '\n';
    return QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex();
}

QByteArray hashOfLives(const Device& device)
{
    std::vector<std::tuple<Step, Step, Bytes>> lives;
    for (const Block& block : device.blocks) lives.emplace_back(block.begin, block.end, block.rounded);
    return hashOf(std::move(lives));
}

/// The same of a problem, whose live ranges are those of the events.
QByteArray hashOfLives(const Problem& problem)
{
    std::vector<std::tuple<Step, Step, Bytes>> lives;
    for (const Buffer& buffer : problem.buffers)
        lives.emplace_back(buffer.live.front().begin, buffer.live.front().end, buffer.size);
    return hashOf(std::move(lives));
}

const Problem& problemIn(const Imported& imported)
{
    return std::get<std::vector<NamedProblem>>(imported.content).front().problem;
}

Bytes maxLive(const Device& device, Bytes Block::*size)
{
    std::vector<std::pair<Step, Bytes>> changes;
    for (const Block& block : device.blocks) {
        changes.emplace_back(block.begin, block.*size);
        changes.emplace_back(block.end, -(block.*size));
    }
    std::sort(changes.begin(), changes.end());
    Bytes live = 0;
    Bytes most = 0;
    for (const auto& [step, by] : changes) most = std::max(most, live += by);
    return most;
}

} // namespace

class PytorchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void snapshotsGiveTheFiguresThatWereComputedApart_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"medium_128_inference_memory_snapshot.pickle", "snapshot_protocol4.pickle", "snapshot_streams_pending.pickle"})
            QTest::newRow(name) << QString(name);
    }
    void snapshotsGiveTheFiguresThatWereComputedApart()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, name);
        QFile file(test::sharedFile("models/foreign/expected.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray expected = QJsonDocument::fromJson(file.readAll()).object()["pytorch/" + name].toArray();
        const auto snapshot = read(fileOf(name));
        QVERIFY2(snapshot, snapshot ? "" : toText(snapshot.error()).c_str());
        QCOMPARE(qsizetype(snapshot->devices.size()), expected.size());
        for (qsizetype i = 0; i < expected.size(); ++i) {
            const QJsonObject figures = expected[i].toObject();
            const Device& device = snapshot->devices[std::size_t(i)];
            const auto figure = [&](const char* key) { return qint64(figures[key].toDouble()); };
            QCOMPARE(device.number, figure("device"));
            QCOMPARE(device.events, figure("events"));
            QCOMPARE(qint64(device.blocks.size()), figure("buffers"));
            QCOMPARE(qint64(device.fromTrace), figure("from_trace"));
            QCOMPARE(qint64(device.freedUnseen), figure("freed_but_never_allocated"));
            QCOMPARE(qint64(device.liveThroughout), figure("live_throughout"));
            QCOMPARE(qint64(device.holes), figure("holes"));
            QCOMPARE(device.endStateAgrees, figures["end_state_agrees"].toBool());
            QCOMPARE(qint64(device.segments), figure("segments"));
            QCOMPARE(device.reservedAtStart, figure("reserved_at_start"));
            QCOMPARE(device.reservedAtEnd, figure("reserved_at_end"));
            QCOMPARE(device.reservedPeak, figure("reserved_peak"));
            QCOMPARE(device.allocatedAtEnd, figure("allocated_blocks_at_end"));
            QCOMPARE(maxLive(device, &Block::requested), figure("max_live_requested"));
            QCOMPARE(maxLive(device, &Block::rounded), figure("max_live_512"));
            QCOMPARE(hashOfLives(device), figures["sha256_of_sorted_lo_hi_size512_lines"].toString().toLatin1());
        }
    }

    /// Several streams conflict by their clocks, and give the same figures: their live ranges show the order of the events.
    void whatIsPlannedByDefaultHasTheFiguresThatWereComputedApart_data() { snapshotsGiveTheFiguresThatWereComputedApart_data(); }
    void whatIsPlannedByDefaultHasTheFiguresThatWereComputedApart()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, name);
        QFile file(test::sharedFile("models/foreign/expected.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject expected =
            QJsonDocument::fromJson(file.readAll()).object()["pytorch/" + name].toArray().first().toObject();
        const QByteArray bytes = fileOf(name);
        ImportRequest request;
        request.path = "s.pickle";
        request.bytes = {bytes.constData(), std::size_t(bytes.size())};
        const auto imported = SnapshotImporter().import(request);
        QVERIFY(imported);
        const Problem& problem = problemIn(*imported);
        QCOMPARE(problem.axis, expected["streams"].toArray().size() > 1 ? Axis::dag : Axis::ops);
        QCOMPARE(qint64(problem.buffers.size()), qint64(expected["buffers"].toDouble()));
        QCOMPARE(hashOfLives(problem), expected["sha256_of_sorted_lo_hi_size512_lines"].toString().toLatin1());
        QCOMPARE(lowerBound(problem, none).bytes, qint64(expected["max_live_512"].toDouble()));
        const auto& figures = imported->plans.front().figures;
        for (const auto& [key, figure] :
             {std::pair("allocated_peak", "max_live_512"), std::pair("reserved_peak", "reserved_peak"),
              std::pair("reserved_at_end", "reserved_at_end"), std::pair("events", "events")}) {
            const auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& each) { return each.first == key; });
            QVERIFY2(found != figures.end(), key);
            QCOMPARE(found->second, std::int64_t(expected[figure].toDouble()));
        }
    }

    void aPickleThatWouldCallSomethingIsRefusedWithTheOpcodesPosition()
    {
        STOWAGE_NEEDS_SHARED();
        const QByteArray bytes = fileOf("snapshot_bad_reduce_p2.pickle");
        const auto snapshot = read(bytes);
        QVERIFY(!snapshot);
        const auto at = snapshot.error().where.byte;
        QVERIFY(at >= 0 && at < bytes.size());
        QCOMPARE(bytes.at(qsizetype(at)), 'c'); // GLOBAL comes before REDUCE
        QVERIFY2(toText(snapshot.error()).find("GLOBAL") != std::string::npos, toText(snapshot.error()).c_str());
    }

    void everyCutPickleIsAnErrorAndNoCrash()
    {
        const QByteArray whole =
            Pickle::snapshot({Pickle::segment(4096, 2048, {Pickle::block(4096, 512, 100, "active_allocated")})},
                             {Pickle::event("alloc", 4096, 100)});
        QVERIFY(read(whole));
        for (qsizetype size = 0; size < whole.size(); ++size) QVERIFY(!read(whole.left(size)));
        for (qsizetype i = 0; i < whole.size(); ++i)
            for (const char c : {'\0', '\xff', '(', 'e', 'u', 't', '0'}) {
                QByteArray changed = whole;
                changed[i] = c;
                (void)read(changed); // an answer or an error
            }
    }

    /// Python writes them with a ninth byte of 0. A size as large is an error.
    void addressesMayBeBeyond2To63()
    {
        const std::uint64_t address = 0xff00000000000200U;
        const auto plain = qint64(address);
        const auto unsignedIn = [&](QByteArray written) {
            return written.replace(Pickle::number(plain), QByteArray("\x8a\x09") + Pickle::number(plain).mid(2) + '\0');
        };
        const auto snapshot =
            read(unsignedIn(Pickle::snapshot({Pickle::segment(plain, 2048, {Pickle::block(plain, 512, 10, "active_allocated")})},
                                             {Pickle::event("alloc", plain, 10)})));
        QVERIFY2(snapshot, snapshot ? "" : toText(snapshot.error()).c_str());
        const Device& device = snapshot->devices.front();
        QCOMPARE(device.blocks.size(), std::size_t{1});
        QCOMPARE(device.blocks[0].address, address);
        QVERIFY(device.endStateAgrees);
        const auto large = read(unsignedIn(Pickle::snapshot({}, {Pickle::event("alloc", 1, plain)})));
        QVERIFY(!large);
        QVERIFY2(large.error().message.find("is no size") != std::string::npos, toText(large.error()).c_str());
    }

    void aFreeOfAnUnknownAddressWasLiveFromTheStart()
    {
        const auto snapshot = read(Pickle::snapshot({}, {Pickle::event("alloc", 1, 10), Pickle::event("free_completed", 9, 700),
                                                         Pickle::event("free_completed", 1, 10)}));
        QVERIFY(snapshot);
        const Device& device = snapshot->devices.front();
        QCOMPARE(device.freedUnseen, std::size_t{1});
        QCOMPARE(device.blocks[0].requested, Bytes{10}); // both begin at 0: in order of the events
        QCOMPARE(device.blocks[0].end, Step{2});
        QCOMPARE(device.blocks[1].rounded, Bytes{1024});
        QCOMPARE(device.blocks[1].begin, Step{0});
        QCOMPARE(device.blocks[1].end, Step{1});
    }

    void anAllocationWhereOneIsOpenClosesItAndCountsAsAHole()
    {
        const auto snapshot = read(Pickle::snapshot({}, {Pickle::event("alloc", 1, 10), Pickle::event("alloc", 1, 20)}));
        QVERIFY(snapshot);
        QCOMPARE(snapshot->devices.front().holes, std::size_t{1});
        QCOMPARE(snapshot->devices.front().blocks[0].end, Step{1});
        QVERIFY(!snapshot->devices.front().endStateAgrees); // nothing is active at the end
    }

    void aRequestedFreeDoesNotMakeBytesReusable()
    {
        const auto snapshot = read(Pickle::snapshot(
            {Pickle::segment(0, 2048, {Pickle::block(0, 512, 10, "active_pending_free")})},
            {Pickle::event("alloc", 0, 10), Pickle::event("free_requested", 0, 10), Pickle::event("snapshot", 0, 0)}));
        QVERIFY(snapshot);
        QCOMPARE(snapshot->devices.front().blocks[0].end, Step{3});
        QVERIFY(snapshot->devices.front().endStateAgrees);
    }

    /// Blocks from before the trace that are pending at its end: another stream still uses them, so they are live throughout.
    void aRequestedFreeOfAnUnknownAddressKeepsItsBytesToTheEnd()
    {
        const QList<QByteArray> segments{Pickle::segment(
            0, 4096, {Pickle::block(0, 512, 10, "active_pending_free"), Pickle::block(512, 1024, 700, "inactive")})};
        const auto snapshot =
            read(Pickle::snapshot(segments, {Pickle::event("free_requested", 0, 10), Pickle::event("free_requested", 512, 700),
                                             Pickle::event("free_completed", 512, 700), Pickle::event("snapshot", 0, 0)}));
        QVERIFY(snapshot);
        const Device& device = snapshot->devices.front();
        QCOMPARE(device.blocks.size(), std::size_t{2});
        QCOMPARE(device.freedUnseen, std::size_t{2});
        QCOMPARE(device.blocks[0].rounded, Bytes{1024});
        QCOMPARE(device.blocks[0].end, Step{2});
        QCOMPARE(device.blocks[1].requested, Bytes{10});
        QCOMPARE(device.blocks[1].begin, Step{0});
        QCOMPARE(device.blocks[1].end, Step{4});
        QVERIFY(device.endStateAgrees);
        // Its address is allocated again, so events are missing: it ended there at the latest.
        const auto reused =
            read(Pickle::snapshot(segments, {Pickle::event("free_requested", 0, 10), Pickle::event("alloc", 0, 20)}));
        QVERIFY(reused);
        QCOMPARE(reused->devices.front().holes, std::size_t{1});
        QCOMPARE(reused->devices.front().blocks.size(), std::size_t{2});
        QCOMPARE(reused->devices.front().blocks[0].end, Step{1});
    }

    void sizesThatAreNoneAreErrors()
    {
        QVERIFY(!read(Pickle::snapshot({}, {Pickle::event("alloc", 1, -1)})));
        QVERIFY(!read(Pickle::snapshot({}, {Pickle::event("alloc", 1, std::numeric_limits<qint64>::max())})));
        QVERIFY(!read(Pickle::snapshot({Pickle::segment(0, -5, {})}, {})));
    }

    void pagesAndGzipAreUnwrapped()
    {
        const QByteArray whole = Pickle::snapshot({}, {Pickle::event("alloc", 1, 10)});
        const QByteArray page = "<html><script>// _memory_viz\nadd_snapshots([{\"name\": \"snapshot.pickle\", \"base64\": \"" +
                                whole.toBase64() + "\"}])</script></html>";
        const auto fromPage = read(page);
        QVERIFY(fromPage);
        QCOMPARE(fromPage->devices.front().blocks.size(), std::size_t{1});
        QVERIFY(!read("<html>\"base64\": \"*not base64*\"</html>"));
        QVERIFY(!read("<html>nothing</html>"));
        // qCompress writes a length and a zlib stream: raw deflate data with a gzip head and foot around it.
        const QByteArray deflated = qCompress(whole).mid(6).chopped(4);
        QByteArray zipped = QByteArray("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10) + deflated;
        quint32 crc = 0xffffffffU;
        for (const char c : whole) {
            crc ^= static_cast<unsigned char>(c);
            for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
        }
        crc = ~crc;
        for (int i = 0; i < 4; ++i) zipped += char(crc >> (8 * i));
        for (int i = 0; i < 4; ++i) zipped += char(quint32(whole.size()) >> (8 * i));
        QVERIFY(read(zipped));
        const std::string_view begin(zipped.constData(), std::size_t(zipped.size()));
        QVERIFY(claimsSnapshot(begin, "-") > 90); // standard input has no suffix
        QVERIFY(claimsSnapshot(begin.substr(0, begin.size() / 2), "memory.gz") > 90);
        QCOMPARE(claimsSnapshot(begin.substr(0, 10), "memory.gz"), 0);
        QVERIFY(!read(zipped.chopped(9)));
    }

    void streamsCanHaveMemoriesOfTheirOwn()
    {
        const QByteArray bytes = Pickle::snapshot({}, {Pickle::event("alloc", 1, 10, 0), Pickle::event("alloc", 2, 10, 7),
                                                       Pickle::event("alloc", 3, qint64{2} << 20, 7)});
        const SnapshotImporter importer;
        ImportRequest request;
        request.path = "s.pickle";
        request.bytes = {bytes.constData(), std::size_t(bytes.size())};
        const auto one = importer.import(request);
        QVERIFY(one);
        const auto& whole = std::get<std::vector<NamedProblem>>(one->content);
        QCOMPARE(whole.front().name, std::string("device0"));
        QCOMPARE(whole.front().problem.pools.size(), std::size_t{1});
        QCOMPARE(one->plans.front().name, std::string("pytorch"));
        request.options = {{"split", "streams"}};
        const auto split = importer.import(request);
        QVERIFY(split);
        const Problem& problem = std::get<std::vector<NamedProblem>>(split->content).front().problem;
        QStringList names;
        for (const Pool& pool : problem.pools) names += QString::fromStdString(pool.name);
        QCOMPARE(names, (QStringList{"stream0.small", "stream7.small", "stream7.large"}));
        QVERIFY(!importer.import({"s.pickle", request.bytes, {}, {{"spilt", "streams"}}}));
    }

    /// The clocks by hand: an event of stream s counts in entry s; the other entry is what the host knows to be over there.
    void severalStreamsAreInStepWhereTheHostHasWaited()
    {
        const QByteArray bytes = Pickle::snapshot(
            {}, {Pickle::event("alloc", 1, 10, 0), Pickle::event("alloc", 2, 10, 7),
                 Pickle::event("free_requested", 1, 10, 0), // stream 7 uses it still
                 Pickle::event("free_requested", 2, 10, 7), Pickle::event("free_completed", 2, 10, 7),
                 Pickle::event("alloc", 3, 10, 0),          // before the wait
                 Pickle::event("free_completed", 1, 10, 0), // what stream 7 had done at event 2 is over
                 Pickle::event("alloc", 4, 10, 0), Pickle::event("segment_free", 100, 4096), Pickle::event("alloc", 5, 10, 0)});
        const auto snapshot = readSnapshot({bytes.constData(), std::size_t(bytes.size())}, "test.pickle", 5);
        QVERIFY(snapshot);
        const Device& device = snapshot->devices.front();
        QCOMPARE(device.streams, (std::vector<std::int64_t>{0, 7}));
        QCOMPARE(device.clocks.size(), std::size_t{5});
        using Entries = std::vector<std::int64_t>;
        QCOMPARE(device.clocks[0].first, (Entries{1, 0}));
        QCOMPARE(device.clocks[0].last, (Entries{3, 2})); // in use by stream 7 up to the wait
        QCOMPARE(device.clocks[1].first, (Entries{0, 1}));
        QCOMPARE(device.clocks[1].last, (Entries{0, 2})); // freed at once: no other stream used it
        QCOMPARE(device.clocks[2].first, (Entries{2, 0}));
        QCOMPARE(device.clocks[3].first, (Entries{4, 1})); // one event of stream 7 was there when the block was let go of
        QCOMPARE(device.clocks[4].first, (Entries{5, 2})); // the driver waits for all
    }

    void whatTwoStreamsUseWithoutAWaitConflicts()
    {
        // Stream 7 begins with a block after stream 0 has let go of its own: in the order of the events they could share.
        const QByteArray bytes = Pickle::snapshot(
            {}, {Pickle::event("alloc", 1, 10, 0), Pickle::event("free_requested", 1, 10, 0),
                 Pickle::event("free_completed", 1, 10, 0), Pickle::event("alloc", 2, 10, 7), Pickle::event("alloc", 3, 10, 0)});
        const SnapshotImporter importer;
        ImportRequest request;
        request.path = "s.pickle";
        request.bytes = {bytes.constData(), std::size_t(bytes.size())};
        for (const char* order : {"", "auto", "streams"}) {
            request.options.clear();
            if (*order) request.options = {{"order", order}};
            const auto partial = importer.import(request);
            QVERIFY(partial);
            QCOMPARE(partial->diagnostics.back().code, Code::outOfOrder); // says that there is another way to read it
            QCOMPARE(partial->diagnostics.back().severity, Severity::note);
            const Problem& problem = problemIn(*partial);
            QVERIFY(problem.axis == Axis::dag);
            QVERIFY(conflict(problem, 0, 1));
            QVERIFY(!conflict(problem, 0, 2)); // of one stream: in order
            QVERIFY(conflict(problem, 1, 2));
            QCOMPARE(problem.buffers[1].live, (std::vector<Interval>{{3, 5}})); // steps are events all the same
        }
        request.options = {{"order", "events"}};
        const auto ordered = importer.import(request);
        QVERIFY(ordered);
        QCOMPARE(ordered->diagnostics.back().code, Code::outOfOrder);
        QVERIFY(problemIn(*ordered).axis == Axis::ops);
        QVERIFY(!conflict(problemIn(*ordered), 0, 1));
        request.options = {{"split", "streams"}}; // in a memory of one stream all is in order
        const auto apart = importer.import(request);
        QVERIFY(apart);
        QVERIFY(problemIn(*apart).axis == Axis::ops);
        QVERIFY(std::ranges::none_of(apart->diagnostics, [](const Diagnostic& each) { return each.code == Code::outOfOrder; }));
    }

    void blocksThatOverlapInTheOrderOfTheEventsConflictByTheirClocks()
    {
        test::Random random(test::seedShift() + 5);
        for (int round = 0; round < 200; ++round) {
            QList<QByteArray> events;
            const int streams = 2 + int(random(0, 2));
            for (int i = 0; i < 40; ++i) { // also allocations where a block is, and frees of what the trace does not know
                const auto address = random(1, 6);
                static constexpr std::array actions{"alloc", "alloc", "free_requested", "free_completed", "segment_free"};
                events += Pickle::event(actions[std::size_t(random(0, 4))], address, 10, random(0, streams - 1));
            }
            const QByteArray bytes = Pickle::snapshot({}, events);
            ImportRequest request;
            request.path = "s.pickle";
            request.bytes = {bytes.constData(), std::size_t(bytes.size())};
            const auto imported = SnapshotImporter().import(request);
            if (!imported) continue; // nothing was allocated
            const Problem& problem = problemIn(*imported);
            if (problem.axis != Axis::dag) continue; // one stream has all blocks
            for (std::size_t a = 0; a < problem.buffers.size(); ++a) {
                for (std::size_t b = a + 1; b < problem.buffers.size(); ++b) {
                    const Interval one = problem.buffers[a].live.front(), two = problem.buffers[b].live.front();
                    if (one.begin < two.end && two.begin < one.end) QVERIFY(conflict(problem, BufferId(a), BufferId(b)));
                }
            }
        }
    }

    void aBlockThatTakesThePlaceOfOneThatWasNotSeenToGoDoesNotMeetIt()
    {
        const QByteArray bytes = Pickle::snapshot(
            {}, {Pickle::event("alloc", 1, 10, 0), Pickle::event("alloc", 1, 20, 0), Pickle::event("alloc", 2, 10, 7)});
        ImportRequest request;
        request.path = "s.pickle";
        request.bytes = {bytes.constData(), std::size_t(bytes.size())};
        const auto imported = SnapshotImporter().import(request);
        QVERIFY(imported);
        QVERIFY(problemIn(*imported).axis == Axis::dag);
        QVERIFY(!conflict(problemIn(*imported), 0, 1));
    }

    void moreBlocksThanCanBeComparedInPairsHaveTheOrderOfTheEvents()
    {
        QList<QByteArray> events;
        for (int i = 0; i <= 20'000; ++i) events += Pickle::event("alloc", 1 + i, 10, i % 2);
        const QByteArray bytes = Pickle::snapshot({}, events);
        ImportRequest request;
        request.path = "s.pickle";
        request.bytes = {bytes.constData(), std::size_t(bytes.size())};
        const auto imported = SnapshotImporter().import(request);
        QVERIFY(imported);
        QVERIFY(problemIn(*imported).axis == Axis::ops);
        QCOMPARE(imported->diagnostics.back().code, Code::outOfOrder);
        QVERIFY(imported->diagnostics.back().message.find("too many blocks") != std::string::npos);
        // 4,000 blocks that are live together are 8 million pairs.
        const QByteArray fewer = Pickle::snapshot({}, events.first(4'000));
        request.bytes = {fewer.constData(), std::size_t(fewer.size())};
        const auto second = SnapshotImporter().import(request);
        QVERIFY(second);
        QVERIFY(problemIn(*second).axis == Axis::ops);
        QVERIFY(problemIn(*second).buffers.front().conflicts.empty());
    }

    /// 4 divisions below 2 MiB, 8 from 2 MiB, 1 from 4 MiB, 2 from 32 GiB; 0 elsewhere. A division is that part of the power of
    /// two below the size. It counts for sizes of more than 512 B for each division.
    void sizesAreRoundedAsTheSettingSays()
    {
        QList<std::pair<QByteArray, QByteArray>> classes;
        for (qint64 mebibytes = 1; mebibytes <= 32'768; mebibytes *= 2) {
            const qint64 divisions = mebibytes == 1 ? 4 : mebibytes == 2 ? 8 : mebibytes == 4 ? 1 : mebibytes == 32'768 ? 2 : 0;
            classes.append({QByteArray::number(mebibytes), Pickle::number(divisions)});
        }
        constexpr Bytes mebibyte = 1'048'576;
        const std::vector<std::pair<Bytes, Bytes>> expected{{0, 512},
                                                            {1200, 1536},
                                                            {2049, 2560},
                                                            {4096, 4096},
                                                            {5000, 5120},
                                                            {2 * mebibyte, 2 * mebibyte},
                                                            {2 * mebibyte + 1, 2 * mebibyte + mebibyte / 4},
                                                            {4 * mebibyte + 1, 4 * mebibyte + 512},
                                                            {8 * mebibyte + 1, 8 * mebibyte + 512},
                                                            {65'536 * mebibyte + 1, 98'304 * mebibyte}};
        QList<QByteArray> events;
        for (const auto& [requested, rounded] : expected)
            events.append(Pickle::event("alloc", (events.size() + 1) << 40, requested));
        const auto bytesWith = [&](const QByteArray& key, const QByteArray& setting) {
            return Pickle::document(Pickle::dict({{"segments", Pickle::list({})},
                                                  {"device_traces", Pickle::list({Pickle::list(events)})},
                                                  {"allocator_settings", Pickle::dict({{key, setting}})}}));
        };
        const QByteArray known = bytesWith("roundup_power2_divisions", Pickle::dict(classes));
        const auto snapshot = read(known);
        QVERIFY2(snapshot, snapshot ? "" : toText(snapshot.error()).c_str());
        QVERIFY(!snapshot->roundingUnknown);
        std::vector<std::pair<Bytes, Bytes>> found;
        for (const Block& block : snapshot->devices.at(0).blocks) found.emplace_back(block.requested, block.rounded);
        QCOMPARE(found, expected);

        const QByteArray unknown = bytesWith("PYTORCH_CUDA_ALLOC_CONF", Pickle::text("roundup_power2_divisions:[256:1,>:4]"));
        for (const bool told : {false, true}) {
            const QByteArray& bytes = told ? unknown : known;
            const auto imported = SnapshotImporter().import({"x.pickle", {bytes.constData(), std::size_t(bytes.size())}, {}, {}});
            QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
            QCOMPARE(std::any_of(imported->diagnostics.begin(), imported->diagnostics.end(),
                                 [](const Diagnostic& each) { return each.code == Code::notUnderstood; }),
                     told);
        }
    }

    void wholeCallStacksAreKeptOnce()
    {
        const auto frame = [](const char* name, const char* file, int line) {
            return Pickle::dict({{"name", Pickle::text(name)}, {"filename", Pickle::text(file)}, {"line", Pickle::number(line)}});
        };
        const auto event = [&](qint64 address) {
            return Pickle::dict({{"action", Pickle::text("alloc")},
                                 {"addr", Pickle::number(address)},
                                 {"size", Pickle::number(10)},
                                 {"frames", Pickle::list({frame("empty", "/x/torch/core.py", 3),
                                                          frame("forward", "/x/net.py", 12), frame("main", "/x/run.py", 40)})}});
        };
        const QByteArray bytes = Pickle::snapshot({}, {event(1), event(2), Pickle::event("alloc", 3, 10)});
        const SnapshotImporter importer;
        ImportRequest request;
        request.path = "s.pickle";
        request.bytes = {bytes.constData(), std::size_t(bytes.size())};
        const auto imported = importer.import(request);
        QVERIFY(imported);
        const NamedProblem& device = std::get<std::vector<NamedProblem>>(imported->content).front();
        QCOMPARE(device.calls.frames,
                 (std::vector<std::string>{"empty /x/torch/core.py:3", "forward /x/net.py:12", "main /x/run.py:40"}));
        QCOMPARE(device.calls.ofBuffer.size(), std::size_t{3});
        QCOMPARE(device.calls.stacks[std::size_t(device.calls.ofBuffer[0])], (std::vector<std::int32_t>{0, 1, 2}));
        QCOMPARE(device.calls.ofBuffer[2], std::int32_t(none));
        QVERIFY(QString::fromStdString(device.problem.buffers[0].name).startsWith("forward net.py:12")); // the user's own line
    }

    void filesAreClaimedByTheirContents()
    {
        const QByteArray whole = Pickle::snapshot({}, {Pickle::event("alloc", 1, 10)});
        QVERIFY(claimsSnapshot({whole.constData(), std::size_t(whole.size())}, "x") > 90);
        QVERIFY(claimsSnapshot("\x80\x04N.", "x.pickle") >= 50);
        QVERIFY(claimsSnapshot("\x1f\x8b\x08", "x.pkl.gz") >= 50);
        QCOMPARE(claimsSnapshot("\x1f\x8b\x08", "x.gz"), 0);
        QCOMPARE(claimsSnapshot("id,lower,upper,size", "x.csv"), 0);
    }
};

QTEST_GUILESS_MAIN(PytorchTest)
#include "tst_pytorch.moc"
