"""The ASGI application: streams, marks and finished pages; all else goes to Django in a thread."""

import gc
import sys

from .wsgi import application as django  # isort: split

from operations.metrics import note_finished
from tournament.public.asgi import application as before

# While threads make pages, the loop that answers a hall of phones takes its turn between two of
# their steps, not after Python's usual 5 ms of each of them.
sys.setswitchinterval(0.0005)

# Loaded modules live until exit: exclude them from garbage collection, and collect less often.
gc.freeze()
gc.set_threshold(20_000, 20, 100)

application = before(django, note_finished)
