"""The few types all arms share: curves, estimates, distributions of contexts, the registry."""
