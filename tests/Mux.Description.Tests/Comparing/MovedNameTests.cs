using Mux.Description.Proto.Comparing;

namespace Mux.Description.Tests.Comparing;

/// <summary>
/// A name that moves to a number of another one makes programs read old values as something else, whether or not
/// its own number is reserved.
/// </summary>
public sealed class MovedNameTests
{
    [Theory]
    [InlineData("int32 a = 1; int32 b = 2;", "int32 b = 1; reserved 2;", "MUX0074", "keep 'b' as field 2")]
    [InlineData("int32 a = 1; int32 b = 2; int32 c = 3;", "int32 b = 1; int32 c = 2; reserved 3;", "MUX0074", "keep 'b' as field 2")]
    [InlineData("oneof o { int32 a = 1; int32 b = 2; }", "oneof o { int32 b = 1; } reserved 2;", "MUX0074", "keep 'b' as field 2")]
    [InlineData("oneof subtype { B b = 3; C c = 4; }", "oneof subtype { C b = 3; } reserved 4;", "MUX0080", "[ProtoInclude(4, ...)]")]
    [InlineData("oneof subtype { B b = 3; C c = 4; }", "oneof subtype { C c = 3; } reserved 4;", "MUX0080", "[ProtoInclude(4, ...)]")]
    public void A_field_in_place_of_one_that_is_gone_is_reported(string before, string after, string id, string advice)
    {
        Assert.All([false, true], isJson => Assert.Contains(
            Find(before, after, isJson), finding => finding.Id == id && finding.Remedy.Contains(advice, StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("int32 a = 1; int32 b = 2;", "int32 b = 2; reserved 1;")]
    [InlineData("int32 a = 1; int32 b = 2;", "int32 c = 1; reserved 2;")]
    [InlineData("int32 a = 1; int32 b = 2;", "int32 a = 1; reserved 2; int32 b = 3;")]
    [InlineData("oneof subtype { B b = 3; C c = 4; }", "oneof subtype { C c = 4; } reserved 3;")]
    public void A_field_that_keeps_its_number_or_gets_a_new_one_is_not(string before, string after) =>
        Assert.Empty(Find(before, after));

    [Fact]
    public void A_constant_in_place_of_one_that_is_gone_is_reported()
    {
        var finding = Assert.Single(Find(
            "E e = 1; enum E { E_A = 0; E_B = 1; E_C = 2; }", "E e = 1; enum E { E_A = 0; E_C = 1; reserved 2; }"));
        Assert.Equal(("MUX0079", "was 2 and is 1"), (finding.Id, finding.Change));
    }

    [Fact]
    public void Only_a_field_whose_name_is_gone_is_advised_to_be_reserved()
    {
        const string Before = "int32 price = 1; int32 quantity = 2;";
        Assert.Contains(Find(Before, "int32 price = 1;"), IsAdvisedToReserve);
        Assert.DoesNotContain(Find(Before, "int32 quantity = 1;"), IsAdvisedToReserve);

        static bool IsAdvisedToReserve(ContractFinding finding) =>
            finding.Remedy.Contains("ProtoReserved", StringComparison.Ordinal);
    }

    private static List<ContractFinding> Find(string before, string after, bool isJson = false) =>
    [
        .. Texts.Compare(Message(before), Message(after), isJson).Findings
            .Where(static finding => finding.Rule != ContractRule.Behind),
    ];

    private static string Message(string fields) =>
        $"message A {{ {fields} }} message B {{ int32 y = 1; }} message C {{ int32 z = 1; }}";
}
