"""Write the page on RROC curves."""

from reproduction.options import main
from reproduction.rroc import make

main(make)
