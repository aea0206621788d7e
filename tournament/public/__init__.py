"""What the public reads: how long a page stands, and the finished pages of a process."""
