//! The languages cccp speaks, as pest grammars.
