//! A change is proposed by a model and tried on the case and on suites. Both take minutes, and nothing is changed by
//! them.

use crate::proposal::{MODULE, bad_answer, read};
use crate::trials::{Measuring, Trials};
use crate::verdict::verdict;
use crate::{BadCases, FOLDER, limits};
use shidi_agent::proposals::proposal_request;
use shidi_protocol::request::bad_cases as request;
use shidi_protocol::{CaseChange, CaseMeasured, CaseProposal, ErrorCode, Reply, UserError, reply, reply_to};
use shidi_space::errors::{error, internal};
use shidi_space::{model_choice, prompt_overrides};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Replies that wait for whoever reads them.
const QUEUED: usize = 64;

impl BadCases {
    fn trials(&self) -> Result<&Arc<dyn Trials>, UserError> {
        let say = self.space.language().bad_cases();
        let trials = self.trials.as_ref();
        trials.ok_or_else(|| error(ErrorCode::Input, say.not_tried_here(), say.try_elsewhere()))
    }

    /// Asks a model for a change.
    ///
    /// # Errors
    /// No such case, a model that can't be reached, or an answer that holds no proposal.
    pub async fn propose(&self, name: &str) -> Result<CaseProposal, UserError> {
        let language = self.space.language();
        let case = self.named(name)?;
        let answer = self.asked(&case).await?;
        let module = self.module_text(language.code(), MODULE);
        let proposal = read(&answer, language, &module).ok_or_else(|| {
            let say = language.bad_cases();
            error(ErrorCode::Model, say.no_proposal(), say.propose_again())
        })?;
        let kept = proposal.clone();
        let _one = self.changing.lock().await;
        self.note(name, |beside| {
            beside.proposed = Some(kept);
            beside.measured = None;
        })?;
        Ok(proposal)
    }

    /// What the model answers, which may do nothing else.
    async fn asked(&self, case: &str) -> Result<String, UserError> {
        let language = self.space.language();
        let suite = shidi_evaluation::read("case", case, language)?;
        let bad = suite.cases.first().map(bad_answer).unwrap_or_default();
        let config = self.space.config().clone();
        let model = model_choice::open(&self.space, &config).await?;
        if model.is_offline() {
            let say = language.bad_cases();
            return Err(error(ErrorCode::Model, say.no_model(), say.set_up_model()));
        }
        let own = prompt_overrides::read(self.space.home.folder(), None, language)?;
        let request = proposal_request(&bad, language.code(), &own);
        let request = request.map_err(|cause| internal(language, &cause.to_string()))?;
        let reply = model_choice::ask_within(model.as_ref(), &request, limits::PROPOSAL_TIMEOUT).await;
        let reply = reply.map_err(|failure| shidi_agent::model_error(language.code(), &failure))?;
        Ok(reply.text)
    }

    /// Tries a change; the replies tell how far it is, and at last what came of it. Whoever drops them ends it.
    ///
    /// # Errors
    /// No such case, or too many suites.
    pub fn measure(
        self: &Arc<Self>,
        name: String,
        change: CaseChange,
        suites: Vec<String>,
        repeat: u32,
    ) -> Result<mpsc::Receiver<Reply>, UserError> {
        let say = self.space.language().bad_cases();
        let case = self.there(&name)?;
        self.check(&change)?;
        if suites.len() > limits::SUITES_MAX {
            let message = say.too_many_suites(limits::SUITES_MAX);
            return Err(error(ErrorCode::Input, message, say.leave_some_out()));
        }
        let trials = Arc::clone(self.trials()?);
        let mut all = vec![(case, repeat.clamp(1, limits::REPEAT_MAX))];
        // The name of the folder stands for all cases of this one.
        let place = |suite: String| match suite.as_str() {
            FOLDER => self.folder(),
            _ => PathBuf::from(suite),
        };
        all.extend(suites.into_iter().map(|suite| (place(suite), 1)));
        let measuring = Measuring {
            data: self.space.home.folder().to_owned(),
            language: self.space.language(),
            change: change.clone(),
            suites: all,
        };
        let (sender, receiver) = mpsc::channel(QUEUED);
        let own = Arc::clone(self);
        self.space.tasks.spawn(async move {
            let along = sender.clone();
            let tried = move |done, total, task: &str| {
                // Who reads slowly hears of fewer steps.
                let step = Reply::Progress {
                    done,
                    total,
                    what: task.to_owned(),
                };
                drop(along.try_send(step));
            };
            let measured = tokio::select! {
                measured = trials.measured(measuring, &tried) => measured,
                () = sender.closed() => return,
            };
            let reply = match measured {
                Ok(measures) => own.came_of(&name, change, measures).await,
                Err(error) => Err(error),
            };
            let reply = match reply {
                Ok(measured) => reply_to::<request::Measure>(reply::BadCaseMeasured { measured }),
                Err(error) => Reply::Failed { error },
            };
            if sender.send(reply).await.is_err() {
                tracing::debug!("nobody waited for the measurement");
            }
        });
        Ok(receiver)
    }

    async fn came_of(
        &self,
        name: &str,
        change: CaseChange,
        measures: Vec<shidi_protocol::CaseMeasure>,
    ) -> Result<CaseMeasured, UserError> {
        let measured = CaseMeasured {
            change,
            verdict: verdict(&measures),
            measures,
        };
        let kept = measured.clone();
        let _one = self.changing.lock().await;
        self.note(name, |beside| beside.measured = Some(kept))?;
        Ok(measured)
    }
}
