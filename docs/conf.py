"""How the documentation is built: `scripts/docs`, offline, with warnings as errors."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import reference

import roctopus

project = "roctopus"
author = "The roctopus authors"
copyright = "the roctopus authors, BSD-3-Clause"
version = release = roctopus.__version__

extensions = [
    "reference",  # ours: one page of reference per package, from its public names
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["node_modules", "peers_table.md"]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
default_role = "py:obj"  # `name` in a docstring is a link where there is something to link to
suppress_warnings = ["config.cache"]  # functions in sphinx_gallery_conf cannot be pickled

autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_default_options = {  # scikit-learn's, whose docstrings refer to its own glossary
    "exclude-members": "set_fit_request, set_predict_request, set_score_request, "
    "set_decision_function_request"
}
autodoc_typehints = "none"  # types stand in the signature's docstring, in words
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False  # methods are documented on the class's own page
# Our own types are links in docstrings; words that numpydoc would link elsewhere stay words.
WORDS = "None bool True False list tuple str dict float int callable iterable sequence array numpy"
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = {word: word for word in WORDS.split()} | reference.links()

# Formulas are drawn by MathJax, copied into the site: pages load nothing from elsewhere.
mathjax_path = "tex-svg.js"

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_",
    "within_subsection_order": "FileNameSortKey",
    "subsection_order": [
        f"../examples/gallery/{section}"
        for section in (
            "start",
            "regression",
            "cutoff",
            "ordinal",
            "probability",
            "impact",
            "decisions",
        )
    ],
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "remove_config_comments": True,
    "doc_module": ("roctopus",),
    "backreferences_dir": "api/examples",
    "reference_url": {"roctopus": None},
}

templates_path = ["_templates"]
html_theme = "pydata_sphinx_theme"
html_title = "roctopus"
html_context = {"default_mode": "auto"}
html_static_path = ["_static", "node_modules/mathjax/es5/tex-svg.js"]
html_css_files = ["roctopus.css"]
html_copy_source = html_show_sourcelink = False
ALONE = ("index", "start", "which_arm", "peers", "search", "genindex")
html_sidebars = {page: [] for page in ALONE}
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 8,
    "navigation_with_keys": False,
    "show_prev_next": False,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["copyright"],
    "footer_end": [],
}
