//! The client against a mock server of other authors: npm `@copilotkit/aimock`, pinned in `tests/peers/aimock`.
//!
//! Npm installs the mock when it is missing; without Node the test says that it was not run.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use shidi_models::{KeyRing, ModelChoice, ModelSettings, Models, Timeouts};
use shidi_protocol::{
    Brief, FailureKind, Finish, Message, ModelDelta, ModelFailure, ModelReply, ModelRequest, ModelRole,
    RunId, Speaker,
};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

struct Mock {
    process: Child,
    base_url: String,
    /// The provider whose format is spoken.
    provider: &'static str,
}

impl Drop for Mock {
    fn drop(&mut self) {
        self.process.kill().expect("the mock ends");
        self.process.wait().expect("the mock has ended");
    }
}

fn start(provider: &'static str) -> Result<Mock, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/peers/aimock");
    let program = installed(&folder)?;
    let mut process = Command::new("node")
        .arg(program)
        .args(["-p", "0", "-f", "fixtures.json"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("node does not start ({error})"))?;
    let output = BufReader::new(process.stdout.take().expect("a pipe"));
    let address = output
        .lines()
        .map_while(Result::ok)
        .find_map(|line| Some(line.split_once("http://")?.1.to_owned()));
    let address = address.expect("the mock tells its address");
    Ok(Mock {
        process,
        base_url: if provider == "openai" {
            format!("http://{address}/v1")
        } else {
            format!("http://{address}")
        },
        provider,
    })
}

fn installed(folder: &Path) -> Result<PathBuf, String> {
    let program = folder.join("node_modules/@copilotkit/aimock/dist/cli.js");
    if program.is_file() {
        return Ok(program);
    }
    let install = Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
        .current_dir(folder)
        .output();
    match install {
        Ok(output) if output.status.success() => Ok(program),
        Ok(output) => Err(format!(
            "npm can't install it: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
        Err(error) => Err(format!("npm does not start ({error})")),
    }
}

struct Exchange {
    reply: Result<ModelReply, ModelFailure>,
    deltas: Vec<ModelDelta>,
    took: Duration,
}

async fn ask(mock: &Mock, question: &str) -> Exchange {
    let patience = Timeouts {
        pause_ms: 10,
        ..Timeouts::default()
    };
    let settings = ModelSettings {
        patience,
        ..ModelSettings::built_in()
    };
    let models = Models::with(KeyRing::new(), settings);
    let choice = ModelChoice {
        base_url: Some(mock.base_url.clone()),
        model: Some("m".to_owned()),
        provider: Some(mock.provider.to_owned()),
    };
    let model = models.open(&choice).await.expect("a model");
    let request = ModelRequest {
        run: RunId::from("r"),
        role: ModelRole::General,
        messages: vec![Message::text(Speaker::User, question)],
        tools: Vec::new(),
        max_output_tokens: 200,
        completion: None,
        parts: Vec::new(),
        brief: Brief::default(),
    };
    let mut deltas = Vec::new();
    let started = Instant::now();
    let reply = model
        .ask(
            &request,
            &mut |delta| deltas.push(delta),
            &CancellationToken::new(),
        )
        .await;
    Exchange {
        reply,
        deltas,
        took: started.elapsed(),
    }
}

#[tokio::test]
async fn a_mock_that_others_wrote_is_understood_in_all_three_formats() {
    for provider in ["openai", "anthropic", "gemini"] {
        let mock = match start(provider) {
            Ok(mock) => mock,
            Err(reason) => return println!("NOT RUN: the client against aimock, as {reason}"),
        };
        answers(&mock).await;
        troubles(&mock).await;
    }
}

async fn answers(mock: &Mock) {
    let plain = ask(mock, "plain").await.reply.expect("an answer");
    assert_eq!(
        (plain.text.as_str(), plain.finish),
        ("Hello from the mock.", Finish::Stop)
    );
    assert_eq!((plain.usage.input, plain.usage.output), (21, 6));

    let thinking = ask(mock, "thinking").await.reply.expect("an answer");
    assert_eq!(
        (thinking.text.as_str(), thinking.reasoning.as_str()),
        ("Four.", "Two and two.")
    );

    let tool = ask(mock, "tool").await.reply.expect("an answer");
    let call = &tool.tool_calls[0];
    assert_eq!(
        (
            tool.finish,
            call.name.as_str(),
            call.arguments.replace(' ', "").as_str()
        ),
        (Finish::ToolCalls, "python", "{\"code\":\"print(1)\"}"),
        "{}",
        mock.provider
    );

    let slow = ask(mock, "slow").await;
    assert_eq!(slow.reply.expect("an answer").text, "One letter at a time.");
    assert!(
        slow.deltas.len() >= 20 && slow.took >= Duration::from_millis(400),
        "{} in {:?}",
        slow.deltas.len(),
        slow.took
    );

    assert_eq!(
        ask(mock, "long").await.reply.expect("an answer").finish,
        Finish::Length
    );
}

async fn troubles(mock: &Mock) {
    let limited = ask(mock, "limited").await;
    assert_eq!(limited.reply.expect("an answer").text, "Now it works.");
    assert!(
        limited.took >= Duration::from_secs(1),
        "{}: {:?}",
        mock.provider,
        limited.took
    );

    assert_eq!(
        ask(mock, "overloaded").await.reply.expect("an answer").text,
        "Room again."
    );

    let cut = ask(mock, "cut").await;
    assert_eq!(cut.reply.expect_err("a failure").kind, FailureKind::Cut);
    assert!(!cut.deltas.is_empty());

    // The mock mends malformed arguments before it sends them in the other formats.
    if mock.provider == "openai" {
        let malformed = ask(mock, "malformed").await.reply.expect("an answer");
        assert_eq!(malformed.tool_calls[0].arguments, "{\"code\": \"pri");
    }

    let window = ask(mock, "window").await.reply.expect_err("a failure");
    assert_eq!(window.kind, FailureKind::ContextLength);
    assert!(
        window.detail.to_string().starts_with("400") && window.detail.to_string().contains("8192"),
        "{}",
        window.detail
    );
}
