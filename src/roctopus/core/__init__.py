"""Numbers only: input checks, sorted running sums, piecewise functions, hulls, placements."""
