//! The user's actions on bad cases: looking at a draft, keeping, listing, showing, removing.

use crate::BadCases;
use crate::occasion::occasion;
use crate::text::{Complaint, written};
use shidi_protocol::request::bad_cases as request;
use shidi_protocol::{BadCaseRequest, ErrorCode, Reply, RunId, RunStatus, UserError, reply, reply_to};
use shidi_senses::redacted;
use shidi_space::errors::{error, internal};
use shidi_space::ids::{no_run, whole_run_id};
use shidi_space::replies::Answered;
use shidi_space::storage;
use shidi_store::RunState;
use std::sync::Arc;

/// Answers a request.
///
/// # Errors
/// As [`BadCases::answer`].
pub async fn answer(cases: &Arc<BadCases>, request: BadCaseRequest) -> Result<Answered, UserError> {
    let reply = match request {
        BadCaseRequest::Measure {
            name,
            change,
            suites,
            repeat,
        } => return cases.measure(name, change, suites, repeat).map(Answered::Stream),
        BadCaseRequest::Propose { name } => {
            let proposal = cases.propose(&name).await?;
            reply_to::<request::Propose>(reply::BadCaseProposal { proposal })
        }
        BadCaseRequest::Accept { name, change } => {
            let _one = cases.changing.lock().await;
            cases.accept(&name, change).await?;
            reply_to::<request::Accept>(cases.all()?)
        }
        BadCaseRequest::TakeBack { name } => {
            let _one = cases.changing.lock().await;
            cases.take_back(&name).await?;
            reply_to::<request::TakeBack>(cases.all()?)
        }
        other => {
            let _one = cases.changing.lock().await;
            let own = Arc::clone(cases);
            cases.space.aside(move |_| own.answered(other)).await?
        }
    };
    Ok(Answered::One(Box::new(reply)))
}

impl BadCases {
    fn answered(&self, request: BadCaseRequest) -> Result<Reply, UserError> {
        Ok(match request {
            BadCaseRequest::List => reply_to::<request::List>(self.all()?),
            BadCaseRequest::Show { name } => reply_to::<request::Show>(reply::BadCaseText {
                text: self.named(&name)?,
            }),
            BadCaseRequest::Draft { run, wrong, wanted } => {
                reply_to::<request::Draft>(self.draft(&run, &wrong, &wanted)?)
            }
            BadCaseRequest::Keep { name, text, replace } => {
                self.write(&name, &text, replace)?;
                // What was proposed and tried was for another text.
                if replace {
                    self.note(&name, |beside| {
                        beside.proposed = None;
                        beside.measured = None;
                    })?;
                }
                reply_to::<request::Keep>(self.all()?)
            }
            BadCaseRequest::Remove { name } => {
                self.delete(&name)?;
                self.forget(&name);
                reply_to::<request::Remove>(self.all()?)
            }
            // These take their time, and are answered before.
            BadCaseRequest::Propose { .. }
            | BadCaseRequest::Measure { .. }
            | BadCaseRequest::Accept { .. }
            | BadCaseRequest::TakeBack { .. } => {
                return Err(internal(
                    self.space.language(),
                    "a request that waits came too late",
                ));
            }
        })
    }

    fn all(&self) -> Result<reply::BadCases, UserError> {
        Ok(reply::BadCases {
            cases: self.listed()?,
        })
    }

    fn draft(&self, run: &RunId, wrong: &str, wanted: &[String]) -> Result<reply::BadCaseDraft, UserError> {
        let language = self.space.language();
        let say = language.bad_cases();
        let row = self.over(run)?;
        let is_said = !wrong.trim().is_empty() || wanted.iter().any(|wanted| !wanted.trim().is_empty());
        if !is_said {
            return Err(error(
                ErrorCode::Input,
                say.nothing_said(),
                say.say_what_was_wrong(),
            ));
        }
        let occasion = occasion(&self.space, &row)?;
        let name = self.free_name(&redacted(&row.question));
        let complaint = Complaint {
            wrong,
            wanted,
            language,
        };
        let (text, redacted) = written(&occasion, &complaint).map_err(|why| internal(language, &why))?;
        Ok(reply::BadCaseDraft {
            name,
            text,
            redacted,
            left_out: occasion.left_out,
        })
    }

    /// The run of that id, which is over.
    fn over(&self, run: &RunId) -> Result<RunState, UserError> {
        let id = whole_run_id(&self.space, run)?;
        let row = self.space.store.run(&id);
        let row = row.map_err(|cause| storage::explain(&cause, self.space.language()))?;
        let row = row.ok_or_else(|| no_run(&self.space, &id))?;
        match row.status {
            Some(RunStatus::Suspended) | None => {
                let say = self.space.language().bad_cases();
                Err(error(ErrorCode::Input, say.not_over(), say.wait_or_stop()))
            }
            Some(_) => Ok(row),
        }
    }
}
