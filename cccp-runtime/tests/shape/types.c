/* Types: bit-fields, nested structs and arrays, a union, a flexible array member, an enum, complex numbers, long
 * double, and nodes that point to each other. */
#include "shape.h"

#include <complex.h>
#include <stdbool.h>

enum colour { RED = -1, GREEN = 7 };

struct flags {
    unsigned a : 3;
    int b : 5;
    unsigned long long wide : 40;
    bool on : 1;
    int plain;
};
static const struct flags mask_a = {.a = 7}, mask_b = {.b = -1}, mask_wide = {.wide = (1ull << 40) - 1},
                          mask_on = {.on = 1};
static const cccp_member flags_members[] = {
    {"a", &cccp_type_uint, 0, 1, &mask_a},
    {"b", &cccp_type_int, 0, 1, &mask_b},
    {"wide", &cccp_type_ullong, 0, 1, &mask_wide},
    {"on", &cccp_type_bool, 0, 1, &mask_on},
    {"plain", &cccp_type_int, offsetof(struct flags, plain), 1, 0},
};
static const cccp_type flags_type = {CCCP_KIND_STRUCT, 5, sizeof(struct flags), "struct flags", flags_members};

union either {
    int number;
    char text[12];
};
static const cccp_type either_type = {CCCP_KIND_BYTES, 0, sizeof(union either), "union either", 0};

struct node {
    char name[6];
    enum colour colour;
    struct flags flags[2];
    union either either;
    struct node *next;
    long double precise;
    double complex turn;
    short grid[2][3];
};
static const cccp_member node_members[] = {
    {"name", &cccp_type_char, offsetof(struct node, name), 6, 0},
    {"colour", &cccp_type_int, offsetof(struct node, colour), 1, 0},
    {"flags", &flags_type, offsetof(struct node, flags), 2, 0},
    {"either", &either_type, offsetof(struct node, either), 1, 0},
    {"next", &cccp_type_pointer, offsetof(struct node, next), 1, 0},
    {"precise", &cccp_type_ldouble, offsetof(struct node, precise), 1, 0},
    {"turn", &cccp_type_cdouble, offsetof(struct node, turn), 1, 0},
    {"grid", &cccp_type_short, offsetof(struct node, grid), 6, 0},
};
static const cccp_type node_type = {
    CCCP_KIND_STRUCT, COUNT(node_members), sizeof(struct node), "struct node", node_members};

/* A header with as many numbers behind it as it says. */
struct packet {
    int length;
    float numbers[];
};
static const cccp_member packet_members[] = {
    {"length", &cccp_type_int, offsetof(struct packet, length), 1, 0},
    {"numbers", &cccp_type_float, offsetof(struct packet, numbers), 0, 0},
};
static const cccp_type packet_type = {CCCP_KIND_STRUCT, 2, sizeof(struct packet), "struct packet", packet_members};

static struct node nodes[4], *first;
static struct packet *packet;

static const cccp_block main_blocks[] = {
    {.kind = CCCP_BLOCK_INIT, .line = 90},
    {.kind = CCCP_BLOCK_REGISTER, .line = 91},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 95, .loop = 1},
};
static const cccp_loop main_loops[] = {{.parent = 0, .counter = -1, .prunable = 1}};
static const cccp_item main_items[] = {
    ITEM("nodes", 91, 0),
    ITEM("first", 91, 0),
    ITEM("packet", 91, CCCP_ITEM_BEHIND),
    ITEM("packet->numbers", 91, CCCP_ITEM_INDIRECT),
    ITEM("step", 91, CCCP_ITEM_LOCAL),
};
static const cccp_function main_function = {
    .name = "main", .file = "types.c", .line = 89, .fingerprint = 91,
    .block_count = COUNT(main_blocks), .blocks = main_blocks,
    .loop_count = COUNT(main_loops), .loops = main_loops,
    .item_count = COUNT(main_items), .items = main_items,
};

static void fill(void)
{
    for (int i = 0; i < 4; i++) {
        snprintf(nodes[i].name, sizeof nodes[i].name, "n%d", i);
        nodes[i].colour = i % 2 ? RED : GREEN;
        nodes[i].flags[1] = (struct flags){i, -i, 1ull << (30 + i), i % 2, 50 - i};
        nodes[i].either.number = 1000 + i;
        nodes[i].next = i < 3 ? &nodes[(i + 2) % 4] : NULL;
        nodes[i].precise = 1.0L / (3 + i);
        nodes[i].turn = i - 2 * i * I;
        nodes[i].grid[1][2] = -7 * i;
    }
    first = &nodes[0];
    packet = calloc(1, sizeof *packet + 5 * sizeof packet->numbers[0]);
    packet->length = 5;
}

static void change(int step)
{
    first = step % 2 ? first->next : &nodes[step % 4];
    struct node *at = first ? first : &nodes[1];
    first = at;
    at->flags[1].a++;
    at->flags[1].b -= 2;
    at->flags[1].wide += 12345678901ull;
    at->flags[1].on = !at->flags[1].on;
    at->precise *= 1.0000000000000001L + step;
    at->turn *= 1 + I;
    at->grid[0][1] -= step;
    packet->numbers[step % 5] += 0.1f * step;
}

static void show(int step)
{
    printf("step %d, first %s\n", step, first->name);
    for (int i = 0; i < 4; i++) {
        struct flags f = nodes[i].flags[1];
        printf("  %s %d (%u %d %llu %d %d) %d -> %s %.21Lg %.17g%+.17gi %d %d\n", nodes[i].name, nodes[i].colour, f.a,
            f.b, (unsigned long long)f.wide, f.on, f.plain, nodes[i].either.number,
            nodes[i].next ? nodes[i].next->name : "nobody", nodes[i].precise, creal(nodes[i].turn),
            cimag(nodes[i].turn), nodes[i].grid[0][1], nodes[i].grid[1][2]);
    }
    for (int i = 0; i < packet->length; i++)
        printf("  %.9g", packet->numbers[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    static cccp_place cccp_n3;
    struct { int step; } cccp_s = {0};
    ENTER(main_function, 0, 0);
    int step = 0;
    cccp_init(&cccp_f, 1, &argc, &argv);
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 2: goto cccp_2;
        case 3: goto cccp_3;
        default: LOST();
        }
    }
    fill();
    if (0) {
    cccp_2:
        step = cccp_s.step;
    }
    cccp_s.step = step;
    cccp_register_begin(&cccp_f, 2);
    cccp_register(&cccp_f, 0, &node_type, nodes, 0, 1, cccp_replaying ? 0 : (cccp_count[]){4});
    cccp_register(&cccp_f, 1, &cccp_type_pointer, &first, 0, 0, 0);
    cccp_register(&cccp_f, 2, &packet_type, &packet, 0, 1, cccp_replaying ? 0 : (cccp_count[]){1});
    cccp_register(&cccp_f, 3, &cccp_type_float, &packet->numbers, 0, 1,
        cccp_replaying ? 0 : (cccp_count[]){packet->length});
    cccp_register(&cccp_f, 4, &cccp_type_int, &cccp_s.step, 0, 0, 0);
    REPLAYED();
    for (step = 1; step <= 6; step++) {
        change(step);
        if ((++cccp_calls, (++cccp_n3.calls >= cccp_n3.look) | cccp_due) && cccp_tick(&cccp_n3, 1)) {
            cccp_s.step = step;
            cccp_checkpoint(&cccp_f, 3);
        }
        if (0) {
        cccp_3:
            cccp_resume(&cccp_f, 3);
            step = cccp_s.step;
        }
        show(step);
    }
    free(packet);
    cccp_shutdown(&cccp_f);
    return 0;
}
