//! `agents`: sub-agents (F8.3). They are runs of their own; the runtime performs them.

use crate::declare::{idempotent, method, optional, required, toolkit};
use shidi_protocol::{Class, ParameterKind, ToolkitSpec};

pub(crate) fn declaration() -> ToolkitSpec {
    let run = method(
        "run",
        // The call itself has no effect: each call of the sub-agent's programs is permitted by itself.
        Class::Read,
        vec![
            required(
                "task",
                ParameterKind::Text,
                "all that it needs to know: it sees nothing of this conversation",
            ),
            optional(
                "toolkits",
                ParameterKind::List,
                serde_json::json!([]),
                "names of the toolkits it may use; all when empty",
            ),
        ],
        "str",
        "Gives work of many steps to a sub-agent with a context of its own. task says all it needs to know; toolkits \
         names those it may use. Several run at once with asyncio.gather. .data is its answer.",
    );
    // The same call finds the sub-agent that it began before a restart.
    toolkit("agents", "Sub-agents.", vec![idempotent(run)])
}
