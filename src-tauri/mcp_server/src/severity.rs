//! How grave a message of a server's log is, in the protocol's own order.

/// From what only a developer reads to what nothing works after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

/// All of them, in their order.
const ALL: [Severity; 8] = [
    Severity::Debug,
    Severity::Info,
    Severity::Notice,
    Severity::Warning,
    Severity::Error,
    Severity::Critical,
    Severity::Alert,
    Severity::Emergency,
];

impl Severity {
    /// The severity of this name in the protocol.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|severity| severity.name() == name)
    }

    /// Its name in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_are_found_by_their_names_and_stand_in_their_order() {
        for severity in ALL {
            assert_eq!(Severity::named(severity.name()), Some(severity));
        }
        assert!(ALL.is_sorted());
        assert_eq!(Severity::named("loud"), None);
    }
}
