#include "core/io/json_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <unordered_set>
#include <vector>

namespace stowage::io {

namespace {

namespace ondemand = simdjson::ondemand;

/// An object or array that is being read.
struct Frame {
    bool isObject = false;
    bool begun = false; ///< the iterator points to an element that was already returned
    ondemand::object_iterator field;
    ondemand::array_iterator element;
    std::size_t open = 0; ///< offset of the bracket
    std::string_view key; ///< objects: the current field
    std::size_t keyOffset = 0;
    std::int64_t index = -1;     ///< arrays: the current element
    std::size_t firstKey = 0;    ///< into `State::keys`: first key of this object
    std::uint64_t keyFilter = 0; ///< a Bloom filter with one bit for each key; most objects need no comparison of keys
    std::unique_ptr<std::unordered_set<std::string_view>> keySet; ///< replaces the linear search in large objects
};

constexpr std::size_t linearKeys = 32;

std::uint64_t filterBit(std::string_view key)
{
    if (key.empty()) return 1;
    const std::size_t first = static_cast<unsigned char>(key.front()), last = static_cast<unsigned char>(key.back());
    const std::size_t mixed = key.size() * 37 + first * 11 + last;
    return std::uint64_t{1} << (mixed & 63U);
}

/// The position of the first lexical error: a control character in a string, a string without a closing quote, or bytes that are
/// not UTF-8. simdjson finds such errors in its first pass, but without a position. The end of the text if there is none.
std::size_t lexicalError(std::string_view text)
{
    std::size_t line = 0; // UTF-8 is checked line by line: a sequence never contains a line feed
    while (line < text.size()) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        if (!simdjson::validate_utf8(text.data() + line, end - line)) return line;
        line = end + 1;
    }
    std::size_t quote = std::string_view::npos;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quote == std::string_view::npos) {
            if (text[i] == '"') quote = i;
        } else if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            quote = std::string_view::npos;
        } else if (static_cast<unsigned char>(text[i]) < 0x20) {
            return i;
        }
    }
    return quote == std::string_view::npos ? text.size() : quote;
}

std::string_view nameOf(JsonType type)
{
    switch (type) {
    case JsonType::object: return "an object";
    case JsonType::array: return "an array";
    case JsonType::string: return "a string";
    case JsonType::number: return "a number";
    case JsonType::boolean: return "true or false";
    case JsonType::null: break;
    }
    return "null";
}

std::string_view explain(simdjson::error_code code)
{
    switch (code) {
    case simdjson::EMPTY: return "the text is empty";
    case simdjson::UNCLOSED_STRING: return "this string has no closing quote";
    case simdjson::UNESCAPED_CHARS: return "a control character inside a string has to be escaped";
    case simdjson::UTF8_ERROR: return "this line is not UTF-8 text";
    case simdjson::STRING_ERROR: return "this string has an escape that JSON does not know";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT: return "an object or array is not closed";
    case simdjson::CAPACITY: return "the text is 4 GiB or larger";
    case simdjson::TRAILING_CONTENT: return "something follows the end of the document";
    case simdjson::MEMALLOC: return "there is not enough memory to read the text";
    case simdjson::NUMBER_ERROR:
    case simdjson::T_ATOM_ERROR:
    case simdjson::F_ATOM_ERROR:
    case simdjson::N_ATOM_ERROR:
    case simdjson::INCORRECT_TYPE: return "this is not a JSON value";
    default: break;
    }
    return "a comma, colon, bracket or quote is missing or out of place";
}

} // namespace

struct JsonReader::State {
    std::string file;
    simdjson::padded_string text;
    ondemand::parser parser;
    ondemand::document document;
    ondemand::value current;
    std::size_t start = 0; ///< offset of the current value
    bool consumed = false; ///< the current value was read
    std::vector<Frame> frames;
    std::size_t depth = 0; ///< number of frames in use; frames above keep their storage
    std::vector<std::string_view> keys;
    mutable std::size_t knownOffset = 0; ///< lines are counted from the last offset asked for
    mutable std::int32_t knownLine = 1;
    mutable std::size_t knownLineStart = 0;

    State(std::string_view source, std::string name) : file(std::move(name)), text(source) {}

    std::string_view view() const { return {text.data(), text.size()}; }
    /// The token at `start`, for messages.
    std::string_view token() const
    {
        const std::string_view rest = view().substr(std::min(start, text.size()));
        const std::size_t length = rest.find_first_of(" \t\r\n,]}:");
        return rest.substr(0, std::min<std::size_t>(length, 40));
    }
    void setCurrent(ondemand::value value)
    {
        current = value;
        start = static_cast<std::size_t>(current.raw_json_token().data() - text.data());
        consumed = false;
    }
    /// True if the text ends in the current value.
    bool cutOff() const { return start + token().size() >= text.size(); }
    /// The offset at which simdjson stopped.
    std::size_t location()
    {
        const char* place = nullptr;
        if (document.current_location().get(place)) return text.size();
        return std::min(static_cast<std::size_t>(place - text.data()), text.size());
    }
    Frame& push()
    {
        if (depth == frames.size()) frames.emplace_back();
        Frame& frame = frames[depth++];
        frame.begun = false;
        frame.open = start;
        frame.key = {};
        frame.index = -1;
        frame.firstKey = keys.size();
        frame.keyFilter = 0;
        return frame;
    }
    Frame& top() { return frames[depth - 1]; }
    void pop()
    {
        Frame& frame = top();
        start = frame.open;
        keys.resize(frame.firstKey);
        frame.keySet.reset();
        --depth;
        consumed = true;
    }
    bool has(const Frame& frame, std::string_view key) const
    {
        if (frame.keySet) return frame.keySet->contains(key);
        return (frame.keyFilter & filterBit(key)) != 0 &&
               std::find(keys.begin() + std::ptrdiff_t(frame.firstKey), keys.end(), key) != keys.end();
    }
    void remember(Frame& frame, std::string_view key)
    {
        frame.keyFilter |= filterBit(key);
        keys.push_back(key);
        if (frame.keySet)
            frame.keySet->insert(key);
        else if (keys.size() - frame.firstKey > linearKeys)
            frame.keySet =
                std::make_unique<std::unordered_set<std::string_view>>(keys.begin() + std::ptrdiff_t(frame.firstKey), keys.end());
    }
};

JsonReader::JsonReader(std::string_view text, std::string file)
{
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3); // a byte order mark, as some editors write it
    state_ = std::make_unique<State>(text, std::move(file));
    State& s = *state_;
    simdjson::error_code code = s.parser.iterate(s.text).get(s.document);
    if (code) {
        const bool lexical =
            code == simdjson::UTF8_ERROR || code == simdjson::UNCLOSED_STRING || code == simdjson::UNESCAPED_CHARS;
        failAt(lexical ? lexicalError(s.view()) : 0, Code::syntax, std::string(explain(code)));
        return;
    }
    ondemand::value root;
    code = s.document.get_value().get(root);
    if (code) {
        failAt(0, Code::syntax,
               code == simdjson::SCALAR_DOCUMENT_AS_VALUE ? "expected an object or an array at the top"
                                                          : std::string(explain(code)));
        return;
    }
    s.setCurrent(root);
}

JsonReader::~JsonReader() = default;

std::size_t JsonReader::offset() const
{
    return state_->start;
}

Position JsonReader::positionAt(std::size_t offset) const
{
    const State& s = *state_;
    offset = std::min(offset, s.text.size());
    if (offset < s.knownOffset) {
        s.knownOffset = 0;
        s.knownLine = 1;
        s.knownLineStart = 0;
    }
    const char* const begin = s.text.data();
    while (const void* feed = std::memchr(begin + s.knownOffset, '\n', offset - s.knownOffset)) {
        s.knownOffset = static_cast<std::size_t>(static_cast<const char*>(feed) - begin) + 1;
        s.knownLineStart = s.knownOffset;
        ++s.knownLine;
    }
    s.knownOffset = offset;
    Position position;
    position.file = s.file;
    position.line = s.knownLine;
    position.column = static_cast<std::int32_t>(std::min<std::size_t>(offset - s.knownLineStart, 0x7ffffffe)) + 1;
    return position;
}

std::string JsonReader::path() const
{
    std::string path;
    for (std::size_t i = 0; i < state_->depth; ++i) {
        const Frame& frame = state_->frames[i];
        if (!frame.isObject) {
            if (frame.index >= 0) path += fmt::format("[{}]", frame.index);
        } else if (frame.begun) {
            path += fmt::format("{}{}", path.empty() ? "" : ".", frame.key);
        }
    }
    return path;
}

void JsonReader::failAt(std::size_t offset, Code code, std::string message, std::string remedy)
{
    if (failed_) return;
    failed_ = true;
    error_ = failure(code, std::move(message), positionAt(offset), std::move(remedy));
}

void JsonReader::fail(Code code, const std::string& message, std::string remedy)
{
    if (failed_) return;
    const std::string where = path();
    failAt(offset(), code, where.empty() ? message : fmt::format("{}: {}", where, message), std::move(remedy));
}

void JsonReader::failSyntax(int code)
{
    const std::size_t place = state_->location();
    if (place >= state_->text.size())
        failCutOff();
    else
        failAt(place, Code::syntax, std::string(explain(static_cast<simdjson::error_code>(code))));
}

void JsonReader::failCutOff()
{
    failAt(state_->text.size(), Code::syntax, "the text ends too early");
}

bool JsonReader::enterObject()
{
    if (failed_) return false;
    State& s = *state_;
    ondemand::object object;
    if (type() != JsonType::object) {
        fail(Code::wrongType, fmt::format("expected an object, found {}", nameOf(type())));
        return false;
    }
    if (s.depth == maxDepth) {
        fail(Code::tooDeep, fmt::format("objects and arrays are nested deeper than {}", maxDepth));
        return false;
    }
    ondemand::object_iterator begin;
    simdjson::error_code code = s.current.get_object().get(object);
    if (!code) code = object.begin().get(begin);
    if (code) {
        failSyntax(code);
        return false;
    }
    Frame& frame = s.push();
    frame.isObject = true;
    frame.field = begin;
    return true;
}

bool JsonReader::nextField(std::string_view& key)
{
    if (failed_) return false;
    State& s = *state_;
    if (s.top().begun) {
        if (!s.consumed) {
            if (!s.top().key.starts_with("x-")) {
                s.start = s.top().keyOffset;
                fail(Code::unknownField, "unknown field", "remove it or correct its name; fields of your own begin with x-");
                return false;
            }
            skip();
            if (failed_) return false;
        }
        ++s.top().field;
    }
    Frame& frame = s.top();
    frame.begun = false;
    if (!(frame.field != ondemand::object_iterator{})) return false; // at the end; an error is detected below
    ondemand::field field;
    if (const auto code = (*frame.field).get(field)) {
        failSyntax(code);
        return false;
    }
    frame.keyOffset = static_cast<std::size_t>(field.key().raw() - s.text.data()) - 1;
    if (const auto code = field.unescaped_key().get(frame.key)) {
        failAt(frame.keyOffset, Code::syntax, std::string(explain(code)));
        return false;
    }
    frame.begun = true;
    s.setCurrent(field.value());
    if (s.has(frame, frame.key)) {
        s.start = frame.keyOffset;
        fail(Code::duplicateField, "this field is given twice");
        return false;
    }
    s.remember(frame, frame.key);
    key = frame.key;
    return true;
}

void JsonReader::leaveObject(std::span<const std::string_view> required)
{
    if (failed_) return;
    State& s = *state_;
    Frame& frame = s.top();
    for (const std::string_view name : required) {
        if (s.has(frame, name)) continue;
        s.start = frame.open;
        fail(Code::missingField, fmt::format("the field '{}' is missing", name));
        return;
    }
    s.pop();
}

bool JsonReader::enterArray()
{
    if (failed_) return false;
    State& s = *state_;
    if (type() != JsonType::array) {
        fail(Code::wrongType, fmt::format("expected an array, found {}", nameOf(type())));
        return false;
    }
    if (s.depth == maxDepth) {
        fail(Code::tooDeep, fmt::format("objects and arrays are nested deeper than {}", maxDepth));
        return false;
    }
    ondemand::array array;
    ondemand::array_iterator begin;
    simdjson::error_code code = s.current.get_array().get(array);
    if (!code) code = array.begin().get(begin);
    if (code) {
        failSyntax(code);
        return false;
    }
    Frame& frame = s.push();
    frame.isObject = false;
    frame.element = begin;
    return true;
}

bool JsonReader::nextElement()
{
    if (failed_) return false;
    State& s = *state_;
    if (s.top().begun) {
        if (!s.consumed) skip();
        if (failed_) return false;
        ++s.top().element;
    }
    Frame& frame = s.top();
    frame.begun = true;
    if (!(frame.element != ondemand::array_iterator{})) {
        s.pop();
        return false;
    }
    ondemand::value value;
    if (const auto code = (*frame.element).get(value)) {
        failSyntax(code);
        return false;
    }
    ++frame.index;
    s.setCurrent(value);
    return true;
}

JsonType JsonReader::type()
{
    if (failed_) return JsonType::null;
    State& s = *state_;
    // The first byte determines the type; the rest is checked when the value is read.
    switch (s.start < s.text.size() ? s.text.data()[s.start] : '\0') {
    case '{': return JsonType::object;
    case '[': return JsonType::array;
    case '"': return JsonType::string;
    case 't':
    case 'f': return JsonType::boolean;
    case 'n': return JsonType::null;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': return JsonType::number;
    default: break;
    }
    if (s.start >= s.text.size())
        failCutOff();
    else if (const char c = s.text.data()[s.start]; c > ' ')
        failAt(s.start, Code::syntax, fmt::format("expected a value, found '{}'", c));
    else
        failAt(s.start, Code::syntax, "expected a value");
    return JsonType::null;
}

std::string_view JsonReader::string()
{
    if (failed_) return {};
    State& s = *state_;
    const JsonType found = type();
    if (found != JsonType::string) {
        fail(Code::wrongType, fmt::format("expected a string, found {}", nameOf(found)));
        return {};
    }
    std::string_view text;
    if (const auto code = s.current.get_string().get(text)) {
        failAt(s.start, Code::syntax, std::string(explain(code)));
        return {};
    }
    s.consumed = true;
    return text;
}

std::int64_t JsonReader::integer(std::int64_t minimum, std::int64_t maximum)
{
    if (failed_) return 0;
    State& s = *state_;
    std::int64_t number = 0;
    if (const auto code = s.current.get_int64().get(number); !code) {
        s.consumed = true;
        if (number >= minimum && number <= maximum) return number;
        fail(Code::outOfRange, fmt::format("{} is outside {} to {}", number, minimum, maximum));
        return 0;
    }
    const JsonType found = type();
    if (s.cutOff()) return failCutOff(), 0;
    const std::string_view token = s.token();
    const std::string_view digits = token.substr(token.starts_with('-') ? 1 : 0);
    const bool whole =
        !digits.empty() && std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (found == JsonType::number && whole && (digits.size() == 1 || digits.front() != '0'))
        fail(Code::outOfRange, fmt::format("{} is outside {} to {}", token, minimum, maximum));
    else if (found == JsonType::number)
        fail(Code::wrongType, fmt::format("expected an integer, found {}", token), "write it without point and exponent");
    else
        fail(Code::wrongType, fmt::format("expected an integer, found {}", nameOf(found)));
    return 0;
}

std::uint64_t JsonReader::unsignedInteger()
{
    if (failed_) return 0;
    State& s = *state_;
    std::uint64_t number = 0;
    if (const auto code = s.current.get_uint64().get(number); !code) {
        s.consumed = true;
        return number;
    }
    integer(0); // reports the error
    if (!failed_) fail(Code::outOfRange, fmt::format("{} is not an unsigned integer", s.token()));
    return 0;
}

double JsonReader::number()
{
    if (failed_) return 0;
    State& s = *state_;
    double number = 0;
    if (const auto code = s.current.get_double().get(number); !code) {
        s.consumed = true;
        return number;
    }
    const JsonType found = type();
    if (s.cutOff()) return failCutOff(), 0;
    if (found == JsonType::number)
        fail(Code::syntax, fmt::format("{} is not a number that can be represented", s.token()));
    else
        fail(Code::wrongType, fmt::format("expected a number, found {}", nameOf(found)));
    return 0;
}

bool JsonReader::boolean()
{
    if (failed_) return false;
    State& s = *state_;
    bool flag = false;
    if (const auto code = s.current.get_bool().get(flag); !code) {
        s.consumed = true;
        return flag;
    }
    const JsonType found = type();
    if (s.cutOff()) return failCutOff(), false;
    if (found == JsonType::boolean)
        fail(Code::syntax, fmt::format("expected true or false, found {}", s.token()));
    else
        fail(Code::wrongType, fmt::format("expected true or false, found {}", nameOf(found)));
    return false;
}

std::size_t JsonReader::choice(std::span<const std::string_view> names)
{
    const std::string_view text = string();
    if (failed_) return 0;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == text) return i;
    fail(Code::unknownValue, fmt::format("'{}' is none of {}", text, fmt::join(names, ", ")));
    return 0;
}

void JsonReader::format(std::string_view expected)
{
    const std::string_view found = string();
    if (failed_ || found == expected) return;
    fail(Code::wrongFormat, fmt::format("this is a '{}' document, not '{}'", found, expected));
}

void JsonReader::skip()
{
    if (failed_) return;
    State& s = *state_;
    switch (type()) {
    case JsonType::object: object([&](std::string_view) { skip(); }); break;
    case JsonType::array: array([&] { skip(); }); break;
    case JsonType::string: string(); break;
    case JsonType::number: number(); break;
    case JsonType::boolean: boolean(); break;
    case JsonType::null: {
        if (failed_) return;
        bool null = false;
        if (s.current.is_null().get(null) || !null) fail(Code::syntax, fmt::format("expected null, found {}", s.token()));
        s.consumed = true;
        break;
    }
    }
}

std::string_view JsonReader::raw()
{
    State& s = *state_;
    const std::size_t begin = s.start;
    skip();
    if (failed_) return {};
    std::string_view text = s.view().substr(begin, s.location() - begin); // up to the next token
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    return text;
}

bool JsonReader::finish()
{
    if (failed_) return false;
    State& s = *state_;
    if (!s.consumed) skip();
    if (const std::size_t end = s.location(); end < s.text.size())
        failAt(end, Code::syntax, std::string(explain(simdjson::TRAILING_CONTENT)));
    return !failed_;
}

} // namespace stowage::io
