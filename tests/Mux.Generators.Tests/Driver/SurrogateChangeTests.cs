namespace Mux.Generators.Tests.Driver;

/// <summary>A message with a surrogate is recorded as the surrogate, so a change of that is told, at its type.</summary>
public sealed class SurrogateChangeTests
{
    private const string Code = """
        using System.Threading;
        using System.Threading.Tasks;
        using Mux;
        using ProtoBuf;
        namespace shop;
        [ProtoContract(Surrogate = typeof(Coins))] public readonly struct Money
        {
            public static implicit operator Coins(Money money) => new();
            public static implicit operator Money(Coins coins) => default;
        }
        [ProtoContract, ProtoInclude(8, typeof(Gold)), ProtoInclude(9, typeof(Silver))] public class Coins
        {
            [ProtoMember(1)] public int Count { get; set; }
            [ProtoMember(2)] public int Value { get; set; }
        }
        [ProtoContract] public class Gold : Coins { }
        [ProtoContract] public class Silver : Coins { }
        [ProtoContract] public class Bill { [ProtoMember(1)] public Money Total { get; set; } }
        [MuxService("shop.Bills")] public interface IBills { ValueTask<Bill> Find(CancellationToken token); }
        """;

    private static readonly Lazy<string> s_recorded = new(static () => ContractChange.Record(Code));

    [Theory]
    [InlineData("MUX0073", "[ProtoMember(2)]", "[ProtoMember(3)]", "Value")]
    [InlineData("MUX0073", "[ProtoMember(2)]", "", "Coins")]
    [InlineData("MUX0075", "public int Value", "public string Value", "Value")]
    [InlineData("MUX0080", "ProtoInclude(9,", "ProtoInclude(7,", "Coins")]
    [InlineData("MUX0075", "typeof(Coins))]", "typeof(int))]", "Total")]
    [InlineData("MUX0076", "typeof(Coins))]", "typeof(string))]", "Total")]
    public void A_change_of_the_surrogate_is_told(string id, string from, string to, string place)
    {
        var code = Code.Replace(from, to, StringComparison.Ordinal);
        if (to == "typeof(int))]") code = Converting(code, "int");
        if (to == "typeof(string))]") code = Converting(code, "string");
        var found = Assert.Single(ContractChange.Find(code, s_recorded.Value));
        Assert.Equal((id, place), (found.Id, ContractChange.TextAt(found.Location, code)));
    }

    [Fact]
    public void Exchanged_numbers_are_told_at_both_members()
    {
        var code = Code.Replace("int Count", "int other", StringComparison.Ordinal).Replace("int Value", "int Count", StringComparison.Ordinal).Replace("int other", "int Value", StringComparison.Ordinal);
        Assert.Equal(["MUX0074", "MUX0074"], ContractChange.Find(code, s_recorded.Value).Select(static diagnostic => diagnostic.Id));
    }

    [Fact]
    public void Another_surrogate_with_the_same_fields_leaves_the_file_behind()
    {
        var code = Code.Replace("Coins", "Cents", StringComparison.Ordinal);
        Assert.Equal(["MUX0086"], ContractChange.Find(code, s_recorded.Value).Select(static diagnostic => diagnostic.Id));
    }

    [Fact]
    public void A_surrogate_in_place_of_the_message_itself_is_compared_with_it()
    {
        var plain = Code.Replace("(Surrogate = typeof(Coins))", "", StringComparison.Ordinal).Replace("public readonly struct Money", "public struct Money", StringComparison.Ordinal)
            .Replace("default;", "default; [ProtoMember(1)] public string Text { get; set; }", StringComparison.Ordinal);
        var found = ContractChange.Find(Code, ContractChange.Record(plain));
        Assert.Equal("MUX0074", Assert.Single(found).Id);
    }

    private static string Converting(string code, string type) => code.Replace("operator Coins(Money money) => new()", $"operator {type}(Money money) => default({type})!", StringComparison.Ordinal)
        .Replace("Coins coins", $"{type} value", StringComparison.Ordinal);
}
