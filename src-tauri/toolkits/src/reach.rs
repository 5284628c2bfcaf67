//! How far a call reaches: the places of its paths, and the call's class at those places.

use crate::declared_method;
use crate::environment::{Environment, Reach};
use crate::files;
use crate::safe_path::ResolvedPath;
use crate::schedule;
use crate::shell;
use crate::web;
use serde_json::Value;
use shidi_protocol::{Call, Class};
use std::path::PathBuf;

/// The parameters that name a path, and where that goes.
const PATH: &str = "path";
const TO: &str = "to";

/// The call with the places of its arguments at this moment. Permissions decide on these places, and the call is
/// performed there.
#[must_use]
pub fn placed(mut call: Call, environment: &Environment) -> Call {
    let leads_to = if call.toolkit == shell::NAME {
        let folder = shell::folder_of(&call, environment);
        folder.map(|folder| (shell::FOLDER, folder)).into_iter().collect()
    } else {
        places(&call, environment)
    };
    let places = leads_to
        .into_iter()
        .map(|(name, path)| (name.to_owned(), path.to_string_lossy().into_owned()));
    call.places = places.collect();
    call
}

/// Where the paths of a call lead, by the names of their parameters.
fn places(call: &Call, environment: &Environment) -> Vec<(&'static str, PathBuf)> {
    let Some(place) = written(call, PATH).and_then(|text| ResolvedPath::resolve(&text, environment).ok())
    else {
        return Vec::new();
    };
    let to = written(call, TO).and_then(|text| files::destination(call, &text, &place, environment).ok());
    // Nobody is asked about a name that is refused.
    let is_made = files::MAKES_ITS_PATH.contains(&&*call.method) || call.method == web::DOWNLOAD;
    let mut made = is_made.then_some(&place).into_iter().chain(&to);
    if made.any(|made| made.check_name().is_err()) {
        return Vec::new();
    }
    let to = to.map(|to| (TO, to.leads_to));
    [(PATH, place.leads_to)].into_iter().chain(to).collect()
}

/// Tells how far a call reaches: where its paths lead outside, the first of those places. They are the decided ones if there
/// are such, else those at this moment.
#[must_use]
pub fn reach(call: &Call, environment: &Environment) -> Reach {
    let Some(method) = declared_method(call) else {
        return Reach::Inside;
    };
    let known = |name: &str| call.places.get(name).map(PathBuf::from);
    let found = if call.places.is_empty() {
        places(call, environment)
    } else {
        let known = [PATH, TO].map(|name| Some((name, known(name)?)));
        known.into_iter().flatten().collect()
    };
    // A path that leads nowhere is refused with its reason when performed: nothing is reached.
    let mut outside = found.into_iter().filter_map(|(name, place)| {
        let is_written =
            writes(method.class) && !(name == PATH && files::READS_ITS_PATH.contains(&&*method.name));
        // A write to Shidi's own data is refused when performed: nobody is asked about it.
        let reach = match is_written {
            true if environment.is_own(&place) => Reach::Inside,
            true => environment.writing_reach_of(&place),
            false => environment.reach_of(&place),
        };
        (reach != Reach::Inside).then_some(reach)
    });
    outside.next().unwrap_or(Reach::Inside)
}

/// Whether a call of this class puts a file at its path.
fn writes(class: Class) -> bool {
    matches!(class, Class::Write | Class::Download)
}

/// The path that a call of ours names under `parameter`, or its default.
fn written(call: &Call, parameter: &str) -> Option<String> {
    let method = declared_method(call)?;
    method.matters.iter().find(|name| *name == parameter)?;
    let declared = method.parameters.iter().find(|known| known.name == parameter)?;
    let given = call.args.get(parameter).or(declared.default.as_ref());
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
        (Some(class), _) if call.toolkit == schedule::NAME => schedule::class_of(call, class),
        (Some(class), _) => class,
    }
}
