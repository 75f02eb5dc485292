"""Scale: how fast each way of stepping many robots is."""
