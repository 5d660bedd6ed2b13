"""Designs: the values of all parameters at every point of a study.

Every draw of the samples stands at every point of the grid, so that points of the grid differ by
the grid alone.
"""

import warnings
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from mechstudio.curves.statistics import FLAT
from mechstudio.model.findings import listed
from mechstudio.studies.variations import Variation
from mechstudio.translation import tr

MOST_RUNS = 10_000_000


def _random(dimensions: int, samples: int, generator: np.random.Generator) -> np.ndarray:
    return generator.random((samples, dimensions))


def _latin(dimensions: int, samples: int, generator: np.random.Generator) -> np.ndarray:
    from scipy.stats import qmc

    return qmc.LatinHypercube(dimensions, rng=generator).random(samples)


def _sobol(dimensions: int, samples: int, generator: np.random.Generator) -> np.ndarray:
    from scipy.stats import qmc

    with warnings.catch_warnings():
        # a number of samples that is no power of two is less balanced, and not wrong
        warnings.simplefilter("ignore", UserWarning)
        return qmc.Sobol(dimensions, rng=generator).random(samples)


# ways of drawing: number of quantities, of samples, generator to quantiles (samples, quantities)
METHODS: dict[str, Callable[[int, int, np.random.Generator], np.ndarray]] = {
    "random": _random,
    "latin": _latin,
    "sobol": _sobol,
}


def check_runs(runs: int) -> None:
    """Raises ValueError for more runs than a study may have."""
    if runs > MOST_RUNS:
        raise ValueError(
            tr(
                "This study has {runs:,} runs, more than {most:,}: take fewer points or samples.",
                runs=runs,
                most=MOST_RUNS,
            )
        )


class Design(msgspec.Struct, frozen=True):
    """Points of a study.

    variations: of the parameters, in the order of the columns.  samples: draws of those that are
    not on the grid.  method: key of METHODS.  seed: of the draws.  correlations: of pairs of drawn
    parameters, rank correlations of a Gaussian copula.  one_at_a_time: each parameter goes through
    its values while the others stand at `centre`.
    """

    variations: tuple[Variation, ...]
    samples: int = 1
    method: str = "latin"
    seed: int = 1
    correlations: tuple[tuple[str, str, float], ...] = ()
    one_at_a_time: bool = False
    centre: tuple[float, ...] = ()

    def check(self) -> None:
        """Raises ValueError with one sentence for a design that makes no sense."""
        names = [v.name for v in self.variations]
        if not names:
            raise ValueError(tr("A study varies at least one parameter."))
        if twice := next((n for n in names if names.count(n) > 1), None):
            raise ValueError(tr("{name} is varied twice.", name=twice))
        if self.method not in METHODS:
            raise ValueError(
                tr(
                    "There is no method {method}; there are {known}.",
                    method=self.method,
                    known=listed(list(METHODS)),
                )
            )
        drawn = [v.name for v in self.variations if not v.is_grid]
        if self.samples < 1:
            raise ValueError(tr("The number of samples is at least 1, not {n}.", n=self.samples))
        if self.samples > 1 and not drawn:
            raise ValueError(
                tr(
                    "All parameters stand on a grid, so that there is nothing to draw {n} samples "
                    "of: leave the number of points of a range away, or the samples.",
                    n=self.samples,
                )
            )
        if self.seed < 0:
            raise ValueError(tr("A seed is 0 or a greater whole number, not {n}.", n=self.seed))
        check_runs(len(self))
        if self.one_at_a_time and self.correlations:
            raise ValueError(tr("Parameters that vary one at a time have no correlations."))
        for a, b, r in self.correlations:
            if missing := next((n for n in (a, b) if n not in drawn), None):
                raise ValueError(tr("{name} has a correlation and is not drawn.", name=missing))
            if a == b or not -1.0 < r < 1.0:
                raise ValueError(
                    tr(
                        "A correlation is of two parameters and between -1 and 1, not {r:g} of {a} "
                        "and {b}.",
                        r=r,
                        a=a,
                        b=b,
                    )
                )
        if self.correlations:
            self._factor()

    def __len__(self) -> int:
        if self.one_at_a_time:
            return sum(len(v.numbers) if v.is_grid else self.samples for v in self.variations)
        grid = int(np.prod([len(v.numbers) for v in self._grid], dtype=object)) if self._grid else 1
        return grid * self._draws

    @property
    def _grid(self) -> list[Variation]:
        return [v for v in self.variations if v.is_grid]

    @property
    def _draws(self) -> int:
        return self.samples if any(not v.is_grid for v in self.variations) else 1

    def _factor(self) -> np.ndarray:
        """Lower factor of the correlations of normal variables.  Raises ValueError where no
        distribution has them all.
        """
        drawn = [v.name for v in self.variations if not v.is_grid]
        matrix = np.eye(len(drawn))
        for a, b, r in self.correlations:
            i, j = drawn.index(a), drawn.index(b)
            # of normal variables with this rank correlation (Spearman's)
            matrix[i, j] = matrix[j, i] = 2.0 * np.sin(np.pi * r / 6.0)
        try:
            return np.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            raise ValueError(tr("No distribution has these correlations all at once.")) from None

    def quantiles(self) -> np.ndarray:
        """Quantiles (samples, drawn parameters) from 0 to 1, the same for the same seed."""
        drawn = sum(not v.is_grid for v in self.variations)
        generator = np.random.default_rng(self.seed)
        u = METHODS[self.method](drawn, self.samples, generator)
        if self.correlations:
            from scipy.special import ndtr, ndtri

            normal = ndtri(np.clip(u, 1e-16, 1.0 - 1e-16))
            u = ndtr(normal @ self._factor().T)
        return u

    def values(self) -> np.ndarray:
        """Values (runs, parameters) [SI]; the last axis of the grid goes through first, and draws
        before it.
        """
        if self.one_at_a_time:
            return self._one_by_one()
        runs, draws = len(self), self._draws
        out = np.empty((runs, len(self.variations)))
        drawn = self.quantiles() if draws > 1 or len(self._grid) < len(self.variations) else None
        grid = [len(v.numbers) for v in self._grid]
        places = np.unravel_index(np.arange(runs) // draws, grid) if grid else ()
        g = d = 0
        for c, v in enumerate(self.variations):
            if v.is_grid:
                out[:, c] = np.array(v.numbers)[places[g]]
                g += 1
            else:
                assert drawn is not None
                out[:, c] = np.tile(v.drawn(drawn[:, d]), runs // draws)
                d += 1
        return out

    def _one_by_one(self) -> np.ndarray:
        blocks = []
        drawn = self.quantiles() if len(self._grid) < len(self.variations) else np.empty((0, 0))
        d = 0
        for c, v in enumerate(self.variations):
            own = np.array(v.numbers) if v.is_grid else v.drawn(drawn[:, d])
            d += not v.is_grid
            block = np.tile(np.array(self.centre, float), (len(own), 1))
            block[:, c] = own
            blocks.append(block)
        return np.concatenate(blocks)


def sensitivity_points(variations: Sequence[Variation], samples: int, seed: int) -> np.ndarray:
    """Values (samples (2 + d), d) [SI] from which Sobol indices of d drawn parameters are found:
    two independent samples A and B, then A with each column of B in turn.

    Saltelli et al., Computer Physics Communications 181 (2010) 259-270.
    """
    d = len(variations)
    u = _sobol(2 * d, samples, np.random.default_rng(seed))
    a, b = u[:, :d], u[:, d:]
    blocks = [a, b]
    for k in range(d):
        mixed = a.copy()
        mixed[:, k] = b[:, k]
        blocks.append(mixed)
    whole = np.concatenate(blocks)
    return np.stack([v.drawn(whole[:, k]) for k, v in enumerate(variations)], axis=1)


def sobol_indices(values: np.ndarray, parameters: int) -> tuple[np.ndarray, np.ndarray]:
    """First-order and total Sobol indices (measures, parameters) of measured values (samples (2 +
    d), measures) at `sensitivity_points`.

    Found by scipy.stats.sobol_indices.  A measure that is unknown at a point, or changes by
    rounding alone, has NaN.
    """
    from scipy.stats import sobol_indices as indices

    d = parameters
    n = len(values) // (2 + d)
    parts = values[: n * (2 + d)].reshape(2 + d, n, -1)
    first, total = np.full((2, parts.shape[2], d), np.nan)
    for m in range(parts.shape[2]):
        f_a, f_b, f_ab = parts[0, :, m], parts[1, :, m], parts[2:, :, m]
        largest = np.abs(parts[:, :, m]).max()
        if np.isfinite(largest) and np.ptp(parts[:2, :, m]) > FLAT * largest:
            # it leaves out axes of length one, and then fails: the last parameter stands twice
            f_ab = np.concatenate((f_ab, f_ab[-1:]))[:, None]
            func = {"f_A": f_a[None], "f_B": f_b[None], "f_AB": f_ab}
            found = indices(func=func, n=n)
            first[m] = found.first_order[:d]
            total[m] = found.total_order[:d]
    return first, total
