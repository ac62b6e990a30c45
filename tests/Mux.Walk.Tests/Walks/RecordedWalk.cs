using Mux.Walk.Tests.Weaving;

namespace Mux.Walk.Tests.Walks;

/// <summary>
/// The way of one play through the engine: that of the most frequent number of entries, of the plays that were
/// recorded.
/// </summary>
internal sealed class RecordedWalk
{
    private RecordedWalk(string play, IReadOnlyList<WovenMethod> entries, string spread)
    {
        Play = play;
        Entries = entries;
        Spread = spread;
    }

    public string Play { get; }

    /// <summary>The methods in the order in which they were entered.</summary>
    public IReadOnlyList<WovenMethod> Entries { get; }

    /// <summary>How often the plays had how many entries.</summary>
    public string Spread { get; }

    /// <summary>
    /// Takes what the plays have most often: once in a while one of them does what comes due, such as a look at the
    /// clock.
    /// </summary>
    public static RecordedWalk Choose(string play, int[][] plays, IReadOnlyList<WovenMethod> methods)
    {
        var byLength = plays.GroupBy(entered => entered.Length)
            .OrderByDescending(group => group.Count()).ThenBy(group => group.Key).ToList();
        var spread = string.Join(", ", byLength.Select(group => $"{group.Count()} x {group.Key}"));
        return new RecordedWalk(play, [.. byLength[0].First().Select(method => methods[method])], spread);
    }

    public WalkFigures Figures => new(
        Files: Entries.Select(method => method.File).Distinct().Count(),
        Methods: Entries.Distinct().Count(),
        Entries: Entries.Count,
        Forwards: Entries.Where(method => method.IsForward).Distinct().Count(),
        Rooms: Entries.Select(method => method.Room).Distinct().Count());
}
