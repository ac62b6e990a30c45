namespace Mux.Description.Proto.Comparing;

/// <summary>Finds numbers in ranges, of which a file may have thousands.</summary>
internal sealed class ReservedNumbers(List<ProtoRange> ranges)
{
    private List<ProtoRange>? _inOrder;

    /// <summary>True if a range contains the number.</summary>
    public bool Contains(int number)
    {
        if (ranges.Count == 0) return false;
        _inOrder ??= Join(ranges);
        int low = 0, high = _inOrder.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            if (_inOrder[middle].Last < number) low = middle + 1;
            else if (_inOrder[middle].First > number) high = middle - 1;
            else return true;
        }

        return false;
    }

    /// <summary>Gets a number of a range that no range here contains; null if all are contained.</summary>
    public long? FirstFree(ProtoRange range)
    {
        _inOrder ??= Join(ranges);
        int low = 0, high = _inOrder.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (_inOrder[middle].Last < range.First) low = middle + 1;
            else high = middle;
        }

        if (low == _inOrder.Count || _inOrder[low].First > range.First) return range.First;
        return _inOrder[low].Last < range.Last ? (long)_inOrder[low].Last + 1 : null;
    }

    // Those that overlap or touch become one.
    private static List<ProtoRange> Join(List<ProtoRange> ranges)
    {
        var joined = new List<ProtoRange>(ranges.Count);
        foreach (var range in ranges.OrderBy(static range => range.First))
        {
            if (joined.Count > 0 && joined[joined.Count - 1] is var last && range.First <= (long)last.Last + 1)
                joined[joined.Count - 1] = new ProtoRange(last.First, Math.Max(last.Last, range.Last));
            else
                joined.Add(range);
        }

        return joined;
    }
}
