//! What a person does with workflows: lists, looks, edits, runs, goes on, decides.

use crate::Workflows;
use crate::drawing;
use crate::facts::run_of;
use crate::facts::{Facts, Terms};
use crate::limits::RUNS_LISTED_MAX;
use crate::orders::{Order, Taken, Until};
use crate::records;
use crate::shelf::{SaveOutcome, Shelved, file_name};
use crate::starting::{self, Beginning, no_such_run};
use crate::toolkit::NAME;
use shidi_protocol::request::workflows as request;
use shidi_protocol::{
    ErrorCode, JsonMap, Reply, RunId, UserError, WorkflowDetail, WorkflowRequest, WorkflowRunView,
    WorkflowVerdict, reply, reply_to,
};
use shidi_space::errors::{error, internal};
use shidi_space::names::method_name;
use shidi_space::replies::Answered;
use shidi_space::storage;
use shidi_store::{StoreError, SwitchedOff, WorkflowWrite, Write};
use shidi_workflow::{AttemptId, Fault, Mode, Run, Source, Verdict, import};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Answers a request.
///
/// # Errors
/// No such workflow or run, a file with faults, values that are missing, trouble with the disk.
pub async fn answer(workflows: &Arc<Workflows>, request: WorkflowRequest) -> Result<Answered, UserError> {
    match request {
        WorkflowRequest::Run {
            name,
            inputs,
            text,
            functions,
            folders,
            approve,
            own_list,
        } => {
            let file = text.map(|text| Shelved {
                functions,
                ..Shelved::loose(&name, &text)
            });
            let granted = Granted {
                folders,
                approve,
                own_list,
            };
            started(workflows, (name, file), inputs, granted).await
        }
        WorkflowRequest::Resume { run } => {
            let run = whole(workflows, run).await?;
            taken_up(workflows, &run).await
        }
        WorkflowRequest::Cancel { run } => {
            let run = whole(workflows, run).await?;
            starting::cancel(workflows, &run).await.map(Answered::Stream)
        }
        WorkflowRequest::Settle {
            run,
            attempt,
            verdict,
        } => {
            let run = whole(workflows, run).await?;
            settled(workflows, run, attempt, verdict).await
        }
        other => {
            let reply = answered(workflows, other).await?;
            Ok(Answered::One(Box::new(reply)))
        }
    }
}

/// What is answered at once.
async fn answered(workflows: &Arc<Workflows>, request: WorkflowRequest) -> Result<Reply, UserError> {
    Ok(match request {
        WorkflowRequest::List => reply_to::<request::List>(list(workflows).await?),
        WorkflowRequest::Show { name } => {
            let named = move |workflows: &Workflows| workflows.shelf().named(&name);
            reply_to::<request::Show>(detailed(workflows, named).await?)
        }
        WorkflowRequest::Check {
            name,
            text,
            functions,
        } => {
            let typed = move |workflows: &Workflows| Ok(workflows.typed(&name, &text, functions));
            reply_to::<request::Check>(detailed(workflows, typed).await?)
        }
        WorkflowRequest::Ready {
            name,
            inputs,
            folders,
        } => reply_to::<request::Ready>(ready(workflows, name, inputs, folders).await?),
        WorkflowRequest::Save { name, text, replace } => {
            reply_to::<request::Save>(save(workflows, name, text, replace).await?)
        }
        WorkflowRequest::Import { file, text, replace } => {
            reply_to::<request::Import>(imported(workflows, file, text, replace).await?)
        }
        WorkflowRequest::Switch { name, on } => {
            aside(workflows, move |workflows| workflows.switch(&name, on)).await?;
            reply_to::<request::Switch>(list(workflows).await?)
        }
        WorkflowRequest::Remove { name } => {
            remove(workflows, name).await?;
            reply_to::<request::Remove>(list(workflows).await?)
        }
        WorkflowRequest::Plan { name, inputs } => {
            reply_to::<request::Plan>(planned(workflows, name, inputs).await?)
        }
        WorkflowRequest::Runs { name, limit } => {
            let runs = aside(workflows, move |workflows| workflows.runs(name.as_deref(), limit));
            reply_to::<request::Runs>(reply::WorkflowRuns { runs: runs.await? })
        }
        WorkflowRequest::RunShow { run } => {
            let run = whole(workflows, run).await?;
            reply_to::<request::RunShow>(looked_at(workflows, run).await?)
        }
        WorkflowRequest::OfCall { run, call } => {
            reply_to::<request::OfCall>(looked_at(workflows, run_of(&run, call)).await?)
        }
        WorkflowRequest::OfProgram { run } => {
            reply_to::<request::OfProgram>(of_program(workflows, run).await?)
        }
        WorkflowRequest::RunDelete { run } => {
            delete(workflows, whole(workflows, run).await?).await?;
            reply_to::<request::RunDelete>(reply::Done)
        }
        WorkflowRequest::FromRun { .. } => {
            return Err(internal(
                workflows.space.language(),
                "whoever keeps runs makes drafts of them",
            ));
        }
        WorkflowRequest::Run { .. }
        | WorkflowRequest::Resume { .. }
        | WorkflowRequest::Cancel { .. }
        | WorkflowRequest::Settle { .. } => {
            return Err(internal(workflows.space.language(), "a run is followed"));
        }
    })
}

async fn remove(workflows: &Arc<Workflows>, name: String) -> Result<(), UserError> {
    let _one = workflows.changing.lock().await;
    aside(workflows, move |workflows| workflows.shelf().remove(&name)).await?;
    workflows.changed();
    Ok(())
}

/// Works on files and rows where it holds nobody up.
async fn aside<T: Send + 'static>(
    workflows: &Arc<Workflows>,
    work: impl FnOnce(&Workflows) -> Result<T, UserError> + Send + 'static,
) -> Result<T, UserError> {
    let own = Arc::clone(workflows);
    workflows.space.aside(move |_| work(&own)).await
}

async fn looked_at(workflows: &Arc<Workflows>, run: RunId) -> Result<reply::WorkflowRun, UserError> {
    let run = aside(workflows, move |workflows| workflows.run(&run)).await?;
    Ok(reply::WorkflowRun { run })
}

/// The run of which a step's program is a part.
async fn of_program(workflows: &Arc<Workflows>, program: RunId) -> Result<reply::WorkflowRun, UserError> {
    let run = aside(workflows, move |workflows| {
        records::of_program(workflows, &program)
    });
    looked_at(workflows, run.await?).await
}

/// A workflow in full.
async fn detailed(
    workflows: &Arc<Workflows>,
    find: impl FnOnce(&Workflows) -> Result<Shelved, UserError> + Send + 'static,
) -> Result<reply::Workflow, UserError> {
    let found = aside(workflows, move |workflows| workflows.detail(&find(workflows)?));
    Ok(reply::Workflow {
        workflow: found.await?,
    })
}

/// A workflow in full, if a run with these values and folders could begin.
async fn ready(
    workflows: &Arc<Workflows>,
    name: String,
    inputs: JsonMap,
    folders: Vec<String>,
) -> Result<reply::Workflow, UserError> {
    let checked = aside(workflows, move |workflows| {
        let shelved = workflows.shelf().named(&name)?;
        workflows.can_begin(&shelved)?;
        workflows.has_a_folder_to_write_in(&shelved, &folders)?;
        let workflow = shelved.read().map_err(|faults| workflows.first(&faults))?;
        let run = Run::new(&workflow, Mode::Real, inputs, "");
        run.map_err(|faults| starting::unfit(&faults, workflows.space.language()))?;
        workflows.detail(&shelved)
    });
    Ok(reply::Workflow {
        workflow: checked.await?,
    })
}

async fn planned(
    workflows: &Arc<Workflows>,
    name: String,
    inputs: JsonMap,
) -> Result<reply::WorkflowPlan, UserError> {
    let plan = aside(workflows, move |workflows| workflows.plan(&name, inputs)).await?;
    Ok(reply::WorkflowPlan { plan })
}

async fn list(workflows: &Arc<Workflows>) -> Result<reply::Workflows, UserError> {
    let listed = aside(workflows, |workflows| {
        // They are files: an editor may have changed them.
        workflows.offer();
        let all = workflows.shelf().all()?;
        let language = workflows.space.language();
        let open = records::open(workflows)?;
        let listed = all.iter().map(|shelved| {
            let open = open.get(&shelved.name).copied().unwrap_or_default();
            let stands = (workflows.is_on(&shelved.name), open);
            drawing::listed(shelved, &shelved.read(), stands, language)
        });
        Ok(listed.collect())
    });
    Ok(reply::Workflows {
        workflows: listed.await?,
    })
}

async fn whole(workflows: &Arc<Workflows>, run: RunId) -> Result<RunId, UserError> {
    aside(workflows, move |workflows| workflows.whole(&run)).await
}

async fn save(
    workflows: &Arc<Workflows>,
    name: String,
    text: String,
    replace: bool,
) -> Result<reply::Workflow, UserError> {
    let shelved = Shelved::loose(&file_name(&name), &text);
    if let Err(faults) = shelved.read() {
        return Err(workflows.first(&faults));
    }
    let _one = workflows.changing.lock().await;
    let kept = aside(workflows, move |workflows| {
        let shelf = workflows.shelf();
        workflows.works(&workflows.typed(&shelved.name, &shelved.text, None))?;
        shelf.keep(&shelved.name, &shelved.text, replace)?;
        workflows.detail(&shelf.named(&shelved.name)?)
    });
    let workflow = kept.await?;
    workflows.changed();
    Ok(reply::Workflow { workflow })
}

async fn imported(
    workflows: &Arc<Workflows>,
    file: String,
    text: String,
    replace: bool,
) -> Result<reply::WorkflowImported, UserError> {
    let imported = import(&file.as_str().into(), text.as_bytes());
    let imported = imported.map_err(|faults| workflows.first(&faults))?;
    let source = match imported.source {
        Source::Shidi => "shidi",
        Source::Goose => "goose",
        Source::Dify => "dify",
    };
    let language = workflows.space.language();
    let told = imported
        .left_out
        .iter()
        .map(|fault| drawing::fault(fault, language));
    let left_out = told.collect();
    let _one = workflows.changing.lock().await;
    let kept = aside(workflows, move |workflows| {
        let (shelf, name) = (workflows.shelf(), file_name(&imported.workflow.name));
        let kept = shelf.keep(&name, &imported.text, replace)?;
        Ok((workflows.detail(&shelf.named(&name)?)?, kept == SaveOutcome::New))
    });
    let (workflow, new) = kept.await?;
    workflows.changed();
    Ok(reply::WorkflowImported {
        workflow,
        source: source.to_owned(),
        new,
        left_out,
    })
}

async fn taken_up(workflows: &Arc<Workflows>, run: &RunId) -> Result<Answered, UserError> {
    let replies = starting::take_up(workflows, run, Until::Rest).await;
    replies.map(Answered::Stream)
}

/// What a person grants to a run.
struct Granted {
    folders: Vec<String>,
    approve: Vec<String>,
    own_list: bool,
}

async fn started(
    workflows: &Arc<Workflows>,
    (name, file): (String, Option<Shelved>),
    inputs: JsonMap,
    granted: Granted,
) -> Result<Answered, UserError> {
    let folders = granted.folders.clone();
    let shelved = aside(workflows, move |workflows| {
        let shelved = file.map_or_else(|| workflows.shelf().named(&name), Ok)?;
        workflows.can_begin(&shelved)?;
        workflows.has_a_folder_to_write_in(&shelved, &folders)?;
        Ok(shelved)
    });
    let beginning = by_person(workflows, shelved.await?, inputs, granted)?;
    let replies = starting::begin(workflows, beginning, Until::Rest).await;
    replies.map(Answered::Stream)
}

/// A run that a person starts: what the file is permitted was shown with it. One with a list of its own starts by itself, and
/// the file may have changed since that list was shown.
fn by_person(
    workflows: &Workflows,
    shelved: Shelved,
    inputs: JsonMap,
    granted: Granted,
) -> Result<Beginning, UserError> {
    let workflow = shelved.read().map_err(|faults| workflows.first(&faults))?;
    let Granted {
        folders,
        approve,
        own_list,
    } = granted;
    let of_file = workflow.permissions.iter().filter(|_| !own_list);
    let terms = Terms {
        folders,
        approve: of_file.cloned().chain(approve).collect(),
        own_list,
        mode: own_list.then_some(shidi_protocol::Mode::Ask),
        assistant: None,
        unattended: own_list,
        bounds: Vec::new(),
        by: None,
    };
    let facts = Facts::of((&shelved, &workflow), &inputs, workflows.space.language(), terms);
    Ok(Beginning {
        run: RunId::mint(),
        shelved,
        workflow,
        inputs,
        dialogue: String::new(),
        facts,
        tainted: false,
    })
}

async fn settled(
    workflows: &Arc<Workflows>,
    run: RunId,
    attempt: u64,
    verdict: WorkflowVerdict,
) -> Result<Answered, UserError> {
    let verdict = match verdict {
        WorkflowVerdict::Happened { value } => Verdict::Happened(value),
        WorkflowVerdict::NotHappened => Verdict::NotHappened,
        WorkflowVerdict::GiveUp => Verdict::GiveUp,
    };
    let replies = starting::take_up(workflows, &run, Until::Rest).await?;
    let (done, was_open) = oneshot::channel();
    let order = Order::Settle {
        attempt: AttemptId(attempt),
        verdict,
        done,
    };
    let is_told = starting::order(workflows, &run, order);
    let language = workflows.space.language();
    let say = language.workflow_runs();
    let taken = match is_told {
        true => was_open.await.unwrap_or(Taken::NothingUnknown),
        false => Taken::NothingUnknown,
    };
    match taken {
        Taken::Yes => Ok(Answered::Stream(replies)),
        Taken::NothingUnknown => Err(error(
            ErrorCode::NotFound,
            say.nothing_unknown(attempt),
            say.see_run(run),
        )),
        Taken::Unfit(failure) => Err(error(
            ErrorCode::Input,
            failure.sentence(language),
            say.say_what_it_gave(),
        )),
    }
}

async fn delete(workflows: &Arc<Workflows>, run: RunId) -> Result<(), UserError> {
    aside(workflows, move |workflows| {
        let shown = workflows.run(&run)?;
        if shown.ended.is_none() {
            let say = workflows.space.language().workflow_runs();
            return Err(error(ErrorCode::Input, say.not_over(), say.cancel_first(&run)));
        }
        let write = Write::Workflow(WorkflowWrite::Delete(run));
        workflows
            .space
            .store
            .commit(write)
            .map_err(|cause| workflows.explain(&cause))
    })
    .await?;
    workflows.space.tell(&Reply::WorkflowsChanged);
    Ok(())
}

impl Workflows {
    pub(crate) fn first(&self, faults: &[Fault]) -> UserError {
        let language = self.space.language();
        match faults.first() {
            Some(fault) => fault.told(language),
            None => shidi_space::errors::internal(language, "no fault"),
        }
    }

    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.registry
            .switches
            .lock()
            .is_on(NAME, &method_name(name), None)
    }

    /// Whether programs may call it. One that comes along is offered to assistants that name it, and has no switch.
    fn switch(&self, name: &str, on: bool) -> Result<(), UserError> {
        let shelved = self.shelf().named(name)?;
        if shelved.built_in {
            let say = self.space.language().workflow_runs();
            return Err(error(ErrorCode::Input, say.comes_along(name), say.keep_a_copy()));
        }
        let switch = SwitchedOff {
            assistant: None,
            tool: format!("{NAME}.{}", method_name(name)),
        };
        let write = Write::Switch {
            switch: switch.clone(),
            on,
        };
        self.space
            .store
            .commit(write)
            .map_err(|cause| self.explain(&cause))?;
        self.registry.switches.lock().apply(&[(switch, on)]);
        self.registry.changed(&self.space);
        self.space.tell(&Reply::WorkflowsChanged);
        Ok(())
    }

    fn detail(&self, shelved: &Shelved) -> Result<WorkflowDetail, UserError> {
        let open = records::open(self)?.remove(&shelved.name).unwrap_or_default();
        let stands = (self.is_on(&shelved.name), open);
        let mut detail = drawing::detail(shelved, stands, self.space.language());
        if let Ok(workflow) = shelved.read() {
            let checked = self.checked(shelved, &workflow);
            (detail.faults, detail.warnings) = (checked.faults, checked.warnings);
        }
        Ok(detail)
    }

    fn explain(&self, cause: &StoreError) -> UserError {
        storage::explain(cause, self.space.language())
    }

    /// The run that a text names in full, by its beginning or its end. `last` is the newest one that no step has called.
    fn whole(&self, text: &RunId) -> Result<RunId, UserError> {
        let store = &self.space.store;
        let found = match text.as_str() {
            "last" => store
                .workflow_runs(None, 1)
                .map(|runs| runs.into_iter().next().map(|row| row.run)),
            text => store.find_workflow_run(text),
        };
        let found = found.map_err(|cause| self.explain(&cause))?;
        found.ok_or_else(|| no_such_run(text, self.space.language()))
    }

    fn runs(&self, name: Option<&str>, limit: u32) -> Result<Vec<WorkflowRunView>, UserError> {
        let rows = self.space.store.workflow_runs(name, limit.min(RUNS_LISTED_MAX));
        let rows = rows.map_err(|cause| self.explain(&cause))?;
        rows.iter().map(|row| records::listed(self, row)).collect()
    }

    fn run(&self, run: &RunId) -> Result<WorkflowRunView, UserError> {
        let row = self
            .space
            .store
            .workflow_run(run)
            .map_err(|cause| self.explain(&cause))?;
        let row = row.ok_or_else(|| no_such_run(run, self.space.language()))?;
        records::shown(self, &row)
    }

    /// The folder, or what plugins bring, has changed.
    pub fn changed(&self) {
        self.offer();
        self.registry.changed(&self.space);
        self.space.tell(&Reply::WorkflowsChanged);
    }
}
