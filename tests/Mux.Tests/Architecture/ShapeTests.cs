using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Architecture;

/// <summary>The largest type, all its files together, and the largest circle of types that reach each other.</summary>
public sealed partial class ShapeTests(ITestOutputHelper output)
{
    private const int MaxLines = 500;
    private const int MaxCircle = 4;

    [Fact]
    public void No_type_is_longer_than_can_be_known_by_heart()
    {
        // Several types stand in one file, and parts of one in several: a type lasts from its declaration at the margin to the brace there.
        var lengths = SourceTree.Files("src", "*.cs")
            .SelectMany(file => OutermostType().Matches(SourceTree.Read(file)).Select(type => (Name: $"{file.Split('/')[1]}: {type.Groups[1].Value}", Lines: type.Value.AsSpan().Count('\n'))))
            .GroupBy(type => type.Name)
            .ToDictionary(type => type.Key, type => type.Sum(part => part.Lines));
        var largest = lengths.MaxBy(type => type.Value);
        output.WriteLine($"The longest type: {largest.Key}, {largest.Value} lines.");

        Assert.DoesNotContain(lengths, type => type.Value > MaxLines);
    }

    [Fact]
    public void No_circle_has_more_than_four_types()
    {
        var circles = new TypeGraph(typeof(MuxChannel).Assembly.GetTypes()).Circles.Select(circle => string.Join(", ", circle.Select(type => type.Name).Order(StringComparer.Ordinal))).ToList();
        output.WriteLine($"The largest circle: {circles.FirstOrDefault() ?? "none"}.");

        Assert.DoesNotContain(circles, circle => circle.AsSpan().Count(',') >= MaxCircle);
    }

    [Fact]
    public void A_circle_is_found()
    {
        // If none were found, the law would hold whatever the code did.
        var circle = Assert.Single(new TypeGraph([typeof(Hen), typeof(Egg), typeof(Nest)]).Circles);
        Assert.Equal([typeof(Egg), typeof(Hen)], circle.OrderBy(type => type.Name, StringComparer.Ordinal));
    }

    [GeneratedRegex(@"^(?:[a-z]+ )+(?:class|struct|interface|enum|record|record struct) (\w+)[^;{]*?(?:;|\{.*?^\};?)$", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex OutermostType();
}

internal sealed record Hen(Egg? Laid);

internal sealed record Egg(Hen? Layer);

internal sealed record Nest(Egg? Egg);
