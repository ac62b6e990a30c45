using Mux.Description.Proto;
using Mux.Description.Proto.Comparing;

namespace Mux.Description.Tests.Comparing;

/// <summary>What an update keeps of the files so far, and which files are its own.</summary>
public sealed class UpdateTests
{
    [Fact]
    public void A_reserved_number_that_is_used_leaves_those_around_it_reserved()
    {
        var recorded = Texts.Read("message A { reserved 5 to 10; int32 id = 1; }");
        var current = Texts.Read("message A { int32 id = 1; int32 more = 7; }").Set;
        var comparison = ContractComparison.Of(recorded.Set, recorded.Services, current, ContractLevel.Wire);
        ContractUpdate.Merge(current, recorded, comparison, "as asked");
        Assert.Equal([new ProtoRange(5, 6), new ProtoRange(8, 10)], current.Messages["t.A"].Reserved);
    }

    [Fact]
    public void A_field_that_is_gone_leaves_its_number_and_name_reserved()
    {
        var recorded = Texts.Read("message A { int32 id = 1; int32 old = 2; }");
        var current = Texts.Read("message A { int32 id = 1; }").Set;
        ContractUpdate.Merge(current, recorded, ContractComparison.Of(recorded.Set, recorded.Services, current, ContractLevel.Wire), "as asked");
        Assert.Equal([new ProtoRange(2, 2)], current.Messages["t.A"].Reserved);
        Assert.Equal(["old"], current.Messages["t.A"].ReservedNames);
    }

    [Theory]
    [InlineData("last_name = 2", new[] { "last_name" })]
    [InlineData("last_name = 2 [json_name = \"surname\"]", new[] { "last_name", "surname" })]
    [InlineData("last_name = 2 [json_name = \"sur-name\"]", new[] { "last_name" })]
    public void A_field_that_is_gone_leaves_each_name_reserved_that_can_be(string field, string[] expected)
    {
        var recorded = Texts.Read($"message A {{ int32 id = 1; int32 {field}; }}");
        var current = Texts.Read("message A { int32 id = 1; }").Set;
        ContractUpdate.Merge(current, recorded, ContractComparison.Of(recorded.Set, recorded.Services, current, ContractLevel.Wire), "as asked");

        Assert.Equal(expected, current.Messages["t.A"].ReservedNames);
        var updated = ContractComparison.Of(recorded.Set, recorded.Services, current, ContractLevel.Json, isBetweenFiles: true);
        Assert.DoesNotContain(updated.Findings, static finding => finding.Rule == ContractRule.JsonName);
    }

    [Theory]
    [InlineData("// Recorded by Mux: more\nsyntax = \"proto3\";", true)]
    [InlineData("// License\n\n  // Recorded by Mux\r\nsyntax = \"proto3\";", true)]
    [InlineData("syntax = \"proto3\";\nimport \"mux/options.proto\";", false)]
    [InlineData("syntax = \"proto3\";\n// Recorded by Mux", false)]
    public void Only_the_comment_at_its_beginning_makes_a_file_one_that_an_update_may_delete(string text, bool isOwn) =>
        Assert.Equal(isOwn, new RecordedFile("a.proto", text).IsOwn);
}
