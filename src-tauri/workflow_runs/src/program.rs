//! A step's work as a program of the sandbox: what a step does passes the same permissions, record and trace as what any
//! program does.

use serde_json::{Value, json};
use shidi_agent::literal;
use shidi_protocol::{JsonMap, ToolkitSpec};
use shidi_workflow::{KNOWLEDGE_QUERY, Work};

/// The variable in which the programs of steps leave their result.
pub const RESULT: &str = "result";

/// What an approval is answered with.
pub const APPROVED: &str = "approve";
const REFUSED: &str = "refuse";

/// Python's own words, which can't name an argument.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// What the article's question to a knowledge base is here.
pub const QUERY: (&str, &str) = ("knowledge", "query");
/// Its arguments, and ours.
const KNOWLEDGE_ARGUMENTS: [(&str, &str); 3] = [
    ("query", "query"),
    ("knowledge_base_name", "base"),
    (FIELD, FIELD),
];
const FIELD: &str = "field";
/// The field that the article's own file names: the vectors, by which pieces are found anyhow. No piece has them as a value.
const VECTORS: &str = "embedding";

/// A program, and where it leaves what the step is to have.
#[derive(Debug, Clone, PartialEq)]
pub struct StepProgram {
    pub source: String,
    /// Variables that it finds.
    pub variables: JsonMap,
    pub leaves: Leaves,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// The value of [`RESULT`].
    Result,
    /// All its variables, by name.
    Variables,
}

/// Why no program can be written for a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unwritten {
    NoTool(String),
    NoPlugin(String),
    NoFunction(String),
    /// Several toolkits have a tool of that name.
    Ambiguous {
        plugin: String,
        toolkits: Vec<String>,
    },
}

/// The program of a call; `None` for a question to a model, which is none.
pub fn of_work(
    work: &Work,
    functions: Option<&str>,
    toolkits: &[ToolkitSpec],
) -> Option<Result<StepProgram, Unwritten>> {
    Some(match work {
        Work::Llm { .. } => return None,
        Work::Tool { tool, arguments } => of_tool(tool, arguments),
        Work::Plugin { plugin, arguments } => of_plugin(plugin, arguments, functions, toolkits),
        Work::Custom { function, arguments } => {
            of_function(functions, function, arguments).ok_or_else(|| Unwritten::NoFunction(function.clone()))
        }
        Work::Code { program, variables } => Ok(StepProgram {
            source: program.clone(),
            variables: variables.clone(),
            leaves: Leaves::Variables,
        }),
    })
}

/// The program that asks a person, who sees the values beside the question.
pub fn of_question(message: &str, shown: &JsonMap, labels: (&str, &str)) -> StepProgram {
    let actions = json!([{"label": labels.0, "value": APPROVED}, {"label": labels.1, "value": REFUSED}]);
    let mut arguments = JsonMap::new();
    arguments.insert("text".to_owned(), Value::String(message.to_owned()));
    arguments.insert("actions".to_owned(), actions);
    if !shown.is_empty() {
        arguments.insert("facts".to_owned(), Value::Object(shown.clone()));
    }
    call("user", "operate", &arguments)
}

fn of_tool(tool: &str, arguments: &JsonMap) -> Result<StepProgram, Unwritten> {
    match parts(tool) {
        Some((toolkit, method)) => Ok(call(toolkit, method, arguments)),
        None => Err(Unwritten::NoTool(tool.to_owned())),
    }
}

/// The toolkit and the method of a tool as steps name it.
pub fn parts(tool: &str) -> Option<(&str, &str)> {
    tool.split_once('.')
        .filter(|(toolkit, method)| is_identifier(toolkit) && is_identifier(method))
}

/// What a plugin's name stands for: a function beside the workflow, the article's query, or the tool of that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meant {
    Function,
    Query,
    Tool(String),
}

/// What a plugin's name stands for.
pub fn meant(plugin: &str, functions: Option<&str>, toolkits: &[ToolkitSpec]) -> Result<Meant, Unwritten> {
    if functions.is_some_and(|text| is_identifier(plugin) && defines(text, plugin)) {
        return Ok(Meant::Function);
    }
    if plugin == KNOWLEDGE_QUERY {
        return Ok(Meant::Query);
    }
    if plugin.contains('.') {
        return Ok(Meant::Tool(plugin.to_owned()));
    }
    let having: Vec<&str> = toolkits
        .iter()
        .filter(|toolkit| toolkit.method(plugin).is_some())
        .map(|toolkit| toolkit.name.as_str())
        .collect();
    match having[..] {
        [toolkit] => Ok(Meant::Tool(format!("{toolkit}.{plugin}"))),
        [] => Err(Unwritten::NoPlugin(plugin.to_owned())),
        [..] => Err(Unwritten::Ambiguous {
            plugin: plugin.to_owned(),
            toolkits: having.iter().map(|name| (*name).to_owned()).collect(),
        }),
    }
}

/// Our name of an argument of the article's query.
pub fn argument_of_query(name: &str) -> &str {
    let known = KNOWLEDGE_ARGUMENTS.iter().find(|(theirs, _)| *theirs == name);
    known.map_or(name, |(_, ours)| ours)
}

fn of_plugin(
    plugin: &str,
    arguments: &JsonMap,
    functions: Option<&str>,
    toolkits: &[ToolkitSpec],
) -> Result<StepProgram, Unwritten> {
    match meant(plugin, functions, toolkits)? {
        Meant::Function => {
            of_function(functions, plugin, arguments).ok_or_else(|| Unwritten::NoFunction(plugin.to_owned()))
        }
        Meant::Query => {
            let ours = |(name, value): (&String, &Value)| (argument_of_query(name).to_owned(), value.clone());
            let mut asked: JsonMap = arguments.iter().map(ours).collect();
            if asked.get(FIELD).is_some_and(|field| field == VECTORS) {
                asked.remove(FIELD);
            }
            Ok(call(QUERY.0, QUERY.1, &asked))
        }
        Meant::Tool(tool) => of_tool(&tool, arguments),
    }
}

fn call(toolkit: &str, method: &str, arguments: &JsonMap) -> StepProgram {
    leaving_result(format!(
        "{RESULT} = await {toolkit}.{method}({})\n",
        arguments_of(arguments)
    ))
}

/// The call of a function that stands in the text; `None` where it has none of that name.
fn of_function(functions: Option<&str>, name: &str, arguments: &JsonMap) -> Option<StepProgram> {
    let functions = functions.filter(|text| is_identifier(name) && defines(text, name))?;
    let arguments = arguments_of(arguments);
    Some(leaving_result(format!(
        "{}\n\n{RESULT} = {name}({arguments})\nif hasattr({RESULT}, '__await__'):\n    {RESULT} = await {RESULT}\n",
        functions.trim_end()
    )))
}

fn leaving_result(source: String) -> StepProgram {
    StepProgram {
        source,
        variables: JsonMap::new(),
        leaves: Leaves::Result,
    }
}

pub fn defines(functions: &str, name: &str) -> bool {
    defined(functions).any(|defined| defined == name)
}

/// The names of the functions that stand in a text.
pub fn defined(functions: &str) -> impl Iterator<Item = &str> {
    functions.lines().filter_map(|line| {
        let line = line.strip_prefix("async ").unwrap_or(line).trim_start();
        let (name, _) = line.strip_prefix("def ")?.split_once('(')?;
        Some(name.trim())
    })
}

/// Arguments by name. A name that Python can't write stands in a dict.
pub fn arguments_of(arguments: &JsonMap) -> String {
    let (named, other): (Vec<_>, Vec<_>) = arguments.iter().partition(|(name, _)| is_identifier(name));
    let mut parts: Vec<String> = named
        .into_iter()
        .map(|(name, value)| format!("{name}={}", literal(value)))
        .collect();
    if !other.is_empty() {
        let other = other
            .into_iter()
            .map(|(name, value)| (name.clone(), value.clone()));
        parts.push(format!("**{}", literal(&Value::Object(other.collect()))));
    }
    parts.join(", ")
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    let begins = letters
        .next()
        .is_some_and(|letter| letter == '_' || letter.is_alphabetic());
    begins && letters.all(|letter| letter == '_' || letter.is_alphanumeric()) && !KEYWORDS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::{Class, MethodSpec, ToolkitSource};

    fn arguments(value: Value) -> JsonMap {
        serde_json::from_value(value).unwrap()
    }

    fn server(name: &str) -> ToolkitSpec {
        let send = MethodSpec {
            name: "plugin_sms_send".to_owned(),
            doc: String::new(),
            parameters: Vec::new(),
            returns: "Any".to_owned(),
            class: Class::Send,
            matters: Vec::new(),
            idempotent: false,
        };
        ToolkitSpec {
            name: name.to_owned(),
            doc: String::new(),
            methods: vec![send],
            source: ToolkitSource::Server,
            left_out: 0,
        }
    }

    fn plugin(
        plugin: &str,
        given: Value,
        functions: Option<&str>,
        toolkits: &[ToolkitSpec],
    ) -> Result<String, Unwritten> {
        let work = Work::Plugin {
            plugin: plugin.to_owned(),
            arguments: arguments(given),
        };
        of_work(&work, functions, toolkits)
            .unwrap()
            .map(|program| program.source)
    }

    #[test]
    fn a_tool_is_one_call_with_its_values_as_python_writes_them() {
        let work = Work::Tool {
            tool: "files.read".to_owned(),
            arguments: arguments(json!({"path": "/a\"b", "limit": null, "from": [true]})),
        };
        let program = of_work(&work, None, &[]).unwrap().unwrap();
        assert_eq!(
            program.source,
            "result = await files.read(path=\"/a\\\"b\", limit=None, **{\"from\": [True]})\n"
        );
        for tool in ["files", "files.read()", "os; x.y", "a.b.c"] {
            let work = Work::Tool {
                tool: tool.to_owned(),
                arguments: JsonMap::new(),
            };
            assert_eq!(
                of_work(&work, None, &[]),
                Some(Err(Unwritten::NoTool(tool.to_owned())))
            );
        }
    }

    #[test]
    fn a_plugin_is_a_function_beside_it_or_the_one_tool_of_that_name() {
        let functions = "async def  plugin_sms_send (mobile):\n    return True";
        let own = plugin(
            "plugin_sms_send",
            json!({"mobile": "1"}),
            Some(functions),
            &[server("sms")],
        )
        .unwrap();
        assert!(own.contains("result = plugin_sms_send(mobile=\"1\")\n"), "{own}");
        let servers = [server("sms"), server("post")];
        let one = plugin(
            "plugin_sms_send",
            json!({}),
            Some("plugin_sms_send()"),
            &servers[..1],
        )
        .unwrap();
        assert_eq!(one, "result = await sms.plugin_sms_send()\n");
        let many = plugin("plugin_sms_send", json!({}), None, &servers).unwrap_err();
        assert!(matches!(many, Unwritten::Ambiguous { toolkits, .. } if toolkits == ["sms", "post"]));
        assert_eq!(
            plugin("nothing", json!({}), None, &servers),
            Err(Unwritten::NoPlugin("nothing".to_owned()))
        );
        let query = json!({"query": "hot", "knowledge_base_name": "menu", "field": "description"});
        let asked = plugin(KNOWLEDGE_QUERY, query, None, &[]).unwrap();
        assert_eq!(
            asked,
            "result = await knowledge.query(query=\"hot\", base=\"menu\", field=\"description\")\n"
        );
        // The article's file names the vectors: every piece has them, and none has a value of that name.
        let query = json!({"query": "hot", "knowledge_base_name": "menu", "field": "embedding"});
        let asked = plugin(KNOWLEDGE_QUERY, query, None, &[]).unwrap();
        assert_eq!(
            asked,
            "result = await knowledge.query(query=\"hot\", base=\"menu\")\n"
        );
    }

    #[test]
    fn code_keeps_its_lines_and_finds_its_values_as_variables() {
        let work = Work::Code {
            program: "b = a + 1".to_owned(),
            variables: arguments(json!({"a": 1})),
        };
        let program = of_work(&work, None, &[]).unwrap().unwrap();
        assert_eq!(
            (program.source.as_str(), program.leaves),
            ("b = a + 1", Leaves::Variables)
        );
        assert_eq!(program.variables["a"], 1);
    }
}
