"""The claims of the README: what each stands for, the program that measures it, and how its figure is found in the output."""
import dataclasses
import json
import os
import re
import statistics
import subprocess
import tempfile
import time

BY_TIME = 0.02  # how much ratios of plans by a time limit differ from run to run
ROUNDED = 0.0005  # of figures with three decimals
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.environ.get("STOWAGE_SHARED_DIR", os.path.join(ROOT, "..", "shared"))


@dataclasses.dataclass
class Claim:
    row: str  # how its row of the README's table begins; empty: a goal that the README does not state
    said: str  # the words of this row that it stands for
    what: str
    command: tuple  # the program in build/bin and its arguments, or a function of this file
    limit: float
    unit: str
    find: object  # a figure from the output: a pattern with one group, (benchmark, counter), or a function of the text
    exact: bool = False
    slow: bool = False  # takes more than half a minute
    least: bool = False  # must not be below the limit, instead of not above it
    plus: float = 0  # what may come on top of an exact figure


# --- figures in the output ------------------------------------------------------------------------------------------------------


def words_of(text, letters):
    """The words of the lines of bench_exact that begin with one of the letters."""
    return [line.split() for line in text.splitlines() if re.match(rf"[{letters}]\s+\d", line)]


def column(letters, number, of=max):
    """The largest figure of a column (from 0, after the letter), of the lines of these instances."""

    def find(text):
        rows = words_of(text, letters)
        return of(float(row[1 + number]) for row in rows) if len(rows) == len(letters) else None

    return find


def count_of(letters, word):
    return lambda text: sum(word in row for row in words_of(text, letters)) if words_of(text, letters) else None


def mean(number):
    return re.compile(r"^mean\s+(?:\S+\s+){%d}(\S+)" % number, re.M)


def large(name, number):
    """A column (from 0, after the name) of the line of one of idealloc's instances."""
    return re.compile(r"^%s\s+(?:\S+\s+){%d}(\S+)" % (name, number), re.M)


def improved(name, number):
    """Of `auto` on the instance whose file name begins so: 0 its size, 1 its ratio, 2 its seconds."""
    return re.compile(r"^%s\S*\s+\d+\s+auto\s+(?:\S+\s+){%d}(\S+)" % (name, number), re.M)


def slowest_improved(names, number):
    def find(text):
        found = [improved(name, number).search(text) for name in names]
        return max(float(match.group(1)) for match in found) if all(found) else None

    return find


def window(line, number=0):
    """The figure of a line of bench_window; of frames 0 is the median, 1 the worst."""
    return lambda text: (lambda found: float(re.findall(r"[\d.]+", found.group(1))[number]) if found else None)(
        re.search(r"^%s\s+(.*)$" % line, text, re.M))


def after_the_plan(text):
    picture, planned = window("argument to first picture")(text), window("first run")(text)
    return picture - planned if picture is not None and planned is not None else None


def worst_frame(text):
    frames = [window("zoom", 1)(text), window("pan", 1)(text)]
    return max(frames) if None not in frames else None


def processor(graphs, number):
    """The longest time in ms of a planner (0 nnc, 1 nnc-size-first, 2 nnc-merge) on the graphs whose line begins so."""

    def find(text):
        times = [float(line.split()[-3 + number]) for line in text.splitlines() if re.match(graphs, line)]
        return max(times) if times else None

    return find


def above_libnnc(text):
    pairs = re.findall(r"figure is known of (\d+): nnc-size-first is no larger on (\d+), nnc-merge no larger than both on (\d+)", text)
    return float(sum(2 * int(known) - int(first) - int(merge) for known, first, merge in pairs)) if pairs else None


def counter(name, key):
    return name, key


def slowest(*words):
    """The largest median of the benchmarks whose names have one of the words as a part."""

    def find(text):
        times = [b["median_ms"] for b in json.loads(text)["benchmarks"] if set(words) & set(b["name"].split("/"))] if text else []
        return max(times, default=None)

    return find


# --- what no benchmark measures --------------------------------------------------------------------------------------------------


def environment():
    return dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")


def nested_csv(build):
    """A million buffers of different sizes, every second one live around all after it: seconds and GB of the command line."""
    count = 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "nested.csv")
        with open(path, "w") as out:
            out.write("id,lower,upper,size\n")
            for i in range(count):
                end = i + 2 if i % 2 == 0 else 2 * count - i
                out.write(f"{i},{i},{end},{64 + i * 7919 % count}\n")
        start = time.perf_counter()
        process = subprocess.Popen([os.path.join(build, "bin", "stowage-cli"), "plan", path, "--planner", "greedy-by-size"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            return ""
        return f"seconds {time.perf_counter() - start}\ngigabytes {usage.ru_maxrss / 1e6}\n"


def arenas_of_tflite_micro(build):
    """Of every public model: arena of the runtime's greedy planner / that of a plan in the file, and whether this is the bound."""
    models = []
    with open(os.path.join(SHARED, "models", "reference.json")) as table:
        for model in json.load(table)["models"]:
            name = model["file"]
            if name.endswith(".tflite") and not name.startswith("syn_"):
                models.append(name)
    text = ""
    for name in models:
        run = subprocess.run([os.path.join(build, "bin", "stowage-cli"), "fit", os.path.join(SHARED, "models", "tflite", name),
                              "--format", "json"], capture_output=True, text=True, env=environment())
        if run.returncode not in (0, 1):
            return ""
        rows = {row["planner"]: row for row in json.loads(run.stdout)["rows"]}
        ratio = rows["tflm-greedy"]["arena"] / rows["offline"]["arena"]
        text += f"{name} {ratio:.4f} {rows['offline']['over_bound']}\n"
    return text


def arenas(text):
    return [line.split() for line in text.splitlines()]


def pipeline_of_movenet(build, engine):
    cli = os.path.join(build, "bin", "stowage-cli")
    model = os.path.join(SHARED, "models", "tflite", "movenet_single_pose_lightning_ptq.tflite")
    with tempfile.TemporaryDirectory() as folder:
        split = os.path.join(folder, "p.json")
        made = subprocess.run([cli, "pipeline", "split", model, "--auto", "--devices", "phone-soc", "-o", split], capture_output=True,
                              env=environment())
        if made.returncode != 0:
            return ""
        run = subprocess.run([cli, "pipeline", "run", split, "--no-check", "--frames", "60", "--engine", engine], capture_output=True,
                             text=True, env=environment())
        return run.stdout if run.returncode == 0 else ""


def movenet_on_threads(build):
    return pipeline_of_movenet(build, "threads")


def movenet_on_ranks(build):
    return pipeline_of_movenet(build, "mpi")


def deviation(text):
    found = re.search(r"One frame every .*\(([+-][\d.]+) %\)", text)
    return abs(float(found.group(1))) if found else None


def start_ups(build):
    """Milliseconds from main() to the first paint, of five starts."""
    text = ""
    with tempfile.TemporaryDirectory() as home:
        for _ in range(5):
            run = subprocess.run([os.path.join(build, "bin", "stowage"), "--measure-startup"], capture_output=True, text=True,
                                 env=dict(environment(), XDG_CONFIG_HOME=home, XDG_DATA_HOME=home))
            found = re.search(r"[\d.]+", run.stdout + run.stderr)
            if run.returncode != 0 or not found:
                return ""
            text += found.group(0) + "\n"
    return text


# --- the claims ------------------------------------------------------------------------------------------------------------------

def other_seeds(build):
    """D and J by `auto` with the seeds 1 to 3."""
    program = os.path.join(build, "bin", "bench_improver")
    return "".join(subprocess.run([program, "--shared", SHARED, "--seed", str(seed), "D.1048", "J.1048"], capture_output=True, text=True,
                                  env=environment()).stdout for seed in (1, 2, 3))


def slowest_seed(name):
    def find(text):
        seconds = [float(found) for found in improved(name, 2).findall(text)]
        return max(seconds) if len(seconds) == 3 else None

    return find


def bench(program, *arguments):
    return (program, *arguments)


def planner_bench(name):
    return ("bench_planners", "--benchmark_format=json", f"--benchmark_filter=^{name}/1000000")


FRAMES = bench("bench_frames", "--benchmark_format=json", "--benchmark_filter=(fit|pan|zoom|point|hit)/1000000")
FILTERS = bench("bench_filter", "--benchmark_format=json")
FOLD = bench("bench_fold", "--benchmark_format=json", "--benchmark_filter=^small|^module|^literal")
FIT = bench("bench_exact", "fit")
SMALLEST = bench("bench_exact", "--seconds", "60", "smallest")
PEERS = bench("bench_exact", "--seconds", "2", "peers")
LARGE = bench("bench_exact", "--seconds", "5", "large")
OWN_LIMIT = bench("bench_improver", ".1048576.csv")
TARGETS = bench("bench_targets")
NNC = bench("bench_nnc")
ALL = "ABCDEFGHIJK"
MIB = 1 / 1024


def tight(row, said, command, names, plus):
    """A claim for each instance: the ratios stand in `said`, in the order of the names."""
    ratios = [float(ratio) for ratio in re.findall(r"\d\.\d{3}", said)]
    assert len(ratios) == len(names), said
    return [Claim(row, said, f"{name}: size / optimum, auto", command, ratio, "x optimum", improved(name + "_", 1), exact=True,
                  slow=True, plus=plus) for name, ratio in zip(names, ratios)]


SLACKS = [f"slack_n{n}" for n in (200, 401, 793, 1501, 2981, 4913)]
ALIGNED = [f"aln_n{n}" for n in (178, 349, 704, 1335, 2628, 4406)]
DOUBLE = [f"dbl_n{n}" for n in (838, 3120)]
GUILLOTINE = [f"guil_n{n}" for n in (200, 400, 800, 1500, 3000, 5000)]
PINWHEELS = [f"pin_n{n}" for n in (200, 401, 803, 1502, 3003, 5003)]
BY_SECONDS = bench("bench_improver", "--threads", "2", "slack", "aln", "dbl", "guil", "pin")
BY_WORK = bench("bench_improver", "--auto-work", "3.3e8", "slack", "aln", "dbl")
RECTANGLES = bench("bench_improver", "--auto-work", "3.3e8", "guil", "pin")

EVEN = "1,000,000 buffers, 32 live on average"
NESTED = "1,000,000 buffers, half of them live at once"
PICTURE = "from the argument to the first picture"
MODELS = "models of `../shared/models`"
INTO = "MiniMalloc's A to K into"
SIZES = "the smallest size of A to K"
AUTO = "A to K, `auto`"
TIMED = "tight instances with 15 % left out"
SAME = "the same, `auto`"
FULL = "full rectangles"
GRAPHS = "3,206 ops of a transformer"
BESIDE = "size / most bytes live"
IDEALLOC = "idealloc's large instances"
FRAME = "a frame of the map"
HIT = "hit test"
FILTER = "filter and search"
FOLDING = "`fold` from its start"
ARENA = "arena of 30 public TFLite models"
MOVENET = "MoveNet on the three devices"
START = "from `main()` to the first paint"

CLAIMS = [
    Claim(EVEN, "1.0 s", "1,000,000 buffers, greedy-by-size", planner_bench("greedy-by-size/even"), 1000, "ms",
          counter("greedy-by-size/even/1000000", "real_time")),
    Claim(EVEN, "9.8 times", "1,000,000 buffers, greedy-by-size", planner_bench("greedy-by-size/even"), 9.8, "x sorting them",
          counter("greedy-by-size/even/1000000", "sorts")),
    Claim(EVEN, "0.9 s", "1,000,000 buffers, tflm-greedy", planner_bench("tflm-greedy/even"), 900, "ms",
          counter("tflm-greedy/even/1000000", "real_time")),
    Claim(EVEN, "1.1 s", "1,000,000 buffers, best-fit-decreasing, two threads", planner_bench("best-fit-decreasing/even"), 1100, "ms",
          counter("best-fit-decreasing/even/1000000", "real_time")),
    Claim(NESTED, "6.7 s", "1,000,000 nested buffers, greedy-by-size", planner_bench("greedy-by-size/nested-different"), 6700, "ms",
          counter("greedy-by-size/nested-different/1000000", "real_time")),
    Claim(NESTED, "8.9 s", "1,000,000 nested buffers, plan of a CSV file", (nested_csv,), 8.9, "s", re.compile(r"seconds (\S+)")),
    Claim(NESTED, "1.1 GB", "1,000,000 nested buffers, plan of a CSV file", (nested_csv,), 1.1, "GB", re.compile(r"gigabytes (\S+)")),
    Claim(PICTURE, "62,185 buffers (Y of idealloc) 0.6 s", "first picture of idealloc's Y",
          bench("bench_window", os.path.join(SHARED, "bench/idealloc/iopddl_Y_1.csv")), 600, "ms", window("argument to first picture")),
    Claim(PICTURE, "2.3 s", "first picture of 1,000,000 buffers", bench("bench_window"), 2300, "ms",
          window("argument to first picture")),
    Claim(PICTURE, "0.7 s", "first picture of 1,000,000 buffers, after the plan", bench("bench_window"), 700, "ms", after_the_plan),
    Claim(PICTURE, "8 to 12 ms", "worst frame of 1,000,000 buffers", bench("bench_window"), 12, "ms", worst_frame, exact=True),
    Claim(PICTURE, "1.0 GB", "memory of the window, 1,000,000 buffers", bench("bench_window"), 1.0 / MIB, "MiB",
          window("peak memory, panned")),
    Claim(PICTURE, "37 s", "first picture of 10,000,000 buffers", bench("bench_window", "--buffers", "10000000"), 37_000, "ms",
          window("argument to first picture"), slow=True),
    Claim(PICTURE, "83 ms at worst", "from a filter to the whole picture, 1,000,000 buffers", bench("bench_window"), 83, "ms",
          window("filter to the whole picture", 1)),
    Claim(PICTURE, "at worst 7 ms", "worst frame of 10,000,000 buffers", bench("bench_window", "--buffers", "10000000"), 6.5, "ms", worst_frame,
          slow=True),
    Claim(PICTURE, "6.9 GB", "memory of the window, 10,000,000 buffers", bench("bench_window", "--buffers", "10000000"), 6.9 / MIB, "MiB",
          window("peak memory, panned"), slow=True),
    Claim(MODELS, "127 optimal", "models on targets, easy pairs proved within 10 ms", TARGETS, 127, "pairs",
          re.compile(r"of these (\d+) optimal within"), exact=True, least=True, slow=True),
    Claim(MODELS, "within 10 ms", "models on targets, not as they have to be", TARGETS, 0, "pairs",
          re.compile(r"(\d+) not as they have to be"), exact=True, slow=True),
    Claim(MODELS, "24 partial", "models on targets, easy pairs with unknown sizes", TARGETS, 24, "pairs", re.compile(r"(\d+) partial"),
          exact=True, slow=True),
    Claim(INTO, "3 to 13 ms", "A to K into 1,048,576 B, exact: longest without E and I", FIT, 0.013, "s", column("ABCDFGHJK", 0)),
    Claim(INTO, "0.03 s", "E into 1,048,576 B, exact", FIT, 0.03, "s", column("E", 0)),
    Claim(INTO, "0.08 s", "I into 1,048,576 B, exact", FIT, 0.08, "s", column("I", 0)),
    Claim(INTO, "138 to 183 times", "A to K into 1,048,576 B, exact: MiniMalloc's published seconds", FIT, 138, "x (mean)",
          re.compile(r"geometric mean of the ratios: (\d+)"), least=True),
    Claim(INTO, "23 to 32", "I into 1,048,576 B, exact: MiniMalloc's published seconds", FIT, 23, "x", column("I", 3), least=True),
    Claim(SIZES, "ten proved", "smallest sizes proved by exact, 60 s", SMALLEST, 10, "instances", count_of(ALL, "optimal"), exact=True,
          least=True, slow=True),
    Claim(SIZES, "at most 0.2 s", "smallest size, exact: longest without D and J", SMALLEST, 0.2, "s", column("ABCEFGHIK", 4), slow=True),
    Claim(SIZES, "40 to 47 s", "smallest size of D, exact", SMALLEST, 47, "s", column("D", 4), slow=True),
    Claim(SIZES, "986,112", "smallest size of D, exact", SMALLEST, 986_112, "B", column("D", 0), exact=True, slow=True),
    Claim(SIZES, "1,013,760", "smallest size of J, exact", SMALLEST, 1_013_760, "B", column("J", 0), exact=True, slow=True),
    Claim(SIZES, "989,184", "bound of J, exact", SMALLEST, 989_184, "B", column("J", 1), exact=True, least=True, slow=True),
    Claim(AUTO, "all at their bound", "A to K, auto: size / bound", OWN_LIMIT, 1, "x bound",
          slowest_improved([f"{letter}[.]" for letter in ALL], 1), exact=True, slow=True),
    Claim(AUTO, "986,112 in 2.4 s", "D, auto", OWN_LIMIT, 2.4, "s (CPU)", improved("D[.]", 2), slow=True),
    Claim(AUTO, "989,184 in 1.3 s", "J, auto", OWN_LIMIT, 1.3, "s (CPU)", improved("J[.]", 2), slow=True),
    Claim(AUTO, "D takes 1.4 to 1.7 s", "D, auto, seeds 1 to 3: longest", (other_seeds,), 1.7, "s (CPU)", slowest_seed("D[.]"), slow=True),
    Claim(AUTO, "J 0.8 to 3.6 s", "J, auto, seeds 1 to 3: longest", (other_seeds,), 3.6, "s (CPU)", slowest_seed("J[.]"), slow=True),
    Claim(AUTO, "at most 0.1 s", "A to K, auto: longest without D and J", OWN_LIMIT, 0.1, "s (CPU)",
          slowest_improved([f"{letter}[.]" for letter in "ABCEFGHIK"], 2), slow=True),
    *tight(TIMED, "1.000, 1.003, 1.051, 1.027, 1.039 and 1.057", BY_SECONDS, SLACKS, BY_TIME),
    *tight(TIMED, "1.000, 1.000, 1.012, 1.055, 1.060, 1.105", BY_SECONDS, ALIGNED, BY_TIME),
    *tight(TIMED, "1.002, 1.014", BY_SECONDS, DOUBLE, BY_TIME),
    *tight(TIMED, "1.000, 1.000, 1.000, 1.120, 1.182, 1.138", BY_SECONDS, GUILLOTINE, BY_TIME),
    *tight(TIMED, "1.000, 1.000, 1.089, 1.145, 1.151, 1.166", BY_SECONDS, PINWHEELS, BY_TIME),
    *tight(SAME, "1.001, 1.003, 1.051, 1.027, 1.039, 1.060", BY_WORK, SLACKS, ROUNDED),
    *tight(SAME, "1.000, 1.000, 1.014, 1.058, 1.073, 1.105", BY_WORK, ALIGNED, ROUNDED),
    *tight(SAME, "1.007, 1.016", BY_WORK, DOUBLE, ROUNDED),
    *tight(FULL, "1.000, 1.000, 1.000, 1.122, 1.209, 1.138", RECTANGLES, GUILLOTINE, ROUNDED),
    *tight(FULL, "1.000, 1.000, 1.094, 1.145, 1.181, 1.218", RECTANGLES, PINWHEELS, ROUNDED),
    Claim(GRAPHS, "2 ms", "transformer of 3,206 ops, nnc-merge", NNC, 2, "ms (CPU)", processor("transformer of 3,206 ops", 2), slow=True),
    Claim(GRAPHS, "3,200 ops of dense random graphs 0.32 to 0.48 s", "dense graphs of 3,200 ops, nnc-merge", NNC, 480, "ms (CPU)",
          processor("(dense|band) dag", 2), slow=True),
    Claim(GRAPHS, "0.17 to 0.28 s", "dense graphs of 3,200 ops, nnc", NNC, 280, "ms (CPU)", processor("(dense|band) dag", 0), slow=True),
    Claim(GRAPHS, "0.12 to 0.16 s", "dense graphs of 3,200 ops, nnc-size-first", NNC, 160, "ms (CPU)", processor("(dense|band) dag", 1),
          slow=True),
    Claim(GRAPHS, "within 2 % of the bound on 63 of 66", "graphs within 2 % of the bound, nnc-merge, listed order", NNC, 63, "graphs",
          re.compile(r"listed order: .*nnc-merge (\d+)"), exact=True, least=True, slow=True),
    Claim(GRAPHS, "all 26", "graphs of libnnc, nnc-size-first or nnc-merge above it", NNC, 0, "graphs", above_libnnc, exact=True, slow=True),
    Claim(BESIDE, "`hill-climb` 1.18", "A to K, hill-climb", PEERS, 1.185, "x bound (mean)", mean(0), exact=True, plus=BY_TIME),
    Claim(BESIDE, "`greedy-by-size` 1.36", "A to K, greedy-by-size", PEERS, 1.365, "x bound (mean)", mean(1), exact=True),
    Claim(BESIDE, "`boxing` 1.36", "A to K, boxing", PEERS, 1.365, "x bound (mean)", mean(2), exact=True),
    Claim(BESIDE, "1.00 on each", "A to K, auto in 2 s: largest", PEERS, 1.005, "x bound", column(ALL, 3), exact=True,
          plus=BY_TIME),
    Claim(BESIDE, "D 1.001", "D, auto in 2 s", PEERS, 1.001, "x bound", column("D", 3), exact=True, plus=BY_TIME),
    Claim(BESIDE, "at most 1.3 s", "A to K without D, auto in 2 s: longest", PEERS, 1.3, "s (CPU)", column("ABCEFGHIJK", 4)),
    Claim(IDEALLOC, "resnet50 1.00000", "idealloc's resnet50, auto, 5 s", LARGE, 1, "x bound", large("somas_resnet50", 2), exact=True),
    Claim(IDEALLOC, "0.25 s", "idealloc's resnet50, auto", LARGE, 0.25, "s (CPU)", large("somas_resnet50", 3)),
    Claim(IDEALLOC, "pangu 1.00000", "idealloc's pangu, auto, 5 s", LARGE, 1, "x bound", large("somas_pangu_2.6B", 2), exact=True),
    Claim(IDEALLOC, "0.4 s", "idealloc's pangu, auto", LARGE, 0.4, "s (CPU)", large("somas_pangu_2.6B", 3)),
    Claim(IDEALLOC, "S 1.00100 in 5 s", "idealloc's S, auto, 5 s", LARGE, 1.001, "x bound", large("iopddl_S_1", 2), exact=True,
          plus=0.001),
    Claim(IDEALLOC, "Y (62,185 buffers) 1.00000", "idealloc's Y, auto, 5 s", LARGE, 1, "x bound", large("iopddl_Y_1", 2), exact=True),
    Claim(IDEALLOC, "in 2 s", "idealloc's Y, auto", LARGE, 2, "s (CPU)", large("iopddl_Y_1", 3)),
    Claim(FRAME, "pan 7 ms", "frame, pan, 1,000,000 buffers", FRAMES, 7, "ms", counter("pan/1000000", "median_ms")),
    Claim(FRAME, "zoom 9 ms", "frame, zoom, 1,000,000 buffers", FRAMES, 9, "ms", counter("zoom/1000000", "median_ms")),
    Claim(FRAME, "pointer 0.6 ms", "frame, pointer, 1,000,000 buffers", FRAMES, 0.6, "ms", counter("point/1000000", "median_ms")),
    Claim(FRAME, "0.32 and 0.11", "frame, pan, 1,000,000 buffers", FRAMES, 0.32, "x QPainter", counter("pan/1000000", "of_painter")),
    Claim(FRAME, "0.32 and 0.11", "frame, zoom, 1,000,000 buffers", FRAMES, 0.11, "x QPainter", counter("zoom/1000000", "of_painter")),
    Claim(FRAME, "2.2 copies", "frame, pointer, 1,000,000 buffers", FRAMES, 2.2, "x a copy of it", counter("point/1000000", "copies")),
    Claim(FRAME, "0.6 s", "first picture from a scene, 1,000,000 buffers", FRAMES, 600, "ms", counter("fit/1000000", "median_ms")),
    Claim(HIT, "2.5 µs", "hit test, 1,000,000 buffers", FRAMES, 0.0025, "ms", counter("hit/1000000", "median_ms")),
    Claim(FOLDING, "17 ms", "fold of a small program, start to end", FOLD, 17, "ms (CPU)", counter("smallProgram", "processor_ms")),
    Claim(FOLDING, "26 ms", "fold of a small MLIR module, start to end", FOLD, 26, "ms (CPU)", counter("smallModule", "processor_ms")),
    Claim(FOLDING, "20,000 ops 0.75 s", "fold of an MLIR module of 20,000 ops", FOLD, 750, "ms (CPU)",
          counter("moduleOfOps/20000", "processor_ms")),
    Claim(FOLDING, "64 MiB 0.48 s", "fold of a literal of 64 MiB", FOLD, 480, "ms (CPU)", counter("literal/64", "processor_ms")),
    Claim(FOLDING, "402 MB", "fold of a literal of 64 MiB, the worker", FOLD, 402, "MB", counter("literal/64", "worker_MB")),
    Claim(FOLDING, "24 MB", "fold of a literal of 64 MiB, the process that asks", FOLD, 24, "MB", counter("literal/64", "own_MB")),
    Claim(ARENA, "7 above 1: 1.45, 1.41, 1.33, 1.33, 1.13, 1.04, 1.01", "TFLite Micro's greedy planner above a plan in the file",
          (arenas_of_tflite_micro,), 7, "models", lambda text: sum(float(row[1]) > 1 for row in arenas(text)) if text else None, exact=True),
    Claim(ARENA, "7 above 1: 1.45, 1.41, 1.33, 1.33, 1.13, 1.04, 1.01", "TFLite Micro's greedy planner / a plan in the file, largest",
          (arenas_of_tflite_micro,), 1.455, "x", lambda text: max(float(row[1]) for row in arenas(text)) if text else None, exact=True),
    Claim(ARENA, "all 30", "models whose plan in the file equals the bound", (arenas_of_tflite_micro,), 30, "models",
          lambda text: sum(float(row[2]) == 0 for row in arenas(text)) if text else None, exact=True, least=True),
    Claim(MOVENET, "threads 0.0 %", "MoveNet on threads, measured against predicted", (movenet_on_threads,), 0.05, "%", deviation,
          exact=True, plus=0.5),
    Claim(MOVENET, "-0.2 to +2.0 %", "MoveNet on three ranks of MPI, measured against predicted", (movenet_on_ranks,), 2, "%", deviation),
    Claim(START, "103 to 136 ms", "from main() to the first paint, median of five", (start_ups,), 136, "ms",
          lambda text: statistics.median(float(line) for line in text.split()) if text else None),
    Claim(FILTER, "names 31 ms", "filter and search by names, 1,000,000 buffers", FILTERS, 31, "ms", slowest("name", "everyName", "noName")),
    Claim(FILTER, "28 ms", "filter and search by regular expressions that match some names", FILTERS, 28, "ms", slowest("regex", "noRegex")),
    Claim(FILTER, "40 ms where all match", "filter and search by a regular expression that matches all names", FILTERS, 40, "ms",
          slowest("everyRegex")),
    Claim(FILTER, "sizes, steps, lifetimes and addresses 25 ms", "filter and search by numbers, 1,000,000 buffers", FILTERS, 25, "ms",
          slowest("size", "steps", "lifetime", "address", "everything")),
    Claim(FILTER, "the rows of a table 10 ms", "rows that a filter leaves, 1,000,000 buffers", FILTERS, 10, "ms", slowest("rows")),
    Claim("", "", "1,000,000 buffers, from a filter to the first frame", bench("bench_window"), 100, "ms",
          window("filter to the first frame"), exact=True),
    Claim("", "", "1,000,000 frames of 8 stages simulated",
          bench("bench_pipeline", "--benchmark_format=json", "--benchmark_filter=simulateChain"), 5, "s",
          counter("simulateChain/1000000/8", "real_time")),
    Claim("", "", "1,000,000 frames of 8 stages simulated: events",
          bench("bench_pipeline", "--benchmark_format=json", "--benchmark_filter=simulateChain"), 15_000_000, "events",
          counter("simulateChain/1000000/8", "events"), exact=True),
]

# Words with figures in the column "measured" that are no claims: sizes of inputs, and figures of others or of earlier versions.
QUOTED = {
    AUTO: ["seeds 1 to 3"],
    NESTED: ["(75 s before"],
    SIZES: ["(1,007,616 was the smallest size known)", "(1,032,192 was)"],
    TIMED: ["178 to 4,406", "838 and 3,120"],
    GRAPHS: [],
    BESIDE: ["(TVM's as published 1.23)", "(1.36)", "(idealloc 1.34)", "`auto` in 2 s", "vary by about 0.02"],
    IDEALLOC: ["(idealloc: 1.0064, 1.026, 1.029, 1.0036 in up to 15 s on another machine)"],
}
