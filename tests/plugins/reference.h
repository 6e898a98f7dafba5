// ../shared/models/reference.json: what independent scripts found in the reference models. Read once, with the names and units of
// the file; times in it are inclusive and begin at -1, `live` turns them into ours.
#pragma once

#include "core/lower/lower.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage::test {

/// A tensor that is planned: [first, last] counts ops from 0, -1 being before the first one.
struct Activation {
    int tensor = 0; ///< index in the source: of the tensor (TFLite), of the name among inputs and node outputs (ONNX)
    std::int64_t first = 0;
    std::int64_t last = 0;
    Bytes bytes = 0;

    /// As half-open steps, step 0 being the entry.
    [[nodiscard]] Interval live() const { return {first + 1, last + 2}; }
};

/// Arena sizes of one graph; 0 for what the file does not say.
struct Arenas {
    Bytes naive = 0; ///< the sum of all sizes
    Bytes peak = 0;
    Bytes greedyBySize = 0;
    Bytes greedyByBreadth = 0;
    Bytes tflmGreedy = 0;
};
using ArenasByAlignment = std::map<Bytes, Arenas>;

struct ReferenceGraph {
    QString name;
    int ops = 0;
    QStringList kinds; ///< of the ops, a custom one's behind "CUSTOM:"
    std::vector<Activation> activations;
    QStringList values;       ///< ONNX: names by index, empty for those that are not planned
    QStringList unknownSizes; ///< ONNX
    std::vector<int> folded;  ///< ONNX: nodes
    ArenasByAlignment arenas;
    Arenas ioExcluded; ///< at alignment 1
    ArenasByAlignment viewsMerged;
    int views = 0;
    std::optional<Bytes> peakNested; ///< ONNX
};

struct ReferenceModel {
    QString id;   ///< "onnx/light_vgg19.onnx"
    QString path; ///< absolute
    QString format;
    bool partial = false;
    std::vector<ReferenceGraph> graphs; ///< [0] is the main graph
    ArenasByAlignment tflmFlat;         ///< TFLite
    int flatCount = 0;                  ///< TFLite: tensors of all sub-graphs in one arena
    std::vector<Activation> flat;       ///< TFLite: those, `first` and `last` beginning at 0, where there is control flow
    std::vector<std::pair<std::string, std::int64_t>> bindings;
};

/// Those of one format ("tflite", "onnx"), or of all when it is empty. Empty when ../shared is absent.
std::vector<ReferenceModel> referenceModels(const QString& format = {});

/// Lowers with the options of the reference figures: views separate unless `views` says otherwise. An error is a test failure's
/// text.
Expected<Lowering> lowerLikeReference(const Program& program, Bytes alignment, ViewMode views = ViewMode::separate);

/// How the buffers of `lowering` (at alignment 1) differ from the graph's activations in size or live range; empty when they do
/// not. `tensorOf` gives the tensor of the entry function that an activation's index means.
QString activationsDiffer(const ReferenceGraph& graph, const Lowering& lowering, const std::function<TensorId(int)>& tensorOf);

/// How sum, peak and the arenas of the planners differ from `expected`; figures of 0 are not compared. Every plan is checked.
QString arenasDiffer(const Arenas& expected, const Problem& problem);

/// The largest sum of sizes that are live at one step, added up step by step: what the core's own bound is compared with.
Bytes peakOf(const Problem& problem);

/// One data row for each model, with a column `model` that holds its index in the list.
void addModelRows(const std::vector<ReferenceModel>& models);

} // namespace stowage::test
