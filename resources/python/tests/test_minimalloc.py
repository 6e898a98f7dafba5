"""A program written for MiniMalloc's Python interface runs on Stowage."""

import contextlib
import datetime
import threading
import unittest

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
        problem.capacity = 20
        solver = Solver(SolverParams(minimize_capacity=True, timeout=datetime.timedelta(seconds=20)))
        self.assertEqual(solver.solve(problem).height, 12)

    def test_the_capacity_holds_when_it_is_minimised_too(self):
        problem = minimalloc.from_csv(EXAMPLE)
        for problem.capacity in (0, 11):
            self.assertIsNone(Solver(SolverParams(minimize_capacity=True)).solve(problem))
        problem.capacity = 12
        self.assertEqual(Solver(SolverParams(minimize_capacity=True)).solve(problem).height, 12)

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
        buffers = [problem.buffers[index] for index in subset]
        self.assertIsNone(Solver().solve(Problem(buffers, 11)))
        for buffer in buffers:
            self.assertIsNotNone(Solver().solve(Problem([b for b in buffers if b is not buffer], 11)))

    def test_an_infeasible_subset_is_a_list_of_indices(self):
        pairs = [(0, 2), (0, 2), (2, 5), (3, 6), (4, 7)]  # only at step 4 there are three buffers: the last ones
        problem = Problem([Buffer(f"b{i}", Lifespan(*pair), 2) for i, pair in enumerate(pairs)], 4)
        self.assertEqual(Solver().compute_irreducible_infeasible_subset(problem), [2, 3, 4])
        problem.capacity = 6
        self.assertEqual(Solver().compute_irreducible_infeasible_subset(problem), [])

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
            self.assertEqual(Solver().compute_irreducible_infeasible_subset(problem), [0])
        pinned = Problem([Buffer("never", whole, 8, gaps=[Gap(whole)], offset=16), Buffer("always", whole, 4)], 32)
        self.assertEqual(Solver().solve(pinned).offsets[0], 16)
        self.assertEqual(Solver().solve(pinned).height, 24)

    def test_only_the_bytes_of_a_window_stay_in_a_gap_at_an_end(self):
        whole = Lifespan(0, 10)
        for first, last, height in [
            ((0, 5, 0, 1), (5, 10, 1, 2), 3),  # at 0 and 1: bytes 0 | 1 2 until step 5, then 0 1 | 2
            ((5, 10, 0, 1), (0, 5, 1, 2), 3),  # mirrored in time
            ((0, 5, 0, 1), (5, 10, 0, 1), 4),  # at 0 and 1 both would have byte 1 from step 5 on
            ((0, 10, 0, 1), (0, 10, 0, 1), 3),  # bytes 0 | 1; all bytes of both are inside
        ]:
            buffers = []
            for name, (begin, end, low, high) in (("b0", first), ("b1", last)):
                buffers.append(Buffer(name, whole, 2, gaps=[Gap(Lifespan(begin, end), Window(low, high))]))
            solution = Solver().solve(Problem(buffers, height))
            self.assertEqual(minimalloc.validate(Problem(buffers, height), solution), minimalloc.GOOD, (first, last))
            self.assertIsNone(Solver().solve(Problem(buffers, height - 1)), (first, last))
        tetris = Problem([Buffer("b0", whole, 2, gaps=[Gap(Lifespan(0, 5), Window(0, 1))]),
                          Buffer("b1", whole, 2, gaps=[Gap(Lifespan(5, 10), Window(1, 2))])], 3)
        self.assertEqual(minimalloc.validate(tetris, Solution([0, 1], 3)), minimalloc.GOOD)
        self.assertEqual(minimalloc.validate(tetris, Solution([1, 0], 3)), minimalloc.BAD_OVERLAP)
        tetris.buffers[0].gaps.append(Gap(Lifespan(5, 8)))  # a gap without a window does not end the one before it
        self.assertEqual(minimalloc.validate(tetris, Solution([0, 1], 3)), minimalloc.GOOD)

    def test_each_search_counts_anew_and_at_least_1_without_a_solution(self):
        solver = Solver()
        tight = Problem([Buffer("a", Lifespan(0, 2), 2), Buffer("b", Lifespan(0, 2), 2)], 3)
        self.assertIsNone(solver.solve(tight))
        first = solver.get_backtracks()
        self.assertGreater(first, 0)
        self.assertIsNone(solver.solve(tight))
        self.assertEqual(solver.get_backtracks(), first)
        solver.compute_irreducible_infeasible_subset(tight)
        self.assertGreater(solver.get_backtracks(), 0)
        solver.solve(Problem([], 3))
        self.assertEqual(solver.get_backtracks(), 0)

    # Without a time limit and without a better plan nothing but the cancel ends these searches.
    def test_cancel_ends_a_search_that_finds_nothing_better(self):
        for minimize in (False, True):
            solver = Solver(SolverParams(minimize_capacity=minimize))
            with cancelled_again_and_again(solver):
                self.assertIsNone(solver.solve(without_an_answer()))

    def test_a_stopped_search_gives_its_best_solution_within_the_capacity(self):
        problem = without_an_answer()
        problem.capacity = sum(buffer.size + 255 for buffer in problem.buffers)  # end to end, each rounded up to 256 or less
        for timeout in (None, 0.3):
            solver = Solver(SolverParams(minimize_capacity=True, timeout=timeout))
            with cancelled_again_and_again(solver) if timeout is None else contextlib.nullcontext():
                solution = solver.solve(problem)
            self.assertEqual(minimalloc.validate(problem, solution), minimalloc.GOOD)

    def test_a_solution_only_has_to_fit(self):
        problem = without_an_answer()
        problem.capacity = sum(buffer.size + 255 for buffer in problem.buffers)
        solution = Solver().solve(problem)  # without a time limit: the smallest capacity would take a day
        self.assertEqual(minimalloc.validate(problem, solution), minimalloc.GOOD)
        self.assertEqual(Solver().compute_irreducible_infeasible_subset(problem), [])

    def test_a_subset_that_is_not_proved_is_none(self):
        solver = Solver()
        with cancelled_again_and_again(solver):
            self.assertIsNone(solver.compute_irreducible_infeasible_subset(without_an_answer()))
        self.assertIsNone(Solver(SolverParams(timeout=0.05)).compute_irreducible_infeasible_subset(without_an_answer()))


if __name__ == "__main__":
    unittest.main()
