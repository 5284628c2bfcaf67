//! What the command line says of MCP servers.

use super::Words;

impl Words {
    #[must_use]
    pub fn peer_added(self) -> &'static str {
        self.pick("已添加", "was added")
    }

    #[must_use]
    pub fn peer_answers(self) -> &'static str {
        self.pick("有回答", "answers")
    }

    #[must_use]
    pub fn peer_removed(self) -> &'static str {
        self.pick("已删除，密钥也删了", "It was removed, with its secrets")
    }

    /// What to do when no tool of a server is allowed yet.
    #[must_use]
    pub fn allow_some(self, name: &str) -> String {
        self.pick(
            format!("还没有允许任何工具。看过之后：shidi mcp allow {name} 工具…，或 --all"),
            format!(
                "No tool is allowed yet. When you have looked at them: shidi mcp allow {name} TOOL…, or --all"
            ),
        )
    }

    /// `2 of 13 tools allowed`.
    #[must_use]
    pub fn tools_allowed(self, allowed: usize, all: usize) -> String {
        self.pick(
            format!("允许 {allowed} 个工具，共 {all} 个"),
            format!("{allowed} of {all} tools allowed"),
        )
    }

    #[must_use]
    pub fn tool_allowed(self) -> &'static str {
        self.pick("允许", "allowed")
    }

    #[must_use]
    pub fn tool_changed(self) -> &'static str {
        self.pick("变了，要重新允许", "changed, allow it again")
    }

    #[must_use]
    pub fn tool_not_allowed(self) -> &'static str {
        self.pick("不允许", "not allowed")
    }

    #[must_use]
    pub fn says_it_only_reads(self) -> &'static str {
        self.pick("它自称只读", "says that it only reads")
    }

    #[must_use]
    pub fn says_it_destroys(self) -> &'static str {
        self.pick("它自称会破坏数据", "says that it may destroy data")
    }

    #[must_use]
    pub fn secret_prompt(self, name: &str) -> String {
        self.pick(format!("{name}："), format!("{name}: "))
    }

    #[must_use]
    pub fn no_pair(self, given: &str) -> String {
        self.pick(
            format!("--env 后面的 {given} 没有等号"),
            format!("--env {given} has no equals sign"),
        )
    }

    #[must_use]
    pub fn give_a_pair(self) -> &'static str {
        self.pick(
            "写成 --env 名字=值；密钥用 --secret 名字，会来问你",
            "Write --env NAME=VALUE; for a secret use --secret NAME, which asks for it",
        )
    }
}
