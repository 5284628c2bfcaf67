//! Pages in the user's browser (F11): which browsers may speak to us, and which page the user looks at. Also the tools
//! of the page that programs may call.
//!
//! The user lets a browser in by comparing a code. A site's tools may be called once the user allowed the site. The
//! words of pages pass the privacy gate before they are kept, and live in memory alone. A task is bound to one page,
//! the one in front when it was asked.

mod along;
mod calls;
mod conversation;
mod examination;
mod forms;
mod going_on;
mod hands;
mod inserting;
mod installing;
mod limits;
mod listening;
mod pdf_text;
mod pdfs;
mod reading;
mod requests;
mod table;

pub use calls::{PageAnswer, is_for_page, named, site_of};
pub use forms::Learner;
pub use going_on::Runs;
pub use listening::{Listening, carry_for_browser};
pub use reading::Unread;
pub use requests::perform;
pub use shidi_mcp_client::PAGE;

use crate::limits::PAGES_OF_BROWSER_MAX;
use calls::OpenCall;
use parking_lot::Mutex;
use pdfs::{OpenFetch, PdfPlace};
use reading::OpenRead;
use shidi_mcp_client::companion::{OfferedTool, OpenPage, ToBrowser};
use shidi_mcp_client::{Toolkit, toolkit_of_page};
use shidi_protocol::{
    AskingBrowser, Class, PageRef, PageState, PageTool, PageView, PairedBrowser, PdfContent, Reply,
    ToolkitSpec, UserError,
};
use shidi_space::Space;
use shidi_space::privacy;
use shidi_space::registry::Registry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock, Weak};
use table::Table;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Browsers, pages, and calls that pages perform.
pub struct Pages {
    space: Arc<Space>,
    registry: Arc<Registry>,
    /// Whoever goes on with runs that rested for a page; empty before it is there.
    runs: OnceLock<Weak<dyn Runs>>,
    /// Whoever learns from uses of forms; empty before it is there.
    learner: OnceLock<Learner>,
    uses: forms::UseQueue,
    state: Mutex<State>,
    /// One change of the table after the other; nobody waits for the disk with the state in hand.
    deciding: Mutex<()>,
}

#[derive(Default)]
struct State {
    /// As it stands in the file.
    table: Table,
    lines: BTreeMap<LineId, Line>,
    /// The connection whose page the user looked at last.
    latest: Option<LineId>,
    calls: HashMap<String, OpenCall>,
    reads: HashMap<String, OpenRead>,
    fetches: HashMap<String, OpenFetch>,
    /// The PDF that was read last: whoever asks about it again need not wait.
    last_pdf: Option<(PageRef, PdfContent)>,
    last: u64,
}

/// One connection, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct LineId(u64);

/// A connected browser.
struct Line {
    /// What it says of itself.
    name: String,
    standing: Standing,
    out: mpsc::Sender<ToBrowser>,
    ended: CancellationToken,
    /// Pages that it told of, the one told of last at the end.
    pages: Vec<Page>,
    /// Whether the last of them is in front.
    has_front: bool,
}

/// Whether a browser was let in.
enum Standing {
    Asks { code: String },
    LetIn { browser: String },
}

/// A page as it is kept: after the gate.
struct Page {
    tab: i64,
    document: String,
    site: String,
    url: String,
    title: String,
    tools: Vec<PageTool>,
    toolkit: Toolkit,
    /// Where its file comes from, if it is a PDF.
    pdf: Option<PdfPlace>,
    /// How often somebody acted in it after it was read.
    acts: u32,
}

impl Pages {
    /// What the user decided before; nobody is connected.
    ///
    /// # Errors
    /// A table that can't be read.
    pub fn open(space: Arc<Space>, registry: Arc<Registry>) -> Result<Arc<Self>, UserError> {
        let table = table::read(&table::file(space.home.folder()), space.language())?;
        let state = State {
            table,
            ..State::default()
        };
        Ok(Arc::new(Self {
            space,
            registry,
            runs: OnceLock::new(),
            learner: OnceLock::new(),
            uses: forms::UseQueue::default(),
            state: Mutex::new(state),
            deciding: Mutex::default(),
        }))
    }

    /// From now on runs that rested for a page are gone on with by `runs`.
    pub fn go_on_with<R: Runs + 'static>(&self, runs: &Arc<R>) {
        self.runs.get_or_init(|| Arc::downgrade(runs) as Weak<dyn Runs>);
    }

    /// Everything as the user sees it.
    pub fn shown(&self) -> PageState {
        let state = self.state.lock();
        let browsers = state.table.browsers.iter().map(|(id, browser)| PairedBrowser {
            id: id.clone(),
            name: browser.name.clone(),
            connected: state.line_of(id).is_some(),
        });
        let asking = state.lines.values().filter_map(|line| match &line.standing {
            Standing::Asks { code } => Some(AskingBrowser {
                name: line.name.clone(),
                code: code.clone(),
            }),
            Standing::LetIn { .. } => None,
        });
        PageState {
            browsers: browsers.collect(),
            asking: asking.collect(),
            front: state.front(),
            sites: state.table.sites.iter().cloned().collect(),
            learned: state.table.learned.iter().cloned().collect(),
        }
    }

    /// The page in front of the user, as far as a browser tells.
    pub fn front(&self) -> Option<PageView> {
        self.state.lock().front()
    }

    /// What is in front isn't known any more, until a browser tells anew.
    pub fn look_away(&self) {
        let mut state = self.state.lock();
        state.latest = None;
        state.last_pdf = None;
    }

    /// Has all browsers tell anew what they show: what may be kept of it is another question now.
    pub fn ask_anew(&self) {
        let mut state = self.state.lock();
        state.last_pdf = None;
        for line in state.lines.values() {
            line.ended.cancel();
        }
    }

    /// A page that is open, as it is now.
    pub fn view(&self, page: &PageRef) -> Option<PageView> {
        let state = self.state.lock();
        let found = state.page(page)?;
        Some(state.view(&page.browser, found))
    }

    /// The tools that programs may call on a page: Shidi's own actions, and the page's tools where the site is allowed.
    pub fn toolkit(&self, page: &PageRef) -> Option<ToolkitSpec> {
        let state = self.state.lock();
        let found = state.page(page)?;
        let mut spec = found.toolkit.spec.clone();
        if !state.table.sites.contains(&page.site) {
            spec.methods.clear();
        }
        let own = hands::methods().into_iter();
        let own = own.filter(|method| found.pdf.is_none() || hands::works_in_pdf(&method.name));
        spec.methods.splice(..0, own);
        Some(spec)
    }

    /// What a call of a page's tool may do. Whoever looks elsewhere by now doesn't see what is done there.
    pub fn class_of(&self, page: Option<&PageRef>, method: &str) -> Class {
        let state = self.state.lock();
        let found = page.and_then(|page| Some((page, state.page(page)?)));
        let own = hands::methods().into_iter().find(|own| own.name == method);
        let Some((page, found)) = found else {
            return own
                .filter(|own| own.class == Class::Read)
                .map_or(Class::Send, |own| own.class);
        };
        let offered = || found.toolkit.spec.method(method).map(|method| method.class);
        let class = own.map(|own| own.class).or_else(offered).unwrap_or(Class::Send);
        let is_front = state.front().is_some_and(|front| front.page == *page);
        if class == Class::Page && !is_front {
            return Class::Send;
        }
        class
    }
}

impl State {
    /// The connection of a browser that was let in: the newest, should there be two.
    fn line_of(&self, browser: &str) -> Option<&Line> {
        self.line_and_id_of(browser).map(|(_, line)| line)
    }

    fn line_and_id_of(&self, browser: &str) -> Option<(LineId, &Line)> {
        let is_its = |line: &Line| matches!(&line.standing, Standing::LetIn { browser: id } if id == browser);
        let mut lines = self.lines.iter().rev();
        lines.find(|(_, line)| is_its(line)).map(|(id, line)| (*id, line))
    }

    fn page(&self, page: &PageRef) -> Option<&Page> {
        let pages = &self.line_of(&page.browser)?.pages;
        pages
            .iter()
            .find(|known| known.tab == page.tab && known.document == page.document && known.site == page.site)
    }

    fn front(&self) -> Option<PageView> {
        let line = self.lines.get(&self.latest?).filter(|line| line.has_front)?;
        let Standing::LetIn { browser } = &line.standing else {
            return None;
        };
        Some(self.view(browser, line.pages.last()?))
    }

    fn view(&self, browser: &str, page: &Page) -> PageView {
        PageView {
            page: PageRef {
                browser: browser.to_owned(),
                tab: page.tab,
                document: page.document.clone(),
                site: page.site.clone(),
            },
            title: page.title.clone(),
            url: page.url.clone(),
            tools: page.tools.clone(),
            allowed: self.table.sites.contains(&page.site),
            acts: page.acts,
        }
    }

    /// Keeps the page in front, as a browser tells of it. In front of the user is the page of the browser that had the
    /// focus last. Whether it offers other tools than before.
    fn put(&mut self, id: LineId, mut page: Page, focused: bool) -> bool {
        if focused || self.latest.is_none_or(|latest| !self.lines.contains_key(&latest)) {
            self.latest = Some(id);
        }
        let Some(line) = self.lines.get_mut(&id) else {
            return false;
        };
        let before = line
            .pages
            .iter()
            .position(|known| known.tab == page.tab && known.document == page.document);
        let before = before.map(|index| line.pages.remove(index));
        page.acts = before.as_ref().map_or(0, |before| before.acts);
        let is_new = before.is_none_or(|before| before.toolkit != page.toolkit);
        if line.pages.len() >= PAGES_OF_BROWSER_MAX {
            line.pages.remove(0);
        }
        line.pages.push(page);
        line.has_front = true;
        is_new
    }
}

impl Page {
    /// A page as a browser told of it, after the gate. `None` where the page is none of the web, or an excluded one.
    fn passed(pages: &Pages, open: &OpenPage) -> Option<Self> {
        let (site, pdf) = pdfs::place_of(open)?;
        let (title, url) = privacy::page_passed(
            &privacy::gate(&pages.space, pages.front().as_ref()),
            &open.title,
            &open.url,
        )?;
        let tools = open.tools.iter().map(|offered| PageTool {
            name: offered.name.clone(),
            doc: offered.tool().doc,
            reads_only: offered.reads_only,
        });
        let own = hands::methods().into_iter().map(|method| method.name);
        let toolkit = toolkit_of_page(&site, own, open.tools.iter().map(OfferedTool::tool));
        Some(Self {
            tab: open.tab,
            document: open.document.clone(),
            title,
            url,
            tools: tools.collect(),
            toolkit,
            pdf,
            site,
            acts: 0,
        })
    }
}

/// Tells windows how browsers and pages stand now, and runs where what they may call has changed.
fn changed(pages: &Pages, tools: Tools) {
    if tools == Tools::Changed {
        pages.registry.changed(&pages.space);
    }
    let shown = pages.shown();
    pages.space.tell(&Reply::Pages { pages: shown });
}

/// Whether what programs may call has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tools {
    Changed,
    AsBefore,
}
