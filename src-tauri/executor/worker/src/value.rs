//! Values across the border: Python objects to packed JSON and back.

use rustpython_vm::builtins::{PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyStr, PyTuple};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, VirtualMachine};
use shidi_executor_proto::{Item, MAX_DEPTH, Malformed, Packed, Packer, Reader};

/// Packs an object as Python's `json` would; sets and dates too, since calls could take none otherwise.
///
/// # Errors
/// Names the type that has no JSON form.
pub fn pack(object: &PyObject, vm: &VirtualMachine) -> Result<Packed, String> {
    let mut packer = Packer::default();
    write(object, &mut packer, 0, vm)?;
    Ok(packer.finish())
}

/// The object of a packed value.
///
/// # Errors
/// When the bytes are no value or nest too deeply.
pub fn unpack(packed: &Packed, vm: &VirtualMachine) -> Result<PyObjectRef, Malformed> {
    let mut reader = packed.reader();
    let object = read(&mut reader, 0, vm)?;
    if reader.finished() {
        Ok(object)
    } else {
        Err(Malformed("bytes follow a value"))
    }
}

fn write(object: &PyObject, packer: &mut Packer, depth: usize, vm: &VirtualMachine) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!("it nests deeper than {MAX_DEPTH} levels"));
    }
    if vm.is_none(object) {
        packer.item(Item::Null);
    } else if object.is(&vm.ctx.true_value) {
        packer.item(Item::Boolean(true));
    } else if object.is(&vm.ctx.false_value) {
        packer.item(Item::Boolean(false));
    } else if let Some(value) = object.downcast_ref::<PyInt>() {
        packer.item(integer(value, vm)?);
    } else if let Some(value) = object.downcast_ref::<PyFloat>() {
        packer.item(Item::Number(finite(value.to_f64())?));
    } else if let Some(text) = object.downcast_ref::<PyStr>() {
        packer.item(Item::Text(&text.to_string_lossy()));
    } else if let Some(list) = object.downcast_ref::<PyList>() {
        let items = list.borrow_vec().to_vec();
        write_all(&items, packer, depth, vm)?;
    } else if let Some(tuple) = object.downcast_ref::<PyTuple>() {
        write_all(tuple.as_slice(), packer, depth, vm)?;
    } else if let Some(set) = object.downcast_ref::<PySet>() {
        write_all(&set.elements(), packer, depth, vm)?;
    } else if let Some(set) = object.downcast_ref::<PyFrozenSet>() {
        write_all(&set.elements(), packer, depth, vm)?;
    } else if let Some(dict) = object.downcast_ref::<PyDict>() {
        let pairs = dict.items_vec();
        packer.item(Item::Dict(pairs.len()));
        for (key, value) in pairs {
            packer.item(Item::Text(&key_text(&key, vm)?));
            write(&value, packer, depth + 1, vm)?;
        }
    } else {
        packer.item(Item::Text(&plain(object, vm)?));
    }
    Ok(())
}

fn write_all(
    items: &[PyObjectRef],
    packer: &mut Packer,
    depth: usize,
    vm: &VirtualMachine,
) -> Result<(), String> {
    packer.item(Item::List(items.len()));
    items
        .iter()
        .try_for_each(|item| write(item, packer, depth + 1, vm))
}

fn integer<'a>(value: &Py<PyInt>, vm: &VirtualMachine) -> Result<Item<'a>, String> {
    if let Ok(small) = value.try_to_primitive::<i64>(vm) {
        return Ok(Item::Integer(small));
    }
    value
        .try_to_primitive::<u64>(vm)
        .map(Item::Unsigned)
        .map_err(|_| "an int of more than 64 bits has no JSON form".to_owned())
}

fn finite(value: f64) -> Result<f64, String> {
    if value.is_finite() {
        Ok(value)
    } else {
        let written = if value.is_nan() {
            "nan"
        } else if value > 0.0 {
            "inf"
        } else {
            "-inf"
        };
        Err(format!("the float {written} has no JSON form"))
    }
}

/// The key of a dict as Python's `json` writes it.
fn key_text(key: &PyObject, vm: &VirtualMachine) -> Result<String, String> {
    if let Some(text) = key.downcast_ref::<PyStr>() {
        return Ok(text.to_string_lossy().into_owned());
    }
    let refused = || format!("a dict with a {} as key has no JSON form", key.class().name());
    if vm.is_none(key) {
        return Ok("null".to_owned());
    }
    if key.is(&vm.ctx.true_value) || key.is(&vm.ctx.false_value) {
        return Ok(key.is(&vm.ctx.true_value).to_string());
    }
    let is_number = match key.downcast_ref::<PyFloat>() {
        Some(value) => value.to_f64().is_finite(),
        None => key.downcast_ref::<PyInt>().is_some(),
    };
    if !is_number {
        return Err(refused());
    }
    let text = key.repr(vm).map_err(|_| refused())?;
    Ok(text.to_string_lossy().into_owned())
}

/// The text of dates, decimals and paths, made by our Python text.
fn plain(object: &PyObject, vm: &VirtualMachine) -> Result<String, String> {
    let refused = || format!("a {} has no JSON form", object.class().name());
    let text = vm
        .import("_session", 0)
        .and_then(|session| vm.call_method(&session, "plain", (object.to_owned(),)))
        .map_err(|_| refused())?;
    let text = text.downcast_ref::<PyStr>().ok_or_else(refused)?;
    Ok(text.to_string_lossy().into_owned())
}

fn read(reader: &mut Reader<'_>, depth: usize, vm: &VirtualMachine) -> Result<PyObjectRef, Malformed> {
    if depth > MAX_DEPTH {
        return Err(Malformed("a value nests too deeply"));
    }
    Ok(match reader.item()? {
        Item::Null => vm.ctx.none(),
        Item::Boolean(value) => vm.ctx.new_bool(value).into(),
        Item::Integer(value) => vm.ctx.new_int(value).into(),
        Item::Unsigned(value) => vm.ctx.new_int(value).into(),
        Item::Number(value) => vm.ctx.new_float(value).into(),
        Item::Text(text) => vm.ctx.new_str(text).into(),
        Item::List(count) => {
            let mut items = Vec::new();
            for _ in 0..count {
                items.push(read(reader, depth + 1, vm)?);
            }
            vm.ctx.new_list(items).into()
        }
        Item::Dict(count) => {
            let dict = vm.ctx.new_dict();
            for _ in 0..count {
                let Item::Text(key) = reader.item()? else {
                    return Err(Malformed("a key is not a text"));
                };
                let value = read(reader, depth + 1, vm)?;
                dict.set_item(key, value, vm)
                    .map_err(|_| Malformed("a dict cannot be made"))?;
            }
            dict.into()
        }
    })
}
