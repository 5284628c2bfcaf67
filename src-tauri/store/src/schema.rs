//! The order in which the tables came to be. Steps are only ever added at the end: the number of steps that a
//! database has taken is its `user_version`.

use crate::search::index;
use crate::table::{
    call, erasure, experience, knowledge, learning, look, memory, note, result, rule, run_state, segment,
    session, setting, span, switch, variable, vector, visit,
};
use rusqlite_migration::{M, Migrations};

const STEPS: &[M<'static>] = &[
    M::up(session::CREATE),
    M::up(run_state::CREATE),
    M::up(segment::CREATE),
    M::up(call::CREATE),
    M::up(variable::CREATE),
    M::up(setting::CREATE),
    M::up(rule::CREATE),
    M::up(note::CREATE),
    M::up(result::CREATE),
    M::up(span::CREATE),
    M::up(erasure::CREATE),
    M::up(index::CREATE_FIRST),
    M::up(segment::ADD_FAILED),
    M::up(run_state::ADD_ERROR),
    M::up(variable::ADD_RUN),
    M::up(look::CREATE),
    M::up(call::ADD_GROUNDS),
    M::up(span::ADD_CONTENT),
    M::up(memory::CREATE),
    M::up(index::CREATE),
    M::up(knowledge::CREATE),
    M::up(visit::CREATE),
    M::up(experience::CREATE),
    M::up(learning::CREATE),
    M::up(memory::contradiction::CREATE),
    M::up(segment::ADD_RECALLED),
    M::up(vector::CREATE),
    M::up(switch::CREATE),
    M::up(memory::ADD_UNTIL),
    M::up(knowledge::ADD_AT),
    M::up(call::ADD_PLACES),
];

pub(crate) const MIGRATIONS: Migrations<'static> = Migrations::from_slice(STEPS);

/// The newest format that this version knows.
pub(crate) const KNOWN_VERSION: u32 = STEPS.len() as u32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_make_a_valid_database() {
        MIGRATIONS.validate().unwrap();
    }
}
