"""The Python module: what it plans is valid, and what it refuses it says."""

import copy
import dataclasses
import json
import pickle
import threading
import time
import unittest

import stowage
from stowage import Buffer, Pool, Window

THREE = [Buffer("a", 10, live=[(0, 2)]), Buffer("b", 20, live=[(1, 3)]), Buffer("c", 10, live=[(2, 4)])]


def collide(buffers, offsets):
    """Pairs that share a byte at a step, by brute force."""
    found = []
    for i, x in enumerate(buffers):
        for y in buffers[i + 1 :]:
            steps = {s for begin, end in x.live for s in range(begin, end)} & {s for begin, end in y.live for s in range(begin, end)}
            low, high = offsets[x.name], offsets[y.name]
            if steps and low < high + y.size and high < low + x.size:
                found.append((x.name, y.name))
    return found


def some_buffers(count):
    state, buffers = 7, []
    for i in range(count):
        state = state * 48271 % 2147483647
        begin = state % 50
        buffers.append(Buffer(f"t{i}", 16 + state % 1000, live=[(begin, begin + 1 + state % 9)]))
    return buffers


def without_a_proof(count):
    """Buffers of four alignments, most of them live together: an exhaustive search of some hundred does not end."""
    state, buffers = 3, []

    def draw(end):
        nonlocal state
        state = state * 48271 % 2147483647
        return state // 7 % end

    for i in range(count):
        begin = draw(60)
        live = (begin, begin + 1 + draw(40))
        buffers.append(Buffer(f"t{i}", 16 + draw(999), live=[live], alignment=(1, 8, 64, 256)[draw(4)]))
    return buffers


class Planning(unittest.TestCase):
    def test_a_small_problem_is_optimal_and_proved(self):
        plan = stowage.plan(THREE)
        self.assertEqual((plan.status, plan.size, plan.bound, plan.proof), ("optimal", 30, 30, "bound"))
        self.assertEqual(collide(THREE, plan.offsets), [])
        self.assertEqual(plan.certificate("arena"), ["a", "b"])
        self.assertTrue(plan.valid)
        self.assertEqual(plan.violation, "")

    def test_plans_of_every_planner_are_valid(self):
        buffers = some_buffers(40)
        for name in stowage.planners():
            if name in ("hivm", "multi-pool"):
                continue
            with self.subTest(planner=name):
                plan = stowage.plan(buffers, planner=name, time_limit=1)
                self.assertEqual(collide(buffers, plan.offsets), [])
                self.assertGreaterEqual(plan.size, plan.bound)

    def test_alignment_counts_for_buffers_that_state_none(self):
        plan = stowage.plan([*THREE, Buffer("d", 3, live=[(0, 4)], alignment=4)], alignment=64)
        for name, offset in plan.offsets.items():
            self.assertEqual(offset % (4 if name == "d" else 64), 0)

    def test_pools_candidates_pins_conflicts_and_windows(self):
        buffers = [
            Buffer("a", 64, live=[(0, 2)], pools=["near"]),
            Buffer("b", 64, live=[(0, 2)], pools=["far"], offset=128),
            Buffer("c", 64, live=[(5, 6)], conflicts=["a"], pools=["near"]),
            Buffer("d", 8, live=[(0, 1), (4, 5)], windows=[Window((2, 3), 0, 4)], pools=["far"]),
        ]
        plan = stowage.plan(buffers, [Pool("near", 128), Pool("far")], planner="exact")
        self.assertEqual(plan.pools, {"a": "near", "b": "far", "c": "near", "d": "far"})
        self.assertEqual(plan.offsets["b"], 128)
        self.assertEqual(abs(plan.offsets["a"] - plan.offsets["c"]), 64)
        self.assertEqual(plan.pool_sizes["near"], 128)

    def test_what_cannot_fit_is_proved(self):
        plan = stowage.plan(THREE, [Pool("sram", 29)])
        self.assertEqual(plan.status, "infeasible")
        self.assertTrue(plan.valid)
        self.assertFalse(plan.fits)

    def test_conflicts_alone_are_enough(self):
        plan = stowage.plan([Buffer("a", 8, conflicts=["b"]), Buffer("b", 8), Buffer("c", 8, conflicts=["a", "b"])])
        self.assertEqual(plan.size, 24)

    def test_infeasible_is_what_is_proved(self):
        self.assertTrue(stowage.plan(THREE, [Pool("sram", 29)]).infeasible)
        self.assertFalse(stowage.plan(THREE, [Pool("sram", 30)]).infeasible)
        self.assertFalse(stowage.plan(THREE, [Pool("sram", 30)], planner="naive").infeasible)  # 40 bytes end to end

    def test_the_same_seed_gives_the_same_plan(self):
        buffers = some_buffers(60)
        first, second = (stowage.plan(buffers, planner="hill-climb", seed=5, work_limit=20_000) for _ in range(2))
        self.assertEqual(first.offsets, second.offsets)

    def test_plans_are_documents(self):
        document = json.loads(stowage.plan(THREE).to_json())
        self.assertEqual(document["format"], "stowage.plan/1")
        self.assertEqual(len(document["placements"]), 3)

    def test_problems_are_read_from_csv_and_json(self):
        csv = stowage.Problem.read("id,lower,upper,size\na,0,2,10\nb,1,3,20\n")
        self.assertEqual((csv.buffers, csv.bound), (["a", "b"], 30))
        text = '{"format": "stowage.problem/1", "buffers": [{"name": "x", "size": 4, "live": [[0, 1]]}]}'
        self.assertEqual(stowage.plan(stowage.Problem.read(text)).offsets, {"x": 0})

    def test_explain_goes_down_to_the_lowest_address(self):
        plan = stowage.plan([Buffer("low", 8, live=[(0, 2)], offset=0), Buffer("high", 8, live=[(0, 2)])])
        self.assertEqual(stowage.explain(plan, "high"), ["high lies at 8: it rests on low", "low lies at 0: the lowest address"])


class Checking(unittest.TestCase):
    def test_a_collision_names_the_pair(self):
        judged = stowage.check(THREE, {"a": 0, "b": 5, "c": 30})
        self.assertEqual((judged.status, judged.valid, judged.fits), ("invalid", False, False))
        self.assertIn("a", judged.violation)
        self.assertIn("b", judged.violation)

    def test_a_good_plan_passes(self):
        judged = stowage.check(THREE, {"a": 0, "b": 10, "c": 0})
        self.assertTrue(judged.valid and judged.fits)

    def test_status_and_stop_are_the_words_of_plan_files(self):
        for capacity, status in ((None, "optimal"), (30, "optimal"), (29, "infeasible")):
            plan = stowage.plan(THREE, [Pool("sram", capacity)])
            document = json.loads(plan.to_json())
            self.assertEqual((plan.status, plan.stopped_by), (status, "complete"))
            self.assertEqual((document["status"], document["stopped_by"]), (plan.status, plan.stopped_by))

    def test_unknown_and_missing_buffers_are_errors(self):
        with self.assertRaises(stowage.Error) as unknown:
            stowage.check(THREE, {"a": 0, "b": 10, "c": 0, "z": 0})
        self.assertEqual(unknown.exception.code, "unknown-buffer")
        with self.assertRaises(stowage.Error) as missing:
            stowage.check(THREE, {"a": 0})
        self.assertEqual(missing.exception.code, "missing-buffer")

    def test_offsets_are_looked_up_not_searched(self):
        class Listed(list):
            def __contains__(self, _):
                raise AssertionError("searched")

            def index(self, *_):
                raise AssertionError("searched")

        problem = stowage.Problem(THREE)
        problem.buffers, problem.pools = Listed(problem.buffers), Listed(problem.pools)
        judged = stowage.check(problem, {"a": 0, "b": 10, "c": 0}, placed={"a": "arena", "b": "arena", "c": "arena"})
        self.assertTrue(judged.valid)
        self.assertEqual(judged.explain("a"), ["a lies at 0: the lowest address"])
        self.assertEqual(judged.certificate("arena"), ["a", "b"])

    def test_texts_are_plans_too(self):
        self.assertTrue(stowage.check(THREE, "id,offset\na,0\nb,10\nc,0\n").valid)


class Copying(unittest.TestCase):
    """What the library holds has one owner: a second one would free it again."""

    def test_a_copy_of_a_problem_is_the_problem(self):
        problem = stowage.Problem(THREE)
        for copied in (copy.copy(problem), copy.deepcopy(problem), copy.deepcopy({"asked": [problem]})["asked"][0]):
            self.assertIs(copied, problem)
        del copied
        self.assertEqual(problem.bound, 30)

    def test_a_copy_of_a_plan_answers_after_the_plan_is_gone(self):
        for copied in (copy.copy, copy.deepcopy):
            with self.subTest(copy=copied.__name__):
                plan = stowage.check(THREE, {"a": 0, "b": 10, "c": 0})
                kept = copied(plan)
                self.assertIs(kept._handle, plan._handle)
                del plan
                self.assertEqual(kept.offsets, {"a": 0, "b": 10, "c": 0})
                self.assertEqual(kept.explain("a"), ["a lies at 0: the lowest address"])

    def test_the_fields_of_a_plan_as_a_dictionary_leave_its_problem_alone(self):
        problem = stowage.Problem(THREE)
        plan = stowage.check(problem, {"a": 0, "b": 10, "c": 0})
        fields = dataclasses.asdict(plan)
        self.assertEqual((fields["size"], fields["offsets"]), (30, {"a": 0, "b": 10, "c": 0}))
        self.assertIs(fields["_handle"], plan._handle)
        del fields
        self.assertEqual((problem.bound, plan.explain("a")), (30, ["a lies at 0: the lowest address"]))

    def test_neither_leaves_its_process(self):
        problem = stowage.Problem(THREE)
        plan = stowage.check(problem, {"a": 0, "b": 10, "c": 0})
        for held, remedy in ((problem, "buffers and pools"), (plan, "to_json")):
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                with self.subTest(held=type(held).__name__, protocol=protocol), self.assertRaisesRegex(TypeError, remedy):
                    pickle.dumps(held, protocol)


class Refusals(unittest.TestCase):
    def refused(self, code, *arguments, **options):
        with self.assertRaises(stowage.Error) as raised:
            stowage.plan(*arguments, **options)
        self.assertEqual(raised.exception.code, code)
        self.assertTrue(str(raised.exception))

    def test_each_has_its_code(self):
        self.refused("unknown-planner", THREE, planner="exactt")
        self.refused("unknown-option", THREE, planner="naive", options={"speed": 3})
        self.refused("bad-argument", [Buffer("a", -1, live=[(0, 1)])])
        self.refused("bad-argument", [Buffer("a", 1, live=[(1, 1)])])
        self.refused("bad-argument", THREE, alignment=0)
        self.refused("unknown-buffer", [Buffer("a", 1, live=[(0, 1)], conflicts=["nobody"])])
        self.refused("unknown-pool", [Buffer("a", 1, live=[(0, 1)], pools=["nowhere"])])
        self.refused("duplicate-name", [Buffer("a", 1, live=[(0, 1)]), Buffer("a", 1, live=[(0, 1)])])

    def test_a_buffer_needs_a_live_range_or_a_conflict(self):
        for alone in (Buffer("d", 8), Buffer("d", 8, live=[], conflicts=[], offset=0)):
            self.refused("missing-field", [*THREE, alone])
        with self.assertRaises(stowage.Error) as raised:
            stowage.check([*THREE, Buffer("d", 8)], {"a": 0, "b": 10, "c": 0, "d": 0})
        self.assertEqual(raised.exception.code, "missing-field")
        self.assertIn("'d'", str(raised.exception))
        plan = stowage.plan([Buffer("a", 8), Buffer("b", 8, conflicts=["a"])])  # each of both has it
        self.assertEqual(sorted(plan.offsets.values()), [0, 8])

    def test_numbers_that_the_library_has_no_room_for(self):
        one = [(0, 1)]
        for buffer in (
            Buffer("a", 2**64 + 16, live=one),
            Buffer("a", 2**63, live=one),
            Buffer("a", 16, live=[(2**64, 2**64 + 1)]),
            Buffer("a", 16, live=one, alignment=2**64 + 1),
            Buffer("a", 16, live=one, offset=2**64),
            Buffer("a", 16, live=[(0, 1), (2, 3)], windows=[Window((1, 2), 2**64, 2**64 + 8)]),
        ):
            self.refused("bad-argument", [buffer])
        for pool in (Pool("p", 2**64 + 64), Pool("p", -5), Pool("p", 64, 2**64 + 1)):
            self.refused("bad-argument", THREE, [pool])
        for options in ({"threads": -1}, {"threads": 2**32 + 1}, {"seed": -1}, {"seed": 2**64}, {"work_limit": -1}):
            self.refused("bad-argument", THREE, **options)
        with self.assertRaises(stowage.Error) as raised:
            stowage.check(THREE, {"a": 2**64, "b": 10, "c": 0})
        self.assertEqual(raised.exception.code, "bad-argument")

    def test_whole_numbers_of_other_types_are_taken(self):
        class Number:  # as the integers of NumPy
            def __init__(self, value):
                self.value = value

            def __index__(self):
                return self.value

        buffer = Buffer("a", Number(16), live=[(Number(0), Number(1))], alignment=Number(8), offset=Number(64))
        plan = stowage.plan([buffer], [Pool("p", Number(128), Number(4))], seed=Number(1), threads=Number(2), work_limit=Number(1000))
        self.assertEqual((plan.offsets, plan.size), ({"a": 64}, 80))
        self.assertTrue(stowage.check([buffer], {"a": Number(64)}).valid)

    def test_bad_texts_have_a_place(self):
        with self.assertRaises(stowage.Error) as raised:
            stowage.Problem.read('{"format": "stowage.problem/1",\n "bufers": []}')
        self.assertIn("2:", str(raised.exception))


class Running(unittest.TestCase):
    # Brute force cannot help here: the search has to last long enough to be watched.
    HARD = some_buffers(400)

    def test_progress_is_told_and_gets_better(self):
        told = []
        plan = stowage.plan(self.HARD, planner="hill-climb", work_limit=200_000, progress=told.append)
        self.assertTrue(told)
        self.assertEqual(min(p.size for p in told), told[-1].size)
        self.assertGreaterEqual(told[-1].size, plan.size)

    def test_cancelled_gives_the_best_plan_so_far(self):
        def stop(_):
            raise stowage.Cancelled

        plan = stowage.plan(self.HARD, planner="hill-climb", work_limit=2_000_000_000, time_limit=60, progress=stop)
        self.assertEqual(plan.stopped_by, "cancelled")
        self.assertEqual(collide(self.HARD, plan.offsets), [])

    # Neither a limit nor a better plan ends these searches: without an answer to `cancelled` they would not end.
    def test_a_function_cancels(self):
        asked, buffers = [], without_a_proof(400)

        def third_time():
            asked.append(None)
            return len(asked) == 3

        plan = stowage.plan(buffers, planner="exact", cancelled=third_time)
        self.assertEqual((plan.stopped_by, len(asked)), ("cancelled", 3))
        self.assertEqual(collide(buffers, plan.offsets), [])

    def test_an_event_cancels(self):
        event, buffers = threading.Event(), without_a_proof(400)
        event.set()
        self.assertEqual(stowage.plan(buffers, planner="exact", cancelled=event).stopped_by, "cancelled")

    def test_a_function_that_raises_cancels_too(self):
        def cancel():
            raise stowage.Cancelled

        def fail():
            raise KeyError("mine")

        buffers = without_a_proof(400)
        self.assertEqual(stowage.plan(buffers, planner="exact", cancelled=cancel).stopped_by, "cancelled")
        with self.assertRaises(KeyError):
            stowage.plan(buffers, planner="exact", cancelled=fail)

    def test_other_errors_of_the_callback_come_back(self):
        def fail(_):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            stowage.plan(self.HARD, planner="hill-climb", work_limit=2_000_000_000, time_limit=60, progress=fail)

    def test_other_threads_run_meanwhile(self):
        counted, ended = [0], threading.Event()

        def count():
            while not ended.is_set():
                counted[0] += 1
                time.sleep(0.001)

        counter = threading.Thread(target=count)
        counter.start()
        stowage.plan(self.HARD, planner="hill-climb", work_limit=2_000_000_000, time_limit=0.5)
        ended.set()
        counter.join()
        self.assertGreater(counted[0], 20)  # with the lock held it would be one or two

    def test_threads_plan_at_the_same_time(self):
        problem = stowage.Problem(some_buffers(80))
        sizes = []
        threads = [threading.Thread(target=lambda: sizes.append(stowage.plan(problem, planner="exact", work_limit=50_000).size)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(sizes), 4)
        self.assertEqual(len(set(sizes)), 1)


if __name__ == "__main__":
    unittest.main()
