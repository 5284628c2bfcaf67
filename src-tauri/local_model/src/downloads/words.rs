//! Why a download ended, and what is wrong with a list, in the user's words.

use super::catalogue::{Catalogue, Wrong};
use super::transfer::Halt;
use crate::limits::UNPACKED_BYTES_MAX;
use crate::trouble::{capitalised, gigabytes};
use shidi_bundles::Refused;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use shidi_space::errors::error;
use std::path::Path;

pub fn of_halt(why: &Halt, language: Language) -> UserError {
    let say = language.local_model();
    let (message, hint) = match why {
        Halt::Unreachable(cause) => (say.download_unreachable(cause), say.download_unreachable_hint()),
        Halt::Status(status) => (say.download_gone(status), say.download_gone_hint()),
        Halt::Other => (say.download_differs().to_owned(), say.download_differs_hint()),
        Halt::Unexpected => (say.download_unexpected().to_owned(), say.download_gone_hint()),
        Halt::Stopped => (say.download_ended().to_owned(), say.download_ended_hint()),
        Halt::Occupied(place) => (
            say.download_occupied(place.display()),
            say.download_occupied_hint(),
        ),
        Halt::Busy => (say.download_busy().to_owned(), say.download_busy_hint()),
        Halt::Full { needs: 0, .. } => (say.download_full().to_owned(), say.download_full_hint()),
        Halt::Full { needs, free } => (
            say.download_no_room(below(*free), gigabytes(*needs)),
            say.download_full_hint(),
        ),
        Halt::Disk(cause) => (say.download_disk(cause), say.download_disk_hint()),
        Halt::Archive(why) => (
            say.download_archive(of_archive(why, language)),
            say.download_differs_hint(),
        ),
        Halt::NoServer => (say.download_no_server().to_owned(), say.download_differs_hint()),
        Halt::Mirror(mirror) => (say.download_mirror(mirror), say.download_mirror_hint()),
        Halt::Folder(folder) => (say.download_folder(folder), say.download_folder_hint()),
    };
    error(ErrorCode::Model, capitalised(&message), hint)
}

fn of_archive(why: &Refused, language: Language) -> String {
    match why {
        Refused::TooLarge => format!("> {} GB", UNPACKED_BYTES_MAX >> 30),
        why => shidi_bundles::refused(why, "llama.cpp", language).message,
    }
}

pub fn of_list(wrong: &Wrong, place: &Path, language: Language) -> UserError {
    let say = language.local_model();
    let cause = match wrong {
        Wrong::Unreadable(cause) => cause.clone(),
        Wrong::Line(line, cause) => say.catalogue_line(cause, line),
        Wrong::Field(id, field) => say.catalogue_field(field, id),
        Wrong::Twice(name) => say.catalogue_twice(name),
    };
    error(
        ErrorCode::Model,
        capitalised(&say.catalogue_wrong(cause)),
        say.catalogue_wrong_hint(place.display()),
    )
}

pub fn of_unknown(id: &str, list: &Catalogue, language: Language) -> UserError {
    let say = language.local_model();
    let names: Vec<&str> = list.models.iter().map(|model| model.id.as_str()).collect();
    error(
        ErrorCode::NotFound,
        say.catalogue_unknown(id),
        say.catalogue_names(names.join(", ")),
    )
}

/// Gigabytes with one decimal, not more than there are.
fn below(bytes: u64) -> String {
    let tenths = bytes / 100_000_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}
