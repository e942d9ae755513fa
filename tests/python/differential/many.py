"""Random fits against Eelbrain by the ten thousand.

    python many.py --first 1000000 --fits 20000

A seed is a problem; every tenth is a call of `boosting_runs` with several signals and splits, on 1 to 8
threads, the others are single fits with their histories. Eelbrain works in a process of its own, since
some of its fits crash. Prints how far it is, and each difference with its seed, from which
`--first SEED --fits 1` repeats it. Ends with 1 if there was one.
"""
import argparse
import sys
from collections import Counter

import judged
from original import VERSION, Eelbrain
from problems import random_problem


def verdicts(eelbrain, seed):
    if seed % 10:
        problem = random_problem(seed)
        return problem, [judged.fit(eelbrain, problem, seed)]
    problem = random_problem(seed, n_y=1 + seed // 10 % 3, n_splits=1 + seed // 30 % 2)
    return problem, judged.runs(eelbrain, problem, seed, 1 + seed // 10 % 8)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=1_000_000)
    parser.add_argument("--fits", type=int, default=10_000)
    options = parser.parse_args()
    eelbrain, counts, seed = Eelbrain(), Counter(), options.first
    while counts["fits"] < options.fits:
        problem, found = verdicts(eelbrain, seed)
        for verdict in found:
            counts.update(["fits", verdict.by, f"l{problem.error}"])
            if verdict.difference:
                counts["differences"] += 1
                print(f"difference: {verdict.difference}", flush=True)
        seed += 1
        if seed % 1000 == 0:
            print(f"next seed {seed}, {counts['fits']} fits, {counts['differences']} differences", flush=True)
    eelbrain.close()
    print(f"fits compared with Eelbrain {VERSION}: {counts['eelbrain']}")
    print(f"fits in which it leaves its arrays, compared with the definition: {counts['definition']}")
    print(f"of these l1: {counts['l1']}")
    print(f"of these l2: {counts['l2']}")
    print(f"seeds: {options.first} to {seed - 1}")
    print(f"differences: {counts['differences']}")
    sys.exit(counts["differences"] > 0)


if __name__ == "__main__":
    main()
