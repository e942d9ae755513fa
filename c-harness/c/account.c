/* The library's own account of its structs and constants, one line for each. */
#define TRFB_NO_INLINE
#include <trfboost.h>

#include <inttypes.h>
#include <stdio.h>

/* The table has about a hundred rows. A library that forgot to end it shall not keep us for ever. */
enum { TOO_MANY = 10000 };

int main(void)
{
    const trfb_layout_row *row = trfb_abi_layout();
    const trfb_layout_row *stop = row + TOO_MANY;
    for (; row->kind != TRFB_LAYOUT_END; row++) {
        if (row == stop) {
            fprintf(stderr, "no end after %d rows\n", TOO_MANY);
            return 1;
        }
        switch (row->kind) {
        case TRFB_LAYOUT_STRUCT:
            printf("struct\t%s\t%" PRId64 "\t%" PRId64 "\n", row->name, row->offset, row->size);
            break;
        case TRFB_LAYOUT_FIELD:
            printf("field\t%s\t%s\t%s\t%" PRId64 "\t%" PRId64 "\n",
                   row->owner, row->name, row->type, row->offset, row->size);
            break;
        case TRFB_LAYOUT_CONSTANT:
            printf("constant\t%s\t%" PRId64 "\n", row->name, row->offset);
            break;
        default:
            fprintf(stderr, "a row of kind %" PRId64 "\n", row->kind);
            return 1;
        }
        fflush(stdout);
    }
    printf("end\n");
    return 0;
}
