// Replaced.
