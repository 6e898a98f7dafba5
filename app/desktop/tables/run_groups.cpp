#include "app/desktop/tables/run_groups.h"

#include "app/desktop/panels/tried_changes.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace stowage {

namespace {

class RunGroups {
    Q_DECLARE_TR_FUNCTIONS(RunGroups)

public:
    /// The name of a target as it was before its pools were edited.
    static QString unedited(QString name)
    {
        while (name.endsWith(u'*')) name.chop(1);
        // The model's own have no name until they are edited. The other one is their name in older sessions.
        return name == tr("own pools") || name == u"own memories" ? QString() : name;
    }

    static void ofPools(QStringList& found, const SetupOf& theirs, const SetupOf& ours, const NumberFormat& numbers)
    {
        const Target &there = theirs.request->target, &here = ours.request->target;
        if (there.name == here.name && there.pools == here.pools) return;
        const bool known = theirs.problem && ours.problem;
        const std::vector<Pool>& their = known ? theirs.problem->pools : there.pools;
        const std::vector<Pool>& our = known ? ours.problem->pools : here.pools;
        const qsizetype before = found.size();
        if (unedited(there.name) != unedited(here.name) || !known) {
            if (there.name != here.name) {
                found << (there.name.isEmpty() ? tr("own pools") : tr("target %1").arg(there.name));
                return;
            }
        }
        const auto capacity = [&](const Pool& pool) {
            return pool.capacity ? bytesText(*pool.capacity, numbers) : tr("without a capacity");
        };
        for (const Pool& pool : their) {
            const auto same = std::ranges::find(our, pool.name, &Pool::name);
            if (same == our.end())
                found << tr("with %1").arg(nameText(pool.name));
            else if (same->capacity != pool.capacity)
                found << tr("%1 %2 (now %3)").arg(nameText(pool.name), capacity(pool), capacity(*same));
        }
        for (const Pool& pool : our)
            if (std::ranges::find(their, pool.name, &Pool::name) == their.end())
                found << tr("without %1").arg(nameText(pool.name));
        if (found.size() == before) found << tr("other properties of the pools");
    }

    static void ofLowering(QStringList& found, const OptionValues& theirs, const OptionValues& ours)
    {
        const auto valueIn = [](const OptionValues& values, const std::string& name) -> const std::string* {
            const auto at = std::ranges::find(values, name, &OptionValues::value_type::first);
            return at == values.end() ? nullptr : &at->second;
        };
        for (const auto& [name, value] : theirs)
            if (const std::string* other = valueIn(ours, name); !other || *other != value)
                found << QString::fromStdString(name + '=' + value);
        for (const auto& [name, value] : ours)
            if (!valueIn(theirs, name)) found << tr("%1 by default").arg(QString::fromStdString(name));
    }

    static void ofPins(QStringList& found, const PlanRequest& request, const PlanRequest& now, const NumberFormat& numbers)
    {
        for (const PinRequest& pin : request.pins)
            if (std::ranges::find(now.pins, pin) == now.pins.end())
                found << tr("%1 pinned at %2").arg(nameText(pin.buffer), addressText(pin.offset, numbers));
        for (const PinRequest& pin : now.pins)
            if (std::ranges::find(request.pins, pin.buffer, &PinRequest::buffer) == request.pins.end())
                found << tr("%1 not pinned").arg(nameText(pin.buffer));
    }

    static void ofChanges(QStringList& found, const PlanRequest& request, const PlanRequest& now, const NumberFormat& numbers)
    {
        const auto text = [&](const Change& change) { return changeText(change, numbers); };
        for (const Change& change : request.changes)
            if (std::ranges::find(now.changes, change) == now.changes.end()) found << text(change);
        for (const Change& change : now.changes)
            if (std::ranges::find(request.changes, change) == request.changes.end()) found << tr("without: %1").arg(text(change));
    }

    static QString alignment(Bytes bytes)
    {
        return bytes == elementAlignment ? tr("alignment of elements") : tr("alignment %1").arg(countText(bytes));
    }
    static QString more(qsizetype count) { return tr("%1 more").arg(count); }
    static QString without(const QStringList& fields) { return tr("without %1").arg(fields.join(QStringLiteral(", "))); }
    static QString order() { return tr("the same edits in another order"); }
};

} // namespace

QString setupDifference(const SetupOf& theirs, const SetupOf& ours, const NumberFormat& numbers)
{
    const PlanRequest &request = *theirs.request, &now = *ours.request;
    if (sameSetup(request, now)) return {};
    QStringList found;
    RunGroups::ofPools(found, theirs, ours, numbers);
    if (request.alignment != now.alignment) found << RunGroups::alignment(request.alignment);
    RunGroups::ofLowering(found, request.lowering, now.lowering);
    RunGroups::ofPins(found, request, now, numbers);
    RunGroups::ofChanges(found, request, now, numbers);
    if (found.isEmpty()) return RunGroups::order();
    constexpr qsizetype shown = 3;
    if (const qsizetype rest = found.size() - shown; rest > 0) found = found.mid(0, shown) << RunGroups::more(rest);
    return found.join(QStringLiteral(", "));
}

QString loweringDifference(const Fingerprint& other, const Fingerprint& shown)
{
    const auto known = shown.fields(), own = other.fields();
    const auto key = [](const auto& field) { return QString::fromUtf8(field.first.data(), qsizetype(field.first.size())); };
    QStringList found, missing;
    for (const auto& field : own)
        if (std::ranges::find(known, field) == known.end())
            found << QStringLiteral("%1=%2").arg(key(field), QString::fromStdString(field.second));
    if (!found.isEmpty()) return found.join(u' ');
    for (const auto& field : known)
        if (std::ranges::find(own, field) == own.end()) missing << key(field);
    return missing.isEmpty() ? QString() : RunGroups::without(missing);
}

QString runColumnTip(RunColumn column)
{
    switch (column) {
    case RunColumn::planner: return RunGroups::tr("The algorithm that made the plan");
    case RunColumn::verdict: return RunGroups::tr("The verdict of the checker, which judges every plan in the same way");
    case RunColumn::bar:
        return RunGroups::tr("Grey up to the lower bound, with a mark at its end; amber or red up to the size; a red mark at the "
                             "capacity where one pool is used. A cut bar is longer than twice the smallest lower bound");
    case RunColumn::time: return RunGroups::tr("Time that the planner took on this machine");
    case RunColumn::remark: return RunGroups::tr("The proof, what stopped the planner, or what is wrong with the plan");
    }
    return {};
}

} // namespace stowage
