"""The adapter for ExecuTorch keeps the rules of `memory_planning_algo`, on stand-ins of its classes."""

import random
import types
import unittest

from stowage_executorch import StowagePlanning


class Spec:
    """What the algorithm sees of a TensorSpec."""

    def __init__(self, nbytes, first, last, mem_id=None, inplace_base=None):
        self.nbytes, self.lifetime, self.mem_id, self.inplace_base = nbytes, [first, last], mem_id, inplace_base
        self.allocated_memory = nbytes
        self.mem_offset = self.mem_obj_id = None

    def realign(self, alignment):
        self.allocated_memory = -(-self.nbytes // alignment) * alignment
        return self.allocated_memory


def base_of(spec):
    while spec.inplace_base is not None:
        spec = spec.inplace_base
    return spec


def collisions(result):
    """Pairs that share a byte and an (inclusive) node, other than of one in-place group."""
    found, items = [], list(result.items())
    for i, (x, a) in enumerate(items):
        for y, b in items[i + 1 :]:
            together = x.lifetime[0] <= y.lifetime[1] and y.lifetime[0] <= x.lifetime[1]
            overlap = a.mem_offset < b.mem_offset + y.allocated_memory and b.mem_offset < a.mem_offset + x.allocated_memory
            if a.mem_id == b.mem_id and together and overlap and base_of(x) is not base_of(y):
                found.append((x, y))
    return found


def module(*kept):
    return types.SimpleNamespace(input_mem_buffer_sizes=list(kept))


class Rules(unittest.TestCase):
    def test_both_ends_of_a_lifetime_conflict(self):
        specs = [Spec(16, 0, 1), Spec(16, 1, 2), Spec(16, 2, 3)]
        made = StowagePlanning()(16, specs, module(), None, 0)
        self.assertEqual(collisions(made.spec_dict), [])
        self.assertEqual(made.bufsizes, [0, 32])

    def test_random_graphs_have_no_collision_and_aligned_offsets(self):
        generator = random.Random(11)
        for alignment in (1, 16, 64):
            specs = []
            for _ in range(60):
                first = generator.randrange(40)
                specs.append(Spec(generator.randrange(0, 3000), first, first + generator.randrange(6), generator.choice([None, 1, 2])))
            made = StowagePlanning()(alignment, set(specs), module(), None, 0)
            self.assertEqual(len(made.spec_dict), 60)
            self.assertEqual(collisions(made.spec_dict), [])
            for spec, result in made.spec_dict.items():
                self.assertEqual(result.mem_offset % alignment, 0)
                self.assertEqual(result.mem_id, spec.mem_id or 1)
                self.assertGreaterEqual(made.bufsizes[result.mem_id], result.mem_offset + spec.allocated_memory)
            self.assertEqual((len(made.bufsizes), made.bufsizes[0]), (3, 0))

    def test_specs_lie_on_their_in_place_bases_chains_too(self):
        base = Spec(64, 0, 2)
        middle = Spec(64, 3, 4, inplace_base=base)
        last = Spec(128, 5, 6, inplace_base=middle)
        other = Spec(32, 4, 5)
        made = StowagePlanning()(16, [base, middle, last, other], module(), None, 0).spec_dict
        self.assertEqual({made[s].mem_offset for s in (base, middle, last)}, {made[base].mem_offset})
        self.assertEqual(collisions(made), [])
        self.assertEqual(len({result.mem_obj_id for result in made.values()}), 1)

    def test_the_bottom_of_an_arena_is_left_to_sub_modules(self):
        specs = [Spec(16, 0, 1), Spec(16, 0, 1)]
        kept = module(0, 100)
        made = StowagePlanning()(16, specs, kept, None, 64)
        self.assertGreaterEqual(min(result.mem_offset for result in made.spec_dict.values()), 112)
        self.assertEqual(made.bufsizes, [0, 112 + 32 + 64])
        self.assertEqual(kept.input_mem_buffer_sizes, [0, 100])

    def test_without_specs_there_are_two_empty_arenas(self):
        self.assertEqual(StowagePlanning()(16, [], module(), None, 0).bufsizes, [0, 0])

    def test_empty_tensors_have_an_offset(self):
        spec = Spec(0, 0, 1)
        self.assertIsNotNone(StowagePlanning()(16, [spec], module(), None, 0).spec_dict[spec].mem_offset)

    def test_alone_it_writes_the_specs_and_returns_sizes(self):
        specs = [Spec(16, 0, 1), Spec(16, 1, 2, mem_id=2)]
        self.assertEqual(StowagePlanning(alone=True)(16, specs, module(), None, 0), [0, 16, 16])
        self.assertEqual([(s.mem_id, s.mem_offset, s.mem_obj_id) for s in specs], [(1, 0, 1), (2, 0, 1)])

    def test_results_are_kept_by_its_name(self):
        self.assertEqual(StowagePlanning().__name__, "stowage")


if __name__ == "__main__":
    unittest.main()
