// The models with which the views are looked at in every state: of many buffers, of long names, without a plan.
#pragma once

#include "app/session/regress/regression.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QByteArray>
#include <QString>
#include <QTemporaryDir>
#include <QTest>

namespace stowage::test::matrix {

inline bool waitIdle(Desk& desk, bool planned = true)
{
    return QTest::qWaitFor([&] { return desk.idle() && (!planned || desk.workspace().run()); }, 60'000);
}

inline bool openText(Desk& desk, const char* name, const QString& text, bool planned = true)
{
    desk.workspace().openText(QString::fromLatin1(name), text.toUtf8());
    if (!QTest::qWaitFor([&] { return desk.workspace().modelId() != 0 && desk.workspace().models().opening().empty(); }, 30'000))
        return false;
    return waitIdle(desk, planned);
}

/// Many buffers with sizes and addresses of many digits.
inline bool openLarge(Desk& desk)
{
    QString csv = QStringLiteral("id,lower,upper,size\n");
    for (int i = 0; i < 20'000; ++i)
        csv +=
            QStringLiteral("b%1,%2,%3,%4\n").arg(i).arg(i).arg(i + 1 + (i * 7) % 90).arg(1'234'567 + (i * 7919LL) % 98'765'431);
    return openText(desk, "large", csv);
}

/// Names as converters of deep modules make them.
inline bool openLongNamed(Desk& desk)
{
    QString tensors, ops, last = QStringLiteral("input");
    const QString prefix =
        QStringLiteral("/model/backbone/encoder/stages.3/blocks/residual_branch_with_a_long_name/layer_normalisation");
    for (int i = 0; i < 24; ++i) {
        const QString name =
            QStringLiteral("%1/instance_%2/BatchNormalizationFusedWithActivation/Relu6_output_0").arg(prefix).arg(i);
        tensors += QStringLiteral(R"(, {"name": "%1", "dtype": "f32", "shape": [%2]})").arg(name).arg(123'456 + 7919 * i);
        ops += QStringLiteral(
                   R"(%1{"name": "%2_op", "kind": "BatchNormalizationFusedWithActivation", "inputs": ["%3"], "outputs": ["%2"]})")
                   .arg(i ? QStringLiteral(", ") : QString(), name, last);
        last = name;
    }
    return openText(desk, "a_model_whose_file_name_is_longer_than_any_panel_of_the_window_is_wide_v12_final_quantised.json",
                    QStringLiteral(R"({"format": "stowage.program/1", "name": "p", "entry": "main", "functions": [{"name": "main",
                      "inputs": ["input"], "outputs": ["%1"],
                      "tensors": [{"name": "input", "kind": "input", "dtype": "f32", "shape": [1000]}%2], "ops": [%3]}]})")
                        .arg(last, tensors, ops));
}

inline bool openUnknownSize(Desk& desk)
{
    return openText(desk, "open",
                    QStringLiteral(R"({"format": "stowage.program/1", "entry": "main", "functions": [{"name": "main",
        "inputs": ["x"], "outputs": ["y"],
        "tensors": [{"name": "x", "kind": "input", "dtype": "f32", "shape": [4]}, {"name": "h", "dtype": "f32", "shape": [-1]},
                    {"name": "y", "kind": "output", "dtype": "f32", "shape": [4]}],
        "ops": [{"name": "a", "kind": "relu", "inputs": ["x"], "outputs": ["h"]},
                {"name": "b", "kind": "neg", "inputs": ["h"], "outputs": ["y"]}]}]})"));
}

inline bool openFailing(Desk& desk)
{
    if (!desk.open("resnet18")) return false;
    desk.workspace().edits().setCapacity(0, desk.workspace().run()->report.totalBound() / 2);
    desk.workspace().plan();
    return waitIdle(desk);
}

inline QString sampleFile(const char* name)
{
    return QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/") + QLatin1String(name);
}

inline bool openFile(Desk& desk, const char* name)
{
    desk.window->openFiles({sampleFile(name)});
    return waitIdle(desk);
}

/// A suite with a baseline and without a planned model; a row has grown since.
inline bool openSuiteAlone(Desk& desk)
{
    static const QTemporaryDir folder; // the results of a suite are kept beside it
    const QString suite = writtenFile(folder, QStringLiteral("nightly.suite.json"),
                                      R"({"format": "stowage.suite/1", "name": "nightly", "defaults": {"planners": )"
                                      R"(["exact", "naive"]}, "rows": [{"model": "a.csv"}, {"model": "b.csv"}]})");
    const QByteArray small = "id,lower,upper,size\na,0,2,1000\nb,1,3,2000\nc,2,4,1000\n";
    for (const char* name : {"a.csv", "b.csv"}) writtenFile(folder, QLatin1String(name), small);
    const auto first = runRegression(desk.session, suite);
    if (!first || !acceptRows(*first, {})) return false;
    writtenFile(folder, QStringLiteral("a.csv"), "id,lower,upper,size\na,0,2,1000\nb,1,3,2000\nc,2,4,123456789\n");
    desk.window->openFiles({suite});
    return QTest::qWaitFor([&] { return desk.workspace().regression() != nullptr; }, 30'000);
}

} // namespace stowage::test::matrix
