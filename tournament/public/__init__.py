"""Public pages: how long a page is valid, and the finished pages of a process."""
