//! Files that tests make themselves: a PDF of many pages, an archive that unpacks to far more than it is.

use std::fmt::Write as _;
use std::io::{Seek, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A PDF with these lines on its pages, in a Chinese font that is not embedded.
#[must_use]
pub fn pdf(pages: &[Vec<String>]) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        String::new(),
        "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [4 0 R] >>"
            .to_owned(),
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering \
         (GB1) /Supplement 2 >> /DW 1000 /W [1 [500] 2 94 500] >>"
            .to_owned(),
    ];
    let mut kids = String::new();
    for lines in pages {
        let mut content = "BT /F1 11 Tf 15 TL 60 790 Td ".to_owned();
        for line in lines {
            let codes: String = line.encode_utf16().map(|unit| format!("{unit:04x}")).collect();
            write!(content, "<{codes}> Tj T* ").unwrap_or_default();
        }
        content.push_str("ET");
        let page = objects.len() + 1;
        write!(kids, "{page} 0 R ").unwrap_or_default();
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            page + 1
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        ));
    }
    if let Some(tree) = objects.get_mut(1) {
        *tree = format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len());
    }
    assembled(&objects)
}

fn assembled(objects: &[String]) -> Vec<u8> {
    let mut out = "%PDF-1.5\n".to_owned();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (index, body) in objects.iter().enumerate() {
        writeln!(table, "{:010} 00000 n ", out.len()).unwrap_or_default();
        write!(out, "{} 0 obj\n{body}\nendobj\n", index + 1).unwrap_or_default();
    }
    let start = out.len();
    format!(
        "{out}{table}trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    )
    .into_bytes()
}

/// Writes a DOCX whose body repeats one paragraph until it has `bytes` bytes.
///
/// # Panics
/// When it can't be written.
pub fn write_long_docx(target: impl Write + Seek, bytes: usize) {
    let options = SimpleFileOptions::default();
    let mut archive = ZipWriter::new(target);
    archive
        .start_file("word/document.xml", options)
        .expect("a member");
    let paragraph = "<w:p><w:r><w:t>The same words again and again, a hundred characters of them, to fill a page.</w:t></w:r></w:p>";
    archive
        .write_all(b"<w:document xmlns:w=\"W\"><w:body>")
        .expect("its beginning");
    let mut written = 0;
    while written < bytes {
        archive.write_all(paragraph.as_bytes()).expect("a paragraph");
        written += paragraph.len();
    }
    archive.write_all(b"</w:body></w:document>").expect("its end");
    archive.finish().expect("the archive");
}
