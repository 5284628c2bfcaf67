//! Tools that tell of themselves on the way: log messages, progress, changes of what is served.

use serde_json::json;
use shidi_mcp_server::{Change, Exchange, Severity};
use std::time::Duration;
use tokio::time::sleep;

/// Between two steps, as the suite wants it.
const STEP: Duration = Duration::from_millis(50);

/// What a tool says when it is done; `None` of another one.
pub async fn done(tool: &str, exchange: &Exchange) -> Option<String> {
    match tool {
        "test_tool_with_logging" | "test_logging_tool" => {
            exchange
                .log(Severity::Info, "test", json!("Tool execution started"))
                .await;
            sleep(STEP).await;
            exchange
                .log(Severity::Info, "test", json!("Tool processing data"))
                .await;
            sleep(STEP).await;
            exchange
                .log(Severity::Info, "test", json!("Tool execution completed"))
                .await;
        }
        "test_tool_with_progress" => {
            let progress = exchange.progress();
            for (step, done) in [0.0, 50.0, 100.0].into_iter().enumerate() {
                if step > 0 {
                    sleep(STEP).await;
                }
                if let Some(progress) = &progress {
                    progress.tell(done, Some(100.0), None).await;
                }
            }
        }
        "test_trigger_tool_change" => exchange.announce(Change::Tools),
        "test_trigger_prompt_change" => exchange.announce(Change::Prompts),
        _ => return None,
    }
    Some(format!("{tool} is done."))
}
