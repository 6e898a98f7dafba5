#include "tests/plugins/onnx_mutations.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace stowage::test {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

std::size_t below(Random& random, std::size_t bound) { return static_cast<std::size_t>(random() % bound); }

std::int64_t extremeNumber(Random& random)
{
    static constexpr std::array<std::int64_t, 14> numbers = {
        0, 1, -1, 2, -2, 3, 7, 255, 1 << 20, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min(),
        std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    return random() % 4 == 0 ? static_cast<std::int64_t>(random() % 20) : numbers[below(random, numbers.size())];
}

/// All messages of the model, and the names in it.
struct Inventory {
    std::vector<Message*> messages;
    std::vector<std::string> names;

    void collect(Message& message)
    {
        messages.push_back(&message);
        const Reflection& reflection = *message.GetReflection();
        std::vector<const FieldDescriptor*> fields;
        reflection.ListFields(message, &fields);
        for (const auto* field : fields) {
            const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
            for (int i = 0; i < count; ++i) {
                if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
                    collect(field->is_repeated() ? *reflection.MutableRepeatedMessage(&message, field, i)
                                                 : *reflection.MutableMessage(&message, field));
                else if (field->type() == FieldDescriptor::TYPE_STRING)
                    names.push_back(field->is_repeated() ? reflection.GetRepeatedString(message, field, i)
                                                         : reflection.GetString(message, field));
            }
        }
    }
};

void changeList(Message& message, const FieldDescriptor* field, Random& random)
{
    const Reflection& reflection = *message.GetReflection();
    const int count = reflection.FieldSize(message, field);
    if (count == 0) return;
    switch (random() % 3) {
    case 0: reflection.RemoveLast(&message, field); break;
    case 1:
        reflection.SwapElements(&message, field, static_cast<int>(below(random, std::size_t(count))),
                                static_cast<int>(below(random, std::size_t(count))));
        break;
    default:
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
            reflection.AddMessage(&message, field)->CopyFrom(reflection.GetRepeatedMessage(message, field, static_cast<int>(below(random, std::size_t(count)))));
        else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING)
            reflection.AddString(&message, field, reflection.GetRepeatedString(message, field, 0));
        else if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT64)
            reflection.AddInt64(&message, field, extremeNumber(random));
    }
}

void changeValue(Message& message, const FieldDescriptor* field, const Inventory& inventory, Random& random)
{
    const Reflection& reflection = *message.GetReflection();
    const bool repeated = field->is_repeated();
    const int index = repeated ? static_cast<int>(below(random, std::size_t(reflection.FieldSize(message, field)))) : 0;
    const std::int64_t number = extremeNumber(random);
    switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
        if (repeated) reflection.SetRepeatedInt64(&message, field, index, number);
        else reflection.SetInt64(&message, field, number);
        break;
    case FieldDescriptor::CPPTYPE_INT32:
        if (repeated) reflection.SetRepeatedInt32(&message, field, index, static_cast<std::int32_t>(number));
        else reflection.SetInt32(&message, field, static_cast<std::int32_t>(number));
        break;
    case FieldDescriptor::CPPTYPE_ENUM: reflection.SetEnumValue(&message, field, static_cast<int>(random() % 16)); break;
    case FieldDescriptor::CPPTYPE_FLOAT:
        if (repeated) reflection.SetRepeatedFloat(&message, field, index, static_cast<float>(number));
        else reflection.SetFloat(&message, field, static_cast<float>(number));
        break;
    case FieldDescriptor::CPPTYPE_STRING: {
        const bool empty = inventory.names.empty() || random() % 4 == 0;
        std::string value = empty ? std::string() : inventory.names[below(random, inventory.names.size())];
        if (field->type() == FieldDescriptor::TYPE_BYTES) { // contents of a tensor
            value = repeated ? reflection.GetRepeatedString(message, field, index) : reflection.GetString(message, field);
            value = damageBytes(value, random);
        }
        if (repeated) reflection.SetRepeatedString(&message, field, index, value);
        else reflection.SetString(&message, field, value);
        break;
    }
    default: break;
    }
}

} // namespace

std::string damageBytes(std::string bytes, Random& random)
{
    for (std::size_t rounds = 1 + random() % 4; rounds > 0 && !bytes.empty(); --rounds) {
        const std::size_t at = below(random, bytes.size());
        const std::size_t length = 1 + below(random, std::min<std::size_t>(64, bytes.size() - at));
        switch (random() % 6) {
        case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8)); break;
        case 1: bytes[at] = static_cast<char>(random()); break;
        case 2: bytes.erase(at, length); break;
        case 3: bytes.insert(below(random, bytes.size()), bytes.substr(at, length)); break;
        case 4: bytes.replace(at, length, length, static_cast<char>(random() % 2 == 0 ? 0xff : 0)); break;
        default: bytes.resize(at); break;
        }
    }
    return bytes;
}

void damageFields(onnx::ModelProto& model, Random& random)
{
    for (std::size_t rounds = 1 + random() % 4; rounds > 0; --rounds) {
        Inventory inventory;
        inventory.collect(model);
        Message& message = *inventory.messages[below(random, inventory.messages.size())];
        std::vector<const FieldDescriptor*> fields;
        message.GetReflection()->ListFields(message, &fields);
        if (fields.empty()) continue;
        const auto* field = fields[below(random, fields.size())];
        if (random() % 8 == 0)
            message.GetReflection()->ClearField(&message, field);
        else if (field->is_repeated() && random() % 2 == 0)
            changeList(message, field, random);
        else
            changeValue(message, field, inventory, random);
    }
}

} // namespace stowage::test
