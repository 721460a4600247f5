package views

import (
	"fmt"
	"strings"
)

// decoder is an expression that turns the MessagePack in a column of SQLite into JSON text, NULL where
// it is none. Bytes that hold MessagePack, see [nested], are shown as JSON too, others as
// [shownBytes] says. SQLite has no functions of one's own, so a
// recursive query reads a value in two steps, its head and then the rest: p is the next byte, s the open maps and
// arrays (their closing bracket and how many values they still want, 5 characters each; "-" at the end),
// o the text so far, k and n the kind of value whose head was read and its length, count or number. Bytes (b) take a
// step more, which finds whether they are nested: then what they hold is read as a value, else they are shown (x). The
// table v_msgpack says for each first byte what it begins.
//
// Whoever opens the database parses the text of all views, whatever they want of it, so it must be short.
func decoder(col string) string {
	return strings.NewReplacer(
		"BYTES", strings.ReplaceAll(shownBytes, "VAL", col), "NEST", strings.ReplaceAll(nested, "VAL", col), "VAL", col, "HEAD", strings.ReplaceAll(headNumber, "VAL", col), "REAL4", real4, "REAL8", real8,
		"DONE", "substr(d.s,-4)='0000'",
	).Replace(`(WITH RECURSIVE d(p,s,o,k,n) AS (SELECT 1,'','','',0 UNION ALL SELECT
 CASE WHEN d.k='' THEN CASE WHEN DONE THEN d.p ELSE d.p+c.head END WHEN d.k IN ('s','x') THEN d.p+d.n ELSE d.p END,
 CASE WHEN d.k='' THEN CASE WHEN DONE THEN substr(d.s,1,length(d.s)-5) ELSE d.s END WHEN d.k='b' THEN d.s
  ELSE CASE WHEN d.s='' THEN '-' ELSE substr(d.s,1,length(d.s)-4)||printf('%04d',substr(d.s,-4)-1) END
   ||CASE d.k WHEN 'm' THEN printf('}%04d',2*d.n) WHEN 'a' THEN printf(']%04d',d.n) ELSE '' END END,
 d.o||CASE WHEN d.k='' THEN CASE WHEN DONE THEN substr(d.s,-5,1) ELSE '' END WHEN d.k='b' THEN ''
  ELSE CASE WHEN d.s='' OR substr(d.o,-1) IN ('{','[') THEN '' WHEN substr(d.s,-5,1)='}' AND substr(d.s,-4)%2=1 THEN ':' ELSE ',' END
   ||CASE d.k WHEN 'm' THEN '{' WHEN 'a' THEN '[' WHEN 'i' THEN d.n WHEN 'n' THEN 'null' WHEN 't' THEN 'true' WHEN 'f' THEN 'false' WHEN 'r' THEN REAL4 WHEN 'd' THEN REAL8
    WHEN 's' THEN json_quote(CAST(substr(VAL,d.p,d.n) AS TEXT))
    WHEN 'x' THEN BYTES END END,
 CASE WHEN d.k='' AND NOT DONE THEN c.kind WHEN d.k='b' AND NOT (NEST) THEN 'x' ELSE '' END,
 CASE WHEN d.k='' THEN HEAD ELSE d.n END
 FROM d CROSS JOIN v_msgpack c ON c.byte=substr(VAL,d.p,1) WHERE d.s<>'-')
 SELECT d.o FROM d WHERE d.s='-' AND d.p=length(VAL)+1)`)
}

// nested reports whether bytes hold MessagePack: they begin like a map or an array, as no text does. Bytes of 32 and 64
// are mostly ids and signatures, which can begin with any byte; of these it must be a map with a name as its first key,
// or an array of such maps.
const nested = `CASE WHEN d.n=0 THEN 0 WHEN d.n NOT IN (32,64) THEN substr(VAL,d.p,1) BETWEEN X'80' AND X'9F'
 WHEN substr(VAL,d.p,1) BETWEEN X'81' AND X'8F' THEN substr(VAL,d.p+1,1) BETWEEN X'A4' AND X'BF' AND CAST(substr(VAL,d.p+2,4) AS TEXT) GLOB '[a-z_][a-z_][a-z_][a-z_]'
 ELSE substr(VAL,d.p,1) BETWEEN X'91' AND X'9F' AND substr(VAL,d.p+1,1) BETWEEN X'81' AND X'8F' AND substr(VAL,d.p+2,1) BETWEEN X'A4' AND X'BF' AND CAST(substr(VAL,d.p+3,4) AS TEXT) GLOB '[A-Za-z_][A-Za-z_][A-Za-z_][A-Za-z_]' END`

// shownBytes shows bytes as text if they are UTF-8, else as "hex:" and hex digits. Bytes of 32 and 64 are mostly ids and
// signatures: these are hex digits alone, unless they are text without control characters. SQLite reads a byte that is
// out of place in UTF-8 as U+FFFD or, if it continues no character, as a character from U+0080 to U+00BF. Only texts
// with such characters are compared with what their characters make.
const shownBytes = `(SELECT CASE WHEN d.n IN (32,64) AND (instr(x,X'00') OR t GLOB '*['||char(1)||'-'||char(8)||char(11)||char(12)||char(14)||'-'||char(31)||']*')
   OR replace(t,char(65533),'') GLOB '*['||char(128)||'-'||char(191)||char(65533)||']*' AND t<>(WITH RECURSIVE u(i,v) AS (SELECT 1,'' UNION ALL SELECT i+1,v||char(unicode(substr(t,i,1))) FROM u WHERE i<=length(t)) SELECT v FROM u ORDER BY i DESC LIMIT 1)
  THEN '"'||CASE WHEN d.n IN (32,64) THEN '' ELSE 'hex:' END||lower(hex(x))||'"' ELSE json_quote(t) END FROM (SELECT x,CAST(x AS TEXT) AS t FROM (SELECT substr(VAL,d.p,d.n) AS x)))`

// headNumber is the length, the count or the number that a value's head holds: its bytes after the first, or what the first
// says. Numbers from 2^63 on become negative, as in every other column.
const headNumber = `CASE WHEN c.head>1 THEN (SELECT sum(b.num<<8*(c.head-1-i.n)) FROM v_places i CROSS JOIN v_msgpack b ON b.byte=substr(VAL,d.p+i.n,1) WHERE i.n BETWEEN 1 AND c.head-1)
  -CASE WHEN c.size<0 AND c.head<9 AND substr(VAL,d.p+1,1)>=X'80' THEN 1<<8*(c.head-1) ELSE 0 END ELSE c.size END`

// real4 is a 32-bit real, whose bits are d.n, in 7 digits where these tell it, else in 9. At a power of two the next number
// towards 0 is half as far away as the next one from 0.
var real4 = `(SELECT CASE WHEN e=255 THEN 'null' WHEN abs(CAST(printf('%.7g',x) AS REAL)-x)*CASE m WHEN 8388608 THEN 4 ELSE 2 END<ulp THEN printf('%.7g',x) ELSE printf('%.9g',x) END
 FROM (SELECT e,m,ulp,m*ulp*(CASE WHEN d.n>>31 THEN -1 ELSE 1 END) AS x FROM (SELECT e,m,` + power("k", 3) + ` AS ulp
 FROM (SELECT (d.n>>23)&255 AS e,(d.n&8388607)+CASE WHEN (d.n>>23)&255 THEN 8388608 ELSE 0 END AS m,max((d.n>>23)&255,1)-150 AS k))))`

// real8 is a 64-bit real in 17 digits; beyond 2^190 and 2^-190 it is null, which no amount or ratio of a world reaches.
var real8 = `(SELECT CASE WHEN abs(k)>240 THEN CASE WHEN m=0 THEN '0' ELSE 'null' END ELSE printf('%.17g',m*` + power("k", 4) + `*(CASE WHEN d.n<0 THEN -1 ELSE 1 END)) END
 FROM (SELECT CASE WHEN (d.n>>52)&2047 THEN (d.n&4503599627370495)+4503599627370496 ELSE 0 END AS m,((d.n>>52)&2047)-1075 AS k))`

// power is 2^k, exact, as a product of n powers of which each fits an integer.
func power(k string, n int) string {
	up, down := make([]string, n), make([]string, n)
	for i := range n {
		up[i] = fmt.Sprintf("(1<<((%s+%d)/%d))", k, i, n)
		down[i] = fmt.Sprintf("(1<<((%d-%s)/%d))", i, k, n)
	}
	return "(CASE WHEN " + k + ">=0 THEN 1.0*" + strings.Join(up, "*") + " ELSE 1.0/" + strings.Join(down, "/") + " END)"
}

// heads fills v_msgpack: what each first byte of a value begins.
func heads() string {
	var rows []string
	row := func(b int, kind string, head, size int) {
		rows = append(rows, fmt.Sprintf("(X'%02X', %d, '%s', %d, %d)", b, b, kind, head, size))
	}
	for b := range 256 {
		switch {
		case b < 0x80:
			row(b, "i", 1, b)
		case b < 0x90:
			row(b, "m", 1, b&15)
		case b < 0xA0:
			row(b, "a", 1, b&15)
		case b < 0xC0:
			row(b, "s", 1, b&31)
		case b >= 0xE0:
			row(b, "i", 1, b-256)
		default:
			h, ok := longHeads[b]
			if !ok {
				h = head{"?", 1, 0}
			}
			row(b, h.kind, h.bytes, h.size)
		}
	}
	rows = append(rows, "(X'', 0, 'end', 0, 0)")
	return "CREATE TABLE v_msgpack (byte BLOB PRIMARY KEY, num INTEGER NOT NULL, kind TEXT NOT NULL, head INTEGER NOT NULL, size INTEGER NOT NULL) WITHOUT ROWID;\nINSERT INTO v_msgpack VALUES " + strings.Join(rows, ", ")
}

// head is the beginning of a value: its kind, the bytes of its head, and -1 as size where a
// number has a sign.
type head struct {
	kind        string
	bytes, size int
}

// longHeads are the first bytes that stand for a type of their own (MessagePack specification, formats).
var longHeads = map[int]head{
	0xC0: {"n", 1, 0}, 0xC2: {"f", 1, 0}, 0xC3: {"t", 1, 0},
	0xC4: {"b", 2, 0}, 0xC5: {"b", 3, 0}, 0xC6: {"b", 5, 0},
	0xCA: {"r", 5, 0}, 0xCB: {"d", 9, 0},
	0xCC: {"i", 2, 0}, 0xCD: {"i", 3, 0}, 0xCE: {"i", 5, 0}, 0xCF: {"i", 9, 0},
	0xD0: {"i", 2, -1}, 0xD1: {"i", 3, -1}, 0xD2: {"i", 5, -1}, 0xD3: {"i", 9, -1},
	0xD9: {"s", 2, 0}, 0xDA: {"s", 3, 0}, 0xDB: {"s", 5, 0},
	0xDC: {"a", 3, 0}, 0xDD: {"a", 5, 0}, 0xDE: {"m", 3, 0}, 0xDF: {"m", 5, 0},
}
