// stowage-worker: does for the other programs whatever may crash, hang or grow without asking, and is killed when it does.
// One order in on standard input, one answer out on standard output, as frames (plugins/external/frames.h).
#include "app/worker/channel.h"
#include "app/worker/export_command.h"
#include "app/worker/import_command.h"
#include "app/worker/layout.h"
#include "app/worker/limits.h"
#include "app/worker/plan_command.h"
#include "app/worker/rewrite_command.h"
#include "plugins/host/export_messages.h"
#include "plugins/host/import_messages.h"
#include "plugins/host/layout_messages.h"
#include "plugins/host/plan_messages.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

int main(int argc, char** argv)
{
    using namespace stowage;

    CLI::App app("Reads foreign files and lays out graphs for stowage and stowage-cli, which start it.", "stowage-worker");
    std::int64_t memoryLimit = 0;
    std::int64_t timeLimit = 0;
    app.add_option("--memory-limit", memoryLimit, "Address space in bytes; 0: no limit")->check(CLI::NonNegativeNumber);
    app.add_option("--time-limit", timeLimit, "Processor time in seconds; 0: no limit")->check(CLI::NonNegativeNumber);
    CLI11_PARSE(app, argc, argv);
    if (::isatty(STDIN_FILENO)) {
        std::cerr << "stowage-worker is started by stowage and stowage-cli; there is nothing to do for it here.\n";
        return 2;
    }

    worker::applyLimits(memoryLimit, timeLimit);
    worker::Channel channel;
    const auto order = channel.receive();
    if (!order)
        channel.send(order.error());
    else if (order->type == frame::importOrder)
        worker::import(channel, order->payload);
    else if (order->type == frame::rewriteOrder)
        worker::rewrite(channel, order->payload);
    else if (order->type == frame::exportOrder)
        worker::write(channel, order->payload);
    else if (order->type == frame::planOrder)
        worker::plan(channel, order->payload);
    else if (order->type == frame::layoutOrder)
        worker::layOut(channel, order->payload);
    else
        channel.send(failure(Code::noOrder, "the order \"" + order->type + "\" is not known"));
    return 0;
}
