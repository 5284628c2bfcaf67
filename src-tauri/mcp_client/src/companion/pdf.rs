//! The file of a PDF as a browser tells it: Base64 in several messages, held to its bounds.
//!
//! Nobody looks into the file here but at its beginning: parsers of strangers' files are another program's.

use crate::limits::PDF_BYTES_MAX;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// What a PDF begins with, and within how many bytes: some programs write a few others before it.
const MAGIC: &[u8] = b"%PDF-";
const MAGIC_WITHIN_BYTES: usize = 1_024;

/// The pieces of one file as they come in.
#[derive(Debug, Default)]
pub struct PdfPieces {
    pieces: Vec<Option<Vec<u8>>>,
}

impl PdfPieces {
    /// Takes a piece in; the whole file once the last piece is there, `None` before.
    ///
    /// # Errors
    /// Pieces that do not fit together or are no Base64, a file that is too large or no PDF.
    pub fn take(&mut self, (index, count): (usize, usize), piece: &str) -> Result<Option<Vec<u8>>, String> {
        if self.pieces.is_empty() {
            self.pieces.resize(count, None);
        }
        let is_known = self.pieces.len() == count;
        let bytes = STANDARD.decode(piece).map_err(|cause| cause.to_string())?;
        match self.pieces.get_mut(index).filter(|_| is_known) {
            Some(place) => *place = Some(bytes),
            None => return Err("the pieces of a PDF do not fit together".to_owned()),
        }
        let length: usize = self.pieces.iter().flatten().map(Vec::len).sum();
        if length > PDF_BYTES_MAX {
            return Err("the PDF is too large".to_owned());
        }
        if self.pieces.iter().any(Option::is_none) {
            return Ok(None);
        }
        let file = self.pieces.drain(..).flatten().collect::<Vec<_>>().concat();
        let head = file.get(..MAGIC_WITHIN_BYTES).unwrap_or(&file);
        if !head.windows(MAGIC.len()).any(|part| part == MAGIC) {
            return Err("it is no PDF".to_owned());
        }
        Ok(Some(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::PDF_PIECE_BYTES_MAX;
    use proptest::prelude::*;

    #[test]
    fn pieces_become_a_file_in_whatever_order_they_come() {
        let mut pieces = PdfPieces::default();
        assert_eq!(pieces.take((1, 2), &STANDARD.encode("1.7 and more")), Ok(None));
        let file = pieces.take((0, 2), &STANDARD.encode("%PDF-")).unwrap();
        assert_eq!(file.unwrap(), b"%PDF-1.7 and more");
    }

    #[test]
    fn what_does_not_fit_or_is_no_pdf_is_no_file() {
        let mut pieces = PdfPieces::default();
        assert_eq!(pieces.take((0, 3), &STANDARD.encode("%PDF-")), Ok(None));
        assert!(pieces.take((0, 2), &STANDARD.encode("%PDF-")).is_err());
        let whole = |piece: &str| PdfPieces::default().take((0, 1), piece);
        assert!(whole("%PDF-").is_err(), "no Base64");
        assert!(whole(&STANDARD.encode("<!doctype html><p>Sign in")).is_err());
        assert!(whole("").is_err());
    }

    #[test]
    fn a_file_that_is_too_large_is_given_up_before_its_end() {
        let piece = STANDARD.encode(vec![b'x'; PDF_PIECE_BYTES_MAX / 4 * 3]);
        let mut pieces = PdfPieces::default();
        let refused = (0..28).find(|index| pieces.take((*index, 29), &piece).is_err());
        assert_eq!(refused, Some(PDF_BYTES_MAX / (PDF_PIECE_BYTES_MAX / 4 * 3)));
    }

    proptest! {
        #[test]
        fn no_piece_brings_the_reader_down(piece in "\\PC{0,60}", index in 0_usize..4, count in 0_usize..4) {
            prop_assert!(PdfPieces::default().take((index, count), &piece).is_err() || count > 1);
        }
    }
}
