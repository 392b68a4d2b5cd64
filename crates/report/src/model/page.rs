//! One page for all steps, which needs nothing else.
//!
//! The pictures are drawn beforehand; the script puts the elements of a step into the page. Most elements are the same
//! from step to step, so each is kept once and steps are lists of numbers.

use std::collections::HashMap;

use covenant_goals::ModelStep;
use serde::Serialize;

use super::svg::draw;
use crate::suite::xml::escape;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

#[derive(Serialize)]
struct Shown<'s> {
    caption: &'s str,
    view: [i64; 4],
    elements: Vec<usize>,
}

pub(super) fn page(title: &str, steps: &[ModelStep]) -> String {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut parts: Vec<String> = Vec::new();
    let mut shown = Vec::new();
    for step in steps {
        let drawing = draw(step);
        let number = |element: String| {
            *numbers.entry(element).or_insert_with_key(|element| {
                parts.push(element.clone());
                parts.len() - 1
            })
        };
        let elements = drawing.elements.into_iter().map(number).collect();
        shown.push(Shown { caption: &step.caption, view: drawing.view, elements });
    }
    let title = escape(title);
    let (parts, shown) = (data(&parts), data(&shown));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}: the model - Covenant</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{}\
         <script>\nconst PARTS = {parts};\nconst STEPS = {shown};\n{SCRIPT}</script>\n</body>\n</html>\n",
        body(&title)
    )
}

fn body(title: &str) -> String {
    format!(
        "<header>\n<h1><code>{title}</code></h1>\n<nav>\n\
         <button id=\"first\" title=\"first step (Home)\">&laquo;</button>\n\
         <button id=\"back\" title=\"step back (left arrow)\">&lsaquo;</button>\n\
         <input id=\"slider\" type=\"range\" min=\"1\" value=\"1\" aria-label=\"step\">\n\
         <button id=\"next\" title=\"next step (right arrow)\">&rsaquo;</button>\n\
         <button id=\"last\" title=\"last step (End)\">&raquo;</button>\n\
         <output id=\"number\"></output>\n<button id=\"fit\" title=\"show all of it (f)\">fit</button>\n</nav>\n\
         <ul class=\"legend\"><li class=\"c\">covered</li><li>not covered</li><li class=\"t\">target</li>\
         <li class=\"f\">frontier</li><li class=\"d\">unreachable</li><li class=\"h\">changed</li></ul>\n\
         <p id=\"caption\" aria-live=\"polite\"></p>\n</header>\n\
         <main>\n<ol id=\"steps\"></ol>\n<div id=\"view\"><svg id=\"picture\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\">\n\
         <defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"5\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>\
         <marker id=\"b\" viewBox=\"0 0 8 8\" refX=\"5\" refY=\"4\" markerWidth=\"13\" markerHeight=\"13\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <g id=\"drawn\"></g></svg></div>\n</main>\n<noscript>This page needs JavaScript to step through the pictures.</noscript>\n"
    )
}

/// As a literal of a script inside a page: no text can end the script.
fn data(value: &impl Serialize) -> String {
    // Strings, numbers and lists always have a form in JSON.
    serde_json::to_string(value).unwrap_or_else(|_| "[]".to_owned()).replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::small;

    #[test]
    fn elements_that_steps_share_are_kept_once() {
        let mut other = small();
        other.caption = "another </script>".into();
        let once = page("f", &[small()]);
        let twice = page("f", &[small(), other]);
        assert!(twice.len() < once.len() + 250, "{} and {}", once.len(), twice.len());
        assert_eq!(twice.matches("</script>").count(), 1, "a caption cannot end the script");
    }

    #[test]
    fn the_page_needs_no_network() {
        let page = page("a<b", &[small()]).replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http") && !page.contains("src=") && !page.contains("@import"), "{page}");
        assert!(page.contains("a&lt;b"));
    }
}
