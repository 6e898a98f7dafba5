#!/usr/bin/env python3
# First fit, the largest buffer first: a planner in ten lines. Problem CSV in, the same CSV with offsets out.
import csv, sys
rows, placed = list(csv.DictReader(sys.stdin)), []
for row in sorted(rows, key=lambda row: -int(row["size"])):
    lower, upper, size, step = (int(row.get(key) or 1) for key in ("lower", "upper", "size", "alignment"))
    offset = 0
    for low, high in sorted((low, high) for low, high, begin, end in placed if begin < upper and lower < end):
        if offset + size <= low: break
        offset = max(offset, -(-high // step) * step)
    placed.append((offset, offset + size, lower, upper))
    row["offset"] = offset
out = csv.DictWriter(sys.stdout, [*rows[0]])
out.writeheader()
out.writerows(rows)
