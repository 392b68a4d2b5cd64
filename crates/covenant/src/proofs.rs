//! Certificates of what was proved, as files.

use std::path::Path;

use anyhow::Result;
use covenant_goals::Verdict;
use covenant_goals::certificate::{GUARDS, PATHS};
use covenant_report::files::write_file;
use covenant_report::{SourceLines, write_proofs};
use covenant_search::campaign::Findings;
use covenant_search::guided::proof;
use covenant_transition::certificate::{self, Index, Story};

use crate::subject::Loaded;

/// Writes `proofs/`; what an earlier run left there goes.
pub(crate) fn write(out: &Path, loaded: &Loaded, findings: &mut Findings, assumptions: &[String]) -> Result<()> {
    write_or_remove(out, PATHS, findings.paths.as_ref())?;
    write_or_remove(out, GUARDS, proof::certificate(&findings.ledger).as_ref())?;
    let Some(evidence) = &mut findings.evidence else {
        write_proofs(out, [])?;
        return Ok(());
    };
    let program = loaded.subject.image.program();
    let index = Index::new(&mut evidence.terms, program, &evidence.flow);
    let directories = loaded.info.files.iter().map(|file| file.directory.clone()).collect();
    let source = SourceLines::new(directories);
    let lines = |file: &str, number: u32| source.line(file, number);
    let mut texts = Vec::new();
    for (&id, formulas) in &evidence.invariants {
        let objective = findings.ledger.objective(id);
        let Verdict::Infeasible(proof) = findings.ledger.verdict(id) else { continue };
        let mut invariant = certificate::Invariant::new();
        for (&location, conjuncts) in formulas {
            let formula = evidence.terms.and_all(conjuncts.iter().copied());
            invariant.set(location, formula);
        }
        let story = Story { program, objective, prover: &proof.by, assumptions, lines: &lines };
        let text = certificate::write(&evidence.terms, &evidence.flow, &index, &invariant, &story);
        texts.push((objective.id.as_str(), text));
    }
    write_proofs(out, texts.iter().map(|(id, text)| (*id, text.as_str())))?;
    Ok(())
}

fn write_or_remove<T: serde::Serialize>(out: &Path, file: &str, certificate: Option<&T>) -> Result<()> {
    if let Some(certificate) = certificate {
        write_file(&out.join(file), &serde_json::to_vec(certificate)?)?;
        return Ok(());
    }
    match std::fs::remove_file(out.join(file)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
