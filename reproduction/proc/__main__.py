"""Write the page on pROC curves."""

from reproduction.options import main
from reproduction.proc import make

main(make)
