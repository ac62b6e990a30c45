using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Mux.Generators.CodeFixes;
using Mux.Generators.Tests.Driver;

namespace Mux.Generators.Tests.Fixes;

/// <summary>What is wrong is told, and not told any more once the fix that is offered was taken; what then stands there compiles.</summary>
public sealed class FixTests
{
    public static TheoryData<FixCase> Cases => [.. FixCases.All];

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_fix_makes_of_a_mistake_what_was_meant(FixCase mistake)
    {
        using var sut = new FixScene(mistake.Before);
        var diagnostic = Assert.Single(await sut.FindAsync(mistake.Id));
        var offers = await sut.OffersForAsync(diagnostic);
        await sut.ApplyAsync(Assert.Single(offers, offer => offer.Title == mistake.Title));
        Assert.Equal(mistake.After, await sut.TextAsync());
        Assert.Empty(await sut.FindAsync(mistake.Id)); // which asserts that it compiles
    }

    [Fact]
    public async Task All_members_of_a_document_get_numbers_of_their_own()
    {
        using var sut = new FixScene("""
            [ProtoContract] public class One { [ProtoMember(4)] public int A; public int B; public int C { get; set; } }
            [ProtoContract] public class Two { [ProtoMember(1)] public int A; public int B; }
            """);
        await sut.ApplyAllAsync("MUX0053");
        var text = await sut.TextAsync();
        Assert.Equal(["ProtoMember(4)", "ProtoMember(5)", "ProtoMember(6)", "ProtoMember(1)", "ProtoMember(2)"], text.Split('[', ']').Where(static part => part.StartsWith("ProtoMember", StringComparison.Ordinal)));
        Assert.Empty(await sut.FindAsync("MUX0053"));
    }

    [Fact]
    public void Numbers_are_given_to_one_document_at_a_time()
    {
        Assert.Equal([FixAllScope.Document], new NumberFieldsFix().GetFixAllProvider().GetSupportedFixAllScopes());
    }

    [Fact]
    public async Task All_methods_of_a_document_get_a_token()
    {
        using var sut = new FixScene("[MuxService(\"s\")] public interface IService { ValueTask A(); ValueTask B(int x); }");
        await sut.ApplyAllAsync("MUX0048");
        Assert.Empty(await sut.FindAsync("MUX0048"));
    }

    [Theory]
    [InlineData("params int[] ids")]
    [InlineData("string cancellationToken")]
    public async Task A_token_is_added_only_where_one_can_stand(string parameters)
    {
        using var sut = new FixScene($"[MuxService(\"s\")] public interface IService {{ ValueTask Do({parameters}); }}");
        Assert.Empty(await sut.OffersForAsync(Assert.Single(await sut.FindAsync("MUX0048"))));
    }

    [Theory]
    [InlineData("void M(IService service) => service.Get(1).AsTask().Wait();")]
    [InlineData("async Task M(IService service) { await Task.Yield(); System.Action a = () => service.Do().Wait(); }")]
    [InlineData("async Task M(IService service) { await Task.Yield(); Task.WaitAll(service.Do()); }")]
    [InlineData("async Task M(IService service) { await Task.Yield(); service.Do().Wait(100); }")]
    [InlineData("async Task M(IService? service) { await Task.Yield(); service?.Do().Wait(); }")]
    [InlineData("async Task M(IService service) { await Task.Yield(); foreach (var x in service.List().ToBlockingEnumerable()) { } }")]
    [InlineData("async Task M(IService service) { try { await Task.Yield(); } catch (System.Exception) when (service.Get(1).Result > 0) { } }")]
    public async Task A_call_is_awaited_only_where_that_is_possible(string method)
    {
        using var sut = new FixScene(AnalyzerMistakes.Calls + $"public class C {{ {method} }}");
        Assert.Empty(await sut.OffersForAsync(Assert.Single(await sut.FindAsync("MUX0049"))));
    }

    [Fact]
    public async Task A_call_of_a_program_without_a_method_can_be_awaited()
    {
        using var sut = new FixScene("IService service = null!; service.Do().Wait(); " + AnalyzerMistakes.Calls, OutputKind.ConsoleApplication);
        await sut.ApplyAsync(Assert.Single(await sut.OffersForAsync(Assert.Single(await sut.FindAsync("MUX0049")))));
        Assert.Contains("await service.Do();", await sut.TextAsync(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("MUX0027", "public class Item { [DataMember(Order = 1)] public int A; } [DataContract] public class Outer { [DataMember(Order = 1)] public Item? Item; } ")]
    [InlineData("MUX0053", "[ProtoContract] public class Item { [ProtoMember(1)] public int Id; public int A, B; }")]
    [InlineData("MUX0052", "[ProtoContract, ProtoReserved(\"Id\"), ProtoReserved(3)] public class Item { [ProtoMember(7)] public int Id; }")]
    public async Task What_cannot_be_numbered_in_one_place_is_offered_nothing(string id, string source)
    {
        using var sut = new FixScene(source);
        foreach (var diagnostic in await sut.FindAsync(id)) Assert.Empty(await sut.OffersForAsync(diagnostic));
    }

    [Fact]
    public async Task A_default_that_nothing_sets_is_written_always()
    {
        using var sut = new FixScene("[DataContract] public class Item { [DataMember(Order = 1), DefaultValue(5)] public int Id { get; set; } }");
        var offer = Assert.Single(await sut.OffersForAsync(Assert.Single(await sut.FindAsync("MUX0050"))));
        await sut.ApplyAsync(offer);
        Assert.Contains("[DataMember(Order = 1, IsRequired = true), DefaultValue(5)]", await sut.TextAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_constant_that_an_attribute_cannot_see_is_written_always()
    {
        using var sut = new FixScene("[DataContract] public class Item { public Item() { const int five = 5; Id = five; } [DataMember(Order = 1)] public int Id; }");
        Assert.Equal("Write it always (IsRequired = true)", Assert.Single(await sut.OffersForAsync(Assert.Single(await sut.FindAsync("MUX0050")))).Title);
    }

    [Fact]
    public async Task An_interface_that_is_called_twice_is_marked_once()
    {
        using var sut = new FixScene(AnalyzerMistakes.Channel + "public interface IOther { } public class C { void M(MuxChannel channel) { channel.CreateProxy<IOther>(); channel.CreateProxy<IOther>(); } }");
        await sut.ApplyAllAsync("MUX0051");
        Assert.Empty(await sut.FindAsync("MUX0051")); // nor is the attribute there twice, which would not compile
    }

    [Fact]
    public void The_compiler_needs_no_workspaces_to_load_the_generator() =>
        Assert.DoesNotContain(typeof(MuxGenerator).Assembly.GetReferencedAssemblies(), static name => name.Name!.Contains("Workspaces", StringComparison.Ordinal));

    [Fact]
    public void Every_fix_has_a_case() => Assert.Equal(FixScene.FixableIds.Order(), FixCases.All.Select(static mistake => mistake.Id).Distinct().Order());

    [Fact]
    public void Every_page_of_a_diagnostic_with_a_fix_says_what_it_does()
    {
        var folder = Path.Combine(Repository.Find(), "docs", "diagnostics");
        Assert.All(FixScene.FixableIds, id => Assert.Contains("**In the editor.**", File.ReadAllText(Path.Combine(folder, id + ".md")), StringComparison.Ordinal));
    }
}
