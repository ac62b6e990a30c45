using Mono.Cecil;

namespace Mux.Walk.Tests.Law;

/// <summary>Holds what all projects of src were compiled to against <see cref="WingLaw"/>.</summary>
public sealed class WingLawTests(ITestOutputHelper output)
{
    private static readonly IReadOnlyList<CodeType> s_types = SourceAssemblies.Types;

    [Fact]
    public void No_wing_names_one_that_it_may_not_know()
    {
        var found = WingLaw.FindViolations(s_types, WingLaw.Entries).Distinct().ToList();
        output.WriteLine($"{found.Count} pairs of types against the law, {WingLaw.Entries.Length} entries.");

        var added = found.Except(WingLaw.Violations).ToList();
        Assert.True(added.Count == 0, string.Join('\n', ["Against the law:", .. added]));
        var ended = WingLaw.Violations.Except(found).ToList();
        Assert.True(ended.Count == 0, string.Join('\n', ["Delete from WingLaw.Violations what is gone:", .. ended]));
    }

    [Fact]
    public void No_room_names_a_part_of_the_framework_that_it_keeps_away_from() =>
        Assert.Empty(WingLaw.FindStains(s_types, WingLaw.Marks).Distinct());

    [Fact]
    public void No_circle_across_wings_is_larger_than_it_was()
    {
        var large = SourceAssemblies.Circles.Where(circle => circle.Count > 4);
        foreach (var circle in large) output.WriteLine(Describe(circle));
        var largest = SourceAssemblies.Circles.FirstOrDefault(WingLaw.IsAcross);
        int size = largest?.Count ?? 0;

        const int Limit = WingLaw.LargestCircle;
        var found = largest is null ? "none" : Describe(largest);
        Assert.True(size <= Limit, $"At most {Limit} types may reach each other across wings. Found: {found}");
        Assert.True(size == Limit, $"WingLaw.LargestCircle can be lowered to {size}.");
    }

    [Fact]
    public void Every_type_is_in_a_wing_or_project_of_the_law()
    {
        var known = WingLaw.Entries.Select(entry => entry.Name).ToHashSet();
        var strays = s_types.Where(type => !known.Contains(type.Place.Name));
        Assert.Empty(strays.Select(type => $"{type.Name} in {type.Place.Path}"));
    }

    [Fact]
    public void Every_project_of_src_has_an_entry() =>
        Assert.Equal(
            SourceAssemblies.Projects.Order(),
            WingLaw.Entries.Select(entry => entry.Name.Split('/')[0]).Distinct().Order());

    [Fact]
    public void An_entry_names_entries_above_it_only()
    {
        var names = WingLaw.Entries.Select(entry => entry.Name).ToList();
        Assert.Empty(WingLaw.Entries.SelectMany((entry, index) => entry.MayName.Except(names.Take(index))));
    }

    [Fact]
    public void Every_name_of_the_law_is_used()
    {
        // What nobody uses is a permission that nobody has thought about.
        var byKey = s_types.ToDictionary(type => type.Key);
        var used = new HashSet<string>();
        foreach (var type in s_types)
        {
            var places = type.Names.Where(byKey.ContainsKey).Select(name => byKey[name].Place.Name);
            used.UnionWith(places.Select(place => $"{type.Place.Name} -> {place}"));
        }

        var allowed = WingLaw.Entries.SelectMany(entry => entry.MayName.Select(name => $"{entry.Name} -> {name}"));
        Assert.Empty(allowed.Except(used));
    }

    [Fact]
    public void Every_mark_is_about_types_that_exist() =>
        Assert.All(WingLaw.Marks, mark => Assert.Contains(s_types, type => mark.IsAbout(type.Place)));

    [Theory]
    [InlineData("Mux.Abstractions", new string[0])]
    [InlineData("Mux.Core", new[] { "Mux.Abstractions", "Microsoft.Extensions.Logging.Abstractions" })]
    [InlineData("Mux.Description", new[] { "Mux.Abstractions" })]
    [InlineData("Mux.Serialization.GoogleProtobuf", new[] { "Mux.Abstractions", "Google.Protobuf" })]
    [InlineData("Mux.Serialization.ProtobufNet", new[] { "Mux.Abstractions", "protobuf-net", "protobuf-net.Core" })]
    public void Nothing_below_Mux_references_more_than_the_framework_and_its_own(string project, string[] allowed)
    {
        using var assembly = AssemblyDefinition.ReadAssembly(SourceAssemblies.PathOf(project));
        var references = assembly.MainModule.AssemblyReferences.Select(reference => reference.Name);
        Assert.Empty(references.Where(name => !name.StartsWith("System.", StringComparison.Ordinal)).Except(allowed));
    }

    private static string Describe(IReadOnlyList<CodeType> circle)
    {
        var wings = circle.GroupBy(type => type.Place.Name).OrderByDescending(wing => wing.Count())
            .Select(wing => $"{wing.Key}: {string.Join(", ", wing.Select(type => type.ShortName).Order())}");
        return $"{circle.Count} types: {string.Join("; ", wings)}";
    }
}
