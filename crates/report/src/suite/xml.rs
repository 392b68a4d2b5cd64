//! Escapes for XML and HTML.

/// Text or an attribute's value. Characters that XML cannot hold become a question mark.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(c),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_gets_out() {
        assert_eq!(super::escape("a<b && \"c\" > 'd'\u{1}"), "a&lt;b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;?");
    }
}
