//! What a task is to be tested for: the files `*.prp` of Test-Comp.

use anyhow::{Result, bail};

/// What is to be covered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Property {
    /// Each outcome of each decision.
    Branches,
    /// A call of this function.
    Call(String),
}

/// How the two are written.
const KNOWN: &str = "`COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )` and \
                     `COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )`";

impl Property {
    /// Reads the text of a file; what is between words does not matter.
    pub(super) fn read(text: &str) -> Result<Property> {
        let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let goal = bare.strip_prefix("COVER(init(main()),FQL(COVEREDGES(").and_then(|rest| rest.strip_suffix(")))"));
        let Some(goal) = goal else { bail!("`{}` is no property that covenant knows: {KNOWN}", text.trim()) };
        if goal == "@DECISIONEDGE" {
            return Ok(Property::Branches);
        }
        let name = goal.strip_prefix("@CALL(").and_then(|rest| rest.strip_suffix(')'));
        let is_name = |name: &&str| {
            !name.is_empty()
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        match name.filter(is_name) {
            Some(name) => Ok(Property::Call(name.to_owned())),
            None => bail!("`{goal}` is nothing that covenant can cover; it knows {KNOWN}"),
        }
    }

    /// As `metadata.xml` has it.
    pub(super) fn specification(&self) -> String {
        let goal = match self {
            Property::Branches => "@DECISIONEDGE".to_owned(),
            Property::Call(name) => format!("@CALL({name})"),
        };
        format!("COVER( init(main()), FQL(COVER EDGES({goal})) )")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_properties_are_read_however_they_are_spaced() {
        let read = |text: &str| Property::read(text).ok();
        let branches = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n";
        assert_eq!(read(branches), Some(Property::Branches));
        assert_eq!(
            read("COVER(init(main()),FQL(COVER EDGES( @CALL(__VERIFIER_error) )))"),
            Some(Property::Call("__VERIFIER_error".into()))
        );
        assert_eq!(Property::Branches.specification(), branches.trim());
    }

    #[test]
    fn what_cannot_be_covered_is_refused_with_what_can() {
        for text in [
            "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            "COVER( init(main()), FQL(COVER EDGES(@CONDITIONEDGE)) )",
            "COVER( init(main()), FQL(COVER EDGES(@CALL(2x))) )",
            "COVER( init(main()), FQL(COVER EDGES(@CALL())) )",
            "",
        ] {
            assert!(Property::read(text).is_err_and(|e| e.to_string().contains("@DECISIONEDGE")), "{text}");
        }
    }
}
