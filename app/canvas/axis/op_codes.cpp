#include "app/canvas/axis/op_codes.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace stowage {

namespace {

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}
bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}
bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
char lower(char c)
{
    return isUpper(c) ? char(c - 'A' + 'a') : c;
}
char upper(char c)
{
    return isLower(c) ? char(c - 'a' + 'A') : c;
}

/// Words in lower case: split at what is no letter or digit, and where a capital follows a small letter. Bytes beyond ASCII stay
/// in their word.
std::vector<std::string> wordsOf(std::string_view kind)
{
    if (const auto dot = kind.rfind('.'); dot != std::string_view::npos && dot + 1 < kind.size()) kind.remove_prefix(dot + 1);
    std::vector<std::string> words;
    std::string word;
    char previous = 0;
    for (const char c : kind) {
        const bool part = isUpper(c) || isLower(c) || isDigit(c) || (static_cast<unsigned char>(c) & 0x80);
        if (!part || (isUpper(c) && isLower(previous))) {
            if (!word.empty()) words.push_back(std::move(word));
            word.clear();
        }
        if (part) word += lower(c);
        previous = c;
    }
    if (!word.empty()) words.push_back(std::move(word));
    return words;
}

/// Beginnings of kinds (words joined) that have a code of their own. The longest beginning counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 52> known{{
    {"conv", "CV"},           {"depthwise", "DW"},    {"transposeconv", "TC"},
    {"concat", "CAT"},        {"reshape", "RS"},      {"stridedslice", "SL"},
    {"slice", "SL"},          {"split", "SP"},        {"fullyconnected", "FC"},
    {"dense", "FC"},          {"gemm", "GM"},         {"matmul", "MM"},
    {"batchmatmul", "BM"},    {"add", "ADD"},         {"sub", "SUB"},
    {"mul", "MUL"},           {"div", "DIV"},         {"softmax", "SM"},
    {"maxpool", "MP"},        {"averagepool", "AP"},  {"avgpool", "AP"},
    {"globalaverage", "GAP"}, {"relu", "RE"},         {"logistic", "LG"},
    {"sigmoid", "SG"},        {"tanh", "TH"},         {"gelu", "GE"},
    {"quantize", "QN"},       {"dequantize", "DQ"},   {"pad", "PAD"},
    {"transpose", "TR"},      {"mean", "MN"},         {"sum", "SUM"},
    {"reduce", "RD"},         {"readvariable", "RD"}, {"assignvariable", "WR"},
    {"varhandle", "VH"},      {"callonce", "CO"},     {"gather", "GA"},
    {"embedding", "EM"},      {"layernorm", "LN"},    {"batchnorm", "BN"},
    {"cast", "CST"},          {"copy", "CP"},         {"load", "LD"},
    {"store", "ST"},          {"exp", "EXP"},         {"squeeze", "SQ"},
    {"while", "WH"},          {"for", "FOR"},         {"if", "IF"},
    {"call", "CL"},
}};

} // namespace

std::string kindInWords(std::string_view kind)
{
    std::string text;
    for (const std::string& word : wordsOf(kind)) text += (text.empty() ? "" : " ") + word;
    if (text.empty()) return std::string(kind);
    text[0] = upper(text[0]);
    return text;
}

std::vector<std::string> opCodes(std::span<const std::string> kinds, std::size_t letters)
{
    std::vector<std::string> codes;
    std::set<std::string> taken;
    for (const std::string& kind : kinds) {
        const std::vector<std::string> words = wordsOf(kind);
        std::string joined;
        for (const std::string& word : words) joined += word;
        std::vector<std::string> candidates;
        std::size_t longest = 0;
        for (const auto& [beginning, code] : known) {
            if (!joined.starts_with(beginning) || beginning.size() <= longest) continue;
            longest = beginning.size();
            candidates.assign(1, std::string(code.substr(0, letters)));
        }
        const auto code = [&](std::initializer_list<char> of) {
            std::string text;
            for (const char c : of) text += upper(c);
            if (text.size() <= letters) candidates.push_back(std::move(text));
        };
        if (words.size() >= 3) code({words[0][0], words[1][0], words[2][0]});
        if (words.size() >= 2) code({words[0][0], words[1][0]});
        // The first letter with each later one, consonants first, then with each pair of later ones.
        for (const bool vowels : {false, true})
            for (std::size_t i = 1; i < joined.size(); ++i)
                if ((std::string_view("aeiou").find(joined[i]) != std::string_view::npos) == vowels) code({joined[0], joined[i]});
        for (std::size_t i = 1; i < joined.size(); ++i)
            for (std::size_t k = i + 1; k < joined.size(); ++k) code({joined[0], joined[i], joined[k]});
        const auto ascii = [](const std::string& text) {
            return std::all_of(text.begin(), text.end(), [](char c) { return c > 32 && c < 127; });
        };
        const auto free = std::find_if(candidates.begin(), candidates.end(), [&](const std::string& text) {
            return text.size() >= 2 && ascii(text) && !taken.contains(text);
        });
        std::string chosen = free != candidates.end() ? *free : std::string();
        for (int i = 1; chosen.empty(); ++i)
            if (!taken.contains(std::to_string(i))) chosen = std::to_string(i);
        taken.insert(chosen);
        codes.push_back(std::move(chosen));
    }
    return codes;
}

} // namespace stowage
