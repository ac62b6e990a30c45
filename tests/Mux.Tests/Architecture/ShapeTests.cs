using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Architecture;

/// <summary>How large a type is, all its files together, and how large a circle of types. What is larger is listed with today's size: a size may shrink, and then the list shrinks with it.</summary>
public sealed partial class ShapeTests(ITestOutputHelper output)
{
    private const int MaxLines = 500;
    private const int MaxCircle = 4;

    /// <summary>Lines of types that are longer.</summary>
    private static readonly Dictionary<string, int> s_longTypes = [];

    /// <summary>Types in the circles that are larger, by the first of its types in alphabetical order.</summary>
    private static readonly Dictionary<string, int> s_largeCircles = new()
    {
        ["Mux.Execution.CostWindow"] = 9,
        ["Mux.Transports.Epoll.EpollConnect"] = 9,
        ["Mux.Transports.Streams.FactoryTransport"] = 7,
        ["Mux.Endpoints.ConnectionPool"] = 5,
        ["Mux.Transports.InMemory.InMemoryConnection"] = 5,
    };

    [Fact]
    public void No_type_is_longer_than_can_be_known_by_heart()
    {
        var lengths = SourceTree.Files("src", "*.cs")
            .GroupBy(file => PartialName().Match(file).Groups[1].Value)
            .ToDictionary(type => type.Key, type => type.Sum(file => SourceTree.Read(file).AsSpan().Count('\n')));
        var largest = lengths.MaxBy(type => type.Value);
        output.WriteLine($"The longest type: {largest.Key}, {largest.Value} lines.");

        Assert.Equal(s_longTypes, lengths.Where(type => type.Value > MaxLines).ToDictionary());
    }

    [Fact]
    public void No_circle_has_more_than_four_types()
    {
        var circles = new TypeGraph(typeof(MuxChannel).Assembly.GetTypes()).Circles;
        foreach (var circle in circles.Where(circle => circle.Count > MaxCircle)) output.WriteLine($"{circle.Count} types: {string.Join(", ", circle.Select(type => type.Name).Order(StringComparer.Ordinal))}");

        Assert.Equal(s_largeCircles, circles.Where(circle => circle.Count > MaxCircle).ToDictionary(circle => circle.Select(type => type.FullName!).Order(StringComparer.Ordinal).First(), circle => circle.Count));
    }

    [Fact]
    public void A_circle_is_found()
    {
        // If none were found, the law would hold whatever the code did.
        var circle = Assert.Single(new TypeGraph([typeof(Hen), typeof(Egg), typeof(Nest)]).Circles);
        Assert.Equal([typeof(Egg), typeof(Hen)], circle.OrderBy(type => type.Name, StringComparer.Ordinal));
    }

    [GeneratedRegex(@"^(.*?/[^/.]+)(?:\.[^/]*)?\.cs$")]
    private static partial Regex PartialName();
}

internal sealed record Hen(Egg? Laid);

internal sealed record Egg(Hen? Layer);

internal sealed record Nest(Egg? Egg);
