using System.Globalization;
using System.Text;
using Mux.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tests.Serializers;

/// <summary>Integers in JSON that somebody has chosen to fall into the same places of a hash table.</summary>
public sealed class JsonCollisionTests
{
    private const int Many = 20_000;

    [Theory]
    [InlineData("{\"Longs\":{MAP}}")]
    [InlineData("{\"Set\":[LIST]}")]
    [InlineData("{\"Inner\":[{\"Set\":[LIST]}]}")]
    [InlineData("{\"Inner\":[{},{\"Longs\":{MAP}}]}")]
    public void Longs_of_the_same_hash_are_refused(string json)
    {
        AssertRefused(json, static i => (i << 32) | i);
    }

    [Fact]
    public void Numbers_of_the_same_place_are_refused()
    {
        AssertRefused("{\"Ints\":{MAP}}", static i => (i % 17_000) * 17519);
    }

    [Fact]
    public void Names_that_are_written_in_another_way_are_the_same_numbers()
    {
        var names = string.Join(',', Enumerable.Range(0, Many).Select(static i => $"\"\\u003{((long)i << 32 | (uint)i) % 10}{string.Empty}\":0"));
        Assert.Equal(10, Read($"{{\"Longs\":{{{names}}}}}").Longs!.Count);
        var escaped = string.Join(',', Enumerable.Range(1, Many).Select(static i => "\"" + string.Concat((((long)i << 32) | (uint)i).ToString(CultureInfo.InvariantCulture).Select(static c => $"\\u00{(int)c:x2}")) + "\":0"));
        Assert.Throws<InvalidMessageException>(() => Read($"{{\"Longs\":{{{escaped}}}}}"));
        var padded = string.Join(',', Enumerable.Range(1, Many).Select(static i => string.Create(CultureInfo.InvariantCulture, $"\"\\u0030{((long)i << 32) | (uint)i:D150}\":0")));
        Assert.Throws<InvalidMessageException>(() => Read($"{{\"Longs\":{{{padded}}}}}"));
    }

    [Fact]
    public void Numbers_that_nobody_has_chosen_and_numbers_in_lists_are_read()
    {
        Assert.Equal(Many, Read(Fill("{\"Longs\":{MAP}}", static i => i * 1000)).Longs!.Count);
        Assert.Equal(Many, Read(Fill("{\"Set\":[LIST]}", static i => i)).Set!.Count);
        Assert.Equal(Many, Read(Fill("{\"Ints\":{MAP}}", static i => -i)).Ints!.Count);
        Assert.Equal(Many, Read(Fill("{\"Names\":{MAP}}", static i => i)).Names!.Count);
        Assert.Equal(Many, JsonSerializer<JsonTablesContext>.Read<List<long>>(Encoding.UTF8.GetBytes(Fill("[LIST]", static i => (i << 32) | i))).Count);
    }

    [Fact]
    public void A_number_that_comes_again_where_others_have_its_place_is_refused()
    {
        var numbers = string.Join(',', Enumerable.Range(0, 919).Select(static i => (i * 919).ToString(CultureInfo.InvariantCulture)).Concat(Enumerable.Repeat("0", 500_000)));
        Assert.Throws<InvalidMessageException>(() => Read($"{{\"Set\":[{numbers}]}}"));
    }

    [Fact]
    public void White_space_around_the_number_of_an_enum_changes_nothing()
    {
        var names = string.Join(',', Enumerable.Range(0, 17_000).Select(static i => string.Create(CultureInfo.InvariantCulture, $"\" {i * 17519L}\\u00a0\":0")));
        Assert.Throws<InvalidMessageException>(() => JsonSerializer<JsonTablesContext>.Read<Dictionary<DayOfWeek, int>>(Encoding.UTF8.GetBytes($"{{{names}}}")));
    }

    [Fact]
    public void Very_many_numbers_that_nobody_has_chosen_are_read()
    {
        const int VeryMany = 700_000;
        var numbers = string.Join(',', Enumerable.Range(0, VeryMany).Select(static i => i.ToString(CultureInfo.InvariantCulture)));
        Assert.Equal(VeryMany, Read($"{{\"Set\":[{numbers}]}}").Set!.Count);
        var entries = string.Join(',', Enumerable.Range(0, VeryMany).Select(static i => string.Create(CultureInfo.InvariantCulture, $"\"{i}\":1")));
        Assert.Equal(VeryMany, Read($"{{\"Longs\":{{{entries}}},\"Set\":[{numbers}]}}").Longs!.Count);
    }

    [Fact]
    public void Bytes_that_are_no_JSON_are_refused_as_ever()
    {
        Assert.Throws<InvalidMessageException>(() => Read("{\"Longs\":{" + new string(' ', 20_000)));
        Assert.Throws<InvalidMessageException>(() => Read("{}" + new string(' ', 20_000) + "x"));
        Assert.Throws<InvalidMessageException>(() => Read(new string('[', 20_000)));
    }

    private static void AssertRefused(string json, Func<long, long> key)
    {
        var refused = Assert.Throws<InvalidMessageException>(() => Read(Fill(json, key)));
        Assert.Equal("The keys of a map or set were chosen to have the same place in a hash table.", refused.Message);
    }

    private static string Fill(string json, Func<long, long> key)
    {
        var keys = Enumerable.Range(0, Many).Select(i => key(i).ToString(CultureInfo.InvariantCulture)).ToList();
        return json.Replace("MAP", string.Join(',', keys.Select(static key => $"\"{key}\":{(key.Length % 2 == 0 ? "0" : "1")}")), StringComparison.Ordinal).Replace("LIST", string.Join(',', keys), StringComparison.Ordinal);
    }

    private static JsonTables Read(string json) => JsonSerializer<JsonTablesContext>.Read<JsonTables>(Encoding.UTF8.GetBytes(json));
}
