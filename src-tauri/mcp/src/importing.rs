//! Servers that the user could add. They are read from a text or from other programs' files, and get names that are
//! allowed here.

use crate::answers::shown;
use crate::drafts::{self, Draft, Found, Unread};
use crate::{McpServers, address, naming, other_programs};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, McpDraft, McpLeftOut, NewMcpServer, UserError, reply};
use shidi_space::errors::error;
use std::collections::BTreeSet;

/// Servers out of a text that was pasted.
///
/// # Errors
/// A text that holds none.
pub fn read(servers: &McpServers, text: &str) -> Result<reply::McpDrafts, UserError> {
    let language = servers.space.language();
    let found = drafts::pasted(text).map_err(|why| unread(language, &why))?;
    let mut answer = reply::McpDrafts {
        drafts: Vec::new(),
        left_out: Vec::new(),
    };
    take_over(servers, found, None, &mut answer);
    Ok(answer)
}

/// Servers out of the files of other programs; a file that can't be read is told beside what was found.
pub fn find(servers: &McpServers) -> reply::McpDrafts {
    let language = servers.space.language();
    let mut answer = reply::McpDrafts {
        drafts: Vec::new(),
        left_out: Vec::new(),
    };
    for (program, path, found) in other_programs::all() {
        match found {
            Ok(found) => take_over(servers, found, Some(program), &mut answer),
            Err(why) => answer.left_out.push(McpLeftOut {
                name: format!("{program}: {}", path.display()),
                why: why.sentence(language),
            }),
        }
    }
    answer
}

fn take_over(servers: &McpServers, found: Found, program: Option<&str>, answer: &mut reply::McpDrafts) {
    let here = servers.all.lock();
    // The same program with other variables is another server.
    let same = |server: &NewMcpServer, wanted: &[String]| {
        let secrets: BTreeSet<&String> = server.secrets.keys().chain(wanted).collect();
        // Of several that are alike, the one of that name is meant.
        let mut known = here.get(&server.name).into_iter().chain(here.values());
        let same = known.find(|known| {
            let entry = known.entry.lock();
            entry.url == server.url
                && entry.command == server.command
                && entry.env == server.env
                && entry.secrets.iter().collect::<BTreeSet<_>>() == secrets
        });
        same.map(|known| known.name.clone())
    };
    let mut names: BTreeSet<String> = here.keys().cloned().collect();
    names.extend(answer.drafts.iter().map(|draft| draft.server.name.clone()));
    for draft in found.drafts {
        let Draft {
            mut server,
            written,
            wanted,
        } = draft;
        let here_as = same(&server, &wanted);
        server.name = naming::fitting(&server.name, &names);
        names.insert(server.name.clone());
        answer.drafts.push(McpDraft {
            is_here: here_as.is_some(),
            here_as,
            written: written.map(|name| shown(&name)),
            reached: address::reached(server.url.as_deref(), &server.command),
            server,
            wanted,
            program: program.map(str::to_owned),
        });
    }
    let language = servers.space.language();
    let left_out = found.left_out.into_iter().map(|(name, why)| McpLeftOut {
        name: shown(&name),
        why: why.sentence(language),
    });
    answer.left_out.extend(left_out);
}

fn unread(language: Language, why: &Unread) -> UserError {
    error(
        ErrorCode::Input,
        why.sentence(language),
        language.mcp().paste_like_this(),
    )
}
