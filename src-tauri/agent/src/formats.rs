//! The ways in which a model may write an action (F4.5), behind one trait.
//!
//! A format tells the model how to answer, and shows earlier steps of the transcript. The format also reads the
//! answer, and splits the answer's stream for people to watch. A format never decides on the next step.

mod block;
mod called;
mod fenced;
mod fim;
mod heads;
mod json;
mod relay;
mod speech;
mod steps;
mod thinking;
mod tool;

use shidi_protocol::{Message, ModelDelta, ModelReply, Segment, SegmentKind, ToolDeclaration, ToolkitSpec};

pub use fim::{Hole, line_of_middle};
pub use heads::own as own_words;

/// The action that a model decided on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedReply {
    /// The model's words on how the work stands, if it said so.
    pub evaluation: Option<String>,
    /// The model's goal for this round, if it said so.
    pub next_goal: Option<String>,
    pub thought: String,
    pub action: Action,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A program to run.
    Program(String),
    /// The model has thought out a program; its text is asked for next (*FIM*).
    Draft,
    /// Words for the user; the task is done.
    Answer(String),
    /// The task can't be done, with the reasons.
    GiveUp(String),
}

/// Why an answer could not be read, in words that help the model to write a better one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    pub correction: String,
}

pub trait ActionFormat: Send + Sync {
    /// The name in configuration and on the command line.
    fn name(&self) -> &'static str;
    /// Native tools to declare to the provider.
    fn tools(&self, toolkits: &[ToolkitSpec]) -> Vec<ToolDeclaration>;
    /// Shows the transcript to the model.
    fn messages(&self, segments: &[&Segment]) -> Vec<Message>;
    /// Reads a whole answer whose thoughts stand apart.
    ///
    /// # Errors
    /// [`Malformed`] with the correction to send back.
    fn action(&self, reply: &ModelReply, toolkits: &[ToolkitSpec]) -> Result<ParsedReply, Malformed>;
    /// Reads a whole answer. Thoughts in it are never read as an action, whatever they look like.
    ///
    /// # Errors
    /// As [`ActionFormat::action`].
    fn read(&self, reply: &ModelReply, toolkits: &[ToolkitSpec]) -> Result<ParsedReply, Malformed> {
        self.action(&thinking::apart(reply), toolkits)
    }
    /// Splits an answer while it arrives.
    fn stream(&self) -> Box<dyn SpeechStream>;
}

/// Splits the stream of one answer into pieces of segments. Only for display: the whole answer is read afterwards.
pub trait SpeechStream: Send {
    fn push(&mut self, delta: &ModelDelta) -> Vec<(SegmentKind, String)>;
    /// The pieces that were held back when the stream ended.
    fn finish(&mut self) -> Vec<(SegmentKind, String)>;
}

/// Splits the stream of a program's middle: all of that stream is program.
#[must_use]
pub fn program_stream() -> Box<dyn SpeechStream> {
    Box::new(fim::MiddleStream)
}

/// Shows nothing: nobody watches questions asked beside the task.
#[must_use]
pub fn silent_stream() -> Box<dyn SpeechStream> {
    Box::new(Silence)
}

struct Silence;

impl SpeechStream for Silence {
    fn push(&mut self, _delta: &ModelDelta) -> Vec<(SegmentKind, String)> {
        Vec::new()
    }

    fn finish(&mut self) -> Vec<(SegmentKind, String)> {
        Vec::new()
    }
}

/// The formats that exist, by their name in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Thought and a fenced `python` block in plain text: works with every model.
    #[default]
    Fenced,
    /// One native tool named `python`.
    Tool,
    /// One native tool for each method of the toolkits.
    Json,
    /// `to_user:` or `to_sys:` in plain text.
    Relay,
    /// A thought first, then the middle of a program whose beginning and end are given.
    Fim,
}

impl Format {
    pub const ALL: [Self; 5] = [Self::Fenced, Self::Tool, Self::Json, Self::Relay, Self::Fim];

    /// The format of that name, if it exists.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|format| format.implementation().name() == name)
    }

    #[must_use]
    pub fn implementation(self) -> &'static dyn ActionFormat {
        match self {
            Self::Fenced => &fenced::Fenced,
            Self::Tool => &tool::NativeTool,
            Self::Json => &json::JsonCalls,
            Self::Relay => &relay::Relay,
            Self::Fim => &fim::Fim,
        }
    }

    /// Whether the model writes calls and not programs.
    #[must_use]
    pub fn is_of_calls(self) -> bool {
        match self {
            Self::Json | Self::Relay => true,
            Self::Fenced | Self::Tool | Self::Fim => false,
        }
    }
}

fn malformed(correction: impl Into<String>) -> Malformed {
    Malformed {
        correction: correction.into(),
    }
}

#[cfg(test)]
mod tests;
