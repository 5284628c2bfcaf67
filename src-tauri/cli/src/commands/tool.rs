//! `shidi tool`: what programs may call, and switching it on and off.

use crate::client::{answered, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::options::Options;
use clap::Subcommand;
use shidi_protocol::{ListedToolkit, Reply, Request, ToolRequest, ToolkitSource};

/// Characters of a description in a list: the rest of a line in a terminal of usual width.
const DOC_CHARACTERS: usize = 70;

/// What programs may call: see it, switch it on and off
#[derive(Debug, clap::Args)]
#[command(after_help = help::TOOL)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// All toolkits with their tools, those too that are off
    List {
        #[command(flatten)]
        of: Of,
    },
    /// Switch a tool on, or a whole toolkit
    On {
        #[command(flatten)]
        what: What,
    },
    /// Switch a tool off, or a whole toolkit; no program is offered it
    Off {
        #[command(flatten)]
        what: What,
    },
}

#[derive(Debug, clap::Args)]
struct Of {
    /// For one assistant only [default: for all]
    #[arg(long, value_name = "NAME")]
    assistant: Option<String>,
}

#[derive(Debug, clap::Args)]
struct What {
    /// A toolkit, or one of its tools as TOOLKIT.TOOL
    tool: String,
    #[command(flatten)]
    of: Of,
}

/// Carries out the action.
///
/// # Errors
/// No such tool, one that can't be switched, storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let (action, switched) = match arguments.action {
        Action::List { of } => {
            let assistant = of.assistant;
            (ToolRequest::List { assistant }, None)
        }
        Action::On { what } => what.switched(true),
        Action::Off { what } => what.switched(false),
    };
    let request = Request::Tools { action };
    let reply = with_connection(options, async |connection| answered(connection, request).await).await?;
    let Reply::Tools { toolkits } = reply else {
        return Err(Failure::Unanswered);
    };
    let toolkit = switched.as_deref().and_then(|tool| tool.split('.').next());
    for listed in &toolkits {
        if toolkit.is_some_and(|name| listed.name != name) {
            continue;
        }
        if console.is_json() {
            console.json(listed)?
        } else {
            shown(listed, console)?
        }
    }
    Ok(Exit::Done)
}

impl What {
    fn switched(self, on: bool) -> (ToolRequest, Option<String>) {
        let action = ToolRequest::Switch {
            tool: self.tool.clone(),
            on,
            assistant: self.of.assistant,
        };
        (action, Some(self.tool))
    }
}

fn shown(toolkit: &ListedToolkit, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let source = match toolkit.source {
        ToolkitSource::BuiltIn => words.tool_built_in(),
        ToolkitSource::Server => words.tool_of_server(),
        ToolkitSource::Page => words.tool_of_page(),
    };
    console.line(&format!(
        "{}  {}",
        console.painted(Look::Strong, &toolkit.name),
        console.painted(Look::Dim, source)
    ))?;
    for tool in &toolkit.tools {
        let (look, state) = match tool.on {
            true => (Look::Good, words.tool_on()),
            false => (Look::Dim, words.tool_off()),
        };
        let doc: String = tool.doc.chars().take(DOC_CHARACTERS).collect();
        let name = format!("{}.{}", toolkit.name, tool.name);
        console.line(&format!(
            "  {}  {name:<24} {}",
            console.painted(look, state),
            console.painted(Look::Dim, doc.lines().next().unwrap_or_default())
        ))?;
    }
    Ok(())
}
