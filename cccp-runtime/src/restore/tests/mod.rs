//! Restarts after every crash and every kind of damage.

mod crashes;
mod damage;
mod flaws;
mod job;
mod patterns;
mod verdict;
