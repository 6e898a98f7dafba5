// Whatever a foreign planner answers, in any of its forms, what is taken is a plan of the problem without overlaps, and the rest
// is refused. The first byte chooses the form: CSV, JSON, a solution of a DSA problem, a message of JSON-RPC, a stream of frames.
#include "plugins/external/answer.h"
#include "plugins/external/dsa.h"
#include "plugins/external/frames.h"
#include "plugins/external/placements_json.h"
#include "plugins/external/rpc_messages.h"

#include "core/plan/report.h"

#include <cstdlib>

using namespace stowage;

namespace {

/// Three buffers, two of them at once; in two pools.
const Problem& problem()
{
    static const Problem made = [] {
        Problem problem;
        problem.pools.resize(2);
        problem.pools[0].name = "a";
        problem.pools[1].name = "b";
        problem.buffers.resize(3);
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
            problem.buffers[i].name = std::string(1, static_cast<char>('x' + i));
            problem.buffers[i].size = 8;
            problem.buffers[i].live = {{static_cast<Step>(i), static_cast<Step>(i) + 2}};
            problem.buffers[i].pools = {0, 1};
        }
        if (!checkAndRepair(problem).empty()) std::abort();
        return problem;
    }();
    return made;
}

void judge(const Expected<Plan>& plan)
{
    if (!plan) {
        if (plan.error().message.empty()) std::abort();
        return;
    }
    if (plan->placements.size() != problem().buffers.size()) std::abort();
    if (evaluate(problem(), *plan).status == Status::invalid) std::abort();
}

/// What a planner says in one message of JSON-RPC, whichever of them it is taken for.
void judgeMessage(const std::string& payload)
{
    const auto message = external::rpcMessage(payload);
    if (!message) {
        if (message.error().message.empty()) std::abort();
        return;
    }
    if (external::rpcAnswers(*message, 1) && external::rpcAnswers(*message, 2)) std::abort();
    if (const auto error = external::rpcError(*message); error && error->message.empty()) std::abort();
    if (const auto stray = external::rpcStrayResponse(*message); stray && stray->message.empty()) std::abort();
    if (const auto takes = external::rpcWelcome(*message); !takes && takes.error().message.empty()) std::abort();
    (void)external::rpcProgress(*message);
    judge(external::rpcPlan(*message, problem()));
    if (const auto partial = external::rpcPartialPlan(*message, problem()); partial && *partial)
        if ((*partial)->placements.size() != problem().buffers.size()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 5) {
    case 0: judge(external::readCsvAnswer(text, problem())); break;
    case 1: judge(external::readJsonAnswer(text, problem())); break;
    case 2:
        judge(external::readDsaSolution(text, problem(), external::writeDsaProblem(problem(), external::PipeReuse::ignore)));
        break;
    case 3: judgeMessage(std::string(text)); break;
    default: {
        FrameReader frames(4096);
        for (std::size_t at = 0; at < text.size(); at += 7) {
            frames.append(text.substr(at, 7)); // as it arrives
            for (;;) {
                const auto frame = frames.next();
                if (!frame) return 0;
                if (!*frame) break;
                if ((*frame)->payload.size() > 4096) std::abort();
                judgeMessage((*frame)->payload);
            }
        }
    }
    }
    return 0;
}
