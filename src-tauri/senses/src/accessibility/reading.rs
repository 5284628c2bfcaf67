//! Reads the objects of one window: what shows first, then the rest of its document, then fields and selection.
//!
//! Each step asks everything at once and ends with the time that is left. The received answers are put together as far
//! as they go.

use super::bus::{self, Bus, From, Object};
use super::markdown::Document;
use super::objects::{Accessible, CHILD, FieldKind, Part};
use super::placing::{label_of, reading_order};
use super::roles::{DOCUMENTS, SORT_CANONICAL, States, TEXTS, any_but_passwords, matching, role, state};
use super::selection;
use super::walk::walk;
use crate::content_sensor::WindowContent;
use crate::limits::{
    ACCESSIBLE_SHOWN_MAX, ACCESSIBLE_TEXT_CHARACTERS_MAX, ACCESSIBLE_VISIBLE_CHARACTERS_MAX,
    ACCESSIBLE_WHOLE_MAX,
};
use shidi_protocol::{Area, Content, ContentKind};
use std::collections::{BTreeMap, HashMap};
use tokio::time::Instant;

const COLLECTION: &str = "org.a11y.atspi.Collection";
pub(super) const TEXT: &str = "org.a11y.atspi.Text";

/// How an object says that another labels it.
const LABELLED_BY: u32 = 2;

/// The objects of a window.
#[derive(Debug, Default)]
struct Outline {
    /// What shows, in the order of the tree.
    shown: Vec<Object>,
    /// All of the document, in the same order.
    whole: Vec<Object>,
    pub focused: Vec<Object>,
    /// The document within the window, if it shows one.
    document: Option<Object>,
    cut: Option<&'static str>,
}

/// What stands in a window; `None` where it tells nothing.
pub async fn read(bus: &Bus, window: &Object, until: Instant) -> Option<WindowContent> {
    let mut outline = outlined(bus, window, until).await;
    let objects = together(&outline);
    if objects.is_empty() {
        return None;
    }
    let mut known = described(bus, &objects, until).await;
    let is_late = read_texts(bus, &objects, &mut known, until).await;
    if is_late {
        outline.cut = Some("time");
    }
    read_details(bus, &objects, &mut known, until).await;
    read_choices(bus, &objects, &mut known, until).await;
    // What shows stands first among the objects.
    let shown: Vec<(&Object, &Accessible)> = outline.shown.iter().zip(&known).collect();
    let visible_lines = selection::visible_lines(bus, &shown, until).await;
    let selection = selection::read(bus, &outline.focused, &shown, until).await;
    drop(shown);
    arrange(bus, &mut outline, &mut known, until).await;
    let url = address(bus, outline.document.as_ref(), until).await;
    let mut content = content(&outline, &objects, &known, visible_lines);
    content.selection = selection;
    Some(WindowContent { content, url })
}

/// The objects that hold text, and the focused ones.
async fn outlined(bus: &Bus, window: &Object, until: Instant) -> Outline {
    let focused = any_but_passwords();
    let questions = vec![
        matches(window, DOCUMENTS, &[state::SHOWING], 1),
        matches(window, &focused, &[state::FOCUSED], 4),
    ];
    let told = bus.ask(questions, until).await;
    if told.is_refused(0) {
        let walked = walk(bus, window, until).await;
        return Outline {
            whole: walked.texts.clone(),
            shown: walked.texts,
            focused: walked.focused,
            document: walked.document,
            cut: walked.is_cut.then_some("objects"),
        };
    }
    let focused: Vec<Object> = told.read(1).unwrap_or_default();
    let document = told
        .read::<Vec<Object>>(0)
        .and_then(|found| found.into_iter().next());
    let scope = document.as_ref().unwrap_or(window);
    let questions = vec![
        matches(scope, TEXTS, &[state::SHOWING], ACCESSIBLE_SHOWN_MAX),
        matches(scope, TEXTS, &[], ACCESSIBLE_WHOLE_MAX),
    ];
    let told = bus.ask(questions, until).await;
    let shown: Vec<Object> = told.read(0).unwrap_or_default();
    let whole: Vec<Object> = told.read(1).unwrap_or_default();
    let is_full = |found: &[Object], most: i32| i32::try_from(found.len()).is_ok_and(|count| count >= most);
    let is_cut = is_full(&shown, ACCESSIBLE_SHOWN_MAX) || is_full(&whole, ACCESSIBLE_WHOLE_MAX);
    Outline {
        cut: is_cut.then_some("objects"),
        shown,
        whole,
        focused,
        document,
    }
}

/// Objects below one that have these roles and states.
pub(super) fn matches(scope: &Object, roles: &[u32], states: &[u32], most: i32) -> Option<zbus::Message> {
    let rule = matching(roles, states);
    bus::question(
        scope,
        COLLECTION,
        "GetMatches",
        &(rule, SORT_CANONICAL, most, true),
    )
}

/// All objects once, those that show first.
fn together(outline: &Outline) -> Vec<Object> {
    let mut objects = outline.shown.clone();
    let shown: std::collections::HashSet<&Object> = outline.shown.iter().collect();
    objects.extend(
        outline
            .whole
            .iter()
            .filter(|object| !shown.contains(object))
            .cloned(),
    );
    objects
}

/// The objects with their roles and states, in the same order.
async fn described(bus: &Bus, objects: &[Object], until: Instant) -> Vec<Accessible> {
    let mut questions = Vec::with_capacity(2 * objects.len());
    for object in objects {
        questions.push(bus::role(object));
        questions.push(bus::states(object));
    }
    let told = bus.ask(questions, until).await;
    let known = (0..objects.len()).map(|place| Accessible {
        role: told.read(2 * place).unwrap_or_default(),
        states: States::of(&told.read::<Vec<u32>>(2 * place + 1).unwrap_or_default()),
        ..Accessible::default()
    });
    known.collect()
}

/// Reads the texts; whether the time was over before.
async fn read_texts(bus: &Bus, objects: &[Object], known: &mut [Accessible], until: Instant) -> bool {
    // Only texts of many lines can be long, and only they are asked for their length first.
    let is_long = |known: &Accessible| matches!(known.part(), Part::Lines);
    let long: Vec<usize> = (0..known.len()).filter(|place| is_long(&known[*place])).collect();
    let counts = long
        .iter()
        .map(|place| bus::property(&objects[*place], TEXT, "CharacterCount"));
    let counted = bus.ask(counts.collect(), until).await;
    let mut ends: BTreeMap<usize, i32> = BTreeMap::new();
    let most = i32::try_from(ACCESSIBLE_TEXT_CHARACTERS_MAX).unwrap_or(i32::MAX);
    for (index, place) in long.iter().enumerate() {
        ends.insert(*place, counted.value::<i32>(index).unwrap_or_default().min(most));
    }
    let questions = objects.iter().enumerate().map(|(place, object)| {
        let end = ends.get(&place).copied().unwrap_or(-1);
        bus::question(object, TEXT, "GetText", &(0_i32, end))
    });
    let told = bus.ask(questions.collect(), until).await;
    for (place, known) in known.iter_mut().enumerate() {
        known.text = told.read(place).unwrap_or_default();
    }
    counted.cut || told.cut
}

/// What a part needs besides its text.
enum Detail {
    Level,
    Cell,
    Name,
    Label,
    Children,
}

fn wanted_details(known: &[Accessible]) -> Vec<(usize, Detail)> {
    let mut wanted = Vec::new();
    for (place, one) in known.iter().enumerate() {
        match one.part() {
            Part::Heading => wanted.push((place, Detail::Level)),
            Part::Cell if one.text.is_empty() => {
                wanted.extend([(place, Detail::Cell), (place, Detail::Name)]);
            }
            Part::Cell => wanted.push((place, Detail::Cell)),
            Part::Button => wanted.push((place, Detail::Name)),
            Part::Field(_) => wanted.extend([(place, Detail::Name), (place, Detail::Label)]),
            Part::Paragraph | Part::Item | Part::Quote | Part::Link if one.text.is_empty() => {
                wanted.push((place, Detail::Name));
            }
            Part::Paragraph | Part::Item | Part::Quote | Part::Link | Part::Lines | Part::Other => {}
        }
        if one.text.contains(CHILD) {
            wanted.push((place, Detail::Children));
        }
    }
    wanted
}

/// Reads levels, places of cells, names, labels and children, where parts need them.
async fn read_details(bus: &Bus, objects: &[Object], known: &mut [Accessible], until: Instant) {
    let wanted = wanted_details(known);
    let question = |(place, detail): &(usize, Detail)| {
        let object = &objects[*place];
        match detail {
            Detail::Level => bus::attributes(object),
            Detail::Cell => bus::property(object, "org.a11y.atspi.TableCell", "Position"),
            Detail::Name => bus::name(object),
            Detail::Label => bus::relations(object),
            Detail::Children => bus::children(object),
        }
    };
    let told = bus.ask(wanted.iter().map(question).collect(), until).await;
    let numbers: HashMap<&Object, usize> = objects.iter().zip(0..).collect();
    for (answer, (place, detail)) in wanted.iter().enumerate() {
        let Some(one) = known.get_mut(*place) else {
            continue;
        };
        match detail {
            Detail::Level => {
                let attributes: HashMap<String, String> = told.read(answer).unwrap_or_default();
                let level = attributes.get("level").and_then(|level| level.parse().ok());
                one.level = level.unwrap_or(2);
            }
            Detail::Cell => one.cell = told.value(answer),
            Detail::Name => one.name = told.value(answer).unwrap_or_default(),
            Detail::Label => {
                let relations: Vec<(u32, Vec<Object>)> = told.read(answer).unwrap_or_default();
                let labelling = relations.into_iter().find(|(kind, _)| *kind == LABELLED_BY);
                let labelling = labelling.and_then(|(_, objects)| objects.into_iter().next());
                one.label = labelling.and_then(|object| numbers.get(&object).copied());
            }
            Detail::Children => {
                let children: Vec<Object> = told.read(answer).unwrap_or_default();
                let children = children.iter().map(|child| numbers.get(child).copied()).collect();
                one.children = standing(&one.text, children);
            }
        }
    }
    for one in known.iter_mut() {
        // Labels and headers of some toolkits have a name and no text.
        let reads_name = matches!(
            one.part(),
            Part::Paragraph | Part::Item | Part::Quote | Part::Link | Part::Cell
        );
        if one.text.is_empty() && reads_name {
            one.text = std::mem::take(&mut one.name);
        }
    }
    complete_cells(known);
}

/// The children that stand in a text. Chromium lists pieces of the text itself among them; nobody asked for those.
fn standing(text: &str, children: Vec<Option<usize>>) -> Vec<Option<usize>> {
    let wanted = text.chars().filter(|character| *character == CHILD).count();
    if children.len() == wanted {
        return children;
    }
    let known: Vec<Option<usize>> = children.into_iter().filter(Option::is_some).collect();
    if known.len() == wanted { known } else { Vec::new() }
}

/// What is chosen in fields that tell it neither as their text nor as their name.
async fn read_choices(bus: &Bus, objects: &[Object], known: &mut [Accessible], until: Instant) {
    let is_open = |it: &Accessible| it.part() == Part::Field(FieldKind::Choice) && it.text.trim().is_empty();
    let open: Vec<usize> = (0..known.len()).filter(|place| is_open(&known[*place])).collect();
    let asked = open.iter().map(|place| {
        bus::question(
            &objects[*place],
            "org.a11y.atspi.Selection",
            "GetSelectedChild",
            &0_i32,
        )
    });
    let told = bus.ask(asked.collect(), until).await;
    let chosen: Vec<Option<Object>> = (0..open.len()).map(|place| told.read(place)).collect();
    let named = chosen.iter().map(|object| bus::name(object.as_ref()?));
    let told = bus.ask(named.collect(), until).await;
    for (answer, place) in open.iter().enumerate() {
        known[*place].text = told.value(answer).unwrap_or_default();
    }
}

/// Places that toolkits do not tell. They belong to the headers of a list, and to the first cell, which GTK's bridge
/// takes for an error.
fn complete_cells(known: &mut [Accessible]) {
    let mut column = 0;
    for place in 0..known.len() {
        let is_first = |next: &Accessible| matches!(next.cell, Some((0, 1) | (1, 0)));
        let precedes = known.get(place + 1).is_some_and(is_first);
        let one = &mut known[place];
        let is_placeless = one.part() == Part::Cell && one.cell.is_none();
        if is_placeless && one.role == role::TABLE_COLUMN_HEADER {
            one.cell = Some((-1, column));
            column += 1;
        } else {
            if is_placeless && precedes {
                one.cell = Some((0, 0));
            }
            column = 0;
        }
    }
}

/// Puts the objects of a form into the order in which they are read, and gives fields their labels. A page tells both by
/// itself, and a list or a text would be torn apart.
async fn arrange(bus: &Bus, outline: &mut Outline, known: &mut [Accessible], until: Instant) {
    let count = outline.shown.len();
    let shown = &known[..count.min(known.len())];
    let has = |is_such: fn(Part) -> bool| shown.iter().any(|one| is_such(one.part()));
    let is_form =
        has(|part| matches!(part, Part::Field(_))) && !has(|part| matches!(part, Part::Cell | Part::Lines));
    if outline.document.is_some() || !is_form {
        return;
    }
    let asked = outline
        .shown
        .iter()
        .map(|object| bus::place(object, From::Desktop));
    let told = bus.ask(asked.collect(), until).await;
    let places: Vec<Option<Area>> = (0..count).map(|place| told.area(place)).collect();
    let labels = shown.iter().zip(&places).enumerate();
    let labels = labels.filter(|(_, (one, _))| one.role == role::LABEL && !one.text.trim().is_empty());
    let labels: Vec<(usize, Area)> = labels
        .filter_map(|(number, (_, place))| Some((number, (*place)?)))
        .collect();
    for (one, place) in known.iter_mut().zip(&places) {
        let is_unnamed =
            matches!(one.part(), Part::Field(_)) && one.name.trim().is_empty() && one.label.is_none();
        if let Some(place) = place.filter(|_| is_unnamed) {
            one.label = label_of(place, &labels);
        }
    }
    let shown = std::mem::take(&mut outline.shown);
    outline.shown = reading_order(&places)
        .into_iter()
        .filter_map(|number| shown.get(number).cloned())
        .collect();
    outline.whole.retain(|object| !shown.contains(object));
    outline.whole.splice(0..0, outline.shown.iter().cloned());
}

/// The address that a document tells: browsers call it by different names.
async fn address(bus: &Bus, document: Option<&Object>, until: Instant) -> Option<String> {
    let question = bus::question(document?, "org.a11y.atspi.Document", "GetAttributes", &());
    let told = bus.one(question, until).await;
    let attributes: HashMap<String, String> = told.read(0)?;
    ["URI", "DocURL"]
        .iter()
        .find_map(|name| attributes.get(*name))
        .filter(|url| !url.is_empty())
        .cloned()
}

fn content(outline: &Outline, objects: &[Object], known: &[Accessible], visible: Option<String>) -> Content {
    let document = Document::new(known);
    let numbers: HashMap<&Object, usize> = objects.iter().zip(0..).collect();
    let of = |objects: &[Object]| -> Vec<usize> {
        objects
            .iter()
            .filter_map(|object| numbers.get(object).copied())
            .collect()
    };
    let (shown, whole) = (of(&outline.shown), of(&outline.whole));
    let (text, is_cut) = document.markdown(whole.iter().copied(), ACCESSIBLE_TEXT_CHARACTERS_MAX);
    let (visible, _) = match visible {
        Some(lines) => (lines, false),
        None => document.markdown(shown.iter().copied(), ACCESSIBLE_VISIBLE_CHARACTERS_MAX),
    };
    let fields = document.fields(shown.iter().copied());
    let has_cells = known.iter().filter(|one| one.part() == Part::Cell).count() > CELLS_OF_TABLE;
    let kind = match (fields.len() > 1, has_cells) {
        (true, _) => ContentKind::Form,
        (false, true) => ContentKind::Table,
        (false, false) => ContentKind::App,
    };
    Content {
        kind,
        buttons: document.buttons(shown),
        fields,
        // What shows whole is told once.
        visible: if visible == text { String::new() } else { visible },
        cut: outline.cut.or(is_cut.then_some("length")).map(str::to_owned),
        text,
        ..Content::default()
    }
}

/// Cells from which on a window is mainly a table.
const CELLS_OF_TABLE: usize = 8;
