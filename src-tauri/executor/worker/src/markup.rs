//! Reads XML for `pyexpat.py`. The library's own parser would start a thread, which the walls forbid, and
//! accepts a document that breaks off.
//!
//! Every call reads a document from its start and skips the events of earlier calls. Files that a document
//! names are never opened.

use rustpython_vm::{PyObjectRef, VirtualMachine};
use xml::common::Position;
use xml::name::OwnedName;
use xml::namespace::Namespace;
use xml::reader::{ErrorKind, EventReader, ParserConfig, XmlEvent};

/// Prefixes that every document defines.
const GIVEN_PREFIXES: [&str; 2] = ["xml", "xmlns"];

pub(crate) use native::module_def;

/// An event: its name in `pyexpat.py`, and its values.
type XmlPart = (&'static str, Vec<PyObjectRef>);

fn reader(text: &str) -> EventReader<&[u8]> {
    let config = ParserConfig::new()
        .cdata_to_characters(false)
        .ignore_comments(false)
        .whitespace_to_characters(true)
        .coalesce_characters(true)
        // The text is decoded already, whatever encoding it names.
        .override_encoding(Some(xml::Encoding::Utf8))
        .ignore_invalid_encoding_declarations(true);
    EventReader::new_with_config(text.as_bytes(), config)
}

fn told(event: XmlEvent, open: &mut Vec<Namespace>, vm: &VirtualMachine) -> Option<XmlPart> {
    let text = |text: String| -> PyObjectRef { vm.ctx.new_str(text).into() };
    Some(match event {
        XmlEvent::StartElement {
            name,
            attributes,
            namespace,
        } => {
            let declared = declared(open.last(), &namespace, vm);
            open.push(namespace);
            let attributes = attributes.into_iter().map(|attribute| {
                let value = text(attribute.value);
                vm.ctx.new_tuple(vec![named(attribute.name, vm), value]).into()
            });
            let attributes = vm.ctx.new_list(attributes.collect()).into();
            ("start", vec![named(name, vm), attributes, declared])
        }
        XmlEvent::EndElement { name } => {
            open.pop();
            ("end", vec![named(name, vm)])
        }
        XmlEvent::Characters(characters) | XmlEvent::Whitespace(characters) => {
            ("characters", vec![text(characters)])
        }
        XmlEvent::CData(characters) => ("cdata", vec![text(characters)]),
        XmlEvent::Comment(comment) => ("comment", vec![text(comment)]),
        XmlEvent::ProcessingInstruction { name, data } => {
            ("instruction", vec![text(name), text(data.unwrap_or_default())])
        }
        XmlEvent::Doctype { syntax } => ("doctype", vec![text(syntax)]),
        XmlEvent::StartDocument { .. } | XmlEvent::EndDocument => return None,
    })
}

/// Prefix, local name and namespace.
fn named(name: OwnedName, vm: &VirtualMachine) -> PyObjectRef {
    let parts = [name.prefix, Some(name.local_name), name.namespace].map(|part| match part {
        Some(part) => vm.ctx.new_str(part).into(),
        None => vm.ctx.none(),
    });
    vm.ctx.new_tuple(parts.to_vec()).into()
}

/// The namespaces that an element declares, without those of its parent.
fn declared(around: Option<&Namespace>, inside: &Namespace, vm: &VirtualMachine) -> PyObjectRef {
    let is_new = |prefix: &str, uri: &str| {
        let before = around.and_then(|around| around.get(prefix)).unwrap_or_default();
        !GIVEN_PREFIXES.contains(&prefix) && before != uri
    };
    let declared = inside.iter().filter(|(prefix, uri)| is_new(prefix, uri));
    let pairs = declared.map(|(prefix, uri)| {
        let pair = vec![vm.ctx.new_str(prefix).into(), vm.ctx.new_str(uri).into()];
        vm.ctx.new_tuple(pair).into()
    });
    vm.ctx.new_list(pairs.collect()).into()
}

/// The fault in one line, with its place: line from 1, column from 0.
fn fault(error: &xml::reader::Error) -> (String, u64, u64) {
    let why = match error.kind() {
        ErrorKind::UnexpectedEof => "no element found".to_owned(),
        ErrorKind::Syntax(why) => why.replace('\n', " "),
        ErrorKind::Io(why) => why.to_string(),
        ErrorKind::Utf8(why) => why.to_string(),
        other => format!("{other:?}"),
    };
    let at = error.position();
    (why, at.row() + 1, at.column())
}

#[rustpython_vm::pymodule(name = "_markup")]
mod native {
    use super::{fault, reader, told};
    use rustpython_vm::builtins::PyStrRef;
    use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
    use xml::common::Position;
    use xml::reader::XmlEvent;

    /// Passes the events after the first `skipped` to `sink`: name, line, column and values. Returns the fault
    /// that stopped the reading with its line and column; `None` at the document's end.
    #[pyfunction]
    fn read(
        document: PyStrRef,
        skipped: usize,
        sink: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult<Option<(String, u64, u64)>> {
        let document = document.to_string_lossy();
        let mut reader = reader(&document);
        let mut open = Vec::new();
        let mut number = 0;
        loop {
            let event = match reader.next() {
                Ok(XmlEvent::EndDocument) => return Ok(None),
                Ok(event) => event,
                Err(error) => return Ok(Some(fault(&error))),
            };
            let at = reader.position();
            let Some((name, mut parts)) = told(event, &mut open, vm) else {
                continue;
            };
            number += 1;
            // A program's end must also stop the reading of a long document.
            vm.check_signals()?;
            if number > skipped {
                let mut arguments: Vec<PyObjectRef> = vec![
                    vm.ctx.new_str(name).into(),
                    vm.ctx.new_int(at.row() + 1).into(),
                    vm.ctx.new_int(at.column()).into(),
                ];
                arguments.append(&mut parts);
                sink.call(arguments, vm)?;
            }
        }
    }
}
