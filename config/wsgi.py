"""Django as it is run: under WSGI, one thread a request."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from operations.health import warn_without_static_files  # noqa: E402  (after the settings)
from operations.metrics_port import listen  # noqa: E402

warn_without_static_files()
listen()
