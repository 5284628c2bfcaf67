//! A session: the interpreter with the variables of its programs, run one after the other.
//!
//! The interpreter of this version panics on some values. That is caught here, reported as the program's failure,
//! and ends the worker: the variables are gone with it.

use crate::drive::{Aborted, Drive, class_id, instance_id};
use crate::failure::{self, Origin};
use crate::host::{self, Question, SEED_BYTES};
use crate::prelude::{self, Loaded};
use crate::rewrite::{self, FactNames, Facts, Rewritten};
use crate::{cpu, memory, report, value};
use monty::MontyRepl;
use monty_types::{
    CompileOptions, DateTimeSource, MontyException, MontyObject, NamedValues, OsPolicy, PrintWriter,
    ProcessTime, RandomStart, ResourceLimits, ResourceTracker, SandboxTimeZone, SleepMode,
};
use shidi_executor_proto::{Ended, Failure, Link, Run, RunLimits, Shown, ToolkitShape};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Time for our own texts, which take a millisecond.
const PRELUDE_TIME: Duration = Duration::from_secs(5);

/// Exercises what touches the system at its first use, so that it works once the walls are up: the stack probe,
/// lazy tables, patterns.
const WARM_UP: &str =
    "import re, json, math\nx = {str(i): i for i in range(3)}\nre.sub('[0-9]+', 'n', json.dumps(x))\n";

/// A session's interpreter.
pub struct Interpreter {
    /// `None` while a program runs, and for good once the interpreter broke.
    repl: Option<MontyRepl>,
    loaded: Loaded,
    fact_names: FactNames,
}

impl Interpreter {
    /// A fresh session.
    ///
    /// # Errors
    /// When our own text does not run.
    pub fn new() -> Result<Self, String> {
        let mut warm = MontyRepl::new("warm-up", ResourceTracker::default(), CompileOptions::default());
        let warmed = warm.feed_run(WARM_UP, NamedValues::new(), PrintWriter::Disabled);
        warmed.map_err(|error| error.to_string())?;
        drop(warm);
        let mut repl = MontyRepl::new("program", ResourceTracker::default(), CompileOptions::default())
            .with_os_policy(policy(SandboxTimeZone::utc()));
        repl.feed_run(&prelude::core(), NamedValues::new(), PrintWriter::Disabled)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            repl: Some(repl),
            loaded: Loaded::default(),
            fact_names: FactNames::default(),
        })
    }

    /// Names that programs of this session may use: what earlier ones left, modules included.
    pub fn names(&mut self) -> Vec<String> {
        self.repl.as_mut().map_or_else(Vec::new, report::names)
    }

    /// Runs a program to its end.
    pub fn run(&mut self, link: &mut Link, run: Run) -> Ended {
        memory::reset_peak();
        memory::limit(bytes(run.limits));
        let started = cpu::used();
        let ended = catch_unwind(AssertUnwindSafe(|| self.run_unguarded(link, &run)));
        let mut ended = ended.unwrap_or_else(|_| broken());
        ended.interpreter_lost = self.repl.is_none();
        ended.cpu_ms = u64::try_from((cpu::used() - started).as_millis()).unwrap_or(u64::MAX);
        ended.memory_bytes = memory::peak_bytes();
        ended
    }

    fn run_unguarded(&mut self, link: &mut Link, run: &Run) -> Ended {
        let Some(mut repl) = self.repl.take() else {
            return broken();
        };
        self.fact_names
            .set_toolkits(run.toolkits.iter().map(|toolkit| toolkit.name.as_str()));
        let Rewritten {
            source,
            modules,
            facts,
        } = rewrite::rewrite(&run.source, &mut self.fact_names);
        let limits = run.limits;
        allow(&mut repl, PRELUDE_TIME, limits);
        for text in self.loaded.missing(&modules) {
            if let Err(error) = repl.feed_run(&text, NamedValues::new(), PrintWriter::Disabled) {
                tell(&error);
            }
        }
        let mut drive = Drive::new(link, &run.toolkits, &source, limits.output_bytes);
        let prepared = if run.source.contains(prelude::RESERVED) {
            (
                repl,
                Some(Aborted(failure::exception(
                    "NameError",
                    prelude::RESERVED_MESSAGE.to_owned(),
                ))),
            )
        } else {
            prepare(&mut drive, repl, facts)
        };
        let (mut repl, error) = match prepared {
            (repl, Some(Aborted(error))) => (repl, Some(error)),
            (mut repl, None) => {
                drive.file = repl.next_script_name();
                allow(&mut repl, Duration::from_millis(limits.cpu_ms), limits);
                // The interpreter does not even take the inputs of an empty text.
                let source = if source.is_empty() { "\n" } else { &source };
                let step = repl.feed_start(source, inputs(run), PrintWriter::Callback(&mut drive.output));
                drive.run(step)
            }
        };
        let failure = error.map(|error| {
            let (cpu_ms, memory_bytes) = (limits.cpu_ms, limits.memory_bytes);
            failure::describe(
                &error,
                Origin {
                    source: &run.source,
                    file: &drive.file,
                    cpu_ms,
                    memory_bytes,
                },
            )
        });
        let stdout = drive.output.finish();
        let hidden: Vec<String> = run.toolkits.iter().map(|toolkit| toolkit.name.clone()).collect();
        let (value, variables) = report::report(&mut repl, &hidden, bytes(limits));
        self.repl = Some(repl);
        Ended {
            value,
            stdout,
            failure,
            variables,
            cpu_ms: 0,
            memory_bytes: 0,
            interpreter_lost: false,
        }
    }
}

/// Asks for the facts that the program depends on: the time zone that it keeps, and a seed.
fn prepare(drive: &mut Drive<'_>, mut repl: MontyRepl, facts: Facts) -> (MontyRepl, Option<Aborted>) {
    if let Some(line) = facts.clock {
        let clock = drive
            .ask(Question::clock(), line)
            .and_then(|given| host::clock(given).map_err(Aborted));
        match clock {
            Ok(clock) => repl = repl.with_os_policy(policy(clock.zone())),
            Err(aborted) => return (repl, Some(aborted)),
        }
    }
    if let Some(line) = facts.entropy {
        let question = Question::entropy(SEED_BYTES);
        let seed = drive
            .ask(question, line)
            .and_then(|given| host::entropy(given).map_err(Aborted));
        let seeded = seed.and_then(|seed| {
            let digits: String = seed.iter().map(|byte| format!("{byte:02x}")).collect();
            let text = format!("import random as _shidi_random\n_shidi_random.seed(0x{digits})");
            repl.feed_run(&text, NamedValues::new(), PrintWriter::Disabled)
                .map(drop)
                .map_err(Aborted)
        });
        if let Err(aborted) = seeded {
            return (repl, Some(aborted));
        }
    }
    (repl, None)
}

/// Everything that a program cannot know by itself is asked of the host.
fn policy(timezone: SandboxTimeZone) -> OsPolicy {
    OsPolicy {
        datetime: DateTimeSource::CallHost,
        timezone,
        sleep: SleepMode::CallHost,
        process_time: ProcessTime::Zero,
        random_start: RandomStart::CallHost,
    }
}

fn allow(repl: &mut MontyRepl, time: Duration, limits: RunLimits) {
    *repl.tracker_mut() = ResourceTracker::new(ResourceLimits {
        max_feed_duration: Some(time),
        max_memory: Some(bytes(limits)),
        ..ResourceLimits::default()
    });
}

fn bytes(limits: RunLimits) -> usize {
    usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX)
}

fn inputs(run: &Run) -> NamedValues {
    let mut inputs = NamedValues::new();
    inputs.push(rewrite::VALUE, MontyObject::none());
    for (name, packed) in &run.variables {
        // What cannot be taken in is left out; the program then meets a missing name, not a wrong value.
        if let Ok(object) = value::unpack(packed) {
            inputs.push(name, object);
        }
    }
    for (index, toolkit) in run.toolkits.iter().enumerate() {
        inputs.push(&toolkit.name, instance(index, toolkit));
    }
    inputs
}

/// A toolkit as the program sees it: an object whose methods are answered outside.
fn instance(index: usize, toolkit: &ToolkitShape) -> MontyObject {
    let class = MontyObject::class_type(&toolkit.name, class_id(index), true, false, Vec::new());
    MontyObject::class_instance(class, instance_id(index), Vec::new())
}

/// For the developer who broke a prelude text; a program only finds the module incomplete.
fn tell(error: &MontyException) {
    eprintln!("prelude: {error}");
}

fn broken() -> Ended {
    let message = "SystemError: the interpreter broke on this program; its variables are lost";
    let hint = "Do not put a class and its instance into one list, nor pass them to a toolkit";
    Ended {
        value: Shown::default(),
        stdout: String::new(),
        failure: Some(Failure {
            kind: "SystemError".to_owned(),
            message: message.to_owned(),
            line: 0,
            traceback: message.to_owned(),
            hint: Some(hint.to_owned()),
        }),
        variables: Vec::new(),
        cpu_ms: 0,
        memory_bytes: 0,
        interpreter_lost: true,
    }
}
