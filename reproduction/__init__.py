"""Every table and figure of the five papers, redone with roctopus beside what is printed.

``python -m reproduction --data FOLDER`` writes a page per paper and a summary; ``python -m
reproduction.rroc`` (``ordinal``, ``proc``, ``binarised``, ``impact``) writes one of them.
"""
