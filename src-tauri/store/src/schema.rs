//! The order in which the tables came to be. Steps are only ever added at the end: the number of steps that a
//! database has taken is its `user_version`.

use crate::search::index;
use crate::table::{
    blob, call, change, correction, erasure, experience, form_use, guess, knowledge, learning, look, memory,
    note, partial_answer, prompt_part, result, rule, run_state, schedule, segment, session, setting, span,
    switch, variable, vector, visit, workflow,
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
    M::up(run_state::ADD_PARENT),
    M::up(session::ADD_HEAD),
    M::up(variable::KEY_BY_RUN),
    M::up(session::ADD_NAMED),
    M::up(session::FIND_NAMED),
    M::up(partial_answer::CREATE),
    M::up(segment::ADD_BODY),
    M::up(run_state::WORD_ERRORS),
    M::up(blob::CREATE),
    M::up(change::CREATE),
    M::up(change::ADD_KIND),
    M::up(workflow::CREATE),
    M::up(schedule::CREATE),
    M::up(form_use::CREATE),
    M::up(prompt_part::CREATE),
    M::up(experience::link::CREATE),
    M::up(correction::CREATE),
    M::up(prompt_part::COUNT_USE),
    M::up(guess::CREATE),
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

    /// The last step before runs named the one that they follow.
    const BEFORE_VERSIONS: usize = 31;

    #[test]
    fn runs_of_an_older_database_follow_one_another_and_all_are_shown() {
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        MIGRATIONS.to_version(&mut connection, BEFORE_VERSIONS).unwrap();
        let sessions = "INSERT INTO session VALUES ('s', 1, 1, '', '[]', '\"risky\"'), ('empty', 1, 1, '', '[]', '\"risky\"')";
        connection.execute(sessions, []).unwrap();
        for (run, started) in [("c", 3), ("a", 1), ("b", 3)] {
            let row = "INSERT INTO run_state (run, session, state, question, usage, offline, waiting, started, seq, build)
                       VALUES (?1, 's', '{}', '', '{}', 0, '[]', ?2, 1, '')";
            connection.execute(row, rusqlite::params![run, started]).unwrap();
        }
        MIGRATIONS.to_latest(&mut connection).unwrap();
        let line = run_state::line(&connection, &"c".into()).unwrap();
        assert_eq!(
            line.iter().map(|run| run.as_str()).collect::<Vec<_>>(),
            ["c", "b", "a"]
        );
        assert_eq!(session::head(&connection, &"s".into()).unwrap(), Some("c".into()));
        assert_eq!(session::head(&connection, &"empty".into()).unwrap(), None);
    }

    /// The last step before each run had its own variables.
    const BEFORE_OWN_VARIABLES: usize = 33;

    /// A session of an older database with two versions of its first question, of which the second is shown.
    fn older(title: &str) -> rusqlite::Connection {
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        let reached = MIGRATIONS.to_version(&mut connection, BEFORE_OWN_VARIABLES);
        reached.unwrap();
        let session = "INSERT INTO session VALUES ('s', 1, 1, ?1, '[]', 'risky', 'b')";
        connection.execute(session, [title]).unwrap();
        for (run, started) in [("a", 1), ("b", 2)] {
            let row = "INSERT INTO run_state (run, session, state, question, usage, offline, waiting, started, seq, build)
                       VALUES (?1, 's', '{}', 'what is ' || ?1 || '?\nTell me', '{}', 0, '[]', ?2, 1, '')";
            connection.execute(row, rusqlite::params![run, started]).unwrap();
        }
        connection
    }

    #[test]
    fn a_variable_of_an_older_database_is_of_the_run_that_wrote_it_else_of_all() {
        let mut connection = older("what is b?");
        for (name, run) in [
            ("of_a", Some("a")),
            ("of_b", Some("b")),
            ("by_hand", None),
            ("of_lost", Some("lost")),
        ] {
            let row = "INSERT INTO variable (session, name, kind, value, text, tainted, run)
                       VALUES ('s', ?1, 'int', '1', '1', 1, ?2)";
            connection.execute(row, [Some(name), run]).unwrap();
        }
        MIGRATIONS.to_latest(&mut connection).unwrap();
        let found = |last: &str| {
            let variables = variable::after(&connection, &"s".into(), Some(&last.into())).unwrap();
            assert!(
                variables
                    .iter()
                    .all(|one| one.tainted && one.text == "1" && one.value == Some(1.into()))
            );
            variables.into_iter().map(|one| one.name).collect::<Vec<_>>()
        };
        assert_eq!(found("a"), ["by_hand", "of_a", "of_lost"]);
        assert_eq!(found("b"), ["by_hand", "of_b", "of_lost"]);
    }

    #[test]
    fn a_title_of_an_older_database_that_is_no_first_question_was_given_by_the_user() {
        for (title, is_named) in [("what is b?", false), ("what is…", false), ("moving", true)] {
            let mut connection = older(title);
            MIGRATIONS.to_latest(&mut connection).unwrap();
            let session = session::one(&connection, &"s".into()).unwrap().unwrap();
            assert_eq!((session.is_named, session.title.as_str()), (is_named, title));
        }
    }
}
