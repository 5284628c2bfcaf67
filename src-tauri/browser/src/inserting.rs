//! Puts a text where the user was writing in a page: by the user's own click, and for no task.
//!
//! The companion knows the field that had the focus, and refuses those that hold secrets. Nothing is tried twice.

use crate::Pages;
use crate::limits::INSERT_WAIT;
use serde_json::Value;
use shidi_mcp_client::PAGE;
use shidi_protocol::{Call, CallId, ExecId, JsonMap, PageRef, RunId};
use std::collections::BTreeMap;

/// The method of the companion that does it.
const INSERT: &str = "insert";

impl Pages {
    /// Inserts a text at the caret of the field that the user left; whether it stands there now.
    pub(crate) async fn insert(&self, page: &PageRef, text: &str) -> bool {
        // No task has this name: what comes too late is let go of.
        let (run, call) = (RunId::mint(), inserting(text));
        let Ok(answered) = self.give(&run, page, &call) else {
            return false;
        };
        let Ok(Ok(outcome)) = tokio::time::timeout(INSERT_WAIT, answered).await else {
            self.withdraw(&run, page, &call);
            return false;
        };
        self.settle(&run, page, &call);
        outcome.error.is_none() && outcome.data.get("done") == Some(&Value::Bool(true))
    }
}

fn inserting(text: &str) -> Call {
    let args = JsonMap::from_iter([("text".to_owned(), Value::from(text))]);
    Call {
        id: CallId::default(),
        exec: ExecId::default(),
        toolkit: PAGE.to_owned(),
        method: INSERT.to_owned(),
        args,
        line: 0,
        places: BTreeMap::new(),
    }
}
