//! MPI programs with a time loop, whose output depends neither on which rank is faster nor on the order of messages from anybody.
//!
//! Each rank has numbers of its own; what comes from any rank goes into sums, whose order does not matter. A construct is what
//! stands before the loop, in it, and behind it; what it needs are variables of the file, members of a struct that functions get, or
//! locals of `main`.

use std::fmt::Write;

use super::random::Random;

/// Elements of each array.
const LENGTH: usize = 24;

/// Where the variables of a program are.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    File,
    Struct,
    Locals,
}

/// The state of the generator.
struct Generator<'r> {
    random: &'r mut Random,
    style: Style,
    /// Declarations of variables.
    variables: String,
    /// Functions, before `main`.
    functions: String,
    before: String,
    /// Statements of the loop: each is whole.
    statements: Vec<String>,
    behind: String,
    names: usize,
}

/// What adds a construct to a program.
type Construct<'r> = fn(&mut Generator<'r>);

/// A program. With `by_hand` a checkpoint is there already.
pub fn generate(random: &mut Random, by_hand: bool) -> String {
    let style = match random.below(3) {
        0 => Style::File,
        1 => Style::Struct,
        _ => Style::Locals,
    };
    let mut generator = Generator {
        random,
        style,
        variables: String::new(),
        functions: String::new(),
        before: String::new(),
        statements: Vec::new(),
        behind: String::new(),
        names: 0,
    };
    generator.program(by_hand)
}

impl<'r> Generator<'r> {
    const CONSTRUCTS: [Construct<'r>; 33] = [
        Self::local,
        Self::local,
        Self::ring,
        Self::replaced,
        Self::halo,
        Self::reduced,
        Self::broadcast,
        Self::gathered,
        Self::sent_to_the_first,
        Self::received_in_the_next_pass,
        Self::waited_for_in_the_next_pass,
        Self::persistent,
        Self::made_communicator,
        Self::kept_communicator,
        Self::grid,
        Self::kept_type,
        Self::made_type,
        Self::own_operation,
        Self::probed,
        Self::own_file,
        Self::open_file,
        Self::common_file,
        Self::file_of_mpi,
        Self::grown,
        Self::listed,
        Self::agreed,
        Self::unblocked,
        Self::any_first,
        Self::scanned,
        Self::packed,
        Self::buffered,
        Self::window,
        Self::struct_type,
    ];

    /// What stands before the name of a variable.
    fn way(&self) -> &'static str {
        match self.style {
            Style::Struct => "w->",
            Style::File | Style::Locals => "",
        }
    }

    /// A new variable with `NAME` in its declaration; how it is called.
    fn variable(&mut self, declaration: &str) -> String {
        self.names += 1;
        let name = format!("x{}", self.names);
        let storage = match self.style {
            Style::File => "static ",
            Style::Struct => "    ",
            // Reported where it is read before it is set.
            Style::Locals => "    ",
        };
        let declaration = declaration.replace("NAME", &name);
        let _ = writeln!(self.variables, "{storage}{declaration};");
        format!("{}{name}", self.way())
    }

    /// Text with the names that all programs have.
    fn written(&self, text: &str) -> String {
        let mut written = text.to_string();
        for name in ["rank", "size", "step", "h", "a", "b"] {
            written = written.replace(&format!("${name}"), &format!("{}{name}", self.way()));
        }
        written
    }

    fn before(&mut self, text: &str) {
        let text = self.written(text);
        let _ = writeln!(self.before, "    {text}");
    }

    fn behind(&mut self, text: &str) {
        let text = self.written(text);
        let _ = writeln!(self.behind, "    {text}");
    }

    /// A statement of the loop; some are in a function.
    fn statement(&mut self, text: &str) {
        let text = self.written(text);
        if self.style == Style::Locals || self.random.once_in(2) {
            let text = format!("    {}", text.replace('\n', "\n    "));
            self.statements.push(text);
            return;
        }
        self.names += 1;
        let (parameter, argument) = match self.style {
            Style::Struct => ("world *w", "w"),
            Style::File | Style::Locals => ("void", ""),
        };
        let name = format!("part{}", self.names);
        let _ = writeln!(
            self.functions,
            "static void {name}({parameter})\n{{\n{text}\n}}\n"
        );
        self.statements.push(format!("        {name}({argument});"));
    }

    fn array(&mut self) -> &'static str {
        ["$a", "$b"][self.random.below(2)]
    }

    fn count(&mut self) -> usize {
        1 + self.random.below(LENGTH)
    }

    fn tag(&mut self) -> usize {
        self.names += 1;
        100 + self.names
    }

    fn local(&mut self) {
        let (to, from, number) = (self.array(), self.array(), self.count());
        self.statement(&format!(
            "    for (int i = 0; i < N; i++)\n        {to}[i] = mix({from}[(i * {number} + $step) % N], $h + i);"
        ));
    }

    fn ring(&mut self) {
        let (to, from, tag) = (self.array(), self.array(), self.tag());
        let count = self.count();
        self.statement(&format!(
            "    number got[N];\n    MPI_Sendrecv({from}, {count}, MPI_UNSIGNED_LONG, ($rank + 1) % $size, {tag}, got, {count}, \
             MPI_UNSIGNED_LONG,\n                 ($rank + $size - 1) % $size, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    \
             {to}[{}] = mix({to}[0], got[{}]);",
            count - 1,
            count - 1
        ));
    }

    fn replaced(&mut self) {
        let (array, count, tag) = (self.array(), self.count(), self.tag());
        self.statement(&format!(
            "    MPI_Sendrecv_replace({array}, {count}, MPI_UNSIGNED_LONG, ($rank + 1) % $size, {tag}, ($rank + $size - 1) % $size,\n\
             \x20                        {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        ));
    }

    fn halo(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        let (requests, edges) = match self.random.below(3) {
            0 => {
                let requests = self.variable("MPI_Request NAME[4]");
                let edges = self.variable("number NAME[2]");
                (requests, edges)
            }
            1 => {
                let requests = self.variable("MPI_Request *NAME");
                let edges = self.variable("number *NAME");
                self.before(&format!("{requests} = malloc(4 * sizeof *{requests});"));
                self.before(&format!("{edges} = calloc(2, sizeof *{edges});"));
                self.behind(&format!("free({requests});"));
                self.behind(&format!("free({edges});"));
                (requests, edges)
            }
            _ => ("requests".to_string(), "edges".to_string()),
        };
        let locals = match requests.as_str() {
            "requests" => "    MPI_Request requests[4];\n    number edges[2];\n",
            _ => "",
        };
        self.statement(&format!(
            "    int left = $rank > 0 ? $rank - 1 : MPI_PROC_NULL, right = $rank + 1 < $size ? $rank + 1 : MPI_PROC_NULL;\n{locals}    \
             {edges}[0] = {edges}[1] = $step;\n    \
             MPI_Irecv(&{edges}[0], 1, MPI_UNSIGNED_LONG, left, {tag}, MPI_COMM_WORLD, &{requests}[0]);\n    \
             MPI_Irecv(&{edges}[1], 1, MPI_UNSIGNED_LONG, right, {tag}, MPI_COMM_WORLD, &{requests}[1]);\n    \
             MPI_Isend(&{array}[0], 1, MPI_UNSIGNED_LONG, left, {tag}, MPI_COMM_WORLD, &{requests}[2]);\n    \
             MPI_Isend(&{array}[N - 1], 1, MPI_UNSIGNED_LONG, right, {tag}, MPI_COMM_WORLD, &{requests}[3]);\n    \
             MPI_Waitall(4, {requests}, MPI_STATUSES_IGNORE);\n    \
             {array}[1] = mix({edges}[0], {array}[1]);\n    {array}[N - 2] = mix({edges}[1], {array}[N - 2]);"
        ));
    }

    fn reduced(&mut self) {
        let array = self.array();
        let operation = ["MPI_SUM", "MPI_MAX", "MPI_BXOR", "MPI_PROD"][self.random.below(4)];
        let count = self.count();
        self.statement(&format!(
            "    number all[N];\n    MPI_Allreduce({array}, all, {count}, MPI_UNSIGNED_LONG, {operation}, MPI_COMM_WORLD);\n    \
             $h = mix($h, all[{}]);",
            count - 1
        ));
    }

    fn broadcast(&mut self) {
        let (array, count) = (self.array(), self.count());
        self.statement(&format!(
            "    number sent[N];\n    memcpy(sent, {array}, sizeof sent);\n    \
             MPI_Bcast(sent, {count}, MPI_UNSIGNED_LONG, $step % $size, MPI_COMM_WORLD);\n    $h = mix(sent[0], $h);"
        ));
    }

    fn gathered(&mut self) {
        let array = self.array();
        self.statement(&format!(
            "    number *all = $rank == 0 ? malloc($size * sizeof *all) : NULL, mine = {array}[$step % N];\n    \
             MPI_Gather(&mine, 1, MPI_UNSIGNED_LONG, all, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);\n    \
             if ($rank == 0)\n        for (int i = 1; i < $size; i++)\n            all[i] = mix(all[i - 1], all[i]);\n    \
             MPI_Scatter(all, 1, MPI_UNSIGNED_LONG, &mine, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);\n    \
             {array}[$step % N] = mine;\n    free(all);"
        ));
    }

    fn sent_to_the_first(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        let receive = match self.random.below(2) {
            0 => format!(
                "MPI_Recv(&one, 1, MPI_UNSIGNED_LONG, MPI_ANY_SOURCE, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
            ),
            _ => format!(
                "MPI_Status status;\n            MPI_Probe(MPI_ANY_SOURCE, {tag}, MPI_COMM_WORLD, &status);\n            \
                 MPI_Recv(&one, 1, MPI_UNSIGNED_LONG, status.MPI_SOURCE, {tag}, MPI_COMM_WORLD, &status);"
            ),
        };
        self.statement(&format!(
            "    number sum = {array}[0], one;\n    if ($rank == 0) {{\n        for (int i = 1; i < $size; i++) {{\n            \
             {receive}\n            sum += one;\n        }}\n    }} else {{\n        \
             MPI_Send(&sum, 1, MPI_UNSIGNED_LONG, 0, {tag}, MPI_COMM_WORLD);\n    }}\n    \
             MPI_Bcast(&sum, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);\n    $h += sum;"
        ));
    }

    fn received_in_the_next_pass(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        let receive = format!(
            "MPI_Recv(&got, 1, MPI_UNSIGNED_LONG, ($rank + $size - 1) % $size, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        );
        self.statement(&format!(
            "    if ($step > 0) {{\n        number got;\n        {receive}\n        {array}[3] = mix(got, {array}[3]);\n    }}"
        ));
        self.statement(&format!(
            "    MPI_Send(&{array}[4], 1, MPI_UNSIGNED_LONG, ($rank + 1) % $size, {tag}, MPI_COMM_WORLD);"
        ));
        self.behind(&format!("{{ number got; {receive} $h = mix(got, $h); }}"));
    }

    fn waited_for_in_the_next_pass(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        let requests = self.variable("MPI_Request NAME[2]");
        let both = self.variable("number NAME[2]");
        self.before(&format!(
            "{requests}[0] = {requests}[1] = MPI_REQUEST_NULL;"
        ));
        self.before(&format!("{both}[0] = {both}[1] = 1;"));
        self.statement(&format!(
            "    MPI_Waitall(2, {requests}, MPI_STATUSES_IGNORE);\n    {array}[5] = mix({both}[0], {array}[5]);"
        ));
        self.statement(&format!(
            "    {both}[1] = mix({array}[6], $step);\n    \
             MPI_Irecv(&{both}[0], 1, MPI_UNSIGNED_LONG, ($rank + $size - 1) % $size, {tag}, MPI_COMM_WORLD, &{requests}[0]);\n    \
             MPI_Isend(&{both}[1], 1, MPI_UNSIGNED_LONG, ($rank + 1) % $size, {tag}, MPI_COMM_WORLD, &{requests}[1]);"
        ));
        self.behind(&format!("MPI_Waitall(2, {requests}, MPI_STATUSES_IGNORE);"));
    }

    fn persistent(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        let requests = self.variable("MPI_Request NAME[2]");
        let both = self.variable("number NAME[2]");
        self.before(&format!("{both}[0] = {both}[1] = 0;"));
        self.before(&format!(
            "MPI_Recv_init(&{both}[0], 1, MPI_UNSIGNED_LONG, ($rank + $size - 1) % $size, {tag}, MPI_COMM_WORLD, &{requests}[0]);"
        ));
        self.before(&format!(
            "MPI_Send_init(&{both}[1], 1, MPI_UNSIGNED_LONG, ($rank + 1) % $size, {tag}, MPI_COMM_WORLD, &{requests}[1]);"
        ));
        self.statement(&format!(
            "    {both}[1] = {array}[7];\n    MPI_Startall(2, {requests});\n    MPI_Waitall(2, {requests}, MPI_STATUSES_IGNORE);\n    \
             {array}[7] = mix({both}[0], $h);"
        ));
        self.behind(&format!(
            "MPI_Request_free(&{requests}[0]); MPI_Request_free(&{requests}[1]);"
        ));
    }

    fn made_communicator(&mut self) {
        let array = self.array();
        self.statement(&format!(
            "    MPI_Comm part;\n    number all;\n    MPI_Comm_split(MPI_COMM_WORLD, ($rank + $step) % 2, -$rank, &part);\n    \
             MPI_Allreduce(&{array}[2], &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, part);\n    MPI_Comm_free(&part);\n    $h = mix($h, all);"
        ));
    }

    fn kept_communicator(&mut self) {
        let array = self.array();
        let comm = self.variable("MPI_Comm NAME");
        match self.random.below(3) {
            0 => self.before(&format!("MPI_Comm_dup(MPI_COMM_WORLD, &{comm});")),
            1 => self.before(&format!(
                "MPI_Comm_split(MPI_COMM_WORLD, $rank / 2, $rank, &{comm});"
            )),
            _ => self.before(&format!(
                "{{ MPI_Group all, some; int first = 0; MPI_Comm_group(MPI_COMM_WORLD, &all); MPI_Group_excl(all, $size > 1, &first, \
                 &some);\n      MPI_Comm_create(MPI_COMM_WORLD, some, &{comm}); MPI_Group_free(&all); MPI_Group_free(&some); }}"
            )),
        }
        self.statement(&format!(
            "    if ({comm} != MPI_COMM_NULL) {{\n        number all;\n        \
             MPI_Allreduce(&{array}[8], &all, 1, MPI_UNSIGNED_LONG, MPI_BXOR, {comm});\n        {array}[8] = mix(all, $h);\n    }}"
        ));
        self.behind(&format!(
            "if ({comm} != MPI_COMM_NULL) MPI_Comm_free(&{comm});"
        ));
    }

    fn grid(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        let comm = self.variable("MPI_Comm NAME");
        let sides = self.variable("int NAME[2]");
        let periodic = self.random.below(2);
        self.before(&format!(
            "{{ int length = $size, periodic = {periodic}; MPI_Cart_create(MPI_COMM_WORLD, 1, &length, &periodic, 0, &{comm}); }}"
        ));
        self.before(&format!(
            "MPI_Cart_shift({comm}, 0, 1, &{sides}[0], &{sides}[1]);"
        ));
        self.statement(&format!(
            "    number got = 0;\n    MPI_Sendrecv(&{array}[9], 1, MPI_UNSIGNED_LONG, {sides}[1], {tag}, &got, 1, MPI_UNSIGNED_LONG, \
             {sides}[0], {tag}, {comm},\n                 MPI_STATUS_IGNORE);\n    {array}[9] = mix(got, $h);"
        ));
        self.behind(&format!("MPI_Comm_free(&{comm});"));
    }

    fn kept_type(&mut self) {
        let (to, from, tag) = (self.array(), self.array(), self.tag());
        let kind = self.variable("MPI_Datatype NAME");
        self.before(&format!(
            "MPI_Type_vector(N / 4, 2, 4, MPI_UNSIGNED_LONG, &{kind});"
        ));
        self.before(&format!("MPI_Type_commit(&{kind});"));
        self.statement(&format!(
            "    number got[N];\n    memcpy(got, {to}, sizeof got);\n    MPI_Sendrecv({from}, 1, {kind}, ($rank + 1) % $size, {tag}, got, 1, \
             {kind}, ($rank + $size - 1) % $size,\n                 {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    \
             for (int i = 0; i < N; i++)\n        {to}[i] = mix(got[i], $step);"
        ));
        self.behind(&format!("MPI_Type_free(&{kind});"));
    }

    fn made_type(&mut self) {
        let array = self.array();
        self.statement(&format!(
            "    MPI_Datatype pair;\n    number two[2] = {{ {array}[10], $h }};\n    MPI_Type_contiguous(2, MPI_UNSIGNED_LONG, &pair);\n    \
             MPI_Type_commit(&pair);\n    MPI_Bcast(two, 1, pair, ($step + 1) % $size, MPI_COMM_WORLD);\n    MPI_Type_free(&pair);\n    \
             {array}[10] = mix(two[0], two[1] + $rank);"
        ));
    }

    fn own_operation(&mut self) {
        let array = self.array();
        let operation = self.variable("MPI_Op NAME");
        self.names += 1;
        let name = format!("joined{}", self.names);
        let _ = writeln!(
            self.functions,
            "static void {name}(void *from, void *to, int *count, MPI_Datatype *kind)\n{{\n    (void)kind;\n    \
             for (int i = 0; i < *count; i++)\n        ((number *)to)[i] += ((number *)from)[i] * (1 + ((number *)to)[i]);\n}}\n"
        );
        self.before(&format!("MPI_Op_create({name}, 0, &{operation});"));
        self.statement(&format!(
            "    number all, mine = {array}[11] % 5 + $rank;\n    MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG, {operation}, MPI_COMM_WORLD);\n    \
             $h = mix($h, all);"
        ));
        self.behind(&format!("MPI_Op_free(&{operation});"));
    }

    fn probed(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        self.statement(&format!(
            "    MPI_Request request;\n    MPI_Status status;\n    int count;\n    \
             MPI_Isend({array}, 1 + (int)($h % 7), MPI_UNSIGNED_LONG, ($rank + 1) % $size, {tag}, MPI_COMM_WORLD, &request);\n    \
             MPI_Probe(($rank + $size - 1) % $size, {tag}, MPI_COMM_WORLD, &status);\n    \
             MPI_Get_count(&status, MPI_UNSIGNED_LONG, &count);\n    number *got = malloc(count * sizeof *got);\n    \
             MPI_Recv(got, count, MPI_UNSIGNED_LONG, status.MPI_SOURCE, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    \
             MPI_Wait(&request, MPI_STATUS_IGNORE);\n    $h = mix($h, got[count - 1]);\n    free(got);"
        ));
    }

    fn own_file(&mut self) {
        let array = self.array();
        let mode = ["a", "a", "w"][self.random.below(3)];
        let (which, period) = (self.tag(), 1 + self.random.below(3));
        self.statement(&format!(
            "    if ($step % {period} == 0) {{\n        char name[40];\n        snprintf(name, sizeof name, \"own{which}-%d.txt\", $rank);\n        \
             FILE *to = fopen(name, \"{mode}\");\n        if (to == NULL)\n            exit(3);\n        \
             fprintf(to, \"%d %lx\\n\", $step, {array}[0]);\n        fclose(to);\n    }}"
        ));
    }

    fn open_file(&mut self) {
        let array = self.array();
        let which = self.tag();
        let file = self.variable("FILE *NAME");
        let condition = ["$rank == 0", "$rank == $size - 1", "1"][self.random.below(3)];
        self.before(&format!(
            "{file} = NULL;\n    if ({condition}) {{\n        char name[40];\n        snprintf(name, sizeof name, \"open{which}-%d.txt\", \
             $rank);\n        if (({file} = fopen(name, \"w\")) == NULL)\n            exit(3);\n    }}"
        ));
        self.statement(&format!(
            "    if ({file} != NULL)\n        fprintf({file}, \"%d %lx\\n\", $step, {array}[1]);"
        ));
        self.behind(&format!("if ({file} != NULL) fclose({file});"));
    }

    fn common_file(&mut self) {
        let array = self.array();
        let which = self.tag();
        self.statement(&format!(
            "    for (int turn = 0; turn < $size; turn++) {{\n        if (turn == $rank) {{\n            \
             FILE *to = fopen(\"all{which}.txt\", \"a\");\n            if (to == NULL)\n                exit(3);\n            \
             fprintf(to, \"%d of %d: %lx\\n\", $step, $rank, {array}[2]);\n            fclose(to);\n        }}\n        \
             MPI_Barrier(MPI_COMM_WORLD);\n    }}"
        ));
    }

    fn file_of_mpi(&mut self) {
        let array = self.array();
        let which = self.tag();
        let file = self.variable("MPI_File NAME");
        let write = match self.random.below(3) {
            0 => format!(
                "MPI_File_write_at({file}, (($step * $size) + $rank) * 8, &{array}[0], 1, MPI_UNSIGNED_LONG, MPI_STATUS_IGNORE);"
            ),
            1 => format!(
                "MPI_File_write_at_all({file}, (($step * $size) + $rank) * 8, &{array}[0], 1, MPI_UNSIGNED_LONG, MPI_STATUS_IGNORE);"
            ),
            _ => format!(
                "MPI_File_seek({file}, (($step * $size) + $rank) * 8, MPI_SEEK_SET);\n    \
                 MPI_File_write({file}, &{array}[0], 1, MPI_UNSIGNED_LONG, MPI_STATUS_IGNORE);"
            ),
        };
        self.before(&format!(
            "MPI_File_open(MPI_COMM_WORLD, \"parts{which}.txt\", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &{file});"
        ));
        self.statement(&format!("    {write}"));
        self.behind(&format!("MPI_File_close(&{file});"));
    }

    fn grown(&mut self) {
        let array = self.array();
        let (block, length) = (self.variable("number *NAME"), self.variable("int NAME"));
        self.before(&format!("{block} = NULL;"));
        self.before(&format!("{length} = 0;"));
        self.statement(&format!(
            "    int more = 1 + (int)($h % 5);\n    {block} = realloc({block}, ({length} + more) * sizeof *{block});\n    \
             for (int i = 0; i < more; i++)\n        {block}[{length}++] = mix({array}[i], $step);\n    \
             $h = mix($h, {block}[$h % {length}]);"
        ));
        self.behind(&format!("free({block});"));
    }

    fn listed(&mut self) {
        let array = self.array();
        let list = self.variable("node *NAME");
        self.before(&format!("{list} = NULL;"));
        self.statement(&format!(
            "    node *new = malloc(sizeof *new);\n    new->value = {array}[12];\n    new->next = {list};\n    {list} = new;\n    \
             if ($step % 3 == 2) {{\n        node *second = {list}->next;\n        {list}->next = second->next;\n        \
             $h = mix($h, second->value);\n        free(second);\n    }}"
        ));
        self.behind(&format!(
            "while ({list} != NULL) {{ node *one = {list}; {list} = one->next; $h = mix($h, one->value); free(one); }}"
        ));
    }

    fn agreed(&mut self) {
        let array = self.array();
        self.statement(&format!(
            "    int go = 1, tries = 0;\n    while (go) {{\n        number most, mine;\n        \
             {array}[13] = mix({array}[13], $rank + tries);\n        mine = {array}[13] % 16;\n        \
             MPI_Allreduce(&mine, &most, 1, MPI_UNSIGNED_LONG, MPI_MAX, MPI_COMM_WORLD);\n        \
             go = most > 6 && ++tries < 6;\n    }}\n    $h += tries;"
        ));
    }

    fn unblocked(&mut self) {
        let array = self.array();
        let start = match self.random.below(3) {
            0 => "MPI_Iallreduce(&mine, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD, &request);"
                .to_string(),
            1 => "all = mine;\n    MPI_Ibcast(&all, 1, MPI_UNSIGNED_LONG, $size - 1, MPI_COMM_WORLD, &request);"
                .to_string(),
            _ => "all = 0;\n    MPI_Ibarrier(MPI_COMM_WORLD, &request);".to_string(),
        };
        let wait = match self.random.below(2) {
            0 => "MPI_Wait(&request, MPI_STATUS_IGNORE);",
            _ => {
                "for (int done = 0; !done;)\n        MPI_Test(&request, &done, MPI_STATUS_IGNORE);"
            }
        };
        self.statement(&format!(
            "    MPI_Request request;\n    number all, mine = {array}[14];\n    {start}\n    \
             {array}[15] = mix({array}[15], $h);\n    {wait}\n    $h = mix($h, all);"
        ));
    }

    fn any_first(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        self.statement(&format!(
            "    MPI_Request requests[16];\n    number got[16], mine = {array}[16], sum = 0;\n    int many = 0;\n    \
             for (int other = 0; other < $size && other < 16; other++)\n        if (other != $rank)\n            \
             MPI_Irecv(&got[many], 1, MPI_UNSIGNED_LONG, other, {tag}, MPI_COMM_WORLD, &requests[many]), many++;\n    \
             for (int other = 0; other < $size && other < 16; other++)\n        if (other != $rank)\n            \
             MPI_Send(&mine, 1, MPI_UNSIGNED_LONG, other, {tag}, MPI_COMM_WORLD);\n    \
             for (int left = many; left > 0; left--) {{\n        int which;\n        \
             MPI_Waitany(many, requests, &which, MPI_STATUS_IGNORE);\n        sum += got[which];\n    }}\n    {array}[16] = mix(sum, $h);"
        ));
    }

    fn scanned(&mut self) {
        let array = self.array();
        let call = ["MPI_Scan", "MPI_Exscan"][self.random.below(2)];
        self.statement(&format!(
            "    number part = 0;\n    {call}(&{array}[17], &part, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);\n    \
             $h = mix($h, part);"
        ));
    }

    fn packed(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        self.statement(&format!(
            "    char room[64];\n    int place = 0;\n    number got;\n    MPI_Pack(&$step, 1, MPI_INT, room, 64, &place, MPI_COMM_WORLD);\n    \
             MPI_Pack(&{array}[18], 1, MPI_UNSIGNED_LONG, room, 64, &place, MPI_COMM_WORLD);\n    \
             MPI_Sendrecv_replace(room, place, MPI_PACKED, ($rank + 1) % $size, {tag}, ($rank + $size - 1) % $size, {tag}, MPI_COMM_WORLD,\n\
             \x20                        MPI_STATUS_IGNORE);\n    int other;\n    place = 0;\n    \
             MPI_Unpack(room, 64, &place, &other, 1, MPI_INT, MPI_COMM_WORLD);\n    \
             MPI_Unpack(room, 64, &place, &got, 1, MPI_UNSIGNED_LONG, MPI_COMM_WORLD);\n    {array}[18] = mix(got, $h + other);"
        ));
    }

    fn buffered(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        let room = self.variable("char *NAME");
        if self.before.contains("MPI_Buffer_attach") {
            return self.local();
        }
        self.before(&format!("{room} = malloc(4096);"));
        self.before(&format!("MPI_Buffer_attach({room}, 4096);"));
        self.statement(&format!(
            "    number got;\n    MPI_Bsend(&{array}[19], 1, MPI_UNSIGNED_LONG, ($rank + 1) % $size, {tag}, MPI_COMM_WORLD);\n    \
             MPI_Recv(&got, 1, MPI_UNSIGNED_LONG, ($rank + $size - 1) % $size, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    \
             {array}[19] = mix(got, $h);"
        ));
        self.behind(&format!(
            "{{ char *back; int length; MPI_Buffer_detach(&back, &length); free({room}); }}"
        ));
    }

    fn window(&mut self) {
        let array = self.array();
        let (window, cell) = (self.variable("MPI_Win NAME"), self.variable("number NAME"));
        self.before(&format!("{cell} = 0;"));
        self.before(&format!(
            "MPI_Win_create(&{cell}, sizeof {cell}, sizeof {cell}, MPI_INFO_NULL, MPI_COMM_WORLD, &{window});"
        ));
        self.statement(&format!(
            "    MPI_Win_fence(0, {window});\n    \
             MPI_Put(&{array}[20], 1, MPI_UNSIGNED_LONG, ($rank + 1) % $size, 0, 1, MPI_UNSIGNED_LONG, {window});\n    \
             MPI_Win_fence(0, {window});\n    {array}[20] = mix({cell}, $h);"
        ));
        self.behind(&format!("MPI_Win_free(&{window});"));
    }

    fn struct_type(&mut self) {
        let (array, tag) = (self.array(), self.tag());
        let kind = self.variable("MPI_Datatype NAME");
        self.before(&format!(
            "{{ node one; MPI_Datatype kinds[1] = {{ MPI_UNSIGNED_LONG }}; int lengths[1] = {{ 1 }}; MPI_Aint at[2];\n      \
             MPI_Get_address(&one, &at[0]); MPI_Get_address(&one.value, &at[1]); at[0] = at[1] - at[0];\n      \
             MPI_Datatype part; MPI_Type_create_struct(1, lengths, at, kinds, &part);\n      \
             MPI_Type_create_resized(part, 0, sizeof(node), &{kind}); MPI_Type_commit(&{kind}); MPI_Type_free(&part); }}"
        ));
        self.statement(&format!(
            "    node mine[2] = {{ {{ {array}[21], NULL }}, {{ $h, NULL }} }}, got[2];\n    \
             MPI_Sendrecv(mine, 2, {kind}, ($rank + 1) % $size, {tag}, got, 2, {kind}, ($rank + $size - 1) % $size, {tag}, MPI_COMM_WORLD,\n\
             \x20                MPI_STATUS_IGNORE);\n    {array}[21] = mix(got[0].value, got[1].value);"
        ));
        self.behind(&format!("MPI_Type_free(&{kind});"));
    }

    fn program(&mut self, by_hand: bool) -> String {
        for declaration in [
            "int rank",
            "int size",
            "int step",
            "number h",
            "number a[N]",
            "number b[N]",
        ] {
            let storage = match self.style {
                Style::File => "static ",
                Style::Struct | Style::Locals => "    ",
            };
            let _ = writeln!(self.variables, "{storage}{declaration};");
        }
        for _ in 0..2 + self.random.below(5) {
            let construct = self.random.pick(&Self::CONSTRUCTS).copied();
            let known = self.statements.len();
            construct.unwrap_or(Self::local)(self);
            // Not always at the end; the statements of one construct stay in their order.
            let added = self.statements.split_off(known);
            let mut at = self.random.below(known + 1);
            for statement in added {
                self.statements.insert(at, statement);
                at = at + 1 + self.random.below(self.statements.len() - at);
            }
        }
        if by_hand {
            let at = self.random.below(self.statements.len() + 1);
            let mark = "#pragma cccp checkpoint".to_string();
            self.statements.insert(at, mark);
        }
        let steps = 8 + self.random.below(7);
        let mut text = String::from(
            "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n",
        );
        let _ = writeln!(text, "#define N {LENGTH}");
        text += "typedef unsigned long number;\ntypedef struct node {\n    number value;\n    struct node *next;\n} node;\n\n";
        text += "static number mix(number a, number b)\n{\n    return (a ^ (b + 0x9e3779b97f4a7c15UL + (a << 6) + (a >> 2))) * \
                 1099511628211UL;\n}\n\n";
        match self.style {
            Style::File => text += &self.variables,
            Style::Struct => {
                let _ = writeln!(text, "typedef struct {{\n{}}} world;", self.variables);
            }
            Style::Locals => {}
        }
        let _ = write!(
            text,
            "\n{}int main(int argc, char **argv)\n{{\n",
            self.functions
        );
        match self.style {
            Style::Locals => text += &self.variables,
            Style::Struct if self.random.once_in(2) => text += "    world own, *w = &own;\n",
            Style::Struct => text += "    world *w = malloc(sizeof *w);\n",
            Style::File => {}
        }
        let _ = write!(
            text,
            "    int steps = argc > 1 ? atoi(argv[1]) : {steps};\n\n    MPI_Init(&argc, &argv);\n"
        );
        let begin = "MPI_Comm_rank(MPI_COMM_WORLD, &$rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &$size);\n    $h = 17 + $rank;\n    \
                     for (int i = 0; i < N; i++) {\n        $a[i] = mix(i, $rank);\n        $b[i] = mix($rank, i);\n    }";
        let _ = writeln!(text, "    {}\n{}", self.written(begin), self.before);
        let _ = writeln!(
            text,
            "    {}",
            self.written("for ($step = 0; $step < steps; $step++) {")
        );
        for statement in &self.statements {
            match statement.starts_with('#') || statement.trim_start().starts_with("part") {
                true => text += &format!("{statement}\n"),
                false => text += &format!("        {{\n    {statement}\n        }}\n"),
            }
        }
        text += "    }\n";
        text += &self.behind;
        let end = "for (int i = 0; i < N; i++)\n        $h = mix($h, $a[i] + $b[i]);\n    number *all = calloc($size, sizeof *all);\n    \
                   MPI_Gather(&$h, 1, MPI_UNSIGNED_LONG, all, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);\n    \
                   for (int i = 0; i < $size && $rank == 0; i++)\n        printf(\"%d: %lx\\n\", i, all[i]);\n    free(all);";
        let _ = writeln!(
            text,
            "    {}\n    MPI_Finalize();\n    return 0;\n}}",
            self.written(end)
        );
        text
    }
}
