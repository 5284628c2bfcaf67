//! Reports that are written, and the results of an earlier evaluation that is compared with.

use crate::console::{Console, Look};
use crate::failure::Failure;
use serde::Serialize;
use shidi_evaluation::{EarlierResults, Outcome, Summary, html, junit};
use std::fs;
use std::path::{Path, PathBuf};

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Page,
    Junit,
    Results,
}

/// What a report of results holds.
#[derive(Debug, Serialize)]
struct Results {
    summary: Summary,
    outcomes: Vec<Outcome>,
}

/// The reports that are wanted, each with its form.
///
/// # Errors
/// An ending that says nothing.
pub fn reports(
    named: &[PathBuf],
    page: Option<&Path>,
    for_junit: Option<&Path>,
    console: &Console,
) -> Result<Vec<(PathBuf, Form)>, Failure> {
    let mut reports = Vec::new();
    reports.extend(page.map(|path| (path.to_owned(), Form::Page)));
    reports.extend(for_junit.map(|path| (path.to_owned(), Form::Junit)));
    for path in named {
        let form = match path.extension().and_then(|ending| ending.to_str()) {
            Some("html" | "htm") => Form::Page,
            Some("xml") => Form::Junit,
            Some("json") => Form::Results,
            Some(_) | None => {
                let say = console.words.language().evaluation();
                return Err(Failure::input(
                    say.report_ending(path.display()),
                    say.there_are(".html, .xml, .json"),
                ));
            }
        };
        reports.push((path.clone(), form));
    }
    Ok(reports)
}

/// Writes the reports, and says where they are.
///
/// # Errors
/// A file that can't be written.
pub fn write(
    reports: &[(PathBuf, Form)],
    summary: &Summary,
    outcomes: &[Outcome],
    console: &Console,
) -> Result<(), Failure> {
    let say = console.words.language().evaluation();
    for (path, form) in reports {
        let text = match form {
            Form::Page => html(summary, outcomes, console.words.language()),
            Form::Junit => junit(summary, outcomes),
            Form::Results => {
                let results = Results {
                    summary: summary.clone(),
                    outcomes: outcomes.to_vec(),
                };
                serde_json::to_string_pretty(&results).map_err(std::io::Error::other)?
            }
        };
        fs::write(path, text)
            .map_err(|cause| Failure::input(say.report_unwritten(cause, path.display()), say.check_file()))?;
        console.note(Look::Dim, &say.report_written(path.display()));
    }
    Ok(())
}

/// Reads the results of an earlier evaluation.
///
/// # Errors
/// A file that is none.
pub fn earlier(path: &Path, console: &Console) -> Result<EarlierResults, Failure> {
    let language = console.words.language();
    let say = language.evaluation();
    let refused = |cause: &dyn std::fmt::Display| {
        Failure::input(say.not_results(cause, path.display()), say.results_from_report())
    };
    let text = fs::read(path).map_err(|cause| match cause.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::input(say.no_such_results(path.display()), say.results_from_report())
        }
        _ => refused(&cause),
    })?;
    EarlierResults::read(&text, language).map_err(|cause| refused(&cause))
}
