//! Why a download ended or stays, and what is wrong with a list, in the user's words.

use super::catalogue::{Catalogue, Wrong};
use super::removal::Obstacle;
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
        Halt::NoFolder(folder) => (
            say.download_no_folder(folder.display()),
            say.download_other_folder(),
        ),
        Halt::Unwritable(folder, cause) => (
            say.download_unwritable(cause, folder.display()),
            say.download_other_folder(),
        ),
    };
    error(ErrorCode::Model, capitalised(&message), hint)
}

fn of_archive(why: &Refused, language: Language) -> String {
    match why {
        Refused::TooLarge => format!("> {} GB", UNPACKED_BYTES_MAX >> 30),
        why => shidi_bundles::refused(why, "llama.cpp", language).message,
    }
}

pub fn of_obstacle(why: &Obstacle, language: Language) -> UserError {
    let say = language.local_model();
    let (code, message, hint) = match why {
        Obstacle::Absent => (
            ErrorCode::NotFound,
            say.removal_absent().to_owned(),
            say.removal_absent_hint(),
        ),
        Obstacle::Foreign(path) => (
            ErrorCode::Input,
            say.removal_foreign(path),
            say.removal_foreign_hint(),
        ),
        Obstacle::Coming => (
            ErrorCode::Input,
            say.download_busy().to_owned(),
            say.removal_coming_hint(),
        ),
        Obstacle::Chosen => (
            ErrorCode::Input,
            say.removal_chosen().to_owned(),
            say.removal_chosen_hint(),
        ),
        Obstacle::Serves => (
            ErrorCode::Input,
            say.removal_serves().to_owned(),
            say.removal_serves_hint(),
        ),
        Obstacle::Answers => (
            ErrorCode::Input,
            say.removal_answers().to_owned(),
            say.removal_answers_hint(),
        ),
        Obstacle::Disk(cause) => (
            ErrorCode::Storage,
            say.removal_disk(cause),
            say.removal_disk_hint(),
        ),
    };
    error(code, capitalised(&message), hint)
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

/// A name that stands for nothing that was downloaded, with those that can be removed.
pub fn of_none_such(id: &str, removable: &[String], language: Language) -> UserError {
    let say = language.local_model();
    let hint = match removable.is_empty() {
        true => say.removal_nothing().to_owned(),
        false => say.removal_names(removable.join(", ")),
    };
    error(ErrorCode::NotFound, say.catalogue_unknown(id), hint)
}

/// Gigabytes with one decimal, not more than there are.
fn below(bytes: u64) -> String {
    let tenths = bytes / 100_000_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}
