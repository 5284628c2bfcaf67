//! Keeps the house tidy: the arrows between crates, headers, lengths, sentences, words that don't belong, bindings, ways out,
//! steps.
//!
//! Each check reads what is tracked (and what soon will be) and names every place that is out of order at once.
#![cfg(test)]

mod arrows;
mod bindings;
mod commands;
mod comments;
mod languages;
mod repository;
mod rooms;
mod steps;
mod texts;
mod ways_out;
