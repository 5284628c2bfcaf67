//! A browser with the companion for tests: starts the real program between a browser and Shidi, as `shidi companion
//! install` left it, speaks its frames, and plays one page whose tools a test answers.
//!
//! It keeps to the companion's side of the messages: a call runs once however often it is said, and its result stays
//! known until it is settled.

use crate::command::Desk;
use base64::Engine as _;
use parking_lot::{Condvar, Mutex, MutexGuard};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest wait for what the other side does.
const WAITED_MOST: Duration = Duration::from_secs(60);
/// Pause before the program between is started again: a browser's companion takes longer.
const AGAIN_AFTER: Duration = Duration::from_millis(100);

/// Bytes of a piece in which the file of a PDF is told: few, so that there are several.
const PDF_PIECE_BYTES: usize = 1_500;
/// Pieces of one at most, fewer than Shidi takes.
const PDF_PIECES: usize = 20;

/// A running browser; dropping it closes it.
pub struct Browser {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    token: Option<String>,
    code: Option<String>,
    refused: Option<String>,
    welcomed: u32,
    /// What is said whenever the browser was let in.
    page: Value,
    /// What the page's tools answer at once; others wait for the person in front of it.
    instant: BTreeMap<String, Value>,
    /// What they fail with at once.
    failing: BTreeMap<String, String>,
    /// What stands in the page, in as many pieces as its messages are to be; a page without it is silent.
    content: Option<(Value, usize)>,
    /// The file of the PDF that it shows; without one its site does not give it again.
    pdf: Option<Vec<u8>>,
    /// Whether its person acts in the page while it is read.
    is_acted_in: bool,
    calls: BTreeMap<String, ScriptedCall>,
    said: Vec<Value>,
    host: Option<Child>,
    input: Option<ChildStdin>,
    is_closed: bool,
    /// Nothing comes through to Shidi for now.
    is_away: bool,
}

/// A call that the page was given.
struct ScriptedCall {
    tool: String,
    arguments: Value,
    answer: Option<Value>,
}

impl Browser {
    /// Installs the companion and starts a browser that nobody knows yet, with this page in front.
    ///
    /// # Panics
    /// When the companion can't be installed.
    #[must_use]
    pub fn start(desk: &Desk, page: Value) -> Self {
        let profile = desk.path("profile").display().to_string();
        let installed = desk.run(["companion", "install", "--profile", &profile]);
        assert_eq!(installed.code, Some(0), "{}", installed.stderr);
        let state = State {
            page,
            ..State::default()
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let working = Arc::clone(&shared);
        let program = program(Path::new(&profile));
        std::thread::spawn(move || work(&working, &program));
        Self { shared }
    }

    /// The same, let in already.
    ///
    /// # Panics
    /// When it is not let in.
    #[must_use]
    pub fn paired(desk: &Desk, page: Value) -> Self {
        let browser = Self::start(desk, page);
        let printed = desk.run_with(["companion", "pair"], "y\n");
        assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
        browser.until("it has its token", |state| state.token.is_some().then_some(()));
        browser
    }

    /// What a tool of the page answers at once from now on.
    pub fn answers(&self, tool: &str, value: Value) {
        self.held().instant.insert(tool.to_owned(), value);
    }

    /// What stands in the page, told in so many messages.
    pub fn holds(&self, content: Value, pieces: usize) {
        self.held().content = Some((content, pieces));
    }

    /// The file of the PDF that it shows, which its site gives as often as it is asked for.
    pub fn gives_pdf(&self, file: Vec<u8>) {
        self.held().pdf = Some(file);
    }

    /// How often it was asked for the file of a PDF.
    #[must_use]
    pub fn asked_for_pdfs(&self) -> usize {
        let is_asked = |said: &&Value| said["type"] == "read_pdf";
        self.held().said.iter().filter(is_asked).count()
    }

    /// From now on the page's person acts in it whenever it is read.
    pub fn is_acted_in(&self) {
        self.held().is_acted_in = true;
    }

    /// A tool of the page fails at once from now on.
    pub fn fails(&self, tool: &str, message: &str) {
        let mut state = self.held();
        state.instant.remove(tool);
        state.failing.insert(tool.to_owned(), message.to_owned());
    }

    /// Waits until the page was given a call of that tool, and tells its arguments.
    ///
    /// # Panics
    /// When it never is.
    #[must_use]
    pub fn called(&self, tool: &str) -> Value {
        self.until(tool, |state| {
            let mut calls = state.calls.values();
            calls
                .find(|known| known.tool == tool)
                .map(|known| known.arguments.clone())
        })
    }

    /// The person in front of the page answers what waits there.
    pub fn answer(&self, tool: &str, value: &Value) {
        self.said_of(
            tool,
            |call| json!({"type": "returned", "call": call, "value": value}),
        );
    }

    /// The page fails what waits there.
    pub fn fail(&self, tool: &str, message: &str) {
        self.said_of(
            tool,
            |call| json!({"type": "failed", "call": call, "message": message}),
        );
    }

    /// How often a tool of the page really ran.
    #[must_use]
    pub fn runs(&self, tool: &str) -> usize {
        let ran = |said: &&Value| said["type"] == "ran" && said["tool"] == tool;
        self.held().said.iter().filter(ran).count()
    }

    /// Calls that are known to the browser still.
    #[must_use]
    pub fn known(&self) -> usize {
        self.held().calls.len()
    }

    /// Waits until the browser is told a message of that type.
    ///
    /// # Panics
    /// When it never is.
    #[must_use]
    pub fn told(&self, kind: &str) -> Value {
        self.until(kind, |state| {
            state.said.iter().find(|said| said["type"] == kind).cloned()
        })
    }

    /// Waits until the browser is told a message of that type which is so.
    ///
    /// # Panics
    /// When it never is.
    pub fn told_so(&self, kind: &str, is_so: impl Fn(&Value) -> bool) {
        self.until(kind, |state| {
            let mut told = state.said.iter().filter(|said| said["type"] == kind);
            told.find(|said| is_so(said)).map(|_| ())
        });
    }

    /// Forgets what it was told so far.
    pub fn forget_told(&self) {
        self.held().said.retain(|said| said["type"] == "ran");
    }

    /// Says something to Shidi.
    pub fn say(&self, message: &Value) {
        self.held().say(message);
    }

    /// Shows another page, or the same one changed.
    pub fn show(&self, page: Value) {
        let mut state = self.held();
        state.say(&page);
        state.page = page;
    }

    /// Loses its connection until it comes back; its page goes on with what it was given.
    pub fn go_away(&self) {
        let mut state = self.held();
        state.is_away = true;
        state.restart();
    }

    /// Connects again.
    pub fn come_back(&self) {
        self.held().is_away = false;
    }

    /// Says what it is not, with this token.
    pub fn claim(&self, token: &str) {
        let mut state = self.held();
        state.token = Some(token.to_owned());
        state.restart();
    }

    fn said_of(&self, tool: &str, message: impl Fn(&str) -> Value) {
        let mut state = self.held();
        let waits = |known: &ScriptedCall| known.tool == tool && known.answer.is_none();
        let found = state.calls.iter_mut().find(|(_, known)| waits(known));
        let (call, known) = found.expect("a call waits in the page");
        let answer = message(call);
        known.answer = Some(answer.clone());
        state.say(&answer);
    }

    fn until<T>(&self, what: &str, found: impl Fn(&State) -> Option<T>) -> T {
        let began = Instant::now();
        let mut state = self.held();
        loop {
            if let Some(found) = found(&state) {
                return found;
            }
            let left = WAITED_MOST.saturating_sub(began.elapsed());
            assert!(
                !left.is_zero(),
                "it never came to it: {what}; told: {:?}",
                state.said
            );
            self.shared.changed.wait_for(&mut state, left);
        }
    }

    fn held(&self) -> MutexGuard<'_, State> {
        held(&self.shared)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let mut state = self.held();
        (state.is_closed, state.is_away) = (true, false);
        state.restart();
    }
}

impl State {
    fn say(&mut self, message: &Value) {
        let text = message.to_string();
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX).to_ne_bytes();
        let frame = [length.as_slice(), text.as_bytes()].concat();
        if let Some(input) = &mut self.input
            && input.write_all(&frame).and_then(|()| input.flush()).is_err()
        {
            // Whoever carries messages is gone and comes again; what is known is said then.
            self.input = None;
        }
    }

    fn restart(&mut self) {
        self.input = None;
        if let Some(host) = &mut self.host {
            // It may have ended by itself.
            host.kill().unwrap_or_default();
        }
    }

    fn hear(&mut self, told: &Value) {
        self.said.push(told.clone());
        let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        match told["type"].as_str().unwrap_or_default() {
            "pair" => self.code = Some(text("code")),
            "paired" => self.token = Some(text("token")),
            "welcome" => {
                self.welcomed += 1;
                let page = self.page.clone();
                self.say(&page);
                let runs = self.calls.iter().filter(|(_, known)| known.answer.is_none());
                let running = runs.map(|(call, _)| json!({"type": "running", "call": call}));
                for message in running.collect::<Vec<_>>() {
                    self.say(&message);
                }
            }
            "refused" => self.refused = Some(text("reason")),
            "read" => self.read(&text("ask")),
            "read_pdf" => self.read_pdf(&text("ask")),
            "call" => self.run(&text("call"), &text("tool"), &told["arguments"]),
            "again" => match self.calls.get(&text("call")) {
                Some(known) => {
                    if let Some(answer) = known.answer.clone() {
                        self.say(&answer);
                    }
                }
                None => self.say(&json!({"type": "unknown", "call": text("call")})),
            },
            "cancel" | "settled" => {
                self.calls.remove(&text("call"));
            }
            _ => {}
        }
    }

    fn read(&mut self, ask: &str) {
        let Some((content, pieces)) = self.content.clone() else {
            return;
        };
        let text = content.to_string();
        let characters: Vec<char> = text.chars().collect();
        let size = characters.len().div_ceil(pieces);
        let pieces: Vec<String> = characters
            .chunks(size)
            .map(|piece| piece.iter().collect())
            .collect();
        for (index, piece) in pieces.iter().enumerate() {
            if self.is_acted_in && index + 1 == pieces.len() {
                let acted =
                    json!({"type": "acted", "tab": self.page["tab"], "document": self.page["document"]});
                self.say(&acted);
            }
            let message =
                json!({"type": "content", "ask": ask, "index": index, "count": pieces.len(), "piece": piece});
            self.say(&message);
        }
    }

    fn read_pdf(&mut self, ask: &str) {
        let Some(file) = &self.pdf else {
            return self.say(&json!({"type": "not_read", "ask": ask, "message": "not_given"}));
        };
        let pieces: Vec<String> = file
            .chunks(PDF_PIECE_BYTES.max(file.len().div_ceil(PDF_PIECES)))
            .map(|piece| base64::engine::general_purpose::STANDARD.encode(piece))
            .collect();
        for (index, piece) in pieces.iter().enumerate() {
            let message = json!({"type": "pdf_piece", "ask": ask, "index": index, "count": pieces.len(), "piece": piece});
            self.say(&message);
        }
    }

    fn run(&mut self, call: &str, tool: &str, arguments: &Value) {
        if let Some(known) = self.calls.get(call) {
            if let Some(answer) = known.answer.clone() {
                self.say(&answer);
            }
            return;
        }
        self.said.push(json!({"type": "ran", "tool": tool}));
        let returned = |value: &Value| json!({"type": "returned", "call": call, "value": value});
        let failed = |message: &String| json!({"type": "failed", "call": call, "message": message});
        let answer = self.instant.get(tool).map(returned);
        let answer = answer.or_else(|| self.failing.get(tool).map(failed));
        if let Some(answer) = &answer {
            self.say(answer);
        }
        let known = ScriptedCall {
            tool: tool.to_owned(),
            arguments: arguments.clone(),
            answer,
        };
        self.calls.insert(call.to_owned(), known);
    }
}

fn held(shared: &Shared) -> MutexGuard<'_, State> {
    shared.state.lock()
}

/// The program that the note in a profile names.
fn program(profile: &Path) -> PathBuf {
    let note = profile.join("NativeMessagingHosts/com.shidi.companion.json");
    let note = std::fs::read(note).expect("a note for the browser");
    let note: Value = serde_json::from_slice(&note).expect("JSON");
    PathBuf::from(note["path"].as_str().expect("a program"))
}

fn work(shared: &Shared, program: &Path) {
    loop {
        while held(shared).is_away {
            std::thread::sleep(AGAIN_AFTER);
        }
        let Some(mut output) = begin(shared, program) else {
            return;
        };
        while let Some(told) = frame(&mut output) {
            held(shared).hear(&told);
            shared.changed.notify_all();
        }
        let ended = held(shared).host.take();
        if let Some(mut ended) = ended {
            // Whatever it ended with, another one follows.
            ended.kill().unwrap_or_default();
            ended.wait().expect("the program between ends");
        }
        std::thread::sleep(AGAIN_AFTER);
    }
}

/// Starts the program between and says the first words; `None` when the browser is closed.
fn begin(shared: &Shared, program: &Path) -> Option<std::process::ChildStdout> {
    let mut state = held(shared);
    if state.is_closed {
        return None;
    }
    // A browser gives its own environment, which says nothing of where Shidi's data lies.
    let mut host = Command::new(program)
        .arg("chrome-extension://of-the-test/")
        .env_remove("SHIDI_DATA_DIR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program between starts");
    state.input = host.stdin.take();
    let output = host.stdout.take();
    state.host = Some(host);
    let hello = json!({"type": "hello", "version": 1, "browser": "Testium 1", "token": state.token});
    state.say(&hello);
    output
}

fn frame(output: &mut impl Read) -> Option<Value> {
    let mut length = [0; 4];
    output.read_exact(&mut length).ok()?;
    let mut message = vec![0; usize::try_from(u32::from_ne_bytes(length)).ok()?];
    output.read_exact(&mut message).ok()?;
    serde_json::from_slice(&message).ok()
}
