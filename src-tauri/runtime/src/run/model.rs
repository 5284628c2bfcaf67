//! Asks the model: streams its words to whoever watches, then gives the whole answer to the mind.

use super::Run;
use crate::clock;
use crate::engine::held;
use crate::limits::{PICTURE_BYTES_MAX, PICTURES_MAX, SPAN_CHARACTERS_MAX};
use base64::Engine as _;
use serde_json::{Value, json};
use shidi_agent::Event;
use shidi_agent::formats::{self, SpeechStream};
use shidi_protocol::{
    FailureKind, Message, ModelDelta, ModelFailure, ModelReply, ModelRequest, ModelRole, Moment, Part,
    RunEventKind, SegmentKind, Span, Speaker,
};
use shidi_store::Write;
use shidi_toolkits::Library;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Run {
    pub(super) fn ask_model(self: &Arc<Self>, request: ModelRequest) {
        let run = Arc::clone(self);
        self.engine.tasks.spawn(async move {
            let started = clock::now();
            let answer = run.streamed(&request).await;
            run.note_model_call(&request, &answer, started);
            let event = match answer {
                Ok(reply) => Event::ModelAnswered { reply },
                Err(failure) if failure.kind == FailureKind::Cancelled && run.is_over() => return,
                Err(failure) => Event::ModelFailed { failure },
            };
            run.drive_blocking(event).await;
        });
    }

    /// Hands in an event from an asynchronous task: writing to the record may block.
    pub(super) async fn drive_blocking(self: &Arc<Self>, event: Event) {
        self.drive_all_blocking(vec![event]).await;
    }

    pub(super) async fn drive_all_blocking(self: &Arc<Self>, events: Vec<Event>) {
        let run = Arc::clone(self);
        if let Err(cause) = tokio::task::spawn_blocking(move || run.drive_all(events)).await {
            tracing::error!(%cause, "an event was not handled");
        }
    }

    pub(super) fn is_over(&self) -> bool {
        held(&self.mind).state().phase == shidi_agent::Phase::Ended
    }

    async fn streamed(&self, request: &ModelRequest) -> Result<ModelReply, ModelFailure> {
        let mut speech = self.speech(request);
        let request = &self.with_pictures(request.clone());
        let show = |pieces: Vec<(SegmentKind, String)>| {
            for (kind, text) in pieces {
                self.emitter
                    .emit(&self.engine, self.id(), RunEventKind::Delta { kind, text });
            }
        };
        let mut deltas = |delta: ModelDelta| show(speech.push(&delta));
        let answer = self.model.ask(request, &mut deltas, &self.cancel).await;
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
        let format = held(&self.mind).situation().settings.format;
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
        let paths: Vec<PathBuf> = paths
            .take(PICTURES_MAX)
            .map(|attachment| PathBuf::from(&attachment.path))
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
                .filter_map(|path| picture(path, &self.engine.library))
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
        let text = self.words().pick(
            "这个模型看不了图，图片没有发给它。换一个能看图的模型，或设置 role.vision",
            "This model can't see pictures, so none was sent. Choose one that can, or set role.vision",
        );
        let kind = RunEventKind::Notification {
            source: self.model.name().to_owned(),
            text: text.to_owned(),
        };
        self.emitter.emit(&self.engine, self.id(), kind);
    }

    fn note_model_call(
        &self,
        request: &ModelRequest,
        answer: &Result<ModelReply, ModelFailure>,
        started: Moment,
    ) {
        let mut attributes = json!({
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": self.model.provider(),
            "gen_ai.request.model": self.model.name(),
            "gen_ai.request.max_tokens": request.max_output_tokens,
            "shidi.role": request.role,
            "shidi.prompt": prompt_as_sent(&request.messages),
            "shidi.prompt_parts": request.parts,
        });
        let more = match answer {
            Ok(reply) => json!({
                "gen_ai.response.model": reply.model,
                "gen_ai.usage.input_tokens": reply.usage.input,
                "gen_ai.usage.output_tokens": reply.usage.output,
                "gen_ai.usage.cached_tokens": reply.usage.cached,
                "shidi.cost": reply.usage.cost,
                "shidi.reply": shortened(&reply.text),
                "shidi.tool_calls": reply.tool_calls,
            }),
            Err(failure) => json!({ "error.type": failure.kind, "error.message": failure.detail }),
        };
        merge(&mut attributes, more);
        self.note_span("chat", self.model.name(), started, attributes);
    }

    /// Keeps one step for the trace; a trace that can't be written is a pity, not a failure of the run.
    pub(super) fn note_span(&self, operation: &str, name: &str, started: Moment, attributes: Value) {
        let id = {
            let mut spans = held(&self.spans);
            *spans += 1;
            *spans
        };
        let span = Span {
            id,
            parent: None,
            operation: operation.to_owned(),
            name: name.to_owned(),
            started,
            ms: clock::now().since(started),
            attributes: attributes.as_object().cloned().unwrap_or_default(),
        };
        let write = Write::AddSpan {
            run: self.id().clone(),
            span: Box::new(span),
        };
        if let Err(cause) = self.engine.store.buffer(write) {
            tracing::warn!(%cause, "a step of the trace was not kept");
        }
    }
}

fn picture(path: &Path, library: &Library) -> Option<Part> {
    let picture = shidi_toolkits::picture(path, Some(library), PICTURE_BYTES_MAX)?;
    let data = base64::engine::general_purpose::STANDARD.encode(&picture.bytes);
    Some(Part::Image {
        media_type: picture.media_type,
        data,
    })
}

fn prompt_as_sent(messages: &[Message]) -> Value {
    let shown = |message: &Message| {
        let images = message
            .parts
            .iter()
            .filter(|part| matches!(part, Part::Image { .. }))
            .count();
        json!({
            "speaker": message.speaker,
            "text": shortened(&message.plain()),
            "images": images,
            "tool_calls": message.tool_calls,
        })
    };
    messages.iter().map(shown).collect()
}

fn shortened(text: &str) -> String {
    text.chars().take(SPAN_CHARACTERS_MAX).collect()
}

fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}
