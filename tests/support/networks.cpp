#include "tests/support/networks.h"

#include "tests/support/network_builder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <vector>

namespace stowage::test {

namespace {

using Norm = NetworkBuilder::Norm;

Network finished(NetworkBuilder& b, TensorId result, const NetworkOptions& options)
{
    const std::int64_t parameters = b.parameters();
    return {options.training ? b.training(result) : b.inference(result), parameters};
}

std::string numbered(const char* prefix, int i)
{
    return prefix + std::to_string(i);
}

/// Simonyan & Zisserman 2014, configuration D.
Network vgg16(const NetworkOptions& options)
{
    NetworkBuilder b("vgg16");
    TensorId x = b.input("image", {options.batch, 3, 224, 224});
    const std::array<std::pair<int, std::int64_t>, 5> blocks{{{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}}};
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < blocks[static_cast<std::size_t>(i)].first; ++j) {
            const std::string at = std::to_string(i) + "_" + std::to_string(j);
            x = b.conv("conv" + at, x, blocks[static_cast<std::size_t>(i)].second, 3, 1, 1, Norm::bias);
            x = b.relu("relu" + at, x);
        }
        x = b.pool(numbered("pool", i), "max_pool2d", x, 2, 2);
    }
    x = b.relu("relu_fc0", b.dense("fc0", x, 4096, true));
    x = b.relu("relu_fc1", b.dense("fc1", x, 4096));
    x = b.activation("softmax", "softmax", b.dense("fc2", x, 1000));
    return finished(b, x, options);
}

/// The stem that ResNet, DenseNet and GoogLeNet share but for its normalisation.
TensorId stem(NetworkBuilder& b, const NetworkOptions& options, Norm norm, bool ceil)
{
    TensorId x = b.input("image", {options.batch, 3, 224, 224});
    x = b.relu("relu1", b.conv("conv1", x, 64, 7, 2, 3, norm));
    return b.pool("pool1", "max_pool2d", x, 3, 2, ceil ? 0 : 1, ceil);
}

TensorId head(NetworkBuilder& b, TensorId x)
{
    return b.dense("fc", b.globalPool("gap", x), 1000);
}

/// He et al. 2015, table 1; the stride of a bottleneck is on its 3 x 3 convolution, as in all implementations since 2017.
Network resnet(const char* name, const NetworkOptions& options, const std::array<int, 4>& depths, bool bottleneck)
{
    NetworkBuilder b(name);
    TensorId x = stem(b, options, Norm::batch, false);
    for (int s = 0; s < 4; ++s) {
        const std::int64_t width = std::int64_t{64} << s;
        const std::int64_t out = bottleneck ? 4 * width : width;
        for (int i = 0; i < depths[static_cast<std::size_t>(s)]; ++i) {
            const std::string at = "s" + std::to_string(s) + "b" + std::to_string(i) + "_";
            const std::int64_t stride = s > 0 && i == 0 ? 2 : 1;
            TensorId shortcut = x;
            if (b.shape(x)[1] != out || stride != 1) shortcut = b.conv(at + "short", x, out, 1, stride);
            TensorId y = x;
            if (bottleneck) {
                y = b.relu(at + "r1", b.conv(at + "c1", y, width, 1));
                y = b.relu(at + "r2", b.conv(at + "c2", y, width, 3, stride, 1));
                y = b.conv(at + "c3", y, out, 1);
            } else {
                y = b.relu(at + "r1", b.conv(at + "c1", y, width, 3, stride, 1));
                y = b.conv(at + "c2", y, out, 3, 1, 1);
            }
            x = b.relu(at + "relu", b.binary(at + "add", "add", y, shortcut));
        }
    }
    return finished(b, head(b, x), options);
}

Network resnet18(const NetworkOptions& options)
{
    return resnet("resnet18", options, {2, 2, 2, 2}, false);
}
Network resnet50(const NetworkOptions& options)
{
    return resnet("resnet50", options, {3, 4, 6, 3}, true);
}

/// Huang et al. 2016, growth 32; each layer concatenates its result to what there was.
Network densenet121(const NetworkOptions& options)
{
    NetworkBuilder b("densenet121");
    TensorId x = stem(b, options, Norm::batch, false);
    const std::array<int, 4> depths{6, 12, 24, 16};
    for (int block = 0; block < 4; ++block) {
        for (int layer = 0; layer < depths[static_cast<std::size_t>(block)]; ++layer) {
            const std::string at = "b" + std::to_string(block) + "l" + std::to_string(layer) + "_";
            TensorId y = b.normalise(at + "bnrelu1", "batch_norm_relu", x, b.shape(x)[1], false);
            y = b.relu(at + "relu2", b.conv(at + "c1", y, 128, 1));
            y = b.conv(at + "c3", y, 32, 3, 1, 1, Norm::plain);
            x = b.concat(at + "cat", {x, y});
        }
        x = b.normalise("b" + std::to_string(block) + "_relu", "batch_norm_relu", x, b.shape(x)[1], true);
        if (block == 3) break;
        x = b.conv("t" + std::to_string(block) + "_conv", x, b.shape(x)[1] / 2, 1, 1, 0, Norm::plain);
        x = b.pool("t" + std::to_string(block) + "_pool", "avg_pool2d", x, 2, 2);
    }
    return finished(b, head(b, x), options);
}

/// Sandler et al. 2018, table 2.
Network mobilenetV2(const NetworkOptions& options)
{
    NetworkBuilder b("mobilenet_v2");
    TensorId x = b.input("image", {options.batch, 3, 224, 224});
    x = b.relu("relu0", b.conv("conv0", x, 32, 3, 2, 1));
    struct Row {
        std::int64_t expansion, channels;
        int repeats;
        std::int64_t stride;
    };
    const std::array<Row, 7> rows{
        {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}}};
    int block = 0;
    for (const Row& row : rows)
        for (int i = 0; i < row.repeats; ++i) {
            const std::string at = "block" + std::to_string(block++) + "_";
            const std::int64_t stride = i == 0 ? row.stride : 1;
            const std::int64_t wide = b.shape(x)[1] * row.expansion;
            TensorId y = x;
            if (row.expansion > 1) y = b.relu(at + "expand_relu", b.conv(at + "expand", y, wide, 1));
            y = b.relu(at + "dw_relu", b.conv(at + "dw", y, wide, 3, stride, 1, Norm::batch, wide));
            y = b.conv(at + "project", y, row.channels, 1);
            x = stride == 1 && b.shape(x)[1] == row.channels ? b.binary(at + "add", "add", y, x) : y;
        }
    x = b.relu("last_relu", b.conv("last", x, 1280, 1));
    return finished(b, head(b, x), options);
}

/// Ronneberger et al. 2015, figure 1: no padding, so that what skips over is cropped.
Network unet(const NetworkOptions& options)
{
    NetworkBuilder b("unet");
    TensorId x = b.input("image", {options.batch, 1, 572, 572});
    const auto twice = [&](const std::string& at, TensorId from, std::int64_t channels) {
        TensorId y = b.relu(at + "relu1", b.conv(at + "conv1", from, channels, 3, 1, 0, Norm::bias));
        return b.relu(at + "relu2", b.conv(at + "conv2", y, channels, 3, 1, 0, Norm::bias));
    };
    std::vector<TensorId> skips;
    for (int level = 0; level < 4; ++level) {
        const std::string at = "down" + std::to_string(level) + "_";
        x = twice(at, x, std::int64_t{64} << level);
        skips.push_back(x);
        x = b.pool(at + "pool", "max_pool2d", x, 2, 2);
    }
    x = twice("bottom_", x, 1024);
    for (int level = 3; level >= 0; --level) {
        const std::string at = "up" + std::to_string(level) + "_";
        x = b.upConv(at + "up", x, std::int64_t{64} << level);
        const TensorId skip = b.crop(at + "crop", skips[static_cast<std::size_t>(level)], b.shape(x)[2], b.shape(x)[3]);
        x = twice(at, b.concat(at + "cat", {skip, x}), std::int64_t{64} << level);
    }
    return finished(b, b.conv("classes", x, 2, 1, 1, 0, Norm::bias), options);
}

/// Szegedy et al. 2014, table 1, without the auxiliary classifiers.
Network googlenet(const NetworkOptions& options)
{
    NetworkBuilder b("googlenet");
    TensorId x = stem(b, options, Norm::bias, true);
    const auto convRelu = [&](const std::string& at, TensorId from, std::int64_t channels, std::int64_t kernel) {
        return b.relu(at + "_relu", b.conv(at, from, channels, kernel, 1, kernel / 2, Norm::bias));
    };
    x = convRelu("conv2r", x, 64, 1);
    x = b.pool("pool2", "max_pool2d", convRelu("conv2", x, 192, 3), 3, 2, 0, true);
    struct Row {
        const char* name;
        std::int64_t one, threeReduce, three, fiveReduce, five, pool;
    };
    const std::array<Row, 9> rows{{{"3a", 64, 96, 128, 16, 32, 32},
                                   {"3b", 128, 128, 192, 32, 96, 64},
                                   {"4a", 192, 96, 208, 16, 48, 64},
                                   {"4b", 160, 112, 224, 24, 64, 64},
                                   {"4c", 128, 128, 256, 24, 64, 64},
                                   {"4d", 112, 144, 288, 32, 64, 64},
                                   {"4e", 256, 160, 320, 32, 128, 128},
                                   {"5a", 256, 160, 320, 32, 128, 128},
                                   {"5b", 384, 192, 384, 48, 128, 128}}};
    for (const Row& row : rows) {
        const std::string at = std::string("i") + row.name + "_";
        const TensorId one = convRelu(at + "1x1", x, row.one, 1);
        const TensorId three = convRelu(at + "3x3", convRelu(at + "3x3r", x, row.threeReduce, 1), row.three, 3);
        const TensorId five = convRelu(at + "5x5", convRelu(at + "5x5r", x, row.fiveReduce, 1), row.five, 5);
        const TensorId pooled = convRelu(at + "proj", b.pool(at + "pool", "max_pool2d", x, 3, 1, 1), row.pool, 1);
        x = b.concat(at + "cat", {one, three, five, pooled});
        if (row.name[0] != '5' && (row.name[1] == 'e' || (row.name[0] == '3' && row.name[1] == 'b')))
            x = b.pool(std::string("pool") + row.name[0], "max_pool2d", x, 3, 2, 0, true);
    }
    return finished(b, head(b, x), options);
}

/// Hochreiter & Schmidhuber 1997 with forget gates (Gers et al. 2000), 8 steps of 512 units over batches of eight times `batch`.
Network lstmUnrolled(const NetworkOptions& options)
{
    constexpr std::int64_t units = 512, features = 256;
    constexpr int time = 8;
    NetworkBuilder b("lstm_unrolled");
    const std::int64_t batch = 8 * options.batch;
    std::vector<TensorId> xs;
    for (int t = 0; t < time; ++t) xs.push_back(b.input(numbered("x", t), {batch, features}));
    TensorId h = b.input("h0", {batch, units});
    TensorId c = b.input("c0", {batch, units});
    const TensorId w = b.weight("w", {4 * units, features + units});
    const TensorId bias = b.weight("b", {4 * units});
    for (int t = 0; t < time; ++t) {
        const std::string at = "t" + std::to_string(t) + "_";
        const TensorId gates = b.op(at + "gemm", "dense", {xs[static_cast<std::size_t>(t)], h}, {w, bias}, {{batch, 4 * units}},
                                    {xs[static_cast<std::size_t>(t)], h})
                                   .front();
        const std::vector<TensorId> parts =
            b.op(at + "split", "split", {gates}, {}, std::vector(4, NetworkBuilder::Shape{batch, units}), {});
        const TensorId in = b.activation(at + "si", "sigmoid", parts[0]);
        const TensorId forget = b.activation(at + "sf", "sigmoid", parts[1]);
        const TensorId out = b.activation(at + "so", "sigmoid", parts[2]);
        const TensorId update = b.activation(at + "tu", "tanh", parts[3]);
        const TensorId kept = b.binary(at + "fc", "mul", forget, c);
        const TensorId fresh = b.binary(at + "iu", "mul", in, update);
        c = b.binary(at + "c", "add", kept, fresh);
        h = b.binary(at + "h", "mul", out, b.activation(at + "tc", "tanh", c));
    }
    return finished(b, b.dense("proj", h, 1000), options);
}

/// Vaswani et al. 2017 with normalisation in front, 12 layers of 768 with 12 heads (BERT base's sizes), 256 tokens.
Network transformerEncoder(const NetworkOptions& options)
{
    constexpr std::int64_t tokens = 256, width = 768, heads = 12;
    NetworkBuilder b("transformer_encoder");
    TensorId x = b.input("tokens", {options.batch, tokens, width});
    for (int layer = 0; layer < 12; ++layer) {
        const std::string at = "l" + std::to_string(layer) + "_";
        TensorId y = b.normalise(at + "ln1", "layer_norm", x, width, false);
        const TensorId q = b.dense(at + "q", y, width);
        const TensorId k = b.dense(at + "k", y, width);
        const TensorId v = b.dense(at + "v", y, width);
        const TensorId scores = b.matmul(at + "qk", q, k, {options.batch, heads, tokens, tokens});
        y = b.matmul(at + "sv", b.activation(at + "softmax", "softmax", scores), v, {options.batch, tokens, width});
        x = b.binary(at + "add1", "add", b.dense(at + "o", y, width), x);
        y = b.normalise(at + "ln2", "layer_norm", x, width, false);
        y = b.activation(at + "gelu", "gelu", b.dense(at + "ff1", y, 4 * width));
        x = b.binary(at + "add2", "add", b.dense(at + "ff2", y, width), x);
    }
    // A classifier over the first token.
    const TensorId result =
        b.op("head", "dense", {x}, {b.weight("head/w", {1000, width}), b.weight("head/b", {1000})}, {{options.batch, 1000}}, {x})
            .front();
    return finished(b, result, options);
}

constexpr std::array<NetworkMaker, 9> all{{
    {"vgg16", vgg16, 138'357'544, "table 2 of the paper: 138 million"},
    {"resnet18", resnet18, 11'689'512, "torchvision"},
    {"resnet50", resnet50, 25'557'032, "torchvision"},
    {"densenet121", densenet121, 7'978'856, "torchvision"},
    {"mobilenet_v2", mobilenetV2, 3'504'872, "torchvision; the paper rounds to 3.4 million"},
    {"unet", unet, 31'030'658, "figure 1 of the paper with one input channel and two classes"},
    {"googlenet", googlenet, 6'998'552, "bvlc_googlenet without its auxiliary classifiers"},
    {"lstm_unrolled", lstmUnrolled, 4 * 512 * (256 + 512) + 4 * 512 + 512 * 1000 + 1000,
     "four gates over input and state, and the projection"},
    {"transformer_encoder", transformerEncoder, 85'054'464 + 769'000, "BERT base's encoder, and a head of 1,000 classes"},
}};

} // namespace

std::span<const NetworkMaker> networks()
{
    return all;
}

Network makeNetwork(std::string_view name, const NetworkOptions& options)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const NetworkMaker& maker) { return maker.name == name; });
    assert(found != all.end());
    return found->make(options);
}

} // namespace stowage::test
