"""The door of the application server: files and kept pages leave here, all else goes to Django."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
inside = get_asgi_application()

from tournament.door import door  # noqa: E402  (needs the applications that the line above loads)

from .files import files  # noqa: E402
from .metrics import note_kept  # noqa: E402

application = files(door(inside, note_kept))
