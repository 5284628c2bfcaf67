//! Preferences that show in forms of web pages (F6.3). They are noticed where the user let that happen, and proposed
//! when they come again. Only the user's word keeps one.
//!
//! A kept one is a memory of its site with schema, data and operation. Such a memory goes into prompts as other
//! memories of the page do. The order in which several forms are used is one, too; nothing is ever done by it.

mod entity;
mod habit;
mod order;
mod proposals;
mod wording;

use crate::limits::MEMORY_TEXT_CHARS_MAX;
use crate::{commit, explain, unknown, whole};
use proposals::{answer, proposal, proposals};
use serde_json::Value;
use shidi_protocol::request::memory as request;
use shidi_protocol::{
    Ask, ChosenValue, ContextPiece, ErrorCode, FormNews, FormUse, JsonMap, LookAt, LookOutcome, LookRecord,
    MemoryData, MemoryId, MemoryKind, MemoryOrigin, MemoryRecord, MemoryRequest, MemoryScope, Preference,
    PreferenceProposal, Reply, RunId, UserError, reply, reply_to,
};
use shidi_senses::redacted;
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::errors::{error, internal};
use shidi_space::limits::LISTED_MAX;
use shidi_store::{Batch, Ended, FormWrite, MemoryFilter, MemoryWrite, Write, canonical};
use std::sync::Arc;
use wording::{program, statement};

/// Preferences that go along with a question about a page: a site has few forms that matter.
const ALONG_MOST: usize = 4;

/// Characters of a value that its user writes: as many as browsers tell of.
const VALUE_CHARACTERS: usize = 80;

/// Answers a request about preferences.
///
/// # Errors
/// No such proposal or preference, or an address that names no site. Also a value that its field does not take, and
/// storage trouble.
pub(crate) async fn perform(space: &Arc<Space>, action: MemoryRequest) -> Result<Reply, UserError> {
    let performed = move |space: &Space| {
        Ok(match action {
            MemoryRequest::KeepPreference { proposal } => {
                reply_to::<request::KeepPreference>(keep(space, &proposal)?)
            }
            MemoryRequest::DeclinePreference { proposal } => {
                reply_to::<request::DeclinePreference>(decline(space, &proposal)?)
            }
            MemoryRequest::ChangePreference { memory, values } => {
                reply_to::<request::ChangePreference>(change(space, &memory, &values)?)
            }
            MemoryRequest::Preferences { address } => {
                reply_to::<request::Preferences>(list(space, address.as_deref())?)
            }
            _ => return Err(internal(space.language(), "this is answered by memory")),
        })
    };
    space.aside(performed).await
}

/// Learns from what is said of forms in a space, as long as that is there.
pub fn learner(space: &Arc<Space>) -> Arc<dyn Fn(FormNews) -> Result<(), UserError> + Send + Sync> {
    let space = Arc::downgrade(space);
    Arc::new(move |news| match (space.upgrade(), news) {
        (Some(space), FormNews::Used(used)) => observe(&space, used),
        (Some(space), FormNews::Unlearned { site }) => unlearn(&space, &site),
        (None, _) => Ok(()),
    })
}

/// Keeps a use of a form, with its line in the ledger. Tells the windows where a repeated choice makes a proposal.
///
/// # Errors
/// Storage trouble.
fn observe(space: &Space, used: FormUse) -> Result<(), UserError> {
    let time = clock::now();
    let (site, form) = (used.site.clone(), used.form.clone());
    let seen = LookRecord {
        id: RunId::mint().as_str().to_owned(),
        time,
        what: LookAt::Form,
        app: used.place.browser.clone(),
        title: place(&site, &form),
        width: 0,
        height: 0,
        blacked_out: 0,
        outcome: LookOutcome::Kept,
        session: None,
    };
    let mut batch = Batch::from(Write::PutLook(Box::new(seen)));
    batch.push(Write::Form(FormWrite::Use {
        used: Box::new(used),
        time,
    }));
    commit(space, batch)?;
    let listed = list(space, Some(&site))?;
    let is_new =
        |proposal: &PreferenceProposal| proposal.form == form || order::steps(&proposal.values).is_some();
    if listed.proposals.iter().any(is_new) {
        tell(space)?;
    }
    Ok(())
}

/// Erases what was noticed on a site; what the user keeps stays.
///
/// # Errors
/// Storage trouble.
fn unlearn(space: &Space, site: &str) -> Result<(), UserError> {
    commit(
        space,
        Write::Form(FormWrite::Forget {
            site: site.to_owned(),
        }),
    )?;
    tell(space)
}

/// What is proposed and kept, of the site of an address or of all.
///
/// # Errors
/// An address that names no site, or storage trouble.
fn list(space: &Space, address: Option<&str>) -> Result<reply::Preferences, UserError> {
    let site = match address.map(site_of) {
        Some(site) if !site.contains("://") => return Err(crate::no_site(space)),
        site => site,
    };
    let site = site.as_deref();
    Ok(reply::Preferences {
        proposals: proposals(space, site)?,
        kept: kept(space, site)?
            .into_iter()
            .map(|(preference, _)| preference)
            .collect(),
    })
}

/// Puts the preferences of its site beside a question's page; nothing where nothing is remembered.
pub fn put_beside(space: &Space, ask: &Ask, surroundings: &mut Vec<ContextPiece>) {
    let page = crate::recall::page(surroundings);
    surroundings.extend(along(space, ask, page.as_deref()));
}

fn along(space: &Space, ask: &Ask, page: Option<&str>) -> Option<ContextPiece> {
    let sees_user = space
        .scopes_of(ask.assistant.as_deref(), None)
        .contains(&MemoryScope::User);
    let reads = space.remembers(ask.assistant.as_deref()) && space.config().memory.recall && sees_user;
    let site = page
        .map(site_of)
        .filter(|_| reads && !space.is_incognito() && ask.replay.is_none())?;
    // A question does without them.
    let kept = kept(space, Some(&site))
        .inspect_err(|cause| tracing::warn!(cause.message, "preferences of a page are not known"))
        .ok()?;
    let told: Vec<String> = kept
        .iter()
        .take(ALONG_MOST)
        .map(|(preference, record)| {
            let filling = match program(&preference.values) {
                none if none.is_empty() => none,
                lines => format!("\nTo fill that in:\n{lines}"),
            };
            format!("{}{filling}{}", record.text, next(space, preference))
        })
        .collect();
    (!told.is_empty()).then(|| ContextPiece {
        source: "preferences".to_owned(),
        title: site,
        url: None,
        text: told.join("\n"),
        // The labels are the page's.
        untrusted: true,
    })
}

/// What comes next in an order whose last step was done just now; empty where nothing does.
fn next(space: &Space, preference: &Preference) -> String {
    let Some(steps) = order::steps(&preference.values) else {
        return String::new();
    };
    // A question does without it.
    let uses = space.store.form_uses(Some(&preference.site)).unwrap_or_default();
    let next = order::next(&uses, &steps, clock::now());
    next.map_or_else(String::new, |step| {
        format!("\n{}", space.language().memory().preference_next(step))
    })
}

/// Keeps a proposal, in the place of the earlier preference of that form, or of the order that begins alike.
///
/// # Errors
/// No such proposal, or storage trouble.
fn keep(space: &Space, id: &str) -> Result<reply::Preferences, UserError> {
    let proposal = proposal(space, id)?;
    let (site, form, button) = (&proposal.site, &proposal.form, &proposal.button);
    let scope = MemoryScope::Site(site.clone());
    let steps = order::steps(&proposal.values);
    let subject = match steps.as_deref() {
        Some([first, ..]) => format!("{}:{first}", order::STEPS),
        Some([]) | None => subject(form),
    };
    let earlier = space.store.memories_about(&scope, &subject);
    let earlier = earlier.map_err(|cause| explain(space, &cause))?;
    let earlier = earlier.into_iter().find(|one| one.valid_to.is_none());
    let values = over(earlier.as_ref(), &proposal.values);
    let text = said(space, (site, form), &values, button)?;
    let mut record = MemoryRecord::new(MemoryId::mint(), MemoryKind::Preference, text, clock::now());
    record.scope = scope;
    record.source.site = Some(site.clone());
    record.title = form.clone();
    record.subject = Some(subject);
    record.tags = steps.iter().map(|_| order::STEPS.to_owned()).collect();
    record.origin = MemoryOrigin::Learned;
    // The labels are the page's.
    record.tainted = true;
    record.data = Some(match steps {
        Some(steps) => entity::data(form, &values, &order::line(&steps)),
        None => entity::data(form, &values, button),
    });
    let new = Box::new(record);
    let mut batch = Batch::from(Write::Memory(match earlier {
        Some(earlier) => MemoryWrite::Supersede { old: earlier.id, new },
        None => MemoryWrite::Put(new),
    }));
    batch.push(answer(proposal));
    commit(space, batch)?;
    tell(space)?;
    list(space, None)
}

/// Values of the earlier preference of a form, with what is proposed now in their places or after them.
fn over(earlier: Option<&MemoryRecord>, proposed: &[ChosenValue]) -> Vec<ChosenValue> {
    let earlier = match earlier.map(|record| &record.data) {
        Some(Some(MemoryData::Preference { schema, data, .. })) => entity::values(schema, data),
        Some(_) | None => None,
    };
    let mut values = earlier.map(|(_, values)| values).unwrap_or_default();
    for chosen in proposed {
        match values.iter_mut().find(|known| known.name == chosen.name) {
            Some(known) => known.clone_from(chosen),
            None => values.push(chosen.clone()),
        }
    }
    values
}

/// What a preference says, without secrets and no longer than memory takes.
fn said(
    space: &Space,
    place: (&str, &str),
    values: &[ChosenValue],
    button: &str,
) -> Result<String, UserError> {
    let text = statement(space.language(), place, values, button);
    crate::stated(
        space,
        &text.chars().take(MEMORY_TEXT_CHARS_MAX).collect::<String>(),
    )
}

/// Does not propose that again.
///
/// # Errors
/// No such proposal, or storage trouble.
fn decline(space: &Space, id: &str) -> Result<reply::Preferences, UserError> {
    let proposal = proposal(space, id)?;
    commit(space, answer(proposal))?;
    tell(space)?;
    list(space, None)
}

/// Gives fields of a preference other values; the earlier one is kept as its history.
///
/// # Errors
/// No such preference, a value that its field does not take, or storage trouble.
fn change(space: &Space, memory: &str, values: &JsonMap) -> Result<reply::Preferences, UserError> {
    let language = space.language();
    let old = whole(space, memory)?;
    let found = space.store.memory(&old).map_err(|cause| explain(space, &cause))?;
    let before = found.ok_or_else(|| unknown(space, memory))?;
    let Some(MemoryData::Preference {
        schema,
        mut data,
        mut operation,
    }) = before.data.clone()
    else {
        return Err(unknown(space, memory));
    };
    if let Value::Object(data) = &mut data {
        data.extend(values.iter().map(|(name, value)| (name.clone(), clean(value))));
    }
    if let Some((field, cause)) = entity::fault(&schema, &data) {
        return Err(error(
            ErrorCode::Input,
            language.memory().preference_value_unfit(cause, field),
            language.memory().preference_see_options(),
        ));
    }
    let Some((form, chosen)) = entity::values(&schema, &data) else {
        return Err(unknown(space, memory));
    };
    if let Some(steps) = order::steps(&chosen) {
        operation = order::line(&steps);
    }
    let site = before.scope.owner().to_owned();
    let now = clock::now();
    let new = MemoryRecord {
        id: MemoryId::mint(),
        text: said(space, (&site, &form), &chosen, &operation)?,
        data: Some(MemoryData::Preference {
            schema,
            data,
            operation,
        }),
        origin: MemoryOrigin::Told,
        time: now,
        valid_from: now,
        valid_to: None,
        superseded_by: None,
        ..before
    };
    commit(
        space,
        Write::Memory(MemoryWrite::Supersede {
            old,
            new: Box::new(new),
        }),
    )?;
    tell(space)?;
    list(space, None)
}

/// A value as a field may keep it: one line without secrets.
fn clean(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            let seen = text.chars().filter(|letter| !letter.is_control());
            Value::from(redacted(&seen.take(VALUE_CHARACTERS).collect::<String>()))
        }
        Value::Array(several) => several.iter().map(clean).collect(),
        other => other.clone(),
    }
}

/// Tells the windows what is proposed and kept now.
pub(crate) fn tell(space: &Space) -> Result<(), UserError> {
    let reply::Preferences { proposals, kept } = list(space, None)?;
    space.tell(&Reply::Preferences { proposals, kept });
    Ok(())
}

/// Kept preferences with the records that hold them, pinned ones first, then the newest.
fn kept(space: &Space, site: Option<&str>) -> Result<Vec<(Preference, MemoryRecord)>, UserError> {
    let filter = MemoryFilter {
        kinds: vec![MemoryKind::Preference],
        scopes: site
            .map(|site| MemoryScope::Site(site.to_owned()))
            .into_iter()
            .collect(),
        ended: Ended::LeftOut,
    };
    let records = space.store.memories(&filter, 0, LISTED_MAX);
    let records = records.map_err(|cause| explain(space, &cause))?;
    Ok(records.into_iter().filter_map(preference).collect())
}

fn preference(record: MemoryRecord) -> Option<(Preference, MemoryRecord)> {
    let Some(MemoryData::Preference {
        schema,
        data,
        operation,
    }) = &record.data
    else {
        return None;
    };
    let MemoryScope::Site(site) = &record.scope else {
        return None;
    };
    let (form, values) = entity::values(schema, data)?;
    // The operation of an order is the order, and no button.
    let button = match order::steps(&values) {
        Some(_) => String::new(),
        None => operation.clone(),
    };
    let preference = Preference {
        memory: record.id.clone(),
        site: site.clone(),
        form,
        values,
        button,
        time: record.time,
    };
    Some((preference, record))
}

/// The subject under which a form's preference replaces the earlier one.
fn subject(form: &str) -> String {
    format!("form:{form}")
}

fn place(site: &str, form: &str) -> String {
    if form.is_empty() {
        site.to_owned()
    } else {
        format!("{site} · {form}")
    }
}

/// Scheme and host of an address.
fn site_of(address: &str) -> String {
    let address = canonical(address);
    let host = address.find("://").map_or(0, |at| at + 3);
    let end = address[host..]
        .find(['/', '?'])
        .map_or(address.len(), |at| host + at);
    address[..end].to_owned()
}
