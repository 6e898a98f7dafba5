#include "app/session/mpi_engine.h"

#include "core/io/json_reader.h"
#include "core/io/pipeline_json.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unistd.h>

namespace stowage {

namespace {

using namespace pipeline;

QString stageProgram()
{
    QString path = QCoreApplication::applicationDirPath() + QStringLiteral("/stowage-stage");
    if (QFileInfo(path).isExecutable()) return path;
    const QString other = qEnvironmentVariable("STOWAGE_BIN") + QStringLiteral("/stowage-stage");
    return QFileInfo(other).isExecutable() ? other : QString();
}

QByteArray fileText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Finished {
    int status = 0;
    QString messages;
};

Expected<Finished> runMpi(int ranks, const QStringList& arguments, const QString& hosts, const std::stop_token& cancel)
{
    if (auto obstacle = mpiObstacle()) return *std::move(obstacle);
    QStringList all;
    // mpirun refuses to start as root unless told; more ranks than cores are meant: ranks that wait sleep.
    if (geteuid() == 0) all << QStringLiteral("--allow-run-as-root");
    all << QStringLiteral("--oversubscribe") << QStringLiteral("--bind-to") << QStringLiteral("none");
    if (hosts.isEmpty())
        all << QStringLiteral("--mca") << QStringLiteral("btl") << QStringLiteral("self,vader,tcp") << QStringLiteral("--mca")
            << QStringLiteral("btl_tcp_if_include") << QStringLiteral("lo");
    else
        all << QStringLiteral("--host") << hosts;
    all << QStringLiteral("-n") << QString::number(ranks) << stageProgram() << arguments;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    // Containers forbid one process to read another's memory; the copy through shared memory works everywhere.
    if (!environment.contains(QStringLiteral("OMPI_MCA_btl_vader_single_copy_mechanism")))
        environment.insert(QStringLiteral("OMPI_MCA_btl_vader_single_copy_mechanism"), QStringLiteral("none"));
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStandardPaths::findExecutable(QStringLiteral("mpirun")), all);
    if (!process.waitForStarted())
        return failure(Code::noMpirun, "mpirun cannot be started", {}, "install Open MPI (openmpi-bin)");
    constexpr int pollMs = 50;
    while (!process.waitForFinished(pollMs) && process.state() != QProcess::NotRunning) {
        if (!cancel.stop_requested()) continue;
        process.terminate();
        if (!process.waitForFinished(5000)) process.kill();
        process.waitForFinished();
        return failure(Code::cancelled, "the run was cancelled");
    }
    // ssh ends its lines as terminals want them.
    const QByteArray messages = process.readAll().replace("\r\n", "\n").trimmed();
    return Finished{process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, QString::fromUtf8(messages)};
}

/// What a rank wrote down: "begin F", "end F", "done" at its orderly end, "killed" when another one ended it.
struct Journal {
    std::int64_t begun = -1;
    std::int64_t ended = -1;
    bool done = false;
    bool killed = false;
    bool exists = false;
};

Journal readJournal(const QString& path)
{
    Journal journal;
    journal.exists = QFileInfo::exists(path);
    for (const QByteArray& line : fileText(path).split('\n')) {
        if (line.startsWith("begin ")) journal.begun = line.mid(6).toLongLong();
        if (line.startsWith("end ")) journal.ended = line.mid(4).toLongLong();
        if (line == "done") journal.done = true;
        if (line == "killed") journal.killed = true;
    }
    return journal;
}

/// The stage that died by itself left neither mark. The frames that the last stages did not end are owed.
RunResult fromJournals(const QTemporaryDir& folder, const PipelineModel& model, const MpiOptions& options)
{
    RunResult result;
    result.frames = options.frames;
    std::int64_t out = options.frames;
    for (std::size_t s = 0; s < model.stages.size(); ++s) {
        const Journal journal = readJournal(folder.filePath(QStringLiteral("stage-%1.journal").arg(s)));
        StageRun& run = result.stages.emplace_back();
        run.done = journal.ended + 1;
        if (model.stages[s].outputs.empty() || !model.stages[s].results.empty()) out = std::min(out, journal.ended + 1);
        if (journal.done || journal.killed) continue;
        const std::int64_t frame = journal.begun > journal.ended ? journal.begun : journal.exists ? journal.ended + 1 : -1;
        result.errors.push_back({static_cast<std::int32_t>(s), frame,
                                 !journal.exists ? "the rank did not start"
                                 : journal.begun > journal.ended
                                     ? fmt::format("the rank ended abnormally in frame {}", frame)
                                     : fmt::format("the rank ended abnormally before frame {}", frame)});
    }
    result.framesOut = std::max<std::int64_t>(out, 0);
    for (std::int64_t frame = result.framesOut; frame < options.frames; ++frame) result.owed.push_back(frame);
    return result;
}

QString joined(const std::vector<std::pair<std::int32_t, double>>& slow)
{
    QStringList parts;
    for (const auto& [stage, factor] : slow) parts << QStringLiteral("%1:%2").arg(stage).arg(factor);
    return parts.join(QLatin1Char(','));
}

} // namespace

std::optional<Error> mpiObstacle()
{
    if (stageProgram().isEmpty())
        return failure(Code::noMpi, "this build has no MPI: 'stowage-stage' is missing", {},
                       "install libopenmpi-dev and openmpi-bin and build again, or use --engine threads");
    if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
        return failure(Code::noMpirun, "mpirun is not installed", {}, "install openmpi-bin, or use --engine threads");
    return std::nullopt;
}

std::optional<Error> rankObstacle(const PipelineModel& model)
{
    std::vector<std::int32_t> users(static_cast<std::size_t>(model.resources), none);
    for (std::size_t s = 0; s < model.stages.size(); ++s) {
        const StageModel& stage = model.stages[s];
        std::int32_t& user = users[at(stage.resource)];
        if (user != none)
            return failure(Code::sharedDevice,
                           fmt::format("stages {} and {} share the device '{}', and ranks of MPI do not wait for each other",
                                       user, s, stage.device),
                           {}, "use 'stowage-cli pipeline run --engine threads'");
        user = static_cast<std::int32_t>(s);
    }
    return std::nullopt;
}

Expected<MpiRun> runOverMpi(const PipelineFile& file, const PipelineModel& model, const MpiOptions& options)
{
    const QTemporaryDir folder;
    if (!folder.isValid()) return failure(Code::noFolder, "no temporary folder can be made for the journals");
    const QString result = folder.filePath(QStringLiteral("result.json"));
    QStringList arguments{QFileInfo(file.path).absoluteFilePath(),
                          QStringLiteral("--frames"),
                          QString::number(options.frames),
                          QStringLiteral("--queue"),
                          QString::number(options.queue),
                          QStringLiteral("--time-scale"),
                          QString::number(options.kernels.timeScale),
                          QStringLiteral("--journal"),
                          folder.path(),
                          QStringLiteral("-o"),
                          result};
    if (!options.kernels.check) arguments << QStringLiteral("--no-check");
    if (!options.kernels.slow.empty()) arguments << QStringLiteral("--slow") << joined(options.kernels.slow);
    if (!options.failure.isEmpty()) arguments << QStringLiteral("--fail") << options.failure;
    const auto finished = runMpi(static_cast<int>(model.stages.size()), arguments, options.hosts, options.cancel);
    if (!finished) return finished.error();
    MpiRun run;
    const QByteArray text = fileText(result);
    if (!text.isEmpty()) {
        auto read = io::readRun({text.constData(), static_cast<std::size_t>(text.size())}, "the result of rank 0");
        if (!read) return read.error();
        run.result = *std::move(read);
        if (!finished->messages.isEmpty())
            run.diagnostics.push_back({Severity::note, Code::mpi, finished->messages.toStdString(), {}, {}});
        return run;
    }
    run.result = fromJournals(folder, model, options);
    if (!finished->messages.isEmpty())
        run.diagnostics.push_back(
            {Severity::note,
             Code::mpi,
             fmt::format("mpirun ended with status {}: {}", finished->status, finished->messages.toStdString()),
             {},
             {}});
    if (run.result.errors.empty())
        return failure(Code::mpiFailed, fmt::format("mpirun ended with status {} and no result: {}", finished->status,
                                                    finished->messages.toStdString()));
    return run;
}

Expected<LinkCalibration> calibrateMpi(std::span<const Bytes> avoid, const QString& hosts, const std::stop_token& cancel)
{
    const QTemporaryDir folder;
    const QString result = folder.filePath(QStringLiteral("ping-pong.json"));
    // Sizes from 1 KiB to 4 MiB; one that the run has itself is moved by half.
    QStringList sizes;
    for (Bytes size = 1024; size <= (Bytes{4} << 20); size *= 4) {
        const bool taken = std::find(avoid.begin(), avoid.end(), size) != avoid.end();
        sizes << QString::number(taken ? size + size / 2 : size);
    }
    const auto finished =
        runMpi(2, {QStringLiteral("--ping-pong"), sizes.join(QLatin1Char(',')), QStringLiteral("-o"), result}, hosts, cancel);
    if (!finished) return finished.error();
    const QByteArray text = fileText(result);
    if (text.isEmpty())
        return failure(Code::mpiFailed, fmt::format("the ping-pong gave no result: {}", finished->messages.toStdString()));
    io::JsonReader in({text.constData(), static_cast<std::size_t>(text.size())}, "the result of the ping-pong");
    LinkCalibration calibration;
    in.object([&](std::string_view key) {
        if (key == "format") in.format("stowage.ping-pong/1");
        if (key == "points")
            in.array([&] {
                auto& point = calibration.points.emplace_back();
                in.object([&](std::string_view field) {
                    if (field == "bytes") in.read(point.first);
                    if (field == "us") in.read(point.second);
                });
            });
    });
    if (!in.finish()) return in.error();
    // Least squares of time = latency + bytes x slope, each point weighted by 1 / time^2, so that small and large frames count
    // alike.
    double w = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& [bytes, us] : calibration.points) {
        const double weight = 1 / std::max(us * us, 1e-6);
        const auto size = static_cast<double>(bytes);
        w += weight, x += weight * size, y += weight * us, xx += weight * size * size, xy += weight * size * us;
    }
    const double spread = w * xx - x * x;
    const double slope = spread > 0 ? (w * xy - x * y) / spread : 0;
    calibration.latencyUs = w > 0 ? std::max((y - slope * x) / w, 0.0) : 0;
    calibration.bytesPerUs = slope > 0 ? 1 / slope : 0;
    return calibration;
}

PipelineModel withLinks(PipelineModel model, const LinkCalibration& calibration)
{
    const Link link{"", "", calibration.latencyUs, calibration.bytesPerUs};
    model.links = 0;
    for (ConnectionModel& connection : model.connections) {
        Bytes bytes = 0;
        for (const ConnectionTensor& tensor : connection.tensors) bytes += tensor.bytes.value_or(0);
        connection.transferBytes = bytes;
        connection.transfer = transferTime(&link, std::max<Bytes>(bytes, 1));
        connection.link = model.links++;
    }
    return model;
}

} // namespace stowage
