"""Over- and under-estimates cost differently: which model and shift for which asymmetry."""
