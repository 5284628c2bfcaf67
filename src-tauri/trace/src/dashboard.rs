//! The dashboard (F12.2): reads what is kept of the last days, and counts it aside from everything else.
//!
//! A space counts its own store alone. Sessions that leave no trace are in another store, and never in these
//! figures.

mod count;
mod period;
mod steps;

use crate::Traces;
use crate::limits::{DASHBOARD_DAYS_MAX, DASHBOARD_RUNS_MAX, STATISTICS_STEPS_MAX};
use crate::prompt_parts;
use period::Period;
use shidi_protocol::request::dashboard as request;
use shidi_protocol::{Dashboard, DashboardRequest, Reply, UserError, reply, reply_to};
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::jsonl::LinesFile;
use shidi_space::storage;
use std::sync::Arc;

/// Answers a request about the dashboard.
///
/// # Errors
/// Storage trouble, or a file that can't be written.
pub async fn dashboard(
    space: &Arc<Space>,
    traces: &Traces,
    request: DashboardRequest,
) -> Result<Reply, UserError> {
    traces.flush();
    match request {
        DashboardRequest::Show { days } => {
            let counted = space.aside(move |space| counted(space, days));
            let dashboard = counted.await?;
            Ok(reply_to::<request::Show>(reply::Dashboard { dashboard }))
        }
        DashboardRequest::Export { days, path } => {
            let written = space.aside(move |space| written(space, days, &path));
            Ok(reply_to::<request::Export>(written.await?))
        }
    }
}

fn counted(space: &Space, days: u32) -> Result<Dashboard, UserError> {
    let explained = |cause| storage::explain(&cause, space.language());
    let zone = jiff::tz::TimeZone::system();
    let period = Period::ending(clock::now(), days.clamp(1, DASHBOARD_DAYS_MAX), zone);
    space.store.flush().map_err(explained)?;
    let runs = space.store.counted_runs(period.before(), DASHBOARD_RUNS_MAX);
    let runs = runs.map_err(explained)?;
    let steps = space.store.counted_steps(period.first(), STATISTICS_STEPS_MAX);
    let steps = steps.map_err(explained)?;
    Ok(Dashboard {
        parts: prompt_parts::figures(space).map_err(explained)?,
        steps_kept_days: space.config().upkeep.trace_days,
        ..count::counted(&period, runs, steps)
    })
}

fn written(space: &Space, days: u32, path: &str) -> Result<reply::DashboardFile, UserError> {
    let lines = counted(space, days)?.csv();
    let mut writing = LinesFile::at(space, path)?.begin()?;
    for line in &lines {
        writing.put_line(line)?;
    }
    let rows = u32::try_from(lines.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let file = writing.end(rows.into())?;
    Ok(reply::DashboardFile {
        path: file.path,
        rows,
    })
}
