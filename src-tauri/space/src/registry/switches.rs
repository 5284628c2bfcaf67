//! Which tools are switched off. A toolkit or a tool is off for everyone or for one assistant. All others are on,
//! also tools that come later. Pure.

use shidi_protocol::ToolkitSpec;
use shidi_store::SwitchedOff;
use std::collections::HashSet;

/// Everything that is off.
#[derive(Debug, Default)]
pub struct Switches {
    off: HashSet<SwitchedOff>,
}

/// A switch and whether it is moved to on.
pub type Moved = (SwitchedOff, bool);

impl Switches {
    pub fn of(off: Vec<SwitchedOff>) -> Self {
        Self {
            off: off.into_iter().collect(),
        }
    }

    /// Whether a tool is on for that assistant.
    pub fn is_on(&self, toolkit: &str, method: &str, assistant: Option<&str>) -> bool {
        let method = format!("{toolkit}.{method}");
        let is_off =
            |tool: &str| self.is_off(tool, None) || (assistant.is_some() && self.is_off(tool, assistant));
        !is_off(toolkit) && !is_off(&method)
    }

    /// Whether that very switch is off.
    pub fn is_off(&self, tool: &str, assistant: Option<&str>) -> bool {
        self.off.contains(&switch(tool, assistant))
    }

    /// Leaves what is on; a toolkit without any tool is none.
    pub fn keep_on(&self, toolkits: &mut Vec<ToolkitSpec>, assistant: Option<&str>) {
        if self.off.is_empty() {
            return;
        }
        for toolkit in toolkits.iter_mut() {
            let ToolkitSpec { name, methods, .. } = toolkit;
            methods.retain(|method| self.is_on(name, &method.name, assistant));
        }
        toolkits.retain(|toolkit| !toolkit.methods.is_empty());
    }

    /// The switches to move so that a method, or the whole toolkit, is on or off for that assistant.
    pub fn moves(
        &self,
        toolkit: &ToolkitSpec,
        method: Option<&str>,
        on: bool,
        assistant: Option<&str>,
    ) -> Vec<Moved> {
        let name = toolkit.name.as_str();
        let of = |method: &str| switch(&format!("{name}.{method}"), assistant);
        let methods = toolkit.methods.iter().map(|method| method.name.as_str());
        match method {
            // A whole toolkit: the tools too that it will have one day, so its tools' own switches are not needed.
            None => {
                let own = methods.map(|method| (of(method), true));
                own.chain([(switch(name, assistant), on)]).collect()
            }
            // One tool of a toolkit that is off as a whole. From now on its other tools are off one by one.
            Some(method) if on && self.is_off(name, assistant) => {
                let others = methods.filter(|other| *other != method);
                let others = others.map(|other| (of(other), false));
                others
                    .chain([(of(method), true), (switch(name, assistant), true)])
                    .collect()
            }
            Some(method) => vec![(of(method), on)],
        }
    }

    pub fn apply(&mut self, moves: &[Moved]) {
        for (switch, on) in moves {
            match on {
                true => self.off.remove(switch),
                false => self.off.insert(switch.clone()),
            };
        }
    }
}

fn switch(tool: &str, assistant: Option<&str>) -> SwitchedOff {
    SwitchedOff {
        assistant: assistant.map(str::to_owned),
        tool: tool.to_owned(),
    }
}
