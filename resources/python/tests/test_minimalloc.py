"""A program written for MiniMalloc's Python interface runs on Stowage."""

import contextlib
import datetime
import threading
import unittest

import stowage
import stowage_minimalloc as minimalloc
from stowage_minimalloc import Buffer, Gap, Lifespan, Problem, Solution, Solver, SolverParams, Window

EXAMPLE = """id,lower,upper,size
b1,0,3,4
b2,3,9,4
b3,0,9,4
b4,9,21,4
b5,0,21,4
"""


def without_an_answer():
    """Buffers of four alignments into their lower bound: no search tells within a day whether they fit."""
    state, buffers = 3, []

    def draw(end):
        nonlocal state
        state = state * 48271 % 2147483647
        return state // 7 % end

    for i in range(400):
        begin = draw(60)
        lifespan = Lifespan(begin, begin + 1 + draw(40))
        buffers.append(Buffer(f"t{i}", lifespan, 16 + draw(999), (1, 8, 64, 256)[draw(4)]))
    problem = Problem(buffers)
    problem.capacity = problem.as_stowage(None).bound
    return problem


@contextlib.contextmanager
def cancelled_again_and_again(solver):
    """From half a second on, when the search finds nothing better any more."""
    ended = threading.Event()

    def cancel():
        pause = 0.5
        while not ended.wait(pause):
            solver.cancel()
            pause = 0.05

    thread = threading.Thread(target=cancel)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class Interface(unittest.TestCase):
    def test_the_readme_s_example_fits_into_12(self):
        problem = minimalloc.from_csv(EXAMPLE)
        problem.capacity = 12
        solution = Solver(SolverParams()).solve(problem)
        self.assertEqual(solution.height, 12)
        self.assertEqual(minimalloc.validate(problem, solution), minimalloc.GOOD)

    def test_what_does_not_fit_is_none(self):
        problem = minimalloc.from_csv(EXAMPLE)
        problem.capacity = 11
        self.assertIsNone(Solver().solve(problem))

    def test_capacities_are_minimised_on_demand(self):
        problem = minimalloc.from_csv(EXAMPLE)
        self.assertEqual(Solver(SolverParams(minimize_capacity=True, timeout=datetime.timedelta(seconds=20))).solve(problem).height, 12)

    def test_offsets_come_in_the_problem_s_order(self):
        problem = Problem([Buffer("x", Lifespan(0, 2), 8, offset=16), Buffer("y", Lifespan(0, 2), 16)], 24)
        self.assertEqual(Solver().solve(problem).offsets, [16, 0])

    def test_gaps_and_windows_count(self):
        whole = Buffer("a", Lifespan(0, 10), 8, gaps=[Gap(Lifespan(3, 7))])
        inside = Buffer("b", Lifespan(4, 6), 8)
        self.assertEqual(Solver().solve(Problem([whole, inside], 8)).height, 8)
        part = Buffer("a", Lifespan(0, 10), 8, gaps=[Gap(Lifespan(3, 7), Window(0, 2))])
        self.assertIsNone(Solver().solve(Problem([part, inside], 8)))
        self.assertEqual(Solver().solve(Problem([part, inside], 10)).height, 10)

    def test_an_infeasible_subset_is_irreducible(self):
        problem = minimalloc.from_csv(EXAMPLE)
        problem.capacity = 11
        subset = Solver().compute_irreducible_infeasible_subset(problem)
        self.assertIsNone(Solver().solve(Problem(subset, 11)))
        for buffer in subset:
            self.assertIsNotNone(Solver().solve(Problem([b for b in subset if b is not buffer], 11)))

    def test_each_fault_has_its_name(self):
        buffers = [Buffer("a", Lifespan(0, 2), 8, alignment=4), Buffer("b", Lifespan(1, 3), 8, offset=8)]
        problem = Problem(buffers, 32)
        for offsets, height, verdict in [
            ([0, 8], 16, minimalloc.GOOD),
            ([0], 16, minimalloc.BAD_SOLUTION),
            ([0, 16], 24, minimalloc.BAD_FIXED),
            ([28, 8], 36, minimalloc.BAD_OFFSET),
            ([-4, 8], 16, minimalloc.BAD_OFFSET),
            ([4, 8], 16, minimalloc.BAD_OVERLAP),
            ([18, 8], 26, minimalloc.BAD_ALIGNMENT),
            ([0, 8], 17, minimalloc.BAD_HEIGHT),
        ]:
            self.assertEqual(minimalloc.validate(problem, Solution(offsets, height)), verdict, offsets)

    def test_csv_goes_both_ways(self):
        text = "id,lower,upper,size,alignment,gaps\na,0,10,8,2,3-5 6-7@0:2\nb,1,2,4,1,\n"
        problem = minimalloc.from_csv(text)
        self.assertEqual(minimalloc.to_csv(problem), text)
        solved = minimalloc.to_csv(problem, Solution([0, 8], 12))
        self.assertEqual(solved.splitlines()[1], "a,0,10,8,2,3-5 6-7@0:2,0")

    def test_a_gap_over_the_whole_lifespan_leaves_a_buffer_free(self):
        whole = Lifespan(0, 10)
        for gaps in ([Gap(whole)], [Gap(Lifespan(0, 4)), Gap(Lifespan(4, 10))]):
            problem = Problem([Buffer("never", whole, 8, gaps=gaps), Buffer("always", whole, 4)], 8)
            solution = Solver().solve(problem)
            self.assertEqual(solution.height, 8)  # of the larger one: they may overlap
            self.assertEqual(minimalloc.validate(problem, solution), minimalloc.GOOD)
            self.assertEqual(minimalloc.validate(problem, Solution([0, 2], 8)), minimalloc.GOOD)
            problem.capacity = 7  # it has to be inside all the same
            self.assertIsNone(Solver().solve(problem))
            self.assertEqual([buffer.id for buffer in Solver().compute_irreducible_infeasible_subset(problem)], ["never"])
        pinned = Problem([Buffer("never", whole, 8, gaps=[Gap(whole)], offset=16), Buffer("always", whole, 4)], 32)
        self.assertEqual(Solver().solve(pinned).offsets[0], 16)
        self.assertEqual(Solver().solve(pinned).height, 24)

    def test_bytes_that_stay_in_a_gap_at_an_end_keep_the_whole_buffer(self):
        always = Buffer("always", Lifespan(0, 10), 8)
        for gap in (Lifespan(0, 10), Lifespan(0, 3), Lifespan(7, 10)):
            kept = Buffer("kept", Lifespan(0, 10), 8, gaps=[Gap(gap, Window(0, 2))])
            self.assertEqual(Solver().solve(Problem([kept, always], 16)).height, 16)

    # Without a time limit and without a better plan nothing but the cancel ends these searches.
    def test_cancel_ends_a_search_that_finds_nothing_better(self):
        for minimize in (False, True):
            solver = Solver(SolverParams(minimize_capacity=minimize))
            with cancelled_again_and_again(solver):
                self.assertIsNone(solver.solve(without_an_answer()))

    def test_a_subset_that_is_not_proved_is_none(self):
        solver = Solver()
        with cancelled_again_and_again(solver), self.assertRaises(stowage.Error) as cancelled:
            solver.compute_irreducible_infeasible_subset(without_an_answer())
        self.assertEqual(cancelled.exception.code, "cancelled")
        with self.assertRaises(stowage.Error) as late:
            Solver(SolverParams(timeout=0.05)).compute_irreducible_infeasible_subset(without_an_answer())
        self.assertEqual(late.exception.code, "timed-out")


if __name__ == "__main__":
    unittest.main()
