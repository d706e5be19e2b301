// Sqlite runs the SQL that it reads from its standard input, a statement a
// line, on one connection to the database that its argument names, until the
// input ends. It stands for another program that uses the database.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"

	_ "modernc.org/sqlite"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		if _, err := conn.ExecContext(ctx, input.Text()); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", input.Text(), err)
		}
	}
	return input.Err()
}
