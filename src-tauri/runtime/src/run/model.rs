//! Asks the model and streams its words to the watchers. Meanwhile `part.rs` writes the words down. The whole answer
//! then goes to the mind.

use super::Run;
use super::beside::note_first;
use crate::limits::{PICTURE_BYTES_MAX, PICTURES_MAX};
use base64::Engine as _;
use shidi_agent::Event;
use shidi_agent::formats::{self, SpeechStream};
use shidi_protocol::{
    FailureKind, ModelDelta, ModelFailure, ModelReply, ModelRequest, ModelRole, Moment, Part, RunEventKind,
    SegmentKind, Speaker,
};
use shidi_store::Write;
use shidi_toolkits::Library;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Run {
    pub(super) fn ask_model(self: &Arc<Self>, request: ModelRequest) {
        let run = Arc::clone(self);
        self.workspace.tasks.spawn(async move {
            let request = Arc::new(run.with_pictures(request));
            let step = run.trace_chat(&request);
            let mut first = None;
            let answer = run.streamed(&request, &mut first).await;
            run.trace_answer(step, first, &answer);
            let event = match answer {
                Ok(reply) => Event::ModelAnswered { reply },
                Err(failure) if failure.kind == FailureKind::Cancelled && !run.is_stopping() => return,
                Err(failure) => Event::ModelFailed { failure },
            };
            run.drive_beside_blocking(event, run.end_part()).await;
        });
    }

    /// Hands in an event from an asynchronous task: writing to the record may block.
    pub(super) async fn drive_blocking(self: &Arc<Self>, event: Event) {
        self.drive_all_blocking(vec![event]).await;
    }

    pub(super) async fn drive_all_blocking(self: &Arc<Self>, events: Vec<Event>) {
        let run = Arc::clone(self);
        blocking(move || run.drive_all(events)).await;
    }

    /// The same, with rows that are written in one transaction with what becomes of the event.
    async fn drive_beside_blocking(self: &Arc<Self>, event: Event, rows: Vec<Write>) {
        let run = Arc::clone(self);
        blocking(move || run.drive_beside(event, rows)).await;
    }

    pub(super) fn is_over(&self) -> bool {
        self.mind.lock().state().phase == shidi_agent::Phase::Ended
    }

    /// Whether the run goes on no further: it has ended, or only waits for what had come so far.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_over() || self.is_stopping()
    }

    /// Whether somebody stopped it and it waits for what had come so far. Without such a stop, a cancelled model goes
    /// on later from the record, or not at all. The process ends, or the run has ended.
    pub(super) fn is_stopping(&self) -> bool {
        let mind = self.mind.lock();
        mind.state().phase != shidi_agent::Phase::Ended && mind.context().stopping.is_some()
    }

    /// Whether the process ends and the run is to go on later.
    pub(super) fn is_abandoned(&self) -> bool {
        self.cancel.is_cancelled() && !self.is_over() && !self.is_stopping()
    }

    async fn streamed(
        &self,
        request: &Arc<ModelRequest>,
        first: &mut Option<Moment>,
    ) -> Result<ModelReply, ModelFailure> {
        let mut speech = self.speech(request);
        let show = |pieces: Vec<(SegmentKind, String)>| {
            for (kind, text) in pieces {
                if kind == SegmentKind::Express {
                    self.trace_word();
                }
                self.emitter
                    .emit(&self.workspace, self.id(), RunEventKind::Delta { kind, text });
            }
        };
        self.begin_part(request);
        let mut deltas = |delta: ModelDelta| {
            self.take_part(&delta);
            if let ModelDelta::Awaits(wait) = delta {
                self.awaits(wait);
                return;
            }
            self.awaits(None);
            if delta == ModelDelta::Retracted {
                speech = self.speech(request);
                self.emitter
                    .emit(&self.workspace, self.id(), RunEventKind::Retracted);
                return;
            }
            note_first(first, &delta);
            show(speech.push(&delta));
        };
        let asked = self.model.ask(request, &mut deltas, &self.cancel);
        let answer = self.written_down(asked).await;
        self.awaits(None);
        show(speech.finish());
        answer
    }

    /// Splits the answer for those who watch.
    fn speech(&self, request: &ModelRequest) -> Box<dyn SpeechStream> {
        if request.role == ModelRole::Fast {
            return formats::silent_stream();
        }
        if request.completion.is_some() {
            return formats::program_stream();
        }
        let format = self.mind.lock().context().settings.format;
        format.implementation().stream()
    }

    /// Puts attached pictures beside the question; the mind and the record hold their paths only. A model that is
    /// known to be blind gets a line instead, and the user is told.
    fn with_pictures(&self, mut request: ModelRequest) -> ModelRequest {
        let paths = request
            .brief
            .attachments
            .iter()
            .filter(|attachment| attachment.kind == "image");
        let attached = paths.map(|attachment| PathBuf::from(&attachment.path));
        let paths: Vec<PathBuf> = self
            .looked_at()
            .into_iter()
            .chain(attached)
            .take(PICTURES_MAX)
            .collect();
        let parts = if self.model.profile().vision == Some(false) && !paths.is_empty() {
            if request.brief.last_output.is_none() {
                self.tell_of_blindness();
            }
            let count = paths.len();
            vec![Part::Text(format!(
                "[{count} attached picture(s) were left out: you can't see pictures. Say so if the question needs them.]"
            ))]
        } else {
            paths
                .iter()
                .filter_map(|path| picture(path, self.workspace.library.as_ref()))
                .collect()
        };
        let mut of_user = request
            .messages
            .iter_mut()
            .filter(|message| message.speaker == Speaker::User);
        if let Some(question) = of_user.next_back() {
            question.parts.extend(parts);
        }
        request
    }

    fn tell_of_blindness(&self) {
        let text = self.language().runtime().model_sees_no_pictures();
        let kind = RunEventKind::Notification {
            source: self.model.name().to_owned(),
            text: text.to_owned(),
        };
        self.emitter.emit(&self.workspace, self.id(), kind);
    }
}

async fn blocking(work: impl FnOnce() + Send + 'static) {
    if let Err(cause) = tokio::task::spawn_blocking(work).await {
        tracing::error!(%cause, "an event was not handled");
    }
}

fn picture(path: &Path, library: Option<&Library>) -> Option<Part> {
    let picture = shidi_toolkits::picture(path, library, PICTURE_BYTES_MAX)?;
    let data = base64::engine::general_purpose::STANDARD.encode(&picture.bytes);
    Some(Part::Image {
        media_type: picture.media_type,
        data,
    })
}
