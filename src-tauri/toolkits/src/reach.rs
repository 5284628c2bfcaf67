//! How far a call reaches: the place of its path, and the call's class at that place.

use crate::declared_method;
use crate::environment::{Environment, Reach};
use crate::safe_path::ResolvedPath;
use crate::shell;
use serde_json::Value;
use shidi_protocol::{Call, Class};
use std::path::PathBuf;

/// The parameter that names a path.
const PATH: &str = "path";

/// The call with the places of its arguments at this moment: permissions decide on these places, and the call
/// is performed there.
#[must_use]
pub fn placed(mut call: Call, environment: &Environment) -> Call {
    let (name, leads_to) = if call.toolkit == shell::NAME {
        (shell::FOLDER, shell::folder_of(&call, environment))
    } else {
        let place = written(&call).and_then(|text| ResolvedPath::resolve(&text, environment).ok());
        (PATH, place.map(|place| place.leads_to))
    };
    let places = leads_to.map(|path| (name.to_owned(), path.to_string_lossy().into_owned()));
    call.places = places.into_iter().collect();
    call
}

/// Tells where a call's path leads: the decided place if there is one, else the place at this moment.
#[must_use]
pub fn reach(call: &Call, environment: &Environment) -> Reach {
    let (Some(method), Some(text)) = (declared_method(call), written(call)) else {
        return Reach::Inside;
    };
    let known = call.places.get(PATH).map(|leads_to| ResolvedPath {
        shown: PathBuf::from(&text),
        leads_to: PathBuf::from(leads_to),
    });
    match known.map_or_else(|| ResolvedPath::resolve(&text, environment), Ok) {
        // A write to Shidi's own data is refused when performed: nobody is asked about it.
        Ok(place) if writes(method.class) && environment.is_own(&place.leads_to) => Reach::Inside,
        Ok(place) if writes(method.class) => environment.writing_reach_of(&place.leads_to),
        Ok(place) => environment.reach_of(&place.leads_to),
        Err(_) => Reach::Inside, // refused with its reason when performed: nothing is reached
    }
}

/// Whether a call of this class puts a file at its path.
fn writes(class: Class) -> bool {
    matches!(class, Class::Write | Class::Download)
}

/// The path that a call of ours names, or its default.
fn written(call: &Call) -> Option<String> {
    let method = declared_method(call)?;
    method.matters.iter().find(|name| *name == PATH)?;
    let parameter = method
        .parameters
        .iter()
        .find(|parameter| parameter.name == PATH)?;
    let given = call.args.get(PATH).or(parameter.default.as_ref());
    given.and_then(Value::as_str).map(str::to_owned)
}

/// Tells the class of a call by its arguments; a tool that is none of ours counts as sending.
#[must_use]
pub fn class_of(call: &Call, environment: &Environment) -> Class {
    match (
        declared_method(call).map(|method| method.class),
        reach(call, environment),
    ) {
        (None, _) => Class::Send,
        (Some(Class::Read), Reach::Outside { .. }) => Class::ReadOutside,
        (Some(class), Reach::Outside { .. }) if writes(class) => Class::WriteOutside,
        (Some(class), _) if call.toolkit == shell::NAME => shell::class_of(call, class),
        (Some(class), _) => class,
    }
}
