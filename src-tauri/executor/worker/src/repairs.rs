//! Corrects methods of built-in types that the interpreter gets wrong, before the first program runs.
//!
//! The interpreter takes bytes for characters when it strips them or asks whether they are letters. An end that
//! happened to be UTF-8 was lost, and `urllib.parse.quote` failed. Only methods that Python has are corrected.

use rustpython_vm::builtins::{PyByteArray, PyType};
use rustpython_vm::function::{ArgBytesLike, IntoPyNativeFn, ItemDoc, OptionalOption, PyMethodFlags};
use rustpython_vm::{AsObject, Py, PyObjectRef, PyPayload, PyResult, VirtualMachine};

/// The bytes that are stripped by default: white space as in C, not as in Unicode.
const WHITE_SPACE: &[u8] = b" \t\n\r\x0b\x0c";

type Named = OptionalOption<ArgBytesLike>;

/// Replaces the interpreter's own methods.
pub fn make(vm: &VirtualMachine) {
    for class in [vm.ctx.types.bytes_type, vm.ctx.types.bytearray_type] {
        put(class, "strip", strip, vm);
        put(class, "lstrip", lstrip, vm);
        put(class, "rstrip", rstrip, vm);
        put(class, "isalpha", isalpha, vm);
        put(class, "isalnum", isalnum, vm);
    }
}

fn put<F, Kind>(class: &'static Py<PyType>, name: &'static str, method: F, vm: &VirtualMachine)
where
    F: IntoPyNativeFn<Kind>,
{
    let defined = vm
        .ctx
        .new_method_def(name, method, PyMethodFlags::METHOD, ItemDoc::NONE);
    class.set_attr(vm.ctx.intern_str(name), defined.build_method(class, vm).into());
}

fn strip(own: PyObjectRef, named: Named, vm: &VirtualMachine) -> PyResult {
    changed(
        &own,
        &named,
        |bytes, cut| trim_end(trim_start(bytes, cut), cut),
        vm,
    )
}

fn lstrip(own: PyObjectRef, named: Named, vm: &VirtualMachine) -> PyResult {
    changed(&own, &named, trim_start, vm)
}

fn rstrip(own: PyObjectRef, named: Named, vm: &VirtualMachine) -> PyResult {
    changed(&own, &named, trim_end, vm)
}

fn isalpha(own: ArgBytesLike) -> bool {
    let bytes = own.borrow_buf();
    !bytes.is_empty() && bytes.iter().all(u8::is_ascii_alphabetic)
}

fn isalnum(own: ArgBytesLike) -> bool {
    let bytes = own.borrow_buf();
    !bytes.is_empty() && bytes.iter().all(u8::is_ascii_alphanumeric)
}

/// The remaining bytes, as the same type as before.
fn changed(
    own: &PyObjectRef,
    named: &Named,
    trim: for<'a> fn(&'a [u8], &[u8]) -> &'a [u8],
    vm: &VirtualMachine,
) -> PyResult {
    let bytes: ArgBytesLike = own.try_to_value(vm)?;
    let bytes = bytes.borrow_buf();
    let left = match named.as_ref().into_option().and_then(Option::as_ref) {
        Some(cut) => trim(&bytes, &cut.borrow_buf()),
        None => trim(&bytes, WHITE_SPACE),
    };
    Ok(if own.fast_isinstance(vm.ctx.types.bytearray_type) {
        PyByteArray::from(left.to_vec()).into_pyobject(vm)
    } else {
        vm.ctx.new_bytes(left.to_vec()).into()
    })
}

fn trim_start<'a>(bytes: &'a [u8], cut: &[u8]) -> &'a [u8] {
    let kept = bytes.iter().position(|byte| !cut.contains(byte));
    kept.map_or(&[], |first| &bytes[first..])
}

fn trim_end<'a>(bytes: &'a [u8], cut: &[u8]) -> &'a [u8] {
    let kept = bytes.iter().rposition(|byte| !cut.contains(byte));
    kept.map_or(&[], |last| &bytes[..=last])
}
