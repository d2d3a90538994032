"""Write the page on binarised regression."""

from reproduction.binarised import make
from reproduction.options import main

main(make)
