//! One program from its first line to its end, with its calls sent out and their answers taken in.
//!
//! A call that is awaited at once stops the program until it is answered. Calls that are gathered become futures;
//! when nothing can go on they are sent out together, and the program goes on with whichever is answered.

use crate::host::{self, Question};
use crate::output::Output;
use crate::{failure, rewrite, value};
use monty::{
    MontyRepl, ReplFunctionCall, ReplNameLookup, ReplOsCall, ReplProgress, ReplResolveFutures, ReplStartError,
};
use monty_types::{
    CallArgs, ExcType, ExtFunctionResult, MontyException, MontyObject, MontyUuid, NameLookupResult,
    OsFunctionCall, PrintWriter, SourceRange,
};
use shidi_executor_proto::{Answer, Call, FromWorker, Given, Link, Packed, ToWorker, ToolkitShape};

/// Exit code when the supervisor is gone or speaks no sense: nothing is left to do.
const EXIT_WITHOUT_SUPERVISOR: i32 = 70;

type Step = Result<ReplProgress, Box<ReplStartError>>;

/// A running program.
pub struct Drive<'a> {
    pub link: &'a mut Link,
    pub toolkits: &'a [ToolkitShape],
    /// As the interpreter has it: positions of calls refer to it.
    pub source: &'a str,
    /// The file name under which the interpreter knows the program.
    pub file: String,
    pub output: Output,
    last_number: u32,
    /// Made, and not sent out: the program has not waited since.
    unsent: Vec<Open>,
    /// Sent out and not yet answered to the program.
    open: Vec<Open>,
    /// Answered by the host, in the order in which it answered.
    given: Vec<Answer>,
}

/// A call whose answer the interpreter expects under `future`.
struct Open {
    future: u32,
    call: Call,
    /// Set for a call of the interpreter itself, such as a sleep.
    question: Option<OsFunctionCall>,
}

/// An exception from outside that the program cannot catch.
pub struct Aborted(pub MontyException);

impl<'a> Drive<'a> {
    pub fn new(link: &'a mut Link, toolkits: &'a [ToolkitShape], source: &'a str, output_bytes: u64) -> Self {
        Self {
            link,
            toolkits,
            source,
            file: String::new(),
            output: Output::new(usize::try_from(output_bytes).unwrap_or(usize::MAX)),
            last_number: 0,
            unsent: Vec::new(),
            open: Vec::new(),
            given: Vec::new(),
        }
    }

    /// Asks the host for a fact before the program starts.
    pub fn ask(&mut self, question: Question, line: u32) -> Result<Given, Aborted> {
        let call = self.question(question, line);
        self.send_and_wait(call)
    }

    /// Runs the program to its end.
    pub fn run(&mut self, mut step: Step) -> (MontyRepl, Option<MontyException>) {
        loop {
            step = match step {
                Err(error) => return (error.repl, Some(error.error)),
                Ok(ReplProgress::Complete { repl, .. }) => {
                    self.warn_of_unsent();
                    return (repl, None);
                }
                Ok(ReplProgress::FunctionCall(call)) => self.function_call(call),
                Ok(ReplProgress::ResolveFutures(futures)) => self.resolve(futures),
                Ok(ReplProgress::NameLookup(lookup)) => self.look_up(lookup),
                Ok(ReplProgress::OsCall(call)) => self.os_call(call),
            }
        }
    }

    fn function_call(&mut self, call: ReplFunctionCall) -> Step {
        let Some((toolkit, method)) = self.addressed(&call) else {
            let name = call.function_name.clone();
            return call.resume(ExtFunctionResult::NotFound(name), self.printer());
        };
        let line = self.line(&call.position);
        let made = self.call(toolkit, method, &call.args, line);
        if !call.allow_eager_await {
            self.unsent.push(Open {
                future: call.call_id,
                call: made,
                question: None,
            });
            return call.resume_pending(self.printer());
        }
        match self.send_and_wait(made) {
            Ok(given) => call.resume_eager(object(given), self.printer()),
            Err(Aborted(error)) => call.abort(error, self.printer()),
        }
    }

    fn resolve(&mut self, futures: ReplResolveFutures) -> Step {
        let wanted = futures.pending_call_ids();
        let (mut sent, unsent) = std::mem::take(&mut self.unsent)
            .into_iter()
            .partition::<Vec<Open>, _>(|open| wanted.contains(&open.future));
        self.unsent = unsent;
        let mut calls: Vec<Call> = sent.iter().map(|open| open.call.clone()).collect();
        self.open.append(&mut sent);
        loop {
            let results = self.results(futures.pending_call_ids());
            if !results.is_empty() && calls.is_empty() {
                return futures.resume(results, self.printer());
            }
            if let Err(Aborted(error)) = self.exchange(std::mem::take(&mut calls)) {
                return futures.abort(error, self.printer());
            }
        }
    }

    fn look_up(&mut self, lookup: ReplNameLookup) -> Step {
        let method = lookup
            .object_id()
            .and_then(|id| self.toolkit(id))
            .filter(|toolkit| toolkit.methods.iter().any(|method| method.name == lookup.name));
        // A method that is passed on, not called, becomes a function of the name `toolkit.method`.
        let result = match method {
            Some(toolkit) => NameLookupResult::Value(MontyObject::function(
                format!("{}.{}", toolkit.name, lookup.name),
                None,
            )),
            None => NameLookupResult::Undefined,
        };
        lookup.resume(result, self.printer())
    }

    fn os_call(&mut self, call: ReplOsCall) -> Step {
        let Some(question) = Question::of(&call.function_call) else {
            let refusal: ExtFunctionResult = match &call.function_call {
                OsFunctionCall::Import(name) => ExtFunctionResult::NotFound(name.clone()),
                other => other.on_no_handler().into(),
            };
            return call.resume(refusal, self.printer());
        };
        let line = self.line(&call.position);
        let made = self.question(question, line);
        let waits = matches!(call.function_call, OsFunctionCall::AsyncSleep(_));
        if waits && !call.allow_eager_await {
            let future = call.call_id;
            self.unsent.push(Open {
                future,
                call: made,
                question: Some(call.function_call.clone()),
            });
            return call.resume(ExtFunctionResult::Future(future), self.printer());
        }
        match self.send_and_wait(made) {
            Ok(given) => {
                let answer = host::answer(&call.function_call, given);
                if waits {
                    call.resume_eager(answer, self.printer())
                } else {
                    call.resume(outcome(answer), self.printer())
                }
            }
            Err(Aborted(error)) => call.abort(error, self.printer()),
        }
    }

    /// The toolkit and method that a call goes to; `None` for a function that nobody has.
    fn addressed(&self, call: &ReplFunctionCall) -> Option<(String, String)> {
        if let Some(id) = call.object_id {
            return Some((self.toolkit(id)?.name.clone(), call.function_name.clone()));
        }
        let (toolkit, method) = call.function_name.split_once('.')?;
        self.toolkits.iter().find(|known| known.name == toolkit)?;
        Some((toolkit.to_owned(), method.to_owned()))
    }

    fn toolkit(&self, id: MontyUuid) -> Option<&ToolkitShape> {
        self.toolkits
            .iter()
            .enumerate()
            .find(|(index, _)| instance_id(*index) == id)
            .map(|(_, toolkit)| toolkit)
    }

    fn call(&mut self, toolkit: String, method: String, args: &CallArgs, line: u32) -> Call {
        self.last_number += 1;
        let mut unfit = None;
        let mut pack = |name: &str, object| {
            value::pack(object).unwrap_or_else(|why| {
                unfit.get_or_insert_with(|| format!("argument {name}: {why}"));
                Packed::default()
            })
        };
        let positional = args
            .args()
            .enumerate()
            .map(|(index, object)| pack(&(index + 1).to_string(), object))
            .collect();
        let named = args
            .kwargs()
            .map(|(name, object)| {
                let name = name.as_str().unwrap_or_default().to_owned();
                let packed = pack(&format!("`{name}`"), object);
                (name, packed)
            })
            .collect();
        Call {
            number: self.last_number,
            toolkit,
            method,
            positional,
            named,
            unfit,
            line,
        }
    }

    fn question(&mut self, question: Question, line: u32) -> Call {
        self.last_number += 1;
        Call {
            number: self.last_number,
            toolkit: host::TOOLKIT.to_owned(),
            method: question.method.to_owned(),
            positional: Vec::new(),
            named: question.named,
            unfit: None,
            line,
        }
    }

    fn line(&self, position: &SourceRange) -> u32 {
        if position.filename != self.file {
            return 0;
        }
        rewrite::line_of(self.source, usize::try_from(position.start).unwrap_or(0))
    }

    fn send_and_wait(&mut self, call: Call) -> Result<Given, Aborted> {
        let number = call.number;
        self.exchange(vec![call])?;
        loop {
            if let Some(index) = self.given.iter().position(|answer| answer.number == number) {
                return Ok(self.given.remove(index).given);
            }
            self.exchange(Vec::new())?;
        }
    }

    /// Sends calls out and takes what the host answers, to these or to earlier ones.
    fn exchange(&mut self, calls: Vec<Call>) -> Result<(), Aborted> {
        if self.link.send(&FromWorker::Calls(calls), None).is_err() {
            std::process::exit(EXIT_WITHOUT_SUPERVISOR);
        }
        match self.link.receive::<ToWorker>(None) {
            Ok(ToWorker::Answers(answers)) => {
                self.given.extend(answers);
                Ok(())
            }
            Ok(ToWorker::Abort { kind, message }) => Err(Aborted(failure::exception(&kind, message))),
            Ok(ToWorker::Run(_) | ToWorker::Check(_)) | Err(_) => std::process::exit(EXIT_WITHOUT_SUPERVISOR),
        }
    }

    /// The answers that have come for `wanted` futures, in the order in which they came.
    fn results(&mut self, wanted: &[u32]) -> Vec<(u32, ExtFunctionResult)> {
        let mut results = Vec::new();
        for answer in std::mem::take(&mut self.given) {
            let open = self
                .open
                .iter()
                .position(|open| open.call.number == answer.number && wanted.contains(&open.future));
            match open {
                Some(index) => {
                    let open = self.open.swap_remove(index);
                    let answered = match &open.question {
                        Some(question) => host::answer(question, answer.given),
                        None => object(answer.given),
                    };
                    results.push((open.future, outcome(answered)));
                }
                None => self.given.push(answer),
            }
        }
        results
    }

    fn printer(&mut self) -> PrintWriter<'_> {
        PrintWriter::Callback(&mut self.output)
    }

    /// Says of calls that were made without `await` that they were never performed.
    fn warn_of_unsent(&mut self) {
        for open in std::mem::take(&mut self.unsent) {
            let Call {
                toolkit,
                method,
                line,
                ..
            } = open.call;
            self.output.note(&format!(
                "RuntimeWarning: line {line}: `{toolkit}.{method}(…)` was never awaited and not performed\n"
            ));
        }
    }
}

/// Identity of the toolkit at `index` in the list of this run.
pub fn instance_id(index: usize) -> MontyUuid {
    identity(0x5d, index)
}

/// Identity of its class.
pub fn class_id(index: usize) -> MontyUuid {
    identity(0xc1, index)
}

fn identity(mark: u8, index: usize) -> MontyUuid {
    let mut bytes = [mark; 16];
    bytes[..8].copy_from_slice(&u64::try_from(index).unwrap_or(u64::MAX).to_le_bytes());
    MontyUuid::from_random_bytes(bytes)
}

fn object(given: Given) -> Result<MontyObject, MontyException> {
    match given {
        Given::Value(packed) => value::unpack(&packed).map_err(|why| {
            MontyException::new(
                ExcType::RuntimeError,
                Some(format!("the answer cannot be taken in: {why}")),
            )
        }),
        Given::Error { kind, message } => Err(failure::exception(&kind, message)),
    }
}

fn outcome(answer: Result<MontyObject, MontyException>) -> ExtFunctionResult {
    answer.map_or_else(ExtFunctionResult::Error, ExtFunctionResult::Return)
}
