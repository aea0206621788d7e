"""The door of the application server: files and kept pages leave here, all else goes to Django."""

import os
import sys

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
inside = get_asgi_application()

from tournament.door import door  # noqa: E402  (needs the applications that the line above loads)

from .files import files  # noqa: E402
from .metrics import note_kept  # noqa: E402

# While threads make pages, the loop that answers a hall of phones takes its turn between two of
# their steps, not after Python's usual 5 ms of each of them.
sys.setswitchinterval(0.0005)

application = files(door(inside, note_kept))
