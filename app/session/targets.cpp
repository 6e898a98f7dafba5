#include "app/session/targets.h"

#include "app/session/native_path.h"
#include "app/session/resources.h"
#include "core/io/input_file.h"
#include "core/io/json_reader.h"
#include "core/io/pool_json.h"
#include "core/ir/memory_spaces.h"
#include "core/ir/neighbours.h"

#include <QDir>
#include <QFileInfo>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace stowage {

namespace {

std::string joined(const std::vector<Pool>& pools)
{
    std::vector<std::string_view> names;
    for (const Pool& pool : pools) names.push_back(pool.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

Expected<Target> readTargetText(std::string_view text, const std::string& file, QStringList* foundAs);

constexpr Bytes maxTargetFile = Bytes{16} << 20;

/// `foundAs`: where not null, how its other names begin.
Expected<Target> readTargetFile(const QString& path, QStringList* foundAs = nullptr)
{
    const auto text = io::readFile(nativePath(path), {.file = maxTargetFile, .stream = maxTargetFile});
    if (!text) return text.error();
    return readTargetText(*text, nativePath(path), foundAs);
}

QStringList installedFiles()
{
    const QDir folder(resourcePath(QStringLiteral("targets")));
    QStringList files;
    if (folder.path().isEmpty() || folder.path() == QLatin1String(".")) return files;
    for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        files += folder.filePath(name);
    return files;
}

Expected<Target> readTargetText(std::string_view text, const std::string& file, QStringList* foundAs)
{
    Target target;
    io::JsonReader in(text, file);
    in.object({"format", "name", "pools"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.target/1");
        else if (key == "runtime") {
            const std::size_t at = in.offset();
            target.runtime = QString::fromUtf8(in.string());
            if (in.ok() && target.runtime != QLatin1String("tflm") && target.runtime != QLatin1String("executorch"))
                in.failAt(at, Code::badValue, "a runtime is \"tflm\" or \"executorch\"");
        } else if (key == "name")
            target.name = QString::fromUtf8(in.string());
        else if (key == "description")
            target.description = QString::fromUtf8(in.string());
        else if (key == "source")
            target.source = QString::fromUtf8(in.string());
        else if (key == "found_as")
            in.array([&] {
                const std::string_view prefix = in.string();
                if (foundAs) foundAs->append(QString::fromUtf8(prefix.data(), static_cast<qsizetype>(prefix.size())));
            });
        else if (key == "pools") {
            const std::size_t at = in.offset();
            target.pools = io::readPools(in);
            if (in.ok() && target.pools.empty()) in.failAt(at, Code::badValue, "a target has at least one pool");
        }
    });
    if (!in.finish()) return in.error();
    return target;
}

} // namespace

Expected<Target> readTarget(std::string_view text, const std::string& file)
{
    return readTargetText(text, file, nullptr);
}

std::vector<Target> installedTargets()
{
    std::vector<Target> targets;
    for (const QString& path : installedFiles())
        if (auto target = readTargetFile(path)) targets.push_back(*std::move(target));
    return targets;
}

bool isAscendKernel(const Model& model)
{
    if (!model.program) return model.problem && model.problem->axis == Axis::hivm;
    const std::string* order = attribute(model.program->lowering, "order");
    return order && *order == "hivm";
}

QString namedChip(const Model& model)
{
    // The importer says it of the memories: "unified buffer of Ascend910B1".
    if (!isAscendKernel(model) || !model.program || model.program->pools.empty()) return {};
    const QString text = QString::fromStdString(model.program->pools.front().description);
    const qsizetype of = text.lastIndexOf(QStringLiteral(" of "));
    return of < 0 ? QString() : text.mid(of + 4);
}

std::optional<Target> assumedTarget(const Model& model)
{
    if (!isAscendKernel(model) || !model.program) return std::nullopt;
    const auto& pools = model.program->pools;
    if (std::any_of(pools.begin(), pools.end(), [](const Pool& pool) { return pool.capacity.has_value(); })) return std::nullopt;
    auto target = findTarget(QStringLiteral("ascend910b"));
    return target ? std::optional<Target>(*std::move(target)) : std::nullopt;
}

bool suits(const Target& target, const Model& model)
{
    if (!isAscendKernel(model) || !model.program) return true;
    return std::all_of(model.program->pools.begin(), model.program->pools.end(), [&](const Pool& pool) {
        return std::any_of(target.pools.begin(), target.pools.end(), [&](const Pool& has) { return has.name == pool.name; });
    });
}

Expected<Target> findTarget(const QString& nameOrFile)
{
    QStringList names;
    const QStringList files = installedFiles();
    for (const QString& path : files) {
        const QString name = QFileInfo(path).completeBaseName();
        if (name == nameOrFile) return readTargetFile(path);
        names += name;
    }
    if (QFileInfo(nameOrFile).isFile()) {
        auto target = readTargetFile(nameOrFile);
        if (target) target->file = nameOrFile;
        return target;
    }
    for (const QString& path : files) { // by a name that a compiler has for it
        QStringList prefixes;
        if (auto target = readTargetFile(path, &prefixes)) {
            const auto begins = [&](const QString& prefix) {
                return !prefix.isEmpty() && nameOrFile.startsWith(prefix, Qt::CaseInsensitive);
            };
            if (target->name.compare(nameOrFile, Qt::CaseInsensitive) == 0 ||
                std::any_of(prefixes.begin(), prefixes.end(), begins))
                return target;
        }
    }
    std::vector<std::string> known;
    for (const QString& name : names) known.push_back(name.toStdString());
    return failure(Code::unknownTarget, fmt::format("there is no target named '{}', and no such file", nameOrFile.toStdString()),
                   {}, suggestion(nameOrFile.toStdString(), known, "targets"));
}

namespace {

/// Whether the edits are about the pools of memory spaces: they name one of them, or there is only one for a capacity. Otherwise
/// they describe a memory of their own.
bool namesMemorySpaces(const std::vector<Pool>& spaces, const PoolEdits& edits)
{
    if (edits.pools.empty()) return spaces.size() == 1;
    return std::any_of(edits.pools.begin(), edits.pools.end(), [&](const auto& edit) {
        return std::any_of(spaces.begin(), spaces.end(), [&](const Pool& pool) { return pool.name == edit.first; });
    });
}

} // namespace

Expected<Target> editedTarget(const Model& model, Target target, const PoolEdits& edits)
{
    if (edits.empty()) return target;
    if (target.pools.empty()) {
        target.pools = model.program ? model.program->pools : model.problem->pools;
        if (!namesMemorySpaces(target.pools, edits) && model.program && hasMemorySpaces(*model.program)) target.pools.clear();
    }
    // An unbounded arena that nobody asked for is a way to say "no pools".
    if (target.pools.size() == 1 && target.pools[0].name == "arena" && !target.pools[0].capacity && !edits.pools.empty() &&
        edits.pools[0].first != "arena")
        target.pools.clear();
    const bool defining = target.pools.empty() && !edits.pools.empty();

    for (const auto& [name, bytes] : edits.pools) {
        const auto found = std::find_if(target.pools.begin(), target.pools.end(),
                                        [&wanted = name](const Pool& pool) { return pool.name == wanted; });
        if (found != target.pools.end()) {
            found->capacity = bytes;
        } else if (defining) {
            Pool pool;
            pool.name = name;
            pool.core = io::coreMemoryNamed(name);
            pool.capacity = bytes;
            target.pools.push_back(std::move(pool));
        } else {
            return failure(Code::unknownPool, fmt::format("there is no pool named '{}'", name), {},
                           fmt::format("the pools are: {}", joined(target.pools)));
        }
    }
    if (edits.capacity) {
        if (target.pools.empty()) {
            target.pools.emplace_back();
            target.pools.back().name = "arena";
        }
        const auto isWorkspace = [](const Pool& pool) { return pool.kind == PoolKind::workspace; };
        if (std::count_if(target.pools.begin(), target.pools.end(), isWorkspace) != 1)
            return failure(Code::whichPool, "a capacity alone needs exactly one workspace pool", {},
                           fmt::format("say which one with --pool NAME=BYTES; the pools are: {}", joined(target.pools)));
        Pool& only = *std::find_if(target.pools.begin(), target.pools.end(), isWorkspace);
        if (std::ranges::find(edits.pools, only.name, &std::pair<std::string, Bytes>::first) != edits.pools.end())
            return failure(Code::whichPool, fmt::format("pool {} is given two capacities", only.name), {},
                           "give one: by --capacity, or by --pool");
        only.capacity = edits.capacity;
    }
    return target;
}

} // namespace stowage
