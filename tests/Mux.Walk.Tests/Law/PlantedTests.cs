using Mono.Cecil;
using Mux.Walk.Tests.Samples;

namespace Mux.Walk.Tests.Law;

/// <summary>If the law found nothing, it would hold whatever the code did.</summary>
public sealed class PlantedTests
{
    private static readonly LawEntry[] s_entries = [new("Water", []), new("Air", ["Water"])];

    private readonly List<string?> _files = [];

    [Fact]
    public void A_planted_name_against_the_law_is_found()
    {
        var types = Read(type => type.Name == nameof(PlantedBird) ? "Air" : "Water");

        // The other way round is allowed.
        Assert.Equal(["Water: PlantedFish -> PlantedBird of Air"], WingLaw.FindViolations(types, s_entries));
    }

    [Fact]
    public void A_planted_name_of_a_room_above_is_found()
    {
        var types = Read(type => "Pond", room: type => type.Name == nameof(PlantedBird) ? "Air" : "Water");
        LawEntry[] entries = [new("Pond", [], ["Water", "Air"])];

        Assert.Equal(["Pond: PlantedFish -> PlantedBird of Pond"], WingLaw.FindViolations(types, entries));
    }

    [Fact]
    public void A_planted_name_of_the_framework_is_found()
    {
        var types = Read(type => type.Name == nameof(PlantedBird) ? "Air" : "Water");

        var stains = WingLaw.FindStains(types, [new("Air", ["System.Net"])]);
        Assert.Equal(["Air: PlantedBird names System.Net.IPAddress"], stains);
        Assert.Empty(WingLaw.FindStains(types, [new("Air", ["System.Ne", "System.Net.Sockets"])]));
    }

    [Fact]
    public void A_planted_circle_is_found()
    {
        var types = Read(type => type.Name == nameof(PlantedBird) ? "Air" : "Water");

        var circle = Assert.Single(CodeCircles.Of(types), WingLaw.IsAcross);
        Assert.Equal([nameof(PlantedBird), nameof(PlantedFish)], circle.Select(type => type.ShortName).Order());
    }

    [Fact]
    public void A_sole_subclass_is_one_with_its_base()
    {
        // Without the subclass, what the body reaches is nothing.
        var types = Read(_ => "Water");

        var circle = Assert.Single(CodeCircles.Of(types), circle => circle.Any(IsHead));
        var names = circle.Select(type => type.ShortName).Order();
        Assert.Equal([nameof(PlantedBody), nameof(PlantedHead), nameof(PlantedSnake)], names);

        static bool IsHead(CodeType type) => type.ShortName == nameof(PlantedHead);
    }

    [Fact]
    public void A_type_without_code_has_a_file_too()
    {
        _ = Read(_ => "Water");

        Assert.NotEmpty(_files);
        Assert.All(_files, file => Assert.Equal("tests/Mux.Walk.Tests/Samples/Planted.cs", file));
    }

    private List<CodeType> Read(Func<TypeDefinition, string> wing, Func<TypeDefinition, string>? room = null)
    {
        var all = CodeReader.Read(typeof(PlantedFish).Assembly.Location, (type, file) =>
        {
            if (IsPlanted(type.FullName)) _files.Add(file);
            return new Place(wing(type), "", room?.Invoke(type) ?? "");
        });
        return [.. all.Where(type => IsPlanted(type.Name))];

        static bool IsPlanted(string name) =>
            name.StartsWith($"{typeof(PlantedFish).Namespace}.Planted", StringComparison.Ordinal);
    }
}
