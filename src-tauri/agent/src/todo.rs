//! The list of a task's steps (F8.2): checked, shown live, kept in the prompt, and recalled when it is forgotten.

use crate::effect::Effect;
use crate::limits;
use crate::run_context::RunContext;
use serde_json::Value;
use shidi_protocol::{CallOutcome, RunEventKind, SegmentKind, TodoItem, TodoState};

/// Takes a new list; a fault in the list goes back to the program.
pub fn write(context: &mut RunContext, items: Option<&Value>) -> CallOutcome {
    let none = Vec::new();
    let items = items.and_then(Value::as_array).unwrap_or(&none);
    let read: Result<Vec<TodoItem>, String> = items
        .iter()
        .enumerate()
        .map(|(place, item)| read(place, item))
        .collect();
    let checked = read.and_then(|items| check(&items).map(|()| items));
    match checked {
        Ok(items) => {
            context.state.todo = items;
            context.state.todo_round = context.state.round;
            let text = rendered(&context.state.todo);
            CallOutcome::success(Value::from(text), counted(&context.state.todo))
        }
        Err(problem) => CallOutcome::failure("ValueError", problem),
    }
}

fn read(place: usize, item: &Value) -> Result<TodoItem, String> {
    let word = |name: &str| item.get(name).and_then(Value::as_str).map(str::trim);
    let text = word("text").filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| format!("item {} needs a text", place + 1))?;
    if text.chars().count() > limits::TODO_CHARACTERS_MAX {
        return Err(format!(
            "item {} is longer than {} characters",
            place + 1,
            limits::TODO_CHARACTERS_MAX
        ));
    }
    let state = match word("state").unwrap_or("pending") {
        "pending" => TodoState::Pending,
        "in_progress" => TodoState::InProgress,
        "completed" => TodoState::Completed,
        other => {
            return Err(format!(
                "the state of item {} must be pending, in_progress or completed, not {other:?}",
                place + 1
            ));
        }
    };
    let doing = word("doing").filter(|doing| !doing.is_empty() && state == TodoState::InProgress);
    Ok(TodoItem {
        text: text.to_owned(),
        state,
        doing: doing.map(|doing| doing.chars().take(limits::TODO_CHARACTERS_MAX).collect()),
    })
}

fn check(items: &[TodoItem]) -> Result<(), String> {
    if items.len() > limits::TODO_ITEMS_MAX {
        return Err(format!(
            "{} items are too many: at most {}",
            items.len(),
            limits::TODO_ITEMS_MAX
        ));
    }
    let at_work = items
        .iter()
        .filter(|item| item.state == TodoState::InProgress)
        .count();
    if at_work > 1 {
        return Err(format!("{at_work} items are in progress: at most one can be"));
    }
    Ok(())
}

/// The list as people and models read it.
#[must_use]
pub fn rendered(items: &[TodoItem]) -> String {
    let lines = items.iter().map(|item| {
        let mark = match item.state {
            TodoState::Pending => "[ ]",
            TodoState::InProgress => "[>]",
            TodoState::Completed => "[x]",
        };
        let doing = item
            .doing
            .as_deref()
            .map(|doing| format!(" <- {doing}"))
            .unwrap_or_default();
        format!("{mark} {}{doing}\n", item.text)
    });
    let lines: String = lines.collect();
    format!("{lines}({})", counted(items))
}

fn counted(items: &[TodoItem]) -> String {
    let done = items
        .iter()
        .filter(|item| item.state == TodoState::Completed)
        .count();
    format!("{done}/{} completed", items.len())
}

/// The event that shows the list.
#[must_use]
pub fn shown(context: &RunContext) -> RunEventKind {
    RunEventKind::Todo {
        items: context.state.todo.clone(),
    }
}

/// Reminds the model of a list with open steps that stayed untouched for some rounds.
pub fn remind(context: &mut RunContext) -> Option<Effect> {
    let state = &context.state;
    let is_open = state.todo.iter().any(|item| item.state != TodoState::Completed);
    if !is_open || state.round < state.todo_round + limits::TODO_ROUNDS_UNTOUCHED {
        return None;
    }
    context.state.todo_round = context.state.round;
    let text = "Your todo list has open items and was not updated for some rounds. Update it with todo.write, or finish.";
    Some(context.add(SegmentKind::Reminder, text, None))
}
