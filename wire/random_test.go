package wire

import (
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire/codec"
)

// samples lists a zero value of every payload, record and map of the package.
func samples() map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for t := range payloads {
		all[t.Name()] = t
	}
	for _, t := range []reflect.Type{
		reflect.TypeFor[Genome](), reflect.TypeFor[SpawnProposal](), reflect.TypeFor[KillProposal](),
		reflect.TypeFor[ParamProposal](), reflect.TypeFor[EpochProposal](), reflect.TypeFor[DisputeProposal](),
		reflect.TypeFor[InterventionProposal](), reflect.TypeFor[Content](), reflect.TypeFor[MustCompile](),
		reflect.TypeFor[MustPassTests](), reflect.TypeFor[MustBeReviewed](), reflect.TypeFor[CustomCheck](),
		reflect.TypeFor[SnapCondition](), reflect.TypeFor[ProofCondition](), reflect.TypeFor[ReviewCondition](),
		reflect.TypeFor[VoteCondition](), reflect.TypeFor[ResourceMemo](), reflect.TypeFor[ContentBlock](),
		reflect.TypeFor[OracleEntry](), reflect.TypeFor[Message](), reflect.TypeFor[CitationEdge](),
		reflect.TypeFor[KillReason](),
		reflect.TypeFor[Tree](), reflect.TypeFor[Snap](), reflect.TypeFor[Delta](), reflect.TypeFor[ChainExport](),
		reflect.TypeFor[Tag](), reflect.TypeFor[Claim](), reflect.TypeFor[ExecutionProof](), reflect.TypeFor[MergeNote](),
		reflect.TypeFor[everything](),
	} {
		all[t.Name()] = t
	}
	return all
}

// everything holds each kind of field once, also those that no message uses yet.
type everything struct {
	U8    uint8             `kdom:"u8"`
	I8    int8              `kdom:"i8"`
	I16   int16             `kdom:"i16"`
	I32   int32             `kdom:"i32"`
	F64   float64           `kdom:"f64"`
	Map   codec.BinMap      `kdom:"map"`
	Opt   uint32            `kdom:"opt,opt"`
	List  [][]string        `kdom:"list"`
	Roles []Role            `kdom:"roles"`
	Pair  *[2]uint32        `kdom:"pair"`
	Sig   Signature         `kdom:"sig"`
	Union []ContentBlock    `kdom:"union"`
	Deep  *[]*EscrowRelease `kdom:"deep"`
}

// fill draws a random well-formed value of any type with a wire form.
func fill(t *rapid.T, v reflect.Value, depth int) {
	switch typ := v.Type(); {
	case typ == reflect.TypeFor[codec.BinMap]():
		m := rapid.MapOfN(rapid.String(), rapid.SliceOfN(rapid.Byte(), 1, 5), 0, 3).Draw(t, "map")
		for k, b := range m {
			v.Addr().Interface().(*codec.BinMap).Set(k, b)
		}
	case typ.Kind() == reflect.Uint8 && typ.Implements(reflect.TypeFor[codec.Enum]()):
		v.SetUint(uint64(rapid.IntRange(1, len(v.Interface().(codec.Enum).EnumNames())).Draw(t, "enum")))
	case typ.Kind() == reflect.Struct && typ.Implements(reflect.TypeFor[interface{ Union() }]()):
		n := typ.NumField()
		if depth > 4 {
			n = min(n, 2) // leaves
		}
		i := rapid.IntRange(0, n-1).Draw(t, "variant")
		if typ == reflect.TypeFor[ContentBlock]() && depth > 4 {
			i = 1
		}
		if f := v.Field(i); f.Kind() == reflect.Bool {
			f.SetBool(true)
		} else {
			f.Set(reflect.New(f.Type().Elem()))
			fill(t, f.Elem(), depth+1)
		}
	case typ.Kind() == reflect.Struct:
		for i := range typ.NumField() {
			fill(t, v.Field(i), depth+1)
		}
		fillObjects(t, v)
	default:
		fillBasic(t, v, depth)
	}
}

func fillBasic(t *rapid.T, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "uint") >> rapid.IntRange(64-v.Type().Bits(), 63).Draw(t, "shift"))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int") >> rapid.IntRange(64-v.Type().Bits(), 63).Draw(t, "shift"))
	case reflect.Float32:
		v.SetFloat(float64(float32(rapid.Uint32Max(1<<20).Draw(t, "f32")) / (1 << 20)))
	case reflect.Float64:
		v.SetFloat(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "f64") + 0) // -0 has no wire form
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "text"))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "present") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), depth+1)
		}
	case reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			binary.BigEndian.PutUint64(v.Bytes()[v.Len()-8:], rapid.Uint64().Draw(t, "id"))
			return
		}
		for i := range v.Len() {
			fill(t, v.Index(i), depth)
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 3).Draw(t, "len")
		if n == 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i), depth+1)
		}
	default:
		t.Fatalf("no generator for %s", v.Type())
	}
}

// fillObjects gives object fields bytes of their form.
func fillObjects(t *rapid.T, v reflect.Value) {
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag.Get("kdom")
		if strings.Contains(tag, ",object") || strings.Contains(tag, ",blocks") {
			v.Field(i).SetBytes(randomObject(t, v.Addr().Interface().(codec.ObjectOwner).ObjectForm("")))
		}
	}
}

func randomOf[T any](t *rapid.T, c *codec.Codec[T]) []byte {
	var v T
	fill(t, reflect.ValueOf(&v).Elem(), 2)
	return c.Append(nil, &v)
}

func randomObject(t *rapid.T, form codec.ObjectForm) []byte {
	switch c := form.Typed.(type) {
	case nil:
		if form.Plain {
			return rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "bytes")
		}
		return TextContent(rapid.String().Draw(t, "content"))
	case *codec.Codec[Tree]:
		return randomOf(t, c)
	case *codec.Codec[Snap]:
		return randomOf(t, c)
	case *codec.Codec[Delta]:
		return randomOf(t, c)
	case *codec.Codec[ChainExport]:
		return randomOf(t, c)
	case *codec.Codec[Tag]:
		return randomOf(t, c)
	case *codec.Codec[Claim]:
		return randomOf(t, c)
	case *codec.Codec[Genome]:
		return randomOf(t, c)
	case *codec.Codec[SpawnProposal]:
		return randomOf(t, c)
	case *codec.Codec[KillProposal]:
		return randomOf(t, c)
	case *codec.Codec[ParamProposal]:
		return randomOf(t, c)
	case *codec.Codec[EpochProposal]:
		return randomOf(t, c)
	case *codec.Codec[MustCompile]:
		return randomOf(t, c)
	case *codec.Codec[MustPassTests]:
		return randomOf(t, c)
	case *codec.Codec[MustBeReviewed]:
		return randomOf(t, c)
	case *codec.Codec[CustomCheck]:
		return randomOf(t, c)
	case *codec.Codec[SnapCondition]:
		return randomOf(t, c)
	case *codec.Codec[ProofCondition]:
		return randomOf(t, c)
	case *codec.Codec[ReviewCondition]:
		return randomOf(t, c)
	case *codec.Codec[VoteCondition]:
		return randomOf(t, c)
	case *codec.Codec[ResourceMemo]:
		return randomOf(t, c)
	case *codec.Codec[[]ContentBlock]:
		return randomOf(t, c)
	}
	t.Fatalf("no generator for the form %T", form.Typed)
	return nil
}

// eachType runs a property on random values of every type, with its plan.
func eachType(t *testing.T, check func(t *rapid.T, p *codec.Plan, v any)) {
	for name, typ := range samples() {
		p := codec.PlanOf(typ)
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v := p.New()
				fill(t, reflect.ValueOf(v).Elem(), 0)
				check(t, p, v)
			})
		})
	}
}
