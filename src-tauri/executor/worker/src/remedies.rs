//! What does the work of a module that is absent or opens no files. It is a toolkit's method, where the program has it.
//!
//! A list of all modules helps nobody who wants an archive unpacked.

use shidi_executor_proto::ToolkitShape;

/// What a program does in place of some modules.
struct Remedy {
    /// Names of modules; each also stands for its submodules.
    modules: &'static [&'static str],
    /// Methods, as `toolkit.method`, and what to write where the program has them.
    ways: &'static [(&'static str, &'static str)],
    /// What helps where it has none of them; empty where nothing does.
    otherwise: &'static str,
}

const REMEDIES: &[Remedy] = &[
    Remedy {
        modules: &["zipfile"],
        ways: &[
            ("files.unzip", "Unpack with `await files.unzip(path=…, to=…)`"),
            ("files.zip", "pack with `await files.zip(path=…, to=…)`"),
        ],
        otherwise: "",
    },
    Remedy {
        modules: &["tarfile"],
        ways: &[
            ("shell.run", "Run the command `tar` with `await shell.run(…)`"),
            ("files.zip", "pack as zip with `await files.zip(path=…, to=…)`"),
        ],
        otherwise: "",
    },
    Remedy {
        modules: &["logging"],
        ways: &[],
        otherwise: "Log without a file, which prints; or use `print`",
    },
    Remedy {
        modules: &["sqlite3", "dbm", "shelve"],
        ways: &[(
            "files.write_table",
            "Keep rows in lists and dicts, and save them with `await files.write_table(path=…, rows=…)`",
        )],
        otherwise: "Keep rows in lists and dicts, and save them as JSON",
    },
    Remedy {
        modules: &["openpyxl", "pandas", "xlrd", "xlsxwriter"],
        ways: &[
            (
                "files.read",
                "Read sheets as text with `await files.read(path=…)`",
            ),
            (
                "files.write_table",
                "save rows with `await files.write_table(path=…, rows=…)`",
            ),
        ],
        otherwise: "",
    },
    Remedy {
        modules: &[
            "PyPDF2",
            "docx",
            "fitz",
            "fpdf",
            "pdfplumber",
            "pypdf",
            "reportlab",
        ],
        ways: &[
            (
                "files.read",
                "Read documents as text with `await files.read(path=…)`",
            ),
            (
                "files.write_document",
                "write one with `await files.write_document(path=…, markdown=…)`",
            ),
        ],
        otherwise: "",
    },
    Remedy {
        modules: &[
            "aiohttp",
            "http.client",
            "httpx",
            "requests",
            "urllib.request",
            "urllib3",
        ],
        ways: &[("web.fetch", "Fetch pages with `await web.fetch(…)`")],
        otherwise: "",
    },
    Remedy {
        modules: &["subprocess"],
        ways: &[("shell.run", "Run commands with `await shell.run(…)`")],
        otherwise: "",
    },
];

/// Ways beside text, for a program that opens a file in bytes.
const BESIDE_TEXT: &[(&str, &str)] = &[
    ("files.read", "`files.read` gives the text of documents"),
    ("files.unzip", "`files.unzip` unpacks an archive"),
    ("files.write_table", "`files.write_table` writes a workbook"),
];

/// What to do in place of a module.
pub fn in_place_of(module: &str, toolkits: &[ToolkitShape]) -> Option<String> {
    let is_of = |name: &&str| {
        let rest = module.strip_prefix(*name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let mut remedies = REMEDIES.iter();
    let remedy = remedies.find(|remedy| remedy.modules.iter().any(is_of))?;
    let ways = ways(remedy.ways, toolkits);
    match (ways.is_empty(), remedy.otherwise) {
        (true, "") => None,
        (true, otherwise) => Some(otherwise.to_owned()),
        (false, _) => Some(ways),
    }
}

/// What to do in place of opening a file in bytes.
pub fn in_place_of_bytes(toolkits: &[ToolkitShape]) -> String {
    let mut hint = "Open text with mode 'r', 'w', 'a' or 'x'".to_owned();
    let others = ways(BESIDE_TEXT, toolkits);
    if !others.is_empty() {
        hint.push_str("; ");
        hint.push_str(&others);
    }
    hint
}

/// The ways that the program has.
fn ways(ways: &[(&str, &str)], toolkits: &[ToolkitShape]) -> String {
    let has = |tool: &str| {
        let (name, method) = tool.split_once('.').unwrap_or((tool, ""));
        let mut methods = toolkits
            .iter()
            .filter(|toolkit| toolkit.name == name)
            .flat_map(|toolkit| &toolkit.methods);
        methods.any(|known| known.name == method)
    };
    let there = ways.iter().filter(|(tool, _)| has(tool)).map(|(_, way)| *way);
    there.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_executor_proto::MethodShape;

    fn toolkits(tools: &[&str]) -> Vec<ToolkitShape> {
        let shape = |tool: &&str| {
            let (name, method) = tool.split_once('.').unwrap();
            ToolkitShape {
                name: name.to_owned(),
                methods: vec![MethodShape {
                    name: method.to_owned(),
                    parameters: Vec::new(),
                }],
                left_out: 0,
            }
        };
        tools.iter().map(shape).collect()
    }

    #[test]
    fn a_method_is_named_only_where_the_program_has_it() {
        let both = toolkits(&["files.zip", "files.unzip"]);
        let told = in_place_of("zipfile", &both).unwrap();
        assert!(
            told.starts_with("Unpack with `await files.unzip") && told.contains("files.zip("),
            "{told}"
        );
        let one = in_place_of("zipfile", &toolkits(&["files.unzip"])).unwrap();
        assert!(!one.contains("files.zip("), "{one}");
        assert_eq!(in_place_of("zipfile", &toolkits(&["files.read"])), None);
        assert_eq!(in_place_of("numpy", &both), None);
        assert!(in_place_of("requests.adapters", &toolkits(&["web.fetch"])).is_some());
        assert_eq!(in_place_of("requestsx", &toolkits(&["web.fetch"])), None);
        assert!(in_place_of("logging", &[]).unwrap().contains("print"));
        assert!(in_place_of("sqlite3", &[]).unwrap().contains("JSON"));
    }

    #[test]
    fn bytes_are_told_of_with_what_else_there_is() {
        assert_eq!(in_place_of_bytes(&[]), "Open text with mode 'r', 'w', 'a' or 'x'");
        assert!(in_place_of_bytes(&toolkits(&["files.unzip"])).contains("unpacks"));
    }
}
