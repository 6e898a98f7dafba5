# First fit in the order of the table. Problem CSV in, the same CSV with offsets out. Names without commas and quotes.
BEGIN { FS = OFS = "," }
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; print $0, "offset"; next }
{
    lower = $column["lower"]; upper = $column["upper"]; size = $column["size"]
    step = "alignment" in column ? $column["alignment"] : 1
    offset = 0
    do { # up, until nothing that is live at the same time is in the way
        moved = 0
        for (i = 1; i <= n; i++)
            if (begin[i] < upper && lower < end[i] && low[i] < offset + size && offset < high[i]) {
                offset = int((high[i] + step - 1) / step) * step
                moved = 1
            }
    } while (moved)
    n++; begin[n] = lower; end[n] = upper; low[n] = offset; high[n] = offset + size
    printf "%s,%d\n", $0, offset
}
