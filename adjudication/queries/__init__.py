"""What the pages of adjudication read."""
