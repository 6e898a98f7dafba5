// libnnc's figures beside the graphs in ../shared/bench/nnc, and how they are planned to be comparable.
#pragma once

#include "core/io/text.h"
#include "core/lower/lower.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace stowage::test {

/// One row of the README's table: arena bytes of one graph with or without in-place.
struct NncFigure {
    std::string graph;
    bool inPlace = false;
    Bytes bound = 0;     ///< in the listed order
    Bytes libnnc[2]{};   ///< by order: linear, dag
    Bytes document[2]{}; ///< `maxBytes` where it was not taken
};

/// Rows of the table in `folder`/README.md; none when it cannot be read.
inline std::vector<NncFigure> nncFigures(const std::string& folder)
{
    std::vector<NncFigure> rows;
    std::ifstream in(folder + "/README.md");
    for (std::string line; std::getline(in, line);) {
        std::istringstream cells(line);
        std::string cell, mode;
        std::getline(cells, cell, '|'); // before the first bar
        NncFigure row;
        const auto next = [&] { return std::getline(cells, cell, '|') ? std::istringstream(cell) : std::istringstream(); };
        next() >> row.graph;
        next() >> mode;
        bool known = true; // a figure that was not taken is an empty cell, or a missing one: of the document's algorithm only
        for (Bytes* figure : {&row.bound, &row.libnnc[0], &row.document[0], &row.libnnc[1], &row.document[1]})
            if (auto text = next(); !(text >> *figure)) {
                known &= figure == &row.document[0] || figure == &row.document[1];
                *figure = maxBytes;
            }
        row.inPlace = mode == "inplace";
        if (known) rows.push_back(row);
    }
    return rows;
}

inline Expected<Program> nncGraph(const std::string& folder, const std::string& graph)
{
    const std::string path = folder + "/" + graph + ".program.json";
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    auto read = io::readProgramJson(text.str(), path);
    if (!read) return std::move(read).error();
    return std::move(read->value);
}

/// As libnnc plans: sizes padded to 64 bytes.
inline LowerOptions nncLowering(bool dag, bool inPlace)
{
    LowerOptions options;
    options.order = dag ? Order::dag : Order::linear;
    options.loops = LoopMode::precise;
    options.inPlace = inPlace ? InPlaceMode::allowed : InPlaceMode::off;
    options.alignment = 64;
    return options;
}

} // namespace stowage::test
