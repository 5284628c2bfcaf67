//! The report on a finished program: its value and the session's variables, described by Python text inside the
//! session.

use crate::cpu;
use crate::failure::cut;
use crate::rewrite::VALUE;
use crate::watch;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
use shidi_executor_proto::{Shown, Variable};
use std::time::Duration;

/// Characters of one value's JSON text; of a larger value only the head is shown, and it is not stored.
const LARGEST_JSON_CHARACTERS: usize = 4 << 20;
/// Characters of all variables together, so that a report stays well below a frame.
const LARGEST_TOTAL_CHARACTERS: usize = 16 << 20;
/// Characters of a value's text form.
const SHORTEST_TEXT_CHARACTERS: usize = 300;
/// Variables reported of one session.
const MOST_VARIABLES: usize = 500;
/// Processor time for the whole report; if that fails, again for all variables one by one, and for each variable.
/// `__repr__` is the program's own code. Twice the first time stays below the supervisor's grace.
const REPORT_TIME: Duration = Duration::from_millis(400);
const VARIABLE_TIME: Duration = Duration::from_millis(40);

/// Describes value and variables. Names in `hidden` are left out: toolkits.
pub fn report(
    session: &PyObjectRef,
    hidden: &[String],
    memory_bytes: u64,
    vm: &VirtualMachine,
) -> (Shown, Vec<Variable>) {
    let names: Vec<PyObjectRef> = hidden
        .iter()
        .map(|name| vm.ctx.new_str(name.as_str()).into())
        .collect();
    let arguments = (
        vm.ctx.new_list(names),
        LARGEST_JSON_CHARACTERS,
        SHORTEST_TEXT_CHARACTERS,
        MOST_VARIABLES,
    );
    let shown = within(REPORT_TIME, memory_bytes, || {
        vm.call_method(session, "report", arguments)
    });
    let variables = shown.and_then(|shown| {
        let shown: Vec<PyObjectRef> = shown.try_into_value(vm)?;
        shown
            .iter()
            .map(|one| variable(one, vm))
            .collect::<PyResult<Vec<Variable>>>()
    });
    split(variables.unwrap_or_else(|_| one_by_one(session, hidden, memory_bytes, vm)))
}

/// Describes the variables one by one, for a session with a variable that cannot be described: that variable is
/// only named.
fn one_by_one(
    session: &PyObjectRef,
    hidden: &[String],
    memory_bytes: u64,
    vm: &VirtualMachine,
) -> Vec<Variable> {
    let names: Vec<String> = vm
        .call_method(session, "names", ())
        .and_then(|names| names.try_into_value(vm))
        .unwrap_or_default();
    let own = names.into_iter().filter(|name| !hidden.contains(name));
    let give_up = cpu::used() + REPORT_TIME;
    std::iter::once(VALUE.to_owned())
        .chain(own)
        .take(MOST_VARIABLES)
        .map(|name| {
            let time = VARIABLE_TIME.min(give_up.saturating_sub(cpu::used()));
            let arguments = (name.as_str(), LARGEST_JSON_CHARACTERS, SHORTEST_TEXT_CHARACTERS);
            within(time, memory_bytes, || {
                vm.call_method(session, "show_one", arguments)
            })
            .and_then(|shown| variable(&shown, vm))
            .unwrap_or_else(|_| Variable {
                name,
                shown: Shown {
                    text: "<it cannot be shown>".to_owned(),
                    ..Shown::default()
                },
            })
        })
        .collect()
}

/// Runs the program's own code within a time: a class of the program defines its own text form.
fn within<R>(time: Duration, memory_bytes: u64, work: impl FnOnce() -> R) -> R {
    watch::begin(u64::try_from(time.as_millis()).unwrap_or(u64::MAX), memory_bytes);
    let done = work();
    watch::finish();
    done
}

fn variable(shown: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Variable> {
    let fields: Vec<PyObjectRef> = shown.try_to_value(vm)?;
    let field = |index: usize| fields.get(index).cloned().unwrap_or_else(|| vm.ctx.none());
    let json: Option<String> = field(2).try_into_value(vm)?;
    let text: String = field(3).try_into_value(vm)?;
    Ok(Variable {
        name: field(0).try_into_value(vm)?,
        shown: Shown {
            kind: field(1).try_into_value(vm)?,
            json: json.filter(|json| !has_wide_number(json)),
            text: cut(&text, SHORTEST_TEXT_CHARACTERS),
        },
    })
}

/// Takes the value out of the variables and drops JSON forms beyond the total.
fn split(mut variables: Vec<Variable>) -> (Shown, Vec<Variable>) {
    let value = match variables.iter().position(|variable| variable.name == VALUE) {
        Some(index) => variables.remove(index).shown,
        None => Shown {
            kind: "NoneType".to_owned(),
            json: Some("null".to_owned()),
            text: "None".to_owned(),
        },
    };
    let mut total = value.json.as_ref().map_or(0, String::len);
    for variable in &mut variables {
        total += variable.shown.json.as_ref().map_or(0, String::len);
        if total > LARGEST_TOTAL_CHARACTERS {
            variable.shown.json = None;
        }
    }
    (value, variables)
}

/// Whether JSON text holds an integer that a reader of 64-bit numbers would round.
fn has_wide_number(json: &str) -> bool {
    const DIGITS_OF_64_BITS: usize = 19;
    let (mut in_text, mut escaped, mut digits) = (false, false, 0);
    for (at, byte) in json.bytes().enumerate() {
        if in_text {
            in_text = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
        } else if byte.is_ascii_digit() {
            digits += 1;
            continue;
        } else {
            in_text = byte == b'"';
            if digits >= DIGITS_OF_64_BITS
                && !matches!(byte, b'.' | b'e' | b'E')
                && !fits(&json[at - digits..at])
            {
                return true;
            }
        }
        digits = 0;
    }
    digits >= DIGITS_OF_64_BITS && !fits(&json[json.len() - digits..])
}

/// Whether digits fit into 64 bits. Digits after a decimal point count as a wide number too, which only costs
/// the JSON form.
fn fits(digits: &str) -> bool {
    digits.parse::<i64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::has_wide_number;

    #[test]
    fn only_integers_beyond_64_bits_count_as_wide() {
        for narrow in [
            "1",
            "[9223372036854775807]",
            "\"99999999999999999999999\"",
            "{\"a\\\"\": 1.5e300}",
        ] {
            assert!(!has_wide_number(narrow), "{narrow}");
        }
        for wide in [
            "9223372036854775808",
            "[1, 1000000000000000000000]",
            "{\"a\": -10000000000000000000}",
        ] {
            assert!(has_wide_number(wide), "{wide}");
        }
    }
}
