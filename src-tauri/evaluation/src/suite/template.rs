//! Puts the variables of a task into its texts, as Nunjucks does: `{{name}}`, conditions, loops and the usual filters.
//!
//! A name that no variable has is a fault: an empty place in a question measures something else.

use crate::limits::TEMPLATE_FUEL;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value};
use shidi_protocol::JsonMap;

/// Marks by which a text is known to be a template.
const MARKS: [&str; 2] = ["{{", "{%"];

pub struct Templates {
    environment: Environment<'static>,
}

impl Templates {
    pub fn new() -> Self {
        let mut environment = Environment::new();
        environment.set_fuel(Some(TEMPLATE_FUEL));
        environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        // As promptfoo calls them.
        environment.add_filter("dump", minijinja::filters::tojson);
        environment.add_filter("load", |text: String| {
            let read: Result<serde_json::Value, _> = serde_json::from_str(&text);
            read.map(|read| value(&read))
                .map_err(|cause| Error::new(ErrorKind::InvalidOperation, cause.to_string()))
        });
        Self { environment }
    }

    pub fn is_template(text: &str) -> bool {
        MARKS.iter().any(|mark| text.contains(mark))
    }

    /// The text with the variables in their places.
    ///
    /// # Errors
    /// Why it is no template, or the name that no variable has.
    pub fn rendered(&self, text: &str, vars: &JsonMap) -> Result<String, String> {
        if !Self::is_template(text) {
            return Ok(text.to_owned());
        }
        let pairs = vars.iter().map(|(name, json)| (name.as_str(), value(json)));
        // The library drops one line's end at the very end: one more is there for that.
        let ended = match text.ends_with('\n') {
            true => format!("{text}\n"),
            false => text.to_owned(),
        };
        let rendered = self.environment.render_str(&ended, Value::from_pairs(pairs));
        rendered.map_err(|error| match error.kind() {
            ErrorKind::UndefinedError => format!("{} ({})", error.kind(), undefined(text, vars)),
            _ => error
                .detail()
                .map_or_else(|| error.kind().to_string(), str::to_owned),
        })
    }
}

/// JSON as templates have it.
fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Bool(flag) => Value::from(*flag),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::from(whole),
            (None, Some(number)) => Value::from(number),
            (None, None) => Value::from(number.to_string()),
        },
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => Value::from(items.iter().map(value).collect::<Vec<_>>()),
        serde_json::Value::Object(map) => {
            Value::from_pairs(map.iter().map(|(key, json)| (key.as_str(), value(json))))
        }
    }
}

/// The names in a template that no variable has.
fn undefined(text: &str, vars: &JsonMap) -> String {
    let environment = Environment::empty();
    let Ok(template) = environment.template_from_str(text) else {
        return String::new();
    };
    let mut names: Vec<String> = template
        .undeclared_variables(false)
        .into_iter()
        .filter(|name| !vars.contains_key(name))
        .collect();
    names.sort();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rendered(text: &str) -> Result<String, String> {
        let vars = json!({"a": "x{{b}}", "b": 7, "c": {"d": [1, 2]}, "j": "{\"k\": 3}"});
        Templates::new().rendered(text, vars.as_object().unwrap())
    }

    #[test]
    fn variables_stand_in_their_places_and_are_no_templates_themselves() {
        assert_eq!(rendered("{{a}} {{ b }}\n").unwrap(), "x{{b}} 7\n");
        assert_eq!(rendered("{{b}}\n\n").unwrap(), "7\n\n");
        assert_eq!(rendered("{{b}}\r\n").unwrap(), "7\r\n");
        assert_eq!(
            rendered("{% if b > 3 %}big{% endif %} {{c.d[1]}}").unwrap(),
            "big 2"
        );
        assert_eq!(
            rendered("{{c | dump}} {{(j | load).k}} {{ a | upper }}").unwrap(),
            "{\"d\": [1, 2]} 3 X{{B}}"
        );
        assert_eq!(rendered("no template {,} {#").unwrap(), "no template {,} {#");
        assert_eq!(rendered("{% if nothing %}x{% endif %}").unwrap(), "");
    }

    #[test]
    fn a_name_that_no_variable_has_is_named() {
        assert!(rendered("{{b}} {{nothing}}").unwrap_err().contains("(nothing)"));
        assert!(!rendered("{{ b").unwrap_err().is_empty());
        assert!(
            !rendered("{% for x in range(9999) %}{% for y in range(9999) %}{{x}}{% endfor %}{% endfor %}")
                .unwrap_err()
                .is_empty()
        );
    }
}
