using System.Text;
using Mux.Description.Proto.Comparing;

namespace Mux.Description.Tests.Comparing;

/// <summary>Contracts are as deep as their messages refer to each other: no depth may need more of the stack of a compiler.</summary>
public sealed class DepthTests
{
    private const int SmallStack = 256 << 10;
    private const int Deep = 9_000;

    [Fact]
    public void Messages_that_each_refer_to_the_next_are_compared_on_a_small_stack()
    {
        var finding = Assert.Single(FindOnSmallStack(Chain("M", Deep, "int32"), Chain("M", Deep, "string")));
        Assert.Equal(ContractRule.WireType, finding.Rule);
    }

    [Fact]
    public void Messages_that_refer_to_many_are_compared_once_with_each_that_has_their_name()
    {
        Assert.Empty(FindOnSmallStack(Web("int32"), Web("int64")));

        static string Web(string type) => string.Concat(Enumerable.Range(0, 3_000).Select(i =>
            $"message {Name(i)} {{ {type} n = 4; {Field(i + 1, 1)} {Field((7 * i) + 3, 2)} {Field((31 * i) + 5, 3)} }} "));

        static string Name(int index) => index == 0 ? "A" : $"M{index}";
        static string Field(int index, int number) => $"{Name(index % 3_000)} f{number} = {number};";
    }

    [Fact]
    public void Circles_of_two_lengths_are_no_more_than_one_finding()
    {
        const int Length = 60;
        var finding = Assert.Single(FindOnSmallStack(Circle("M", Length), Circle("N", Length - 1)));
        Assert.Equal(ContractRule.Body, finding.Rule);
        Assert.False(finding.IsWarning);
        Assert.Contains("too many pairs of messages with different names", finding.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Short_circles_of_two_lengths_are_compared()
    {
        Assert.Empty(FindOnSmallStack(Circle("M", 7), Circle("N", 6)));
    }

    [Fact]
    public void A_deep_message_that_is_another_one_leaves_no_findings_behind()
    {
        const string Method = "service S { rpc Do(A) returns (M0); } message A { } ";
        const string OtherMethod = "service S { rpc Do(A) returns (N0); } message A { } ";
        var finding = Assert.Single(FindOnSmallStack(
            Method + Chain("M", Deep, "int32", "string"), OtherMethod + Chain("N", Deep, "string", "int32")));
        Assert.Contains("'t.N0'", finding.Text, StringComparison.Ordinal);
    }

    private static IReadOnlyList<ContractFinding> FindOnSmallStack(string before, string after)
    {
        var (recorded, current) = (Texts.Read(before), Texts.Read(after).Set);
        IReadOnlyList<ContractFinding>? found = null;
        var thread = new Thread(
            () => found = [.. ContractComparison.Of(recorded.Set, recorded.Services, current, ContractLevel.Wire).Findings
                .Where(static finding => finding.Rule != ContractRule.Behind)],
            SmallStack);
        thread.Start();
        thread.Join();
        return found!;
    }

    // The last one has fields of these types.
    private static string Chain(string name, int length, params string[] types)
    {
        var text = new StringBuilder();
        if (name == "M" && types.Length == 1) text.Append("message A { M0 m = 1; } ");
        for (int i = 0; i < length; i++) text.Append($"message {name}{i} {{ {name}{i + 1} m = 1; }} ");
        var fields = types.Select(static (type, index) => $"{type} f{index} = {index + 1};");
        return text.Append($"message {name}{length} {{ {string.Concat(fields)} }} ").ToString();
    }

    private static string Circle(string name, int length) => $"message A {{ {name}0 m = 1; }} " + string.Concat(
        Enumerable.Range(0, length).Select(i => $"message {name}{i} {{ {name}{(i + 1) % length} m = 1; }} "));
}
