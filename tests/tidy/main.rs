//! Keeps the house tidy: the arrows between crates, headers, lengths, words that don't belong, generated bindings.
//!
//! Each check reads what is tracked (and what soon will be) and names every place that is out of order at once.
#![cfg(test)]

mod arrows;
mod bindings;
mod commands;
mod languages;
mod repository;
mod rooms;
mod texts;
