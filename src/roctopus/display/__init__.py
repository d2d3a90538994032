"""Pictures (extra ``plot``): matplotlib displays in the manner of scikit-learn's."""

from roctopus.display.cost import AsymmetryCostDisplay
from roctopus.display.rroc import RROCDisplay

__all__ = ["AsymmetryCostDisplay", "RROCDisplay"]
