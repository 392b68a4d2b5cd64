//! A struct from the caller with pointers to itself, into itself and to another one.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "struct-input", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    params: "struct pack *pack",
    args: "own_pack",
    ways: 60,
    setup: "own_packs[0] = (struct pack){way % 5, {1, 7, (signed char)(way * 9), 4}, &own_packs[1], own_packs[0].data + 2}; own_packs[1] = \
            (struct pack){3, {0, 5, 6, -1}, 0, 0}; own_pack = own_packs; switch (way / 5) { case 0: own_pack = 0; break; case 1: \
            own_pack->other = 0; break; case 2: own_pack->other = own_pack; break; case 3: own_pack->at = 0; break; case 4: own_pack->at \
            = own_packs[1].data; break; case 5: own_pack->at = &own_pack->count; break; case 6: own_packs[1].other = own_pack; break; \
            case 7: own_pack = own_packs + 1; break; case 8: own_packs[1].at = own_pack->data; break; case 9: own_pack->at = \
            own_pack->data; break; case 10: own_pack->at = &own_far; }",
    text: "static signed char own_far = 9;
static struct pack own_packs[2], *own_pack;
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "struct pack { signed char count, data[4]; struct pack *other; signed char *at; };
static int weight(const struct pack *p)
{
  int sum = 0;
  for (int i = 0; i < p->count && i < 4; i++)
    sum += p->data[i];
  return sum;
}
";
}

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    w.line("if (!pack)");
    w.line("  return 106;");
    match w.random.below(6) {
        0 => w.observe("weight(pack)"),
        1 => {
            w.line("if (!pack->at)");
            w.line("  return 107;");
            w.line(&format!("pack->data[2] = (signed char)({x});"));
            w.line("*pack->at = 3;");
            w.line(&format!("if (pack->data[2] != (signed char)({x}))"));
            w.line("  return 108;");
        }
        2 => {
            w.line("if (pack->other == pack)");
            w.line("  return 109;");
            w.line("if (pack->other && pack->other->other == pack)");
            w.line("  return 110;");
        }
        3 => {
            w.line("if (pack->other) {");
            w.line("  pack->other->count = 7;");
            w.line("  if (pack->count == 7)");
            w.line("    return 111;");
            w.line("}");
        }
        4 => {
            w.line("if (pack->at == pack->data || pack->at == &pack->count)");
            w.observe("*pack->at");
        }
        _ => {
            w.line("if (pack->other && pack->other->at)");
            w.observe(&format!("(*pack->other->at + (signed char)({x}))"));
        }
    }
}
