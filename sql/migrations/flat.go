package migrations

import (
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// The statements of the migrations that make and drop schemas, and what the schemas are named.
var (
	schemaLine   = regexp.MustCompile(`(?m)^(CREATE|DROP) SCHEMA .*$`)
	createSchema = regexp.MustCompile(`(?m)^CREATE SCHEMA IF NOT EXISTS (\w+);`)
)

// oneSchema returns PostgreSQL's migrations with all tables in the schema into: schema.table becomes
// schema_table, as in SQLite.
func oneSchema(into string) (fs.FS, error) {
	names, err := fs.Glob(files, "postgres/*.sql")
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	var made []string
	for _, name := range names {
		b, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		texts[path.Base(name)] = string(b)
		for _, m := range createSchema.FindAllStringSubmatch(string(b), -1) {
			made = append(made, m[1])
		}
	}
	inSchema := regexp.MustCompile(`\b(` + strings.Join(made, "|") + `)\.(\w+)`)
	for name, text := range texts {
		text = schemaLine.ReplaceAllString(text, "")
		texts[name] = inSchema.ReplaceAllStringFunc(text, func(s string) string {
			schema, table, _ := strings.Cut(s, ".")
			if strings.HasPrefix(table, "idx_") { // the name of an index tells its table
				return into + "." + table
			}
			return into + "." + schema + "_" + table
		})
	}
	inside, err := fs.Sub(files, "postgres")
	return overlayFS{inside, texts}, err
}

// inOnePiece returns migrations that goose executes as one statement each way. To split a file into statements, goose
// takes buffers of 4 MiB for each line of it, which is most of the time that a new database takes.
func inOnePiece(migrations fs.FS) (fs.FS, error) {
	const begin, end, down = "\n-- +goose StatementBegin\n", "\n-- +goose StatementEnd\n", "-- +goose Down\n"
	names, err := fs.Glob(migrations, "*.sql")
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, name := range names {
		b, err := fs.ReadFile(migrations, name)
		if err != nil {
			return nil, err
		}
		up, back, _ := strings.Cut(string(b), down)
		up = strings.TrimPrefix(up, "-- +goose Up\n")
		texts[name] = "-- +goose Up" + begin + up + end + down + begin + back + end
	}
	return overlayFS{migrations, texts}, nil
}

// overlayFS is a file system whose files have other contents.
type overlayFS struct {
	fs.FS
	texts map[string]string
}

// Open opens a file with its other content.
func (r overlayFS) Open(name string) (fs.File, error) {
	f, err := r.FS.Open(name)
	if text, is := r.texts[name]; err == nil && is {
		return &textFile{f, strings.NewReader(text)}, nil
	}
	return f, err
}

// textFile is a file with another text.
type textFile struct {
	fs.File
	text io.Reader
}

// Read reads the text.
func (f *textFile) Read(b []byte) (int, error) { return f.text.Read(b) }
