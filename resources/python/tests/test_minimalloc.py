"""A program written for MiniMalloc's Python interface runs on Stowage."""

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

    def test_cancel_comes_from_another_thread(self):
        state, rows = 3, ["id,lower,upper,size"]
        for i in range(400):
            state = state * 48271 % 2147483647
            rows.append(f"t{i},{state % 60},{state % 60 + 1 + state % 17},{16 + state % 999}")
        problem = minimalloc.from_csv("\n".join(rows) + "\n")
        solver = Solver(SolverParams(minimize_capacity=True, timeout=60))
        timer = threading.Timer(0.5, solver.cancel)
        timer.start()
        solver.solve(problem)  # ends by itself, or by the cancel: within the test's time either way
        timer.cancel()


if __name__ == "__main__":
    unittest.main()
