// What the tests of lowering have in common.
#pragma once

#include "core/lower/lower.h"
#include "tests/core/program_builder.h"

#include <QString>
#include <QStringList>

namespace stowage::test {

inline Lowering lowered(const Program& program, const LowerOptions& options = {})
{
    auto result = lower(program, options);
    if (!result) qFatal("%s", toText(result.error()).c_str());
    return *std::move(result);
}

inline const Buffer* find(const Lowering& lowering, std::string_view name)
{
    for (const Buffer& buffer : lowering.problem.buffers)
        if (buffer.name == name) return &buffer;
    return nullptr;
}

/// The live ranges of a buffer as text; "-" when there is no such buffer.
inline QString live(const Lowering& lowering, std::string_view name)
{
    const Buffer* buffer = find(lowering, name);
    if (!buffer) return QStringLiteral("-");
    QStringList parts;
    for (const Interval& range : buffer->live) parts << QStringLiteral("%1-%2").arg(range.begin).arg(range.end);
    return parts.join(QLatin1Char(' '));
}

inline TensorBinding bound(const Lowering& lowering, TensorId tensor, std::size_t instance = 0)
{
    return lowering.instances[instance].bindings[static_cast<std::size_t>(tensor)];
}

inline bool sameBytes(const Lowering& lowering, TensorId a, TensorId b)
{
    return bound(lowering, a).buffer == bound(lowering, b).buffer && bound(lowering, a).delta == bound(lowering, b).delta;
}

inline LowerOptions with(std::initializer_list<std::pair<const char*, const char*>> values)
{
    LowerOptions options;
    for (const auto& [key, value] : values)
        if (auto error = options.set(key, value)) qFatal("%s", toText(*error).c_str());
    return options;
}

inline Pool pool(const char* name, PoolKind kind = PoolKind::workspace, std::vector<std::string> targets = {})
{
    Pool made;
    made.name = name;
    made.kind = kind;
    made.targets = std::move(targets);
    return made;
}

} // namespace stowage::test
