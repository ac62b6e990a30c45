using Mux.Description.Json;

namespace Mux.Description.Tests.Json;

/// <summary>The name that was probably meant, of names that a peer chooses.</summary>
public sealed class NearNameTests
{
    [Theory]
    [InlineData("nmae", "name")]
    [InlineData("weigth", "weight")]
    [InlineData("amount", "amount")]
    [InlineData("x", null)]
    public void The_nearest_name_is_found_if_it_is_near(string given, string? found) =>
        Assert.Equal(found, NearName.Find(given, ["id", "name", "weight", "amount"]));

    [Fact]
    public void Of_very_many_names_only_the_first_are_looked_at()
    {
        int taken = 0;
        Assert.Null(NearName.Find("name", Names()));
        Assert.Equal(NearName.MaxCandidates, taken);

        IEnumerable<string> Names()
        {
            while (true)
            {
                taken++;
                yield return taken > NearName.MaxCandidates ? "name" : "other";
            }
        }
    }

    [Fact]
    public void A_very_long_name_is_compared_with_none()
    {
        int taken = 0;
        Assert.Null(NearName.Find(new string('a', NearName.MaxLength + 1), Enumerable.Range(0, 10).Select(name => $"{taken++}")));
        Assert.Equal(0, taken);
    }

    [Fact]
    public void Very_long_known_names_are_not_compared() =>
        Assert.Null(NearName.Find(new string('a', NearName.MaxLength), [new string('a', NearName.MaxLength + 1), new string('a', 1_000_000)]));
}
