//! Blocks, items and tables of changed programs.
