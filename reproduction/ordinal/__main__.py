"""Write the page on ordinal volumes."""

from reproduction.options import main
from reproduction.ordinal import make

main(make)
