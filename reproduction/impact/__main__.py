"""Write the page on impact curves."""

from reproduction.impact import make
from reproduction.options import main

main(make)
