// Models and C code that tst_c_source.cpp, which alone includes this, compiles and runs.
#pragma once

#include "tests/cli/c_loop_model.h"
#include "tests/cli/cli_process.h"

#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace stowage::test;

namespace {

// A convolution with padding and products of its own (called twice), constants, a temporary, a view.
constexpr const char* firstModel = R"({"format": "stowage.program/1", "name": "first", "entry": "main", "functions": [
  {"name": "main", "inputs": ["x"], "outputs": ["y"],
   "tensors": [{"name": "x", "kind": "input", "bytes": 48}, {"name": "w0", "kind": "constant", "bytes": 12},
               {"name": "w1", "kind": "constant", "bytes": 200}, {"name": "a", "bytes": 64, "alignment": 16},
               {"name": "b", "bytes": 40},
               {"name": "c", "bytes": 40}, {"name": "half", "alias_of": "c", "alias_offset": 8, "bytes": 16},
               {"name": "s", "bytes": 24},
               {"name": "y", "kind": "output", "bytes": 20}],
   "ops": [{"name": "begin", "kind": "conv2d", "inputs": ["x", "w0"], "outputs": ["a"], "temps": ["s"]},
           {"name": "one", "kind": "call", "callee": "fused", "inputs": ["a"], "outputs": ["b"]},
           {"name": "mix", "kind": "add", "inputs": ["a", "b", "w1"], "outputs": ["c"]},
           {"name": "end", "kind": "dense", "inputs": ["half", "b"], "outputs": ["y"]}]},
  {"name": "fused", "inputs": ["in"], "outputs": ["out"],
   "tensors": [{"name": "in", "kind": "input", "bytes": 64}, {"name": "padded", "bytes": 72, "alignment": 8},
               {"name": "products", "bytes": 12},
               {"name": "out", "kind": "output", "bytes": 40}],
   "ops": [{"name": "pad", "kind": "pad", "inputs": ["in"], "outputs": ["padded"]},
           {"name": "multiply", "kind": "dot", "inputs": ["padded"], "outputs": ["products"]},
           {"name": "scale", "kind": "mul", "inputs": ["padded", "products"], "outputs": ["out"]}]}]})";

constexpr const char* secondModel = R"({"format": "stowage.program/1", "name": "second", "entry": "main", "functions": [
  {"name": "main", "inputs": ["in/0", "1st"], "outputs": ["int"],
   "tensors": [{"name": "in/0", "kind": "input", "bytes": 100}, {"name": "1st", "kind": "input", "bytes": 8},
               {"name": "t-0", "bytes": 300},
               {"name": "t_0", "bytes": 30}, {"name": "int", "kind": "output", "bytes": 10}],
   "ops": [{"name": "for", "kind": "conv2d", "inputs": ["in/0", "1st"], "outputs": ["t-0"]},
           {"name": "middle", "kind": "relu", "inputs": ["t-0"], "outputs": ["t_0"]},
           {"name": "last", "kind": "dense", "inputs": ["t_0", "1st"], "outputs": ["int"]}]}]})";

constexpr const char* flowModel = R"({"format": "stowage.program/1", "name": "flow", "entry": "main", "functions": [
  {"name": "main", "inputs": ["x"], "outputs": ["y"],
   "tensors": [{"name": "x", "kind": "input", "bytes": 16}, {"name": "w", "kind": "constant", "bytes": 8},
               {"name": "s0", "bytes": 16}, {"name": "c0", "bytes": 1},
               {"name": "c1", "bytes": 1}, {"name": "s1", "bytes": 16}, {"name": "all", "bytes": 80}, {"name": "z", "bytes": 16},
               {"name": "a", "bytes": 16}, {"name": "b", "bytes": 16}, {"name": "y", "kind": "output", "bytes": 20}],
   "ops": [{"name": "begin", "kind": "conv2d", "inputs": ["x"], "outputs": ["s0"]},
           {"name": "zero", "kind": "fill", "inputs": ["x"], "outputs": ["c0"]},
           {"name": "loop", "kind": "while", "inputs": ["c0", "s0", "w"], "outputs": ["c1", "s1", "all"],
            "carries": [{"from": "nc", "to": "pc"}, {"from": "ns", "to": "ps"}],
            "cond": {"inputs": ["cc", "cs"], "outputs": ["t"],
                     "tensors": [{"name": "cc", "bytes": 1}, {"name": "cs", "bytes": 16}, {"name": "t", "bytes": 1}],
                     "ops": [{"name": "less", "kind": "less", "inputs": ["cc"], "outputs": ["t"]}]},
            "body": {"inputs": ["pc", "ps", "pw"], "outputs": ["nc", "ns", "ns"],
                     "tensors": [{"name": "pc", "bytes": 1}, {"name": "ps", "bytes": 16}, {"name": "pw", "bytes": 8},
                                 {"name": "nc", "bytes": 1},
                                 {"name": "sel", "dtype": "i32", "shape": []}, {"name": "picked", "bytes": 16},
                                 {"name": "ns", "bytes": 16}],
                     "ops": [{"name": "third", "kind": "mod", "inputs": ["pc"], "outputs": ["sel"]},
                             {"name": "inc", "kind": "add", "inputs": ["pc"], "outputs": ["nc"]},
                             {"name": "pick", "kind": "case", "inputs": ["sel", "ps"], "outputs": ["picked"],
                              "branches": [{"inputs": ["a0"], "outputs": ["o0"], "tensors": [{"name": "a0", "bytes": 16},
                                            {"name": "o0", "bytes": 16}],
                                            "ops": [{"name": "f0", "kind": "f", "inputs": ["a0"], "outputs": ["o0"]}]},
                                           {"inputs": ["a1"], "outputs": ["o1"], "tensors": [{"name": "a1", "bytes": 16},
                                            {"name": "o1", "bytes": 16}],
                                            "ops": [{"name": "f1", "kind": "f", "inputs": ["a1"], "outputs": ["o1"]}]},
                                           {"inputs": ["a2"], "outputs": ["a2"], "tensors": [{"name": "a2", "bytes": 16}],
                                            "ops": []}]},
                             {"name": "fuse", "kind": "call", "callee": "fused", "inputs": ["picked", "pw"],
                              "outputs": ["ns"]}]}},
           {"name": "never", "kind": "for", "trip_count": 0, "inputs": ["s1"], "outputs": ["z"],
            "carries": [{"from": "gn", "to": "gp"}],
            "body": {"inputs": ["gp"], "outputs": ["gn"], "tensors": [{"name": "gp", "bytes": 16}, {"name": "gn", "bytes": 16}],
                     "ops": [{"name": "g", "kind": "f", "inputs": ["gp"], "outputs": ["gn"]}]}},
           {"name": "two", "kind": "for", "trip_count": 3, "inputs": ["s1", "z"], "outputs": ["a", "b"],
            "carries": [{"from": "r", "to": "p"}, {"from": "p", "to": "q"}],
            "body": {"inputs": ["p", "q"], "outputs": ["r", "p"],
                     "tensors": [{"name": "p", "bytes": 16}, {"name": "q", "bytes": 16}, {"name": "r", "bytes": 16}],
                     "ops": [{"name": "h", "kind": "f", "inputs": ["p", "q"], "outputs": ["r"]}]}},
           {"name": "end", "kind": "f", "inputs": ["all", "a", "b"], "outputs": ["y"]}]},
  {"name": "fused", "inputs": ["in", "weights"], "outputs": ["out"],
   "tensors": [{"name": "in", "kind": "input", "bytes": 16}, {"name": "weights", "kind": "input", "bytes": 8},
               {"name": "padded", "bytes": 24},
               {"name": "out", "kind": "output", "bytes": 16}],
   "ops": [{"name": "wide", "kind": "pad", "inputs": ["in"], "outputs": ["padded"]},
           {"name": "dot", "kind": "f", "inputs": ["padded", "weights"], "outputs": ["out"]}]}]})";

QByteArray pattern(int id, int size)
{
    QByteArray bytes;
    for (int i = 0; i < size; ++i) bytes.append(static_cast<char>(id * 37 + i * 11 + 5));
    return bytes;
}

/// What the generator calls things, found again from its documentation and not from its code.
QString cName(const QString& name)
{
    QString result = name;
    result.replace(QRegularExpression("[^A-Za-z0-9_]"), "_");
    if (result[0].isDigit()) result.prepend('x');
    if (QStringList{"for", "int"}.contains(result)) result += '_';
    return result;
}

/// Writes the operators of one model, and says what they touch.
class Application {
public:
    Application(QString model, const QByteArray& program, const QJsonArray& placements, const QMap<QString, QString>& macros)
        : model_(std::move(model)), macros_(macros)
    {
        for (const QJsonValue& placement : placements)
            placed_.insert(placement["buffer"].toString(), placement["pool"].toString());
        const QJsonObject root = QJsonDocument::fromJson(program).object();
        const QJsonArray functions = root["functions"].toArray();
        for (const QJsonValue& function : functions) addTensors(function.toObject());
        for (const QJsonValue& op : functions[0]["ops"].toArray())
            if (op["kind"] == "call") bind(op.toObject(), functions[1].toObject());
        for (const QJsonValue& function : functions)
            for (const QJsonValue& op : function["ops"].toArray())
                if (op["kind"] != "call") addOperator(function["name"].toString(), op.toObject());
    }

    [[nodiscard]] QString code() const { return code_; }
    [[nodiscard]] int idOf(const QString& tensor) const { return tensors_[tensor].id; }
    [[nodiscard]] QSet<QString> touched() const { return touched_; }

private:
    struct Known {
        int id = 0;
        int size = 0;
        QString storage; ///< the buffer that it lies in
        int delta = 0;
    };

    static QString full(const QString& function, const QString& tensor)
    {
        return function == "main" ? tensor : function + "/" + tensor;
    }

    void addTensors(const QJsonObject& function)
    {
        for (const QJsonValue& tensor : function["tensors"].toArray()) {
            const QString name = full(function["name"].toString(), tensor["name"].toString());
            Known known{static_cast<int>(tensors_.size()) + 1, tensor["bytes"].toInt(), name, 0};
            if (tensor["alias_of"].isString())
                known = {0, known.size, full(function["name"].toString(), tensor["alias_of"].toString()),
                         tensor["alias_offset"].toInt()};
            tensors_.insert(name, known);
        }
    }
    void bind(const QJsonObject& call, const QJsonObject& callee)
    {
        const QString function = callee["name"].toString();
        for (const char* side : {"inputs", "outputs"})
            for (int i = 0; i < call[side].toArray().size(); ++i)
                tensors_[full(function, callee[side].toArray()[i].toString())] = tensors_[call[side].toArray()[i].toString()];
    }

    /// "at(pool number, pointer - offset)": all buffers of a pool agree on where it begins.
    QString address(const Known& tensor, const QString& pointer)
    {
        if (!placed_.contains(tensor.storage)) return {};
        touched_.insert(tensor.storage);
        return QString("    if (!at(\"%1\", %2, %3_OFFSET + %4)) return 1;\n")
            .arg(model_ + " " + placed_[tensor.storage], pointer, macros_[tensor.storage])
            .arg(tensor.delta);
    }

    void addOperator(const QString& function, const QJsonObject& op)
    {
        QStringList parameters;
        QString before, after;
        const QJsonArray inputs = op["inputs"].toArray();
        QJsonArray outputs = op["outputs"].toArray();
        for (const QJsonValue& temp : op["temps"].toArray()) outputs.append(temp);
        for (int i = 0; i < inputs.size(); ++i) {
            const Known& tensor = tensors_[full(function, inputs[i].toString())];
            const Known& whole = tensors_[tensor.storage];
            parameters += QString("const uint8_t* input%1").arg(i);
            before += address(tensor, QString("input%1").arg(i));
            // Before the outputs are written and after it: nothing that is still read is overwritten.
            const QString check = QString("    if (!holds(input%1, %2, %3, %4)) return 2;\n")
                                      .arg(i)
                                      .arg(whole.id)
                                      .arg(tensor.delta)
                                      .arg(tensor.size);
            before += check;
            after += check;
        }
        for (int i = 0; i < outputs.size(); ++i) {
            const Known& tensor = tensors_[full(function, outputs[i].toString())];
            parameters += QString("uint8_t* output%1").arg(i);
            before += address(tensor, QString("output%1").arg(i));
            before += QString("    fill(output%1, %2, %3);\n").arg(i).arg(tensor.id).arg(tensor.size);
        }
        for (int i = 0; i < outputs.size(); ++i) {
            const Known& tensor = tensors_[full(function, outputs[i].toString())];
            after += QString("    if (!holds(output%1, %2, 0, %3)) return 3;\n").arg(i).arg(tensor.id).arg(tensor.size);
        }
        parameters += "void* device";
        code_ += QString("int32_t %1_op_%2(%3)\n{\n%4%5    (void)device;\n    ++operators;\n    return 0;\n}\n")
                     .arg(model_, cName(full(function, op["name"].toString())), parameters.join(", "), before, after);
    }

    QString model_;
    QMap<QString, QString> macros_;
    QMap<QString, QString> placed_; ///< pool by buffer
    QMap<QString, Known> tensors_;
    QSet<QString> touched_;
    QString code_;
};

constexpr const char* helpers = R"(#include <stdio.h>
#include <string.h>
static int operators = 0;
static void fill(uint8_t* to, int id, int size) { int i; for (i = 0; i < size; ++i) to[i] = (uint8_t)(id * 37 + i * 11 + 5); }
static int holds(const uint8_t* at, int id, int from, int size)
{
    int i;
    for (i = 0; i < size; ++i)
        if (at[i] != (uint8_t)(id * 37 + (from + i) * 11 + 5)) { printf("byte %d of tensor %d is wrong\n", i, id); return 0; }
    return 1;
}
static struct { const char* pool; uintptr_t base; } bases[16];
static int known = 0;
static int at(const char* pool, const uint8_t* pointer, long offset)
{
    int i;
    const uintptr_t base = (uintptr_t)pointer - (uintptr_t)offset;
    for (i = 0; i < known; ++i)
        if (strcmp(bases[i].pool, pool) == 0) {
            if (bases[i].base != base) printf("%s: offset %ld is elsewhere\n", pool, offset);
            return bases[i].base == base;
        }
    bases[known].pool = pool;
    bases[known++].base = base;
    return 1;
}
)";

} // namespace
