//! A session: the interpreter with the variables of its programs, run one after the other.
//!
//! A panic of the interpreter is caught here and reported as the program's failure. It ends the worker, and the
//! variables with it.

use crate::border::{self, Ending};
use crate::failure::{self, Frame, Raised};
use crate::output::Output;
use crate::rewrite::{self, FactNames, Rewritten};
use crate::{cpu, library, meant, memory, repairs, report, value, watch};
use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::signal::UserSignalReceiver;
use rustpython_vm::{AsObject, PyObjectRef, PyResult, Settings, VirtualMachine};
use shidi_executor_proto::{Ended, Failure, Run, Shown, ToolkitShape};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code that touches the system at its first use (lazy tables, patterns), so that this code works behind
/// the walls.
const WARM_UP: &str = "import re, json, math\nre.sub('[0-9]+', 'n', json.dumps({'a': 1.5}))\n";
/// Frames kept of one traceback; the innermost ones count.
const MOST_FRAMES: usize = 64;

const TOO_DEEP: &str = "too many nested parentheses";

/// A session's interpreter.
pub struct Interpreter {
    python: rustpython_vm::Interpreter,
    session: PyObjectRef,
    fact_names: FactNames,
    /// Programs run so far: each is a file of its own to the interpreter.
    programs: u32,
    is_broken: bool,
}

impl Interpreter {
    /// A fresh session, which ends its programs on a signal of the channel.
    ///
    /// # Errors
    /// When our own Python text does not run.
    pub fn new(stop: UserSignalReceiver) -> Result<Self, String> {
        let python = library::builder()
            .settings(settings())
            .init_hook(|vm| vm.set_user_signal_channel(stop))
            .build();
        let session = python.enter(|vm| {
            repairs::make(vm);
            let session = vm.import("_session", 0).and_then(|session| {
                let scope = vm.new_scope_with_builtins();
                vm.run_string(scope, WARM_UP, "warm-up")?;
                Ok(session)
            });
            session.map_err(|error| raised(&error, vm).message)
        })?;
        memory::settle();
        Ok(Self {
            python,
            session,
            fact_names: FactNames::default(),
            programs: 0,
            is_broken: false,
        })
    }

    /// Names that programs of this session may use: variables of earlier programs, modules and built-ins.
    pub fn names(&self) -> Vec<String> {
        self.python.enter(|vm| {
            let own = vm.call_method(&self.session, "names", ());
            own.and_then(|names| names.try_into_value(vm)).unwrap_or_default()
        })
    }

    /// The compiler's error for a program that cannot be compiled.
    pub fn compile(&self, source: &str, file: &str) -> Option<Raised> {
        if rewrite::is_too_deep(source) {
            return Some(too_deep(file));
        }
        self.python.enter(|vm| {
            let compiled = vm.call_method(&self.session, "compiled", (source, file));
            compiled.err().map(|error| self.told(&error, vm))
        })
    }

    /// Whether a name is one of the built-ins.
    pub fn is_builtin(&self, name: &str) -> bool {
        self.python.enter(|vm| {
            let builtins = vm.builtins.dict();
            builtins.contains_key(name, vm)
        })
    }

    /// Runs a program to its end.
    pub fn run(&mut self, run: &Run) -> Ended {
        memory::limit(usize::try_from(run.limits.memory_bytes).unwrap_or(usize::MAX));
        let started = cpu::used();
        let ended = catch_unwind(AssertUnwindSafe(|| self.run_unguarded(run)));
        let mut ended = ended.unwrap_or_else(|_| {
            self.is_broken = true;
            broken()
        });
        watch::finish();
        // These variables leave no room for another program: a new worker is given their stored forms.
        ended.interpreter_lost = self.is_broken || memory::is_exceeded();
        ended.cpu_ms = u64::try_from((cpu::used() - started).as_millis()).unwrap_or(u64::MAX);
        ended.memory_bytes = memory::peak_bytes();
        ended
    }

    fn run_unguarded(&mut self, run: &Run) -> Ended {
        self.programs += 1;
        let file = format!("<program {}>", self.programs);
        let rewritten = rewrite::rewrite(&run.source, &mut self.fact_names);
        let output_bytes = usize::try_from(run.limits.output_bytes).unwrap_or(usize::MAX);
        border::begin(Output::new(output_bytes));
        watch::begin(run.limits.cpu_ms, run.limits.memory_bytes);
        self.python.enter(|vm| {
            let result = if run.source.contains(rewrite::RESERVED) {
                Err(vm.new_name_error(rewrite::RESERVED_MESSAGE, vm.ctx.new_str("_shidi_")))
            } else if rewrite::is_too_deep(&run.source) {
                Err(vm.new_exception_msg(vm.ctx.exceptions.syntax_error.to_owned(), TOO_DEEP.into()))
            } else {
                self.execute(run, &rewritten, &file, vm)
            };
            watch::finish();
            let (output, ending) = border::finish();
            let failure = self.failure(result, ending, run, &file, vm);
            let stdout = self.printed(output, failure.is_none(), vm);
            let hidden: Vec<String> = run.toolkits.iter().map(|toolkit| toolkit.name.clone()).collect();
            let (value, variables) = report::report(&self.session, &hidden, run.limits.memory_bytes, vm);
            Ended {
                value,
                stdout,
                failure,
                variables,
                cpu_ms: 0,
                memory_bytes: 0,
                interpreter_lost: false,
            }
        })
    }

    fn execute(&self, run: &Run, rewritten: &Rewritten, file: &str, vm: &VirtualMachine) -> PyResult<()> {
        let toolkits = run.toolkits.iter().map(|toolkit| told_of(toolkit, vm));
        let toolkits = vm.ctx.new_list(toolkits.collect::<PyResult<Vec<_>>>()?);
        let variables = vm.ctx.new_dict();
        for (name, packed) in &run.variables {
            // A value that cannot be unpacked stays unset: the program sees a missing name.
            if let Ok(object) = value::unpack(packed, vm) {
                variables.set_item(name.as_str(), object, vm)?;
            }
        }
        let facts = [
            rewritten.wants_clock,
            rewritten.wants_entropy,
            rewritten.wants_loop,
        ]
        .map(|wants| vm.ctx.new_bool(wants).into());
        let arguments = (
            rewritten.source.as_str(),
            file,
            toolkits,
            variables,
            vm.ctx.new_tuple(facts.to_vec()),
        );
        vm.call_method(&self.session, "run", arguments).map(|_| ())
    }

    fn failure(
        &self,
        result: PyResult<()>,
        ending: Option<Ending>,
        run: &Run,
        file: &str,
        vm: &VirtualMachine,
    ) -> Option<Failure> {
        let raised = match (result, ending) {
            (Ok(()), None) => return None,
            (Ok(()), Some(Ending { kind, message })) => Raised {
                kind,
                message,
                frames: Vec::new(),
                causes: Vec::new(),
            },
            (Err(error), Some(Ending { kind, message })) => Raised {
                kind,
                message,
                frames: self.told(&error, vm).frames,
                causes: Vec::new(),
            },
            (Err(error), None) if is_end(&error, vm) => return None,
            (Err(error), None) => self.told(&error, vm),
        };
        Some(failure::describe(&raised, &run.source, file, &run.toolkits))
    }

    /// An exception, described by our Python text.
    fn told(&self, error: &PyBaseExceptionRef, vm: &VirtualMachine) -> Raised {
        let told = vm.call_method(&self.session, "describe", (error.clone(),));
        told.and_then(|told| taken(&told, vm))
            .unwrap_or_else(|_| raised(error, vm))
    }

    /// The printed text, with calls that were taken as others, and those that lack an `await`.
    fn printed(&self, output: Option<Output>, is_complete: bool, vm: &VirtualMachine) -> String {
        let Some(mut output) = output else {
            return String::new();
        };
        let listed = |name: &str| -> Vec<PyObjectRef> {
            let calls = vm.call_method(&self.session, name, ());
            calls
                .and_then(|calls| calls.try_into_value(vm))
                .unwrap_or_default()
        };
        for call in listed("taken") {
            if let Ok((written, own, line)) = parts(&call, vm) {
                let place = match line {
                    0 => String::new(),
                    line => format!("line {line}: "),
                };
                output.note(&format!("Note: {place}`{written}` was taken as `{own}`\n"));
            }
        }
        for call in listed("unmade").into_iter().filter(|_| is_complete) {
            if let Ok((toolkit, method, line)) = parts(&call, vm) {
                output.note(&format!(
                    "RuntimeWarning: line {line}: `{toolkit}.{method}(…)` was never awaited and not performed\n"
                ));
            }
        }
        output.finish()
    }
}

/// A toolkit as our Python text takes it: name, parameters by method, methods left out, whether `exists` is answered.
fn told_of(toolkit: &ToolkitShape, vm: &VirtualMachine) -> PyResult<PyObjectRef> {
    let methods = vm.ctx.new_dict();
    for method in &toolkit.methods {
        let parameters = method.parameters.iter();
        let parameters = parameters.map(|parameter| vm.ctx.new_str(parameter.name.as_str()).into());
        let parameters = vm.ctx.new_tuple(parameters.collect());
        methods.set_item(method.name.as_str(), parameters.into(), vm)?;
    }
    let name = vm.ctx.new_str(toolkit.name.as_str()).into();
    let left_out = vm.ctx.new_int(toolkit.left_out).into();
    let has_exists = vm.ctx.new_bool(meant::exists(toolkit).is_some()).into();
    let told = vec![name, methods.into(), left_out, has_exists];
    Ok(vm.ctx.new_tuple(told).into())
}

fn too_deep(file: &str) -> Raised {
    Raised {
        kind: "SyntaxError".to_owned(),
        message: TOO_DEEP.to_owned(),
        frames: vec![Frame {
            file: file.to_owned(),
            function: "<module>".to_owned(),
            line: 1,
        }],
        causes: Vec::new(),
    }
}

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.isolated = true;
    settings.import_site = false;
    settings.user_site_directory = false;
    settings.ignore_environment = true;
    settings.install_signal_handlers = false;
    settings.allow_external_library = false;
    settings.write_bytecode = false;
    settings.safe_path = true;
    // Warnings are for authors of lasting programs; a model would take them for failures.
    settings.warnoptions = vec!["ignore".to_owned()];
    // A replayed program must walk its sets in the same order.
    settings.hash_seed = Some(0);
    settings
}

/// Whether an exception only ends the program, as `SystemExit` does.
fn is_end(error: &PyBaseExceptionRef, vm: &VirtualMachine) -> bool {
    error.fast_isinstance(vm.ctx.exceptions.system_exit)
        && error
            .get_arg(0)
            .is_none_or(|code| vm.is_none(&code) || code.try_to_value::<i64>(vm).is_ok_and(|code| code == 0))
}

/// An exception described without our Python text, for when that text fails.
fn raised(error: &PyBaseExceptionRef, vm: &VirtualMachine) -> Raised {
    let message = error
        .as_object()
        .str(vm)
        .map(|text| text.to_string_lossy().into_owned());
    Raised {
        kind: error.class().name().to_string(),
        message: message.unwrap_or_default(),
        frames: Vec::new(),
        causes: Vec::new(),
    }
}

fn taken(told: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Raised> {
    let fields: Vec<PyObjectRef> = told.try_to_value(vm)?;
    let field = |index: usize| fields.get(index).cloned().unwrap_or_else(|| vm.ctx.none());
    let frames: Vec<PyObjectRef> = field(2).try_into_value(vm)?;
    let skipped = frames.len().saturating_sub(MOST_FRAMES);
    let frames = frames[skipped..]
        .iter()
        .map(|frame| {
            let (file, function, line) = parts(frame, vm)?;
            Ok(Frame { file, line, function })
        })
        .collect::<PyResult<Vec<Frame>>>()?;
    Ok(Raised {
        kind: field(0).try_into_value(vm)?,
        message: field(1).try_into_value(vm)?,
        frames,
        causes: field(3).try_into_value(vm).unwrap_or_default(),
    })
}

/// Two texts and a line.
fn parts(tuple: &PyObjectRef, vm: &VirtualMachine) -> PyResult<(String, String, u32)> {
    let fields: Vec<PyObjectRef> = tuple.try_to_value(vm)?;
    let field = |index: usize| fields.get(index).cloned().unwrap_or_else(|| vm.ctx.none());
    Ok((
        field(0).try_into_value(vm)?,
        field(1).try_into_value(vm)?,
        field(2).try_into_value(vm)?,
    ))
}

/// The end of a program that broke the interpreter.
fn broken() -> Ended {
    let message = "SystemError: the interpreter broke on this program";
    Ended {
        value: Shown::default(),
        stdout: String::new(),
        failure: Some(Failure {
            kind: "SystemError".to_owned(),
            message: message.to_owned(),
            line: 0,
            traceback: message.to_owned(),
            hint: Some("Write it in another way".to_owned()),
        }),
        variables: Vec::new(),
        cpu_ms: 0,
        memory_bytes: 0,
        interpreter_lost: true,
    }
}
