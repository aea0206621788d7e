"""How dates and times are written where Django's own formats do not fit the hall."""
