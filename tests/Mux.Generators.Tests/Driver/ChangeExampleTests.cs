using System.Text.RegularExpressions;

namespace Mux.Generators.Tests.Driver;

/// <summary>The changes that docs/descriptions.md has as examples, each with what it says that the check reports.</summary>
public sealed partial class ChangeExampleTests
{
    private const string Code = """
        using System;
        using System.Collections.Generic;
        using System.Threading;
        using System.Threading.Tasks;
        using Mux;
        using ProtoBuf;
        [assembly: CompatibilityLevel(CompatibilityLevel.Level200)]
        namespace shop;
        public enum Grade { None, High }
        [ProtoContract] public class Person
        {
            [ProtoMember(1)] public int Id { get; set; }
            [ProtoMember(2)] public string Name { get; set; } = "";
            [ProtoMember(3)] public int Age { get; set; }
            [ProtoMember(4)] public string Phone { get; set; } = "";
            [ProtoMember(5)] public Grade Grade { get; set; }
            [ProtoMember(6)] public DateTime Hired { get; set; }
            [ProtoMember(7)] public Guid Key { get; set; }
            [ProtoMember(8)] public decimal Pay { get; set; }
        }
        [MuxService("shop.People")] public interface IPeople { ValueTask<Person> Find(CancellationToken token); }
        public static class User { public static int Use(Grade grade) => grade switch { Grade.None => 0, Grade.High => 1 }; }
        """;

    private static readonly Lazy<string> s_recorded = new(static () => ContractChange.Record(Code));

    /// <summary>The number of the row, and the code before and after; several ways in which one does what the row says.</summary>
    public static TheoryData<int, string[]> Changes => new()
    {
        { 1, ["[ProtoMember(1)]", "[ProtoMember(9)] public string? Nick { get; set; } [ProtoMember(1)]"] },
        { 2, ["[ProtoMember(3)] public int Age { get; set; }", ""] },
        { 3, ["string Name", "string FullName"] },
        { 4, ["[ProtoMember(3)]", "[ProtoMember(9)]"] },
        { 5, ["int Age", "long Age"] },
        { 6, ["int Age { get; set; }", "string Age { get; set; } = \"\";"] },
        { 7, ["int Age", "int? Age"] },
        { 8, ["string Phone { get; set; } = \"\"", "List<string> Phone { get; set; } = []"] },
        { 9, ["None, High }", "None, High, Highest }"] },
        { 10, ["[ProtoContract] public class", "[ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300)] public class"] },
    };

    [Theory]
    [MemberData(nameof(Changes))]
    public void The_check_reports_what_the_page_says(int row, string[] edit)
    {
        var cell = Rows()[row];
        int json = cell.IndexOf("Json", StringComparison.Ordinal);
        var expected = Rules(json < 0 ? cell : cell[..json]);
        var after = Code.Replace(edit[0], edit[1], StringComparison.Ordinal);
        Assert.NotEqual(Code, after);
        Assert.Equal(expected, IdsOf(after));
        Assert.Equal(json < 0 ? expected : Rules(cell[json..]), IdsOf(after, ("MuxContractLevel", "Json")));
    }

    [Fact]
    public void What_the_page_says_to_do_about_a_removed_member_is_enough()
    {
        var after = Code.Replace("[ProtoMember(3)] public int Age { get; set; }", "", StringComparison.Ordinal)
            .Replace("[ProtoContract] public", "[ProtoContract, ProtoReserved(3)] public", StringComparison.Ordinal);
        Assert.Equal(["MUX0086"], IdsOf(after));
    }

    [Fact]
    public void Exchanged_numbers_are_reported_too()
    {
        var after = Code.Replace("(1)", "(0)", StringComparison.Ordinal).Replace("(3)", "(1)", StringComparison.Ordinal).Replace("(0)", "(3)", StringComparison.Ordinal);
        Assert.Equal(["MUX0074"], IdsOf(after));
    }

    [Fact]
    public void Every_row_is_tried() => Assert.Equal(Rows().Keys.Order(), Changes.Select(static row => row.Data.Item1).Order());

    private static string[] IdsOf(string code, params (string Name, string Value)[] properties) =>
        [.. ContractChange.Find(code, s_recorded.Value, properties).Select(static diagnostic => diagnostic.Id).Distinct()];

    private static string[] Rules(string text) => [.. Rule().Matches(text).Select(static match => match.Value).Distinct().Order(StringComparer.Ordinal)];

    // What the last but one cell of each row says, by the number with which the row begins.
    private static Dictionary<int, string> Rows() => File.ReadLines(Path.Combine(Repository.Find(), "docs", "descriptions.md"))
        .Select(static line => Row().Match(line)).Where(static match => match.Success)
        .ToDictionary(static match => int.Parse(match.Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture), static match => match.Value.Split('|')[^3]);

    [GeneratedRegex(@"^\| (\d+)\. .*\|$")]
    private static partial Regex Row();

    [GeneratedRegex(@"MUX\d{4}")]
    private static partial Regex Rule();
}
