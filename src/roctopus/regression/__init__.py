"""Over- and under-estimating cost differently: which model, which shift, for which asymmetry?"""
