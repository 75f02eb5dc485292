"""Learning: exact optima today; moments, rollouts and policies build on the same tables."""
