//! XML files, and escapes for HTML.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// Names and values of an element, in the order in which they are written.
pub(crate) type Attributes<'a> = &'a [(&'a str, &'a str)];

/// An XML file that is being written, into memory: nothing here can fail.
pub(crate) struct Document(Writer<Vec<u8>>);

impl Document {
    /// A file with a document type, if there is one.
    pub(crate) fn new(standalone: Option<&str>, doctype: Option<&str>) -> Document {
        let mut document = Document(Writer::new_with_indent(Vec::new(), b' ', 2));
        document.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), standalone)));
        if let Some(doctype) = doctype {
            document.write(Event::DocType(BytesText::from_escaped(doctype)));
        }
        document
    }

    /// An element with others in it.
    pub(crate) fn within(&mut self, name: &str, attributes: Attributes<'_>, inner: impl FnOnce(&mut Document)) {
        self.write(Event::Start(start(name, attributes)));
        inner(self);
        self.write(Event::End(BytesEnd::new(name)));
    }

    /// An element with text in it.
    pub(crate) fn text(&mut self, name: &str, attributes: Attributes<'_>, text: &str) {
        let text = legal(text);
        self.within(name, attributes, |document| document.write(Event::Text(BytesText::new(&text))));
    }

    pub(crate) fn comment(&mut self, text: &str) {
        // Two dashes would end it.
        let text = format!(" {} ", legal(text).replace("--", "- -"));
        self.write(Event::Comment(BytesText::from_escaped(text)));
    }

    /// An element with nothing in it.
    pub(crate) fn empty(&mut self, name: &str, attributes: Attributes<'_>) {
        self.write(Event::Empty(start(name, attributes)));
    }

    pub(crate) fn finish(self) -> String {
        // What went in was text.
        String::from_utf8_lossy(&self.0.into_inner()).into_owned() + "\n"
    }

    fn write(&mut self, event: Event<'_>) {
        // A list of bytes takes all.
        let _ = self.0.write_event(event);
    }
}

fn start<'a>(name: &'a str, attributes: Attributes<'_>) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (name, value) in attributes {
        start.push_attribute((*name, legal(value).as_str()));
    }
    start
}

/// Characters that XML cannot hold become a question mark.
fn legal(text: &str) -> String {
    let is_legal =
        |c: char| matches!(c, '\t' | '\n' | '\r') || !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'));
    text.chars().map(|c| if is_legal(c) { c } else { '?' }).collect()
}

/// Text or an attribute's value, for HTML and SVG.
pub(crate) fn escape(text: &str) -> String {
    quick_xml::escape::escape(legal(text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out() {
        assert_eq!(escape("a<b && \"c\" > 'd'\u{1}"), "a&lt;b &amp;&amp; &quot;c&quot; &gt; &apos;d&apos;?");
        let mut document = Document::new(None, Some("a SYSTEM \"a.dtd\""));
        document.within("a", &[("b", "\"<\u{1}")], |document| document.text("c", &[], "</c>&"));
        assert_eq!(
            document.finish(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE a SYSTEM \"a.dtd\">\n\
             <a b=\"&quot;&lt;?\">\n  <c>&lt;/c&gt;&amp;</c>\n</a>\n"
        );
    }
}
