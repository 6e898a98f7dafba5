#include "app/desktop/tables/sources.h"

#include "app/desktop/buffer_filter.h"
#include "app/desktop/widgets/error_card.h"
#include "core/explain/displaced.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace stowage {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Tables", text);
}

QString utf8(const std::string& text)
{
    return nameText(text);
}

/// Fills keys from a function of the row.
template <typename Function>
SortKeys numbers(std::size_t rows, Function key)
{
    std::vector<std::int64_t> keys(rows);
    for (std::size_t i = 0; i < rows; ++i) keys[i] = std::int64_t(key(i));
    return keys;
}

template <typename Function>
SortKeys texts(std::size_t rows, Function key)
{
    std::vector<std::string_view> keys(rows);
    for (std::size_t i = 0; i < rows; ++i) keys[i] = key(i);
    return keys;
}

const char* kindText(BufferKind kind)
{
    switch (kind) {
    case BufferKind::intermediate: return "intermediate";
    case BufferKind::input: return "input";
    case BufferKind::output: return "output";
    case BufferKind::constant: return "constant";
    case BufferKind::variable: return "variable";
    }
    return "";
}

/// What was pushed out of the pools of a run, by buffer. Empty with one pool.
class Fallbacks {
public:
    explicit Fallbacks(const Run& run)
    {
        if (run.problem().pools.size() < 2) return;
        pools_ = displacements(run.problem(), run.plan);
        for (const PoolDisplacement& pool : pools_)
            for (const Displaced& out : pool.displaced) byBuffer_.try_emplace(out.buffer, Entry{&pool, &out});
    }
    struct Entry {
        const PoolDisplacement* pool = nullptr;
        const Displaced* out = nullptr;
    };
    [[nodiscard]] const Entry* of(std::size_t buffer) const
    {
        const auto found = byBuffer_.find(BufferId(buffer));
        return found == byBuffer_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const PoolDisplacement* from(PoolId pool) const
    {
        const auto found = std::ranges::find(pools_, pool, &PoolDisplacement::pool);
        return found == pools_.end() ? nullptr : &*found;
    }

private:
    std::vector<PoolDisplacement> pools_;
    std::unordered_map<BufferId, Entry> byBuffer_;
};

/// Buffers; those that live inside an operator are nested under a row of their own for it.
class BufferRows : public RowSource {
public:
    explicit BufferRows(std::shared_ptr<const Run> run) : run_(std::move(run)), fallbacks_(*run_)
    {
        const auto& buffers = problem().buffers;
        for (std::size_t s = 0; s < problem().scopes.size(); ++s) {
            Operator entry;
            entry.hull = {problem().horizon(), 0};
            operators_.push_back(entry);
        }
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            if (buffers[i].scope == none) continue;
            Operator& entry = operators_[std::size_t(buffers[i].scope)];
            ++entry.count;
            entry.bytes += buffers[i].size;
            entry.area += area(i);
            entry.hull.begin = std::min(entry.hull.begin, buffers[i].hull().begin);
            entry.hull.end = std::max(entry.hull.end, buffers[i].hull().end);
            entry.members.push_back(std::uint32_t(i));
        }
    }

    // First what says where a buffer lives and when: narrow windows show that without scrolling. An address is one in its pool.
    enum Column { Id, Name, Size, Pool, Offset, End, First, Last, Steps, Kind, Alignment, Area, PushedOut, More, Slots };

    std::size_t rows() const override { return problem().buffers.size() + operators_.size(); }
    const std::vector<RowColumn>& columns() const override
    {
        static const std::vector<RowColumn> list{
            {tr("id"), true, false, 64, tr("Place of the buffer in the list of the problem, from 0")},
            {tr("buffer"), false, false, 280},
            {tr("size"), true, true, 108},
            {tr("pool"), false, false, 110},
            {tr("offset"), true, false, 100},
            {tr("end"), true, false, 100, tr("The first address after the buffer: its offset plus its size")},
            {tr("first step"), true, false, 84, tr("The first step in which the buffer is live")},
            {tr("end step"), true, false, 84, tr("The step after the last one in which the buffer is live")},
            {tr("steps"), true, false, 72, tr("Count of the steps in which the buffer is live")},
            {tr("kind"), false, false, 96, tr("Intermediate, input, output, constant or variable")},
            {tr("align"), true, false, 64},
            {tr("bytes × steps"), true, false, 130, tr("The size times the count of steps in which the buffer is live")},
            {tr("fallback from"), false, false, 110},
            {tr("bytes to return"), true, true, 140,
             tr("Bytes that the pool of \"fallback from\" lacks to take the buffer back")},
            {tr("slots"), true, false, 100, tr("The addresses that a rotating buffer takes in turn")}};
        return list;
    }
    QString text(std::size_t row, int column, const NumberFormat& numbers) const override
    {
        if (row >= problem().buffers.size()) return operatorText(row - problem().buffers.size(), column, numbers);
        const Buffer& buffer = problem().buffers[row];
        const Placement& placement = run_->plan.placements[row];
        switch (column) {
        case Id: return QString::number(row);
        case Name: return buffer.scope == none ? utf8(buffer.name) : QStringLiteral("      ") + utf8(buffer.name);
        case Kind: return tr(kindText(buffer.kind));
        case Pool: return placement.placed() ? utf8(problem().pools[std::size_t(placement.pool)].name) : tr("not placed");
        case Offset: return placement.placed() ? addressText(placement.offset, numbers) : QString();
        case End: return placement.placed() ? addressText(placement.offset + buffer.size, numbers) : QString();
        case Size: return bytesNumber(buffer.size, numbers);
        case Alignment: return countText(buffer.alignment);
        case First: return countText(buffer.hull().begin);
        case Last: return countText(buffer.hull().end);
        case Steps: return countText(lifetime(buffer));
        case Area: return areaText(area(row));
        case PushedOut:
            if (const auto* entry = fallbacks_.of(row)) return utf8(problem().pools[std::size_t(entry->pool->pool)].name);
            return {};
        case More:
            if (const auto* entry = fallbacks_.of(row); entry && entry->out->more) return bytesNumber(*entry->out->more, numbers);
            return {};
        case Slots: return slotsText(placement, numbers);
        default: return {};
        }
    }
    SortKeys keys(int column) const override
    {
        const auto& buffers = problem().buffers;
        const auto& placements = run_->plan.placements;
        const std::size_t n = buffers.size();
        const auto number = [&](auto ofBuffer, auto ofOperator) {
            return numbers(rows(), [&](std::size_t i) {
                return i < n ? std::int64_t(ofBuffer(i)) : std::int64_t(ofOperator(operators_[i - n]));
            });
        };
        const auto nothing = [](const Operator&) { return -1; };
        switch (column) {
        case Name:
            return texts(rows(), [&](std::size_t i) {
                return i < n ? std::string_view(buffers[i].name) : std::string_view(problem().scopes[i - n].name);
            });
        case Kind: return number([&](std::size_t i) { return int(buffers[i].kind); }, nothing);
        case Pool: return number([&](std::size_t i) { return placements[i].pool; }, nothing);
        case Offset: return number([&](std::size_t i) { return placements[i].placed() ? placements[i].offset : -1; }, nothing);
        case End:
            return number([&](std::size_t i) { return placements[i].placed() ? placements[i].offset + buffers[i].size : -1; },
                          nothing);
        case Size: return number([&](std::size_t i) { return buffers[i].size; }, [](const Operator& o) { return o.bytes; });
        case Alignment: return number([&](std::size_t i) { return buffers[i].alignment; }, nothing);
        case First:
            return number([&](std::size_t i) { return buffers[i].hull().begin; }, [](const Operator& o) { return o.hull.begin; });
        case Last:
            return number([&](std::size_t i) { return buffers[i].hull().end; }, [](const Operator& o) { return o.hull.end; });
        case Steps:
            return number([&](std::size_t i) { return lifetime(buffers[i]); }, [](const Operator& o) { return o.hull.length(); });
        case Area:
            return number([&](std::size_t i) { return std::min(area(i), 9.2e18); },
                          [](const Operator& o) { return std::min(o.area, 9.2e18); });
        case PushedOut:
            return number([&](std::size_t i) { return fallbacks_.of(i) ? fallbacks_.of(i)->pool->pool : -1; }, nothing);
        case More:
            return number([&](std::size_t i) { return fallbacks_.of(i) ? fallbacks_.of(i)->out->more.value_or(-1) : -1; },
                          nothing);
        case Slots: return number([&](std::size_t i) { return placements[i].offsets.size(); }, nothing);
        default: return numbers(rows(), [](std::size_t i) { return i; });
        }
    }
    BufferId buffer(std::size_t row) const override { return row < problem().buffers.size() ? BufferId(row) : none; }
    bool sums(std::size_t row) const override { return row >= problem().buffers.size(); }
    std::int64_t parent(std::size_t row) const override
    {
        if (row >= problem().buffers.size() || problem().buffers[row].scope == none) return -1;
        return std::int64_t(problem().buffers.size()) + problem().buffers[row].scope;
    }
    bool passes(std::size_t row, const std::vector<bool>& shown) const override
    {
        if (row < problem().buffers.size()) return row < shown.size() && shown[row];
        return std::ranges::any_of(operators_[row - problem().buffers.size()].members,
                                   [&](std::uint32_t i) { return i < shown.size() && shown[i]; });
    }

private:
    struct Operator {
        std::size_t count = 0;
        Bytes bytes = 0;
        double area = 0;
        Interval hull;
        std::vector<std::uint32_t> members;
    };
    [[nodiscard]] const Problem& problem() const { return run_->problem(); }
    /// As a double: the product of two accepted values may exceed 64 bits.
    [[nodiscard]] double area(std::size_t row) const
    {
        return double(problem().buffers[row].size) * double(lifetime(problem().buffers[row]));
    }
    static QString areaText(double value)
    {
        return QString::number(value, 'g', 12).size() > 13 ? QString::number(value, 'e', 3) : countText(std::int64_t(value));
    }
    /// The addresses that a rotating buffer takes in turn; empty for others.
    static QString slotsText(const Placement& placement, const NumberFormat& numbers)
    {
        QStringList addresses;
        if (placement.offsets.size() < 2) return {};
        for (const Bytes offset : placement.offsets) addresses << addressText(offset, numbers);
        return addresses.join(u' ');
    }
    [[nodiscard]] QString operatorText(std::size_t index, int column, const NumberFormat& numbers) const
    {
        const Operator& entry = operators_[index];
        switch (column) {
        case Name:
            return QStringLiteral("▾ %1, %2")
                .arg(utf8(problem().scopes[index].name), countedText(std::int64_t(entry.count), tr("buffer")));
        case Kind: return tr("operator");
        case Size: return bytesNumber(entry.bytes, numbers);
        case First: return countText(entry.hull.begin);
        case Last: return countText(entry.hull.end);
        case Steps: return countText(entry.hull.length());
        case Area: return areaText(entry.area);
        default: return {};
        }
    }

    std::shared_ptr<const Run> run_;
    Fallbacks fallbacks_;
    std::vector<Operator> operators_;
};

class OpRows : public RowSource {
public:
    explicit OpRows(std::shared_ptr<const Run> run) : run_(std::move(run))
    {
        const Lowering& lowering = *run_->lowering;
        for (std::size_t step = 0; step < lowering.steps.size(); ++step) {
            const StepInfo& info = lowering.steps[step];
            if (info.op == none || info.instance < 0 || std::size_t(info.instance) >= lowering.instances.size()) continue;
            Row row;
            row.step = Step(step);
            row.function = info.function;
            row.op = info.op;
            const auto& bindings = lowering.instances[std::size_t(info.instance)].bindings;
            const Op& op = opOf(row);
            const auto touch = [&](const std::vector<TensorId>& tensors, Bytes& sum, bool written) {
                for (const TensorId tensor : tensors) {
                    if (tensor < 0 || std::size_t(tensor) >= bindings.size()) continue;
                    const BufferId buffer = bindings[std::size_t(tensor)].buffer;
                    if (buffer == none) continue;
                    sum += run_->problem().buffers[std::size_t(buffer)].size;
                    if (row.buffer == none || (written && !row.hasOutput)) row.buffer = buffer;
                    row.hasOutput |= written;
                    touched_.push_back(buffer);
                }
            };
            row.firstTouched = std::uint32_t(touched_.size());
            touch(op.inputs, row.read, false);
            touch(op.outputs, row.written, true);
            touch(op.temps, row.scratch, false);
            row.endTouched = std::uint32_t(touched_.size());
            rows_.push_back(row);
        }
    }
    enum Column { StepColumn, Name, Kind, Read, Written, Scratch, Touched, Function };

    std::size_t rows() const override { return rows_.size(); }
    const std::vector<RowColumn>& columns() const override
    {
        static const std::vector<RowColumn> list{
            {tr("step"), true, false, 72},
            {tr("op"), false, false, 280, tr("Name of the op in the program")},
            {tr("kind"), false, false, 150, tr("What the op computes, as the file calls it")},
            {tr("reads"), true, true, 108, tr("Bytes of the buffers that the op reads")},
            {tr("writes"), true, true, 108, tr("Bytes of the buffers that the op writes")},
            {tr("scratch"), true, true, 108},
            {tr("buffers"), true, false, 80, tr("Count of the buffers that the op reads, writes or uses as scratch")},
            {tr("function"), false, false, 120, tr("The function of the program that has the op")}};
        return list;
    }
    QString text(std::size_t index, int column, const NumberFormat& format) const override
    {
        const Row& row = rows_[index];
        switch (column) {
        case StepColumn: return countText(row.step);
        case Name: return utf8(opOf(row).name);
        case Kind: return utf8(opOf(row).kind);
        case Function: return utf8(run_->program->functions[std::size_t(row.function)].name);
        case Read: return bytesNumber(row.read, format);
        case Written: return bytesNumber(row.written, format);
        case Scratch: return bytesNumber(row.scratch, format);
        case Touched: return countText(row.endTouched - row.firstTouched);
        default: return {};
        }
    }
    SortKeys keys(int column) const override
    {
        const std::size_t n = rows_.size();
        switch (column) {
        case Name: return texts(n, [&](std::size_t i) { return std::string_view(opOf(rows_[i]).name); });
        case Kind: return texts(n, [&](std::size_t i) { return std::string_view(opOf(rows_[i]).kind); });
        case Function: return numbers(n, [&](std::size_t i) { return rows_[i].function; });
        case Read: return numbers(n, [&](std::size_t i) { return rows_[i].read; });
        case Written: return numbers(n, [&](std::size_t i) { return rows_[i].written; });
        case Scratch: return numbers(n, [&](std::size_t i) { return rows_[i].scratch; });
        case Touched: return numbers(n, [&](std::size_t i) { return rows_[i].endTouched - rows_[i].firstTouched; });
        default: return numbers(n, [&](std::size_t i) { return rows_[i].step; });
        }
    }
    BufferId buffer(std::size_t row) const override { return rows_[row].buffer; }
    bool passes(std::size_t row, const std::vector<bool>& shown) const override
    {
        for (std::uint32_t i = rows_[row].firstTouched; i < rows_[row].endTouched; ++i)
            if (std::size_t(touched_[i]) < shown.size() && shown[std::size_t(touched_[i])]) return true;
        return false;
    }

private:
    struct Row {
        Step step = 0;
        FunctionId function = none;
        OpId op = none;
        BufferId buffer = none; ///< of its first output, else input
        bool hasOutput = false;
        Bytes read = 0, written = 0, scratch = 0;
        std::uint32_t firstTouched = 0, endTouched = 0;
    };
    [[nodiscard]] const Op& opOf(const Row& row) const
    {
        return run_->program->functions[std::size_t(row.function)].ops[std::size_t(row.op)];
    }

    std::shared_ptr<const Run> run_;
    std::vector<Row> rows_;
    std::vector<BufferId> touched_;
};

class PoolRows : public RowSource {
public:
    explicit PoolRows(std::shared_ptr<const Run> run) : run_(std::move(run)), fallbacks_(*run_) {}
    enum Column {
        Name,
        Kind,
        Buffers,
        Size,
        Bound,
        Gap,
        Capacity,
        Excess,
        Peak,
        PeakStep,
        Free,
        Padding,
        PushedOut,
        BytesOut,
        More
    };

    std::size_t rows() const override { return run_->report.pools.size(); }
    const std::vector<RowColumn>& columns() const override
    {
        static const std::vector<RowColumn> list{
            {tr("pool"), false, false, 160},
            {tr("kind"), false, false, 100, tr("Workspace, constants, or persistent (variables)")},
            {tr("buffers"), true, false, 84, tr("Count of the buffers that lie in the pool")},
            {tr("size"), true, true, 120},
            {tr("lower bound"), true, true, 130},
            {tr("gap"), true, false, 84},
            {tr("capacity"), true, true, 120},
            {tr("excess"), true, true, 110},
            {tr("live at peak"), true, true, 130},
            {tr("peak step"), true, false, 90},
            {tr("free at peak"), true, true, 130},
            {tr("padding"), true, true, 110},
            {tr("pushed out"), true, false, 96, tr("Count of the buffers that prefer this pool and lie in another one")},
            {tr("bytes pushed out"), true, true, 150, tr("Bytes of the buffers that prefer this pool and lie in another one")},
            {tr("bytes to return one"), true, true, 150, tr("The fewest bytes that the pool lacks to take one of them back")}};
        return list;
    }
    QString text(std::size_t row, int column, const NumberFormat& format) const override
    {
        const PoolReport& pool = run_->report.pools[row];
        switch (column) {
        case Name: return utf8(run_->problem().pools[std::size_t(pool.pool)].name);
        case Kind: {
            const PoolKind kind = run_->problem().pools[std::size_t(pool.pool)].kind;
            return kind == PoolKind::constant     ? tr("constants")
                   : kind == PoolKind::persistent ? tr("persistent")
                                                  : tr("workspace");
        }
        case Buffers: return countText(std::int64_t(pool.buffers));
        case Size: return bytesNumber(pool.size, format);
        case Bound: return bytesNumber(pool.lowerBound, format);
        case Gap: return percentText(pool.gap());
        case Capacity:
            return pool.capacity ? bytesNumber(*pool.capacity, format)
                   : run_->problem().pools[std::size_t(pool.pool)].core != CoreMemory::outside ? tr("not known")
                                                                                               : tr("unbounded");
        case Excess: return bytesNumber(pool.excess, format);
        case Peak: return bytesNumber(pool.liveAtPeak, format);
        case PeakStep: return pool.peakStep >= 0 ? countText(pool.peakStep) : QString();
        case Free: return bytesNumber(pool.freeAtPeak, format);
        case Padding: return bytesNumber(pool.padding, format);
        case PushedOut: return countText(std::int64_t(out(row)));
        case BytesOut: return bytesNumber(fallbacks_.from(pool.pool) ? fallbacks_.from(pool.pool)->bytes : 0, format);
        case More: {
            const auto more = least(row);
            return more ? bytesNumber(*more, format) : QString();
        }
        default: return {};
        }
    }
    SortKeys keys(int column) const override
    {
        const auto& pools = run_->report.pools;
        return numbers(pools.size(), [&](std::size_t i) -> std::int64_t {
            switch (column) {
            case Kind: return int(run_->problem().pools[std::size_t(pools[i].pool)].kind);
            case Buffers: return std::int64_t(pools[i].buffers);
            case Size: return pools[i].size;
            case Bound: return pools[i].lowerBound;
            case Gap: return std::int64_t(pools[i].gap() * 1e6);
            case Capacity: return pools[i].capacity.value_or(INT64_MAX);
            case Excess: return pools[i].excess;
            case Peak: return pools[i].liveAtPeak;
            case PeakStep: return pools[i].peakStep;
            case Free: return pools[i].freeAtPeak;
            case Padding: return pools[i].padding;
            case PushedOut: return std::int64_t(out(i));
            case BytesOut: return fallbacks_.from(pools[i].pool) ? fallbacks_.from(pools[i].pool)->bytes : 0;
            case More: return least(i).value_or(-1);
            default: return pools[i].pool;
            }
        });
    }
    BufferId buffer(std::size_t) const override { return none; }
    bool passes(std::size_t, const std::vector<bool>&) const override { return true; }

private:
    [[nodiscard]] std::size_t out(std::size_t row) const
    {
        const PoolDisplacement* from = fallbacks_.from(run_->report.pools[row].pool);
        return from ? from->displaced.size() : 0;
    }
    /// The fewest bytes that are known to bring one of them back.
    [[nodiscard]] std::optional<Bytes> least(std::size_t row) const
    {
        const PoolDisplacement* from = fallbacks_.from(run_->report.pools[row].pool);
        return from && !from->displaced.empty() ? from->displaced.front().more : std::nullopt;
    }

    std::shared_ptr<const Run> run_;
    Fallbacks fallbacks_;
};

class DiagnosticRows : public RowSource {
public:
    explicit DiagnosticRows(Diagnostics diagnostics) : diagnostics_(std::move(diagnostics)) {}
    enum Column { Level, Message, Where, Remedy, Code };

    std::size_t rows() const override { return diagnostics_.size(); }
    const std::vector<RowColumn>& columns() const override
    {
        static const std::vector<RowColumn> list{
            {tr("severity"), false, false, 90, tr("Error, warning or note")},
            {tr("message"), false, false, 520, tr("What was found")},
            {tr("where"), false, false, 220, tr("The file and the line")},
            {tr("to fix"), false, false, 320, tr("What would help")},
            {tr("code"), false, false, 160, tr("The name of the message for programs, which stays when its words change")}};
        return list;
    }
    QString text(std::size_t row, int column, const NumberFormat&) const override
    {
        const Diagnostic& diagnostic = diagnostics_[row];
        switch (column) {
        case Level: return QString::fromStdString(std::string(toText(diagnostic.severity)));
        case Message: return utf8(diagnostic.message);
        case Where: return whereText(diagnostic.where);
        case Remedy: return utf8(diagnostic.remedy);
        case Code: return utf8(std::string(codeText(diagnostic)));
        default: return {};
        }
    }
    SortKeys keys(int column) const override
    {
        const std::size_t n = diagnostics_.size();
        switch (column) {
        case Message: return texts(n, [&](std::size_t i) { return std::string_view(diagnostics_[i].message); });
        case Where: return texts(n, [&](std::size_t i) { return std::string_view(diagnostics_[i].where.file); });
        case Remedy: return texts(n, [&](std::size_t i) { return std::string_view(diagnostics_[i].remedy); });
        case Code: return texts(n, [&](std::size_t i) { return codeText(diagnostics_[i]); });
        default: return numbers(n, [&](std::size_t i) { return int(diagnostics_[i].severity); });
        }
    }
    BufferId buffer(std::size_t) const override { return none; }
    bool passes(std::size_t, const std::vector<bool>&) const override { return true; }

private:
    Diagnostics diagnostics_;
};

} // namespace

std::shared_ptr<const RowSource> bufferRows(std::shared_ptr<const Run> run)
{
    return run ? std::make_shared<BufferRows>(std::move(run)) : nullptr;
}

std::shared_ptr<const RowSource> opRows(std::shared_ptr<const Run> run)
{
    return run && run->program ? std::make_shared<OpRows>(std::move(run)) : nullptr;
}

std::shared_ptr<const RowSource> poolRows(std::shared_ptr<const Run> run)
{
    return run ? std::make_shared<PoolRows>(std::move(run)) : nullptr;
}

Diagnostics allDiagnostics(const Diagnostics& imported, const Run* run)
{
    Diagnostics all = imported;
    if (run) {
        all.insert(all.end(), run->lowering->diagnostics.begin(), run->lowering->diagnostics.end());
        all.insert(all.end(), run->plan.diagnostics.begin(), run->plan.diagnostics.end());
        for (const Violation& violation : run->report.verdict.violations) {
            Diagnostic diagnostic;
            diagnostic.severity = Severity::error;
            diagnostic.code =
                violation.kind == ViolationKind::overCapacity ? stowage::Code::overflow : stowage::Code::invalidPlan;
            diagnostic.message = describe(run->problem(), violation);
            all.push_back(std::move(diagnostic));
        }
    }
    std::ranges::stable_sort(all, [](const Diagnostic& a, const Diagnostic& b) { return int(a.severity) > int(b.severity); });
    return all;
}

std::shared_ptr<const RowSource> diagnosticRows(const Diagnostics& imported, const std::shared_ptr<const Run>& run)
{
    return std::make_shared<DiagnosticRows>(allDiagnostics(imported, run.get()));
}

} // namespace stowage
