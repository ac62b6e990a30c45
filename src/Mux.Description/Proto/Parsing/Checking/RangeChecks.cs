using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Checking;

/// <summary>Ranges that may not overlap, in order: each look-up takes the logarithm of their number.</summary>
internal sealed class RangeChecks
{
    private readonly List<ParsedRange> _ranges;

    private RangeChecks(List<ParsedRange> ranges) => _ranges = ranges;

    public static RangeChecks Of(IEnumerable<ParsedRange> ranges) => new([.. ranges.OrderBy(static range => range.First)]);

    /// <summary>Sorts ranges, and reports those that overlap.</summary>
    public static RangeChecks Of(IEnumerable<ParsedRange> ranges, FileFaults faults)
    {
        var checks = Of(ranges);
        ParsedRange? widest = null;
        foreach (var range in checks._ranges)
        {
            if (widest is not null && range.First <= widest.Last)
                faults.Error(range.Position,
                    $"The numbers {range.First} to {range.Last} overlap with {widest.First} to {widest.Last}, which are reserved or for extensions already.");
            if (widest is null || range.Last > widest.Last) widest = range;
        }

        return checks;
    }

    public ParsedRange? Find(int number)
    {
        int low = 0, high = _ranges.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            if (number < _ranges[middle].First) high = middle - 1;
            else if (number > _ranges[middle].Last) low = middle + 1;
            else return _ranges[middle];
        }

        return null;
    }
}
