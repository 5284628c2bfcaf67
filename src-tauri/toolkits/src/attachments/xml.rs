//! XML of office files, event by event: no tree, no entities beyond XML's own, a bound on depth.

use super::frame::Stop;
use crate::limits::XML_DEPTH_MAX;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::borrow::Cow;
use std::io::BufRead;

/// Receives the events of a walk. Names come without their prefix.
pub(crate) trait Listener {
    /// # Errors
    /// Returned to stop the walk.
    fn opened(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), Stop>;

    /// # Errors
    /// Returned to stop the walk.
    fn closed(&mut self, name: &str) -> Result<(), Stop>;

    /// # Errors
    /// Returned to stop the walk.
    fn text(&mut self, text: &str) -> Result<(), Stop>;
}

/// Walks through all of `source`.
///
/// # Errors
/// Damaged XML, too deep a nesting, or the listener's own error.
pub(crate) fn walk(source: impl BufRead, listener: &mut impl Listener) -> Result<(), Stop> {
    let mut reader = Reader::from_reader(source);
    let mut buffer = Vec::new();
    let mut depth = 0_usize;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(Stop::broken)? {
            Event::Start(element) => {
                depth += 1;
                if depth > XML_DEPTH_MAX {
                    return Err(Stop::broken(format!(
                        "elements nested more than {XML_DEPTH_MAX} deep"
                    )));
                }
                listener.opened(element.local_name().as_ref(), &element)?;
            }
            Event::Empty(element) => {
                listener.opened(element.local_name().as_ref(), &element)?;
                listener.closed(element.local_name().as_ref())?;
            }
            Event::End(element) => {
                depth = depth.saturating_sub(1);
                listener.closed(element.local_name().as_ref())?;
            }
            Event::Text(text) => listener.text(&text.xml10_content())?,
            Event::CData(text) => listener.text(&text.xml10_content())?,
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content();
                let own = match name.as_ref() {
                    "amp" => Some('&'),
                    "lt" => Some('<'),
                    "gt" => Some('>'),
                    "quot" => Some('"'),
                    "apos" => Some('\''),
                    // A document's own entities are left out: XML bombs are built of them.
                    _ => reference.resolve_char_ref().ok().flatten(),
                };
                if let Some(character) = own {
                    listener.text(character.encode_utf8(&mut [0; 4]))?;
                }
            }
            Event::Eof => {
                return if depth == 0 {
                    Ok(())
                } else {
                    Err(Stop::broken("it ends in the middle of an element"))
                };
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

/// The value of an attribute, whatever its prefix.
pub(crate) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    element
        .attributes()
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)
        .and_then(|attribute| {
            attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .ok()
                .map(Cow::into_owned)
        })
}
