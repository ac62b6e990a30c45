using Microsoft.CodeAnalysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>A constant that is added to a recorded enum is a warning at each switch that does not expect it.</summary>
public sealed class AddedValueTests
{
    private const string Code = """
        using System.Runtime.Serialization;
        using System.Threading;
        using System.Threading.Tasks;
        using Mux;
        namespace shop;
        public enum Grade { None, High }
        public enum Other { None, High }
        public class Shelf { public enum Kind { Short, Long } }
        [DataContract] public class Order
        {
            [DataMember(Order = 1)] public Grade Rank { get; set; }
            [DataMember(Order = 2)] public Shelf.Kind Kind { get; set; }
            [DataMember(Order = 3)] public Other Other { get; set; }
        }
        [MuxService("shop.Orders")] public interface IOrders { ValueTask Drop(Order order, CancellationToken token); }
        public static class User
        {
            public static void Use(Grade grade, Grade? maybe, Shelf.Kind kind, Other other, int number, bool flag)
            {
                SWITCH
            }
        }
        """;

    private static readonly Lazy<string> s_recorded = new(static () => ContractChange.Record(Code.Replace("SWITCH", "", StringComparison.Ordinal)));

    [Theory]
    [InlineData("switch (grade) { case Grade.None: break; case Grade.High: break; }")]
    [InlineData("switch (grade) { }")]
    [InlineData("switch (grade) { case Grade.None or Grade.High: break; }")]
    [InlineData("switch (grade) { case Grade.Highest when flag: break; }")]
    [InlineData("switch (maybe) { case null: break; case Grade.High: break; }")]
    [InlineData("_ = grade switch { Grade.None => 1, Grade.High => 2 };")]
    [InlineData("_ = grade switch { Grade.None => 1, _ when flag => 2 };")]
    public void A_switch_without_a_case_and_without_a_default_is_told(string text)
    {
        var code = Code.Replace("SWITCH", text, StringComparison.Ordinal).Replace("Grade { None, High }", "Grade { None, High, Highest }", StringComparison.Ordinal);
        var found = Run(code);
        var warning = Assert.Single(found, static diagnostic => diagnostic.Id == "MUX0079");
        Assert.Equal((DiagnosticSeverity.Warning, "switch"), (warning.Severity, ContractChange.TextAt(warning.Location, code)));
        Assert.Equal("Highest", ContractChange.TextAt(Assert.Single(warning.AdditionalLocations), code));
        Assert.Contains("'shop.Grade' was recorded without 'Highest' and is used in a switch without a case for it", warning.GetMessage(null), StringComparison.Ordinal);
        Assert.Equal(["MUX0079", "MUX0086"], found.Select(static diagnostic => diagnostic.Id));
        Assert.Empty(ContractChange.Find(code, ContractChange.Record(code)));
    }

    [Theory]
    [InlineData("switch (grade) { case Grade.None: break; default: break; }")]
    [InlineData("switch (grade) { case Grade.Highest: break; }")]
    [InlineData("switch (grade) { case Grade.None or Grade.Highest: break; }")]
    [InlineData("switch (grade) { case >= Grade.High: break; }")]
    [InlineData("switch (maybe) { case Grade.Highest: break; }")]
    [InlineData("switch (grade) { case var rest: break; }")]
    [InlineData("_ = grade switch { Grade.None => 1, _ => 2 };")]
    [InlineData("_ = grade switch { Grade.None => 1, not Grade.None => 2 };")]
    [InlineData("switch (other) { case Other.None: break; }")]
    [InlineData("switch (number) { case 1: break; }")]
    public void A_switch_that_expects_it_or_is_on_another_type_is_not_told(string text)
    {
        var code = Code.Replace("SWITCH", text, StringComparison.Ordinal).Replace("Grade { None, High }", "Grade { None, High, Highest }", StringComparison.Ordinal);
        Assert.Equal(["MUX0086"], Run(code).Select(static diagnostic => diagnostic.Id));
    }

    [Fact]
    public void Several_constants_of_a_nested_enum_are_told_once_for_each_switch()
    {
        var code = Code.Replace("SWITCH", "switch (kind) { case Shelf.Kind.Long: break; } switch (kind) { case Shelf.Kind.Wide: break; }", StringComparison.Ordinal)
            .Replace("{ Short, Long }", "{ Short, Long, Wide, High }", StringComparison.Ordinal);
        var texts = Run(code).Where(static diagnostic => diagnostic.Id == "MUX0079").Select(static diagnostic => diagnostic.GetMessage(null)).ToList();
        Assert.Equal(2, texts.Count);
        Assert.Contains("without 'Wide' and 1 more", texts[0], StringComparison.Ordinal);
        Assert.Contains("without 'High' and", texts[1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_constant_with_a_new_name_is_none_that_was_added()
    {
        var code = Code.Replace("SWITCH", "switch (grade) { case Grade.None: break; }", StringComparison.Ordinal)
            .Replace("Grade { None, High }", "Grade { None, Top }", StringComparison.Ordinal);
        Assert.Equal(["MUX0086"], Run(code).Select(static diagnostic => diagnostic.Id));
    }

    private static List<Diagnostic> Run(string code) => ContractChange.Find(code, s_recorded.Value);
}
