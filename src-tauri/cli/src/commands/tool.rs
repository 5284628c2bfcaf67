//! `shidi tool`: what programs may call, and switching it on and off.

use crate::client::ask;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use clap::Subcommand;
use shidi_protocol::request::tools;
use shidi_protocol::{ListedToolkit, ToolkitSource, reply};

/// Characters of a description in a list: the rest of a line in a terminal of usual width.
const DOC_CHARACTERS: usize = 70;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List {
        #[command(flatten)]
        of: Of,
    },
    On {
        #[command(flatten)]
        what: What,
    },
    Off {
        #[command(flatten)]
        what: What,
    },
}

#[derive(Debug, clap::Args)]
struct Of {
    #[arg(long, value_name = "NAME")]
    assistant: Option<String>,
}

#[derive(Debug, clap::Args)]
struct What {
    tool: String,
    #[command(flatten)]
    of: Of,
}

/// Carries out the action.
///
/// # Errors
/// No such tool, one that can't be switched, storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let (reply::Tools { toolkits }, switched) = match arguments.action {
        Action::List { of } => {
            let assistant = of.assistant;
            (ask(tools::List { assistant }, options).await?, None)
        }
        Action::On { what } => what.switched(true, options).await?,
        Action::Off { what } => what.switched(false, options).await?,
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
    /// All toolkits after the switch, and the name of what was switched.
    async fn switched(self, on: bool, options: &Options) -> Result<(reply::Tools, Option<String>), Failure> {
        let request = tools::Switch {
            tool: self.tool.clone(),
            on,
            assistant: self.of.assistant,
        };
        Ok((ask(request, options).await?, Some(self.tool)))
    }
}

fn shown(toolkit: &ListedToolkit, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let source = match toolkit.source {
        ToolkitSource::BuiltIn => words.tool_built_in(),
        ToolkitSource::Server => words.tool_of_server(),
        ToolkitSource::Page => words.tool_of_page(),
        ToolkitSource::Workflow => words.tool_of_workflows(),
        ToolkitSource::Plugin => words.tool_of_plugin(),
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
