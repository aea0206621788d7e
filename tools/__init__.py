"""Programs for building and rehearsing the service. No room imports them, and the image holds none of them."""
