"""Pages of a tournament: public ones for phones, the director's desk for staff."""
